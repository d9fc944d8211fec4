/* The Python type Core1: what a package calls. Its methods return None where Python has to do it. */
#include "amqp1.h"

/* The settings of a call: Limits by the depth that is left, the most elements, the buffer and where to start in it. */
static bool start_reading(Reading1 *reading, Input *in, PyObject *const *arguments) {
    reading->levels = arguments[0];
    if (!PyList_Check(reading->levels) || PyList_Size(reading->levels) < 2) {
        PyErr_SetString(PyExc_TypeError, "the limits are a list of at least two");
        return false;
    }
    uint64_t most; /* octets cannot count more than 32 bits */
    bool has_limit = unsigned_64(arguments[1], &most) && most < UINT32_MAX;
    reading->max_elements = has_limit ? (uint32_t)most : UINT32_MAX;
    PyErr_Clear();
    reading->buffer = arguments[2];
    reading->start = input_from(arguments[2], arguments[3], in);
    reading->retries = MOST_RETRIES;
    return reading->start != NULL;
}

static uint32_t depth_of(const Reading1 *reading) { return (uint32_t)PyList_Size(reading->levels) - 1; }

static PyObject *core_read_value(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Reading1 reading;
    Input in;
    if (!argument_count("read_value", count, 4) || !start_reading(&reading, &in, arguments)) return NULL;
    PyObject *value = read_value(core, &reading, &in, depth_of(&reading));
    return pair_or_none(value, in.at - reading.start);
}

static PyObject *core_read_frames(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Reading1 reading;
    Input in;
    if (!argument_count("read_frames", count, 6) || !start_reading(&reading, &in, arguments)) return NULL;
    uint64_t max_frame_size = PyLong_AsUnsignedLongLong(arguments[4]);
    if (PyErr_Occurred() || !read_frames1(core, &reading, &in, max_frame_size, arguments[5])) return NULL;
    return PyLong_FromSsize_t(in.at - reading.start);
}

static PyObject *core_read_message(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Reading1 reading;
    Input in;
    if (!argument_count("read_message", count, 4) || !start_reading(&reading, &in, arguments)) return NULL;
    return or_none(read_message(core, &reading, &in, depth_of(&reading) - 1));
}

static PyObject *core_read_value_variant(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const uint8_t *start = argument_count("read_value_variant", count, 2) ? input_from(arguments[0], arguments[1], &in) : NULL;
    PyObject *variant = start == NULL ? NULL : read_value_variant(core, &in);
    return start == NULL ? NULL : pair_or_none(variant, in.at - start);
}

static PyObject *core_read_map_variant(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const uint8_t *start = argument_count("read_map_variant", count, 3) ? input_from(arguments[0], arguments[1], &in) : NULL;
    PyObject *variant = start == NULL ? NULL : read_map_variant(core, &in, arguments[2] == Py_True ? SYMBOL_KEYS : STRING_KEYS);
    return start == NULL ? NULL : pair_or_none(variant, in.at - start);
}

/* A value whose class says nothing is for Python at once. */
static PyObject *core_write_value(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    if (!argument_count("write_value", count, 1)) return NULL;
    if (type_of_value(core, arguments[0]) == T_OTHER) Py_RETURN_NONE;
    start_output(&out);
    return octets_or_none(&out, write_value(core, &out, arguments[0], core->depth));
}

static PyObject *core_write_frame(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    uint64_t most;
    if (!argument_count("write_frame", count, 4)) return NULL;
    if (!PyLong_Check(arguments[3]) || !unsigned_64(arguments[3], &most)) return or_none(NULL);
    start_output(&out);
    return octets_or_none(&out, write_frame1(core, &out, arguments[0], arguments[1], arguments[2], most));
}

static PyObject *core_write_message(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    if (!argument_count("write_message", count, 1)) return NULL;
    start_output(&out);
    return octets_or_none(&out, write_message1(core, &out, arguments[0], core->depth - 1));
}

static PyObject *core_add_composite(Core1 *core, PyObject *arguments) {
    PyTypeObject *type;
    PyObject *facts;
    unsigned char code;
    int is_performative;
    if (!PyArg_ParseTuple(arguments, "O!bO!p", &PyType_Type, &type, &code, &PyTuple_Type, &facts, &is_performative)) return NULL;
    Composite *composite = core->composites[code] == NULL ? make_composite(core, type, code, facts) : NULL;
    bool done = composite != NULL && keep_type(&core->base, type, T_COMPOSITE, composite);
    PyErr_Clear();
    if (!done) Py_RETURN_FALSE;
    composite->is_performative = is_performative != 0;
    core->composites[code] = composite;
    Py_RETURN_TRUE;
}

