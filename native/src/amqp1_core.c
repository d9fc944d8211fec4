/* The Python type Core1: what a package calls. Its methods return None where Python has to do it. */
#include "amqp1.h"

/* What is no int, Python compares; octets cannot count more than 32 bits. */
static uint32_t most_elements(PyObject *limit) {
    uint64_t most;
    if (!PyLong_Check(limit)) { return 0; }
    return unsigned_64(limit, &most) && most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

/* The settings of a call: Limits by the depth that is left, the most elements, the buffer and where to start in it. */
static bool start_reading(Reading1 *reading, Input *in, PyObject *const *arguments) {
    reading->levels = arguments[0];
    if (!PyList_Check(reading->levels) || PyList_Size(reading->levels) < 2) {
        PyErr_SetString(PyExc_TypeError, "the limits are a list of at least two");
        return false;
    }
    reading->max_elements = most_elements(arguments[1]);
    reading->buffer = arguments[2];
    reading->start = input_from(arguments[2], arguments[3], in);
    reading->retries = MOST_RETRIES;
    return reading->start != NULL;
}

static uint32_t depth_of(const Reading1 *reading) { return (uint32_t)PyList_Size(reading->levels) - 1; }

static PyObject *core_read_value(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Reading1 reading;
    Input in;
    PyObject *value = NULL;
    if (!argument_count("read_value", count, 4) || !start_reading(&reading, &in, arguments)) { return NULL; }
    Result result = read_value(core, &reading, &in, depth_of(&reading), &value);
    return pair_or_none(result, value, in.at - reading.start);
}

static PyObject *core_read_frames(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Reading1 reading;
    Input in;
    if (!argument_count("read_frames", count, 6) || !start_reading(&reading, &in, arguments)) { return NULL; }
    uint64_t max_frame_size = PyLong_AsUnsignedLongLong(arguments[4]);
    if (max_frame_size == UINT64_MAX && PyErr_Occurred()) { return NULL; }
    return read_frames1(core, &reading, &in, max_frame_size, arguments[5]) ? PyLong_FromSsize_t(in.at - reading.start)
                                                                           : NULL;
}

static PyObject *core_read_message(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Reading1 reading;
    Input in;
    PyObject *message = NULL;
    if (!argument_count("read_message", count, 4) || !start_reading(&reading, &in, arguments)) { return NULL; }
    Result result = read_message(core, &reading, &in, depth_of(&reading) - 1, &message);
    return none_unless_done(result, message);
}

static PyObject *core_read_value_variant(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    PyObject *variant = NULL;
    const uint8_t *start =
        argument_count("read_value_variant", count, 2) ? input_from(arguments[0], arguments[1], &in) : NULL;
    if (start == NULL) { return NULL; }
    Result result = read_value_variant(core, &in, &variant);
    return pair_or_none(result, variant, in.at - start);
}

static PyObject *core_read_map_variant(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    PyObject *variant = NULL;
    const uint8_t *start =
        argument_count("read_map_variant", count, 3) ? input_from(arguments[0], arguments[1], &in) : NULL;
    if (start == NULL) { return NULL; }
    Result result = read_map_variant(core, &in, arguments[2] == Py_True ? SYMBOL_KEYS : STRING_KEYS, &variant);
    return pair_or_none(result, variant, in.at - start);
}

/* A value whose class says nothing is for Python at once. */
static PyObject *core_write_value(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    if (!argument_count("write_value", count, 1)) { return NULL; }
    if (type_of_value(core, arguments[0]) == T_OTHER) { Py_RETURN_NONE; }
    start_output(&out);
    return octets_or_none(&out, write_value(core, &out, arguments[0], core->depth));
}

static PyObject *core_write_frame(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    uint64_t most;
    if (!argument_count("write_frame", count, 4)) { return NULL; }
    if (!PyLong_Check(arguments[3]) || !unsigned_64(arguments[3], &most)) { Py_RETURN_NONE; }
    start_output(&out);
    return octets_or_none(&out, write_frame1(core, &out, arguments[0], arguments[1], arguments[2], most));
}

static PyObject *core_write_message(Core1 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    if (!argument_count("write_message", count, 1)) { return NULL; }
    start_output(&out);
    return octets_or_none(&out, write_message1(core, &out, arguments[0], core->depth - 1));
}

static Result add_composite(Core1 *core, PyTypeObject *type, uint8_t code, PyObject *facts, bool is_performative) {
    Composite *composite;
    if (core->composites[code] != NULL) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(make_composite(core, type, code, facts, &composite));
    composite->is_performative = is_performative;
    RETURN_UNLESS_DONE(keep_type(&core->base, type, T_COMPOSITE, composite));
    core->composites[code] = composite;
    return DONE;
}

static PyObject *core_add_composite(Core1 *core, PyObject *arguments) {
    PyTypeObject *type;
    PyObject *facts;
    unsigned char code;
    int is_performative;
    if (!PyArg_ParseTuple(arguments, "O!bO!p", &PyType_Type, &type, &code, &PyTuple_Type, &facts, &is_performative)) {
        return NULL;
    }
    return true_if_done(add_composite(core, type, code, facts, is_performative != 0));
}

static PyObject *core_add_message(Core1 *core, PyObject *arguments) {
    PyTypeObject *message, *bodies[3];
    PyObject *attributes;
    if (!PyArg_ParseTuple(arguments, "O!O!(O!O!O!)", &PyType_Type, &message, &PyTuple_Type, &attributes, &PyType_Type,
                          &bodies[0], &PyType_Type, &bodies[1], &PyType_Type, &bodies[2])) {
        return NULL;
    }
    return true_if_done(set_message(core, message, attributes, bodies));
}

static bool set_array(Core1 *core, PyTypeObject *array) {
    core->no_descriptors = keep_owned(&core->base, PyTuple_New(0));
    if (core->no_descriptors == NULL) { return false; }
    core->array_items = find_slot(array, "items");
    core->array_type_name = find_slot(array, "type");
    core->array_descriptors = find_slot(array, "descriptors");
    if (core->array_items < 0 || core->array_type_name < 0 || core->array_descriptors < 0) { return true; }
    core->array_type = keep(&core->base, (PyObject *)array);
    return core->array_type != NULL;
}

static bool fill_core(Core1 *core, PyObject *arguments) {
    PyObject *classes, *read_other, *write_other;
    PyTypeObject *array;
    if (!PyArg_ParseTuple(arguments, "O!O!OOII", &PyDict_Type, &classes, &PyType_Type, &array, &read_other,
                          &write_other, &core->depth, &core->max_elements)) {
        return false;
    }
    if (core->depth == 0) { core->depth = 1; }
    core->base.texts = keep_memory(&core->base, sizeof(Texts));
    core->base.symbols = keep_memory(&core->base, sizeof(Texts));
    core->read_other = keep(&core->base, read_other);
    core->write_other = keep(&core->base, write_other);
    return !PyErr_Occurred() && make_types(core, classes) && set_array(core, array);
}

static PyObject *core_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    Core1 *core = (Core1 *)PyType_GenericAlloc(type, 0);
    if (core != NULL && !fill_core(core, arguments)) { Py_CLEAR(core); }
    return (PyObject *)core;
}