static PyObject *core_add_message(Core1 *core, PyObject *arguments) {
    PyTypeObject *message, *bodies[3];
    PyObject *attributes;
    if (!PyArg_ParseTuple(arguments, "O!O!(O!O!O!)", &PyType_Type, &message, &PyTuple_Type, &attributes, &PyType_Type, &bodies[0],
                          &PyType_Type, &bodies[1], &PyType_Type, &bodies[2]))
        return NULL;
    bool done = set_message(core, message, attributes, bodies);
    PyErr_Clear();
    return PyBool_FromLong(done);
}

static bool set_array(Core1 *core, PyTypeObject *array) {
    core->array_items = find_slot(array, "items");
    core->array_type_name = find_slot(array, "type");
    core->array_descriptors = find_slot(array, "descriptors");
    core->no_descriptors = keep_owned(&core->base, PyTuple_New(0));
    if (core->array_items >= 0 && core->array_type_name >= 0 && core->array_descriptors >= 0)
        core->array_type = keep(&core->base, (PyObject *)array);
    return core->no_descriptors != NULL;
}

/* Core1(classes by name of type, Array, read_other, write_other, depth, max_elements) */
static PyObject *core_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *classes, *read_other, *write_other;
    PyTypeObject *array;
    unsigned int depth, max_elements;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!O!OOII", &PyDict_Type, &classes, &PyType_Type, &array, &read_other, &write_other, &depth,
                          &max_elements))
        return NULL;
    Core1 *core = (Core1 *)PyType_GenericAlloc(type, 0);
    if (core == NULL) return NULL;
    core->base.texts = keep_memory(&core->base, sizeof(Texts));
    core->base.symbols = keep_memory(&core->base, sizeof(Texts));
    core->read_other = keep(&core->base, read_other);
    core->write_other = keep(&core->base, write_other);
    core->depth = depth == 0 ? 1 : depth;
    core->max_elements = max_elements;
    if (core->base.texts != NULL && core->base.symbols != NULL && core->read_other != NULL && core->write_other != NULL && make_types(core, classes)
        && set_array(core, array))
        return (PyObject *)core;
    Py_DECREF(core);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

static PyMethodDef methods[] = {
    {"read_value", (PyCFunction)(void (*)(void))core_read_value, METH_FASTCALL,
     "read_value(limits, max_elements, buffer, position) -> (value, position after it) or None"},
    {"read_frames", (PyCFunction)(void (*)(void))core_read_frames, METH_FASTCALL,
     "read_frames(limits, max_elements, buffer, position, max_frame_size, frames) -> position of the first not read"},
    {"read_message", (PyCFunction)(void (*)(void))core_read_message, METH_FASTCALL,
     "read_message(limits, max_elements, buffer, position) -> message or None"},
    {"read_value_variant", (PyCFunction)(void (*)(void))core_read_value_variant, METH_FASTCALL,
     "read_value_variant(buffer, position) -> ((value, metadata), position after it) or None"},
    {"read_map_variant", (PyCFunction)(void (*)(void))core_read_map_variant, METH_FASTCALL,
     "read_map_variant(buffer, position, usually has symbols as keys) -> ((value, metadata), position after it) or None"},
    {"write_value", (PyCFunction)(void (*)(void))core_write_value, METH_FASTCALL, "write_value(value) -> bytes or None"},
    {"write_frame", (PyCFunction)(void (*)(void))core_write_frame, METH_FASTCALL,
     "write_frame(channel, performative, payload, most octets) -> bytes or None"},
    {"write_message", (PyCFunction)(void (*)(void))core_write_message, METH_FASTCALL, "write_message(message) -> bytes or None"},
    {"row_reader", (PyCFunction)make_row_reader1, METH_VARARGS,
     "row_reader((class of the composite, size of a row), read of Python) -> read(buffer, position, limits, variants)"},
    {"add_composite", (PyCFunction)(void (*)(void))core_add_composite, METH_VARARGS,
     "add_composite(class, code, facts of the fields, is a performative) -> whether the core takes it"},
    {"add_message", (PyCFunction)(void (*)(void))core_add_message, METH_VARARGS,
     "add_message(Message, its seven attributes in order, (Data, AmqpSequence, AmqpValue)) -> whether the core takes them"},
    {NULL, NULL, 0, NULL},
};

int add_core1(PyObject *module) { return add_core_type(module, "amqp_native.Core1", sizeof(Core1), core_new, methods); }