static PyMethodDef methods[] = {
    METHOD("read_value", core_read_value, METH_FASTCALL,
           "read_value($self, limits, max_elements, buffer, position, /)\n--\n\nReturn (value, position after it), or "
           "None."),
    METHOD("read_frames", core_read_frames, METH_FASTCALL,
           "read_frames($self, limits, max_elements, buffer, position, max_frame_size, frames, /)\n--\n\n"
           "Append to frames, and return the position of the first that was not read."),
    METHOD("read_message", core_read_message, METH_FASTCALL,
           "read_message($self, limits, max_elements, buffer, position, /)\n--\n\nReturn the message, or None."),
    METHOD("read_value_variant", core_read_value_variant, METH_FASTCALL,
           "read_value_variant($self, buffer, position, /)\n--\n\nReturn ((value, metadata), position after it), or "
           "None."),
    METHOD("read_map_variant", core_read_map_variant, METH_FASTCALL,
           "read_map_variant($self, buffer, position, has_symbols, /)\n--\n\n"
           "Return ((value, metadata), position after it), or None; has_symbols: the keys usually are symbols."),
    METHOD("write_value", core_write_value, METH_FASTCALL,
           "write_value($self, value, /)\n--\n\nReturn octets, or None."),
    METHOD("write_frame", core_write_frame, METH_FASTCALL,
           "write_frame($self, channel, performative, payload, max_frame_size, /)\n--\n\nReturn octets, or None."),
    METHOD("write_message", core_write_message, METH_FASTCALL,
           "write_message($self, message, /)\n--\n\nReturn octets, or None."),
    METHOD("row_reader", make_row_reader1, METH_VARARGS,
           "row_reader($self, facts, fallback, /)\n--\n\nReturn a function that reads rows, "
           "read(buffer, position, limits, variants); facts: (class of the composite, size of a row)."),
    METHOD("add_composite", core_add_composite, METH_VARARGS,
           "add_composite($self, class_, code, facts, is_performative, /)\n--\n\n"
           "Return whether the core takes the class; facts are those of its fields."),
    METHOD("add_message", core_add_message, METH_VARARGS,
           "add_message($self, message, attributes, bodies, /)\n--\n\nReturn whether the core takes the classes; "
           "attributes: seven, in their order; bodies: (Data, AmqpSequence, AmqpValue)."),
    {NULL, NULL, 0, NULL},
};

int add_core1(PyObject *module) {
    return add_core_type(module, "amqp_native.Core1",
                         "Core1(classes, array, read_other, write_other, depth, max_elements, /)\n--\n\n"
                         "The classes of one package of 1.0, and who reads and writes their instances.",
                         sizeof(Core1), core_new, methods);
}
