/* The Python type Core0: what a package calls. Its methods return None where Python has to do it. */
#include "amqp0.h"

/* The settings that are the first argument; NULL with an exception. */
static const Reading *start_reading(const char *name, PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted) {
    return argument_count(name, count, wanted) ? reading_of(arguments[0]) : NULL;
}

static PyObject *core_read_frames(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const Reading *reading = start_reading("read_frames", arguments, count, 5);
    const uint8_t *start = reading == NULL ? NULL : input_from(arguments[1], arguments[2], &in);
    if (start == NULL) return NULL;
    uint64_t max_payload = PyLong_AsUnsignedLongLong(arguments[3]);
    if (PyErr_Occurred() || !read_frames(core, reading, &in, max_payload, arguments[4])) return NULL;
    return PyLong_FromSsize_t(in.at - start);
}

static PyObject *core_read_method(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const Reading *reading = start_reading("read_method", arguments, count, 2);
    if (reading == NULL || input_from(arguments[1], core->zero, &in) == NULL) return NULL;
    return or_none(read_method(core, reading, &in));
}

static PyObject *core_read_table(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const Reading *reading = start_reading("read_table", arguments, count, 3);
    const uint8_t *start = reading == NULL ? NULL : input_from(arguments[1], arguments[2], &in);
    if (start == NULL) return NULL;
    PyObject *table = read_table(core, reading, &in, 1);
    return pair_or_none(table, in.at - start);
}

static PyObject *core_read_table_variant(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const Reading *reading = start_reading("read_table_variant", arguments, count, 4);
    if (reading == NULL) return NULL;
    const uint8_t *start = input_between(arguments[1], arguments[2], arguments[3], &in);
    PyObject *variant = start == NULL ? NULL : read_table_variant(core, reading, &in);
    return pair_or_none(variant, variant == NULL ? 0 : in.at - start);
}

/* The settings that are the first argument, and an empty output; NULL with an exception. */
static const Writing *start_writing(
    const char *name, PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted, Output *out) {
    start_output(out);
    return argument_count(name, count, wanted) ? writing_of(arguments[0]) : NULL;
}

static PyObject *core_write_frame(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_frame", arguments, count, 3, &out);
    if (writing == NULL) return NULL;
    return octets_or_none(&out, write_frame(core, writing, &out, arguments[1], arguments[2]));
}

static PyObject *core_write_message(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_message", arguments, count, 6, &out);
    if (writing == NULL) return NULL;
    MessageParts message = {arguments[1], arguments[2], arguments[3], arguments[4], 0};
    bool has_limit = PyLong_CheckExact(arguments[5]) && unsigned_64(arguments[5], &message.max_frame_size);
    return octets_or_none(&out, has_limit && write_message(core, writing, &out, &message));
}

static PyObject *core_write_method(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_method", arguments, count, 2, &out);
    if (writing == NULL) return NULL;
    const Found *found = look_up_type(&core->base.types, arguments[1]);
    bool done = found->kind == METHOD_CLASS && write_method(core, writing, &out, found->layout, arguments[1]);
    return octets_or_none(&out, done);
}

static PyObject *core_write_table(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_table", arguments, count, 2, &out);
    if (writing == NULL) return NULL;
    return octets_or_none(&out, write_table(core, writing, &out, arguments[1], 1));
}

/* Makes a class known by its number and by its address. */
static PyObject *add_layout(Core0 *core, const Layout *layout, uint64_t number, Plain plain) {
    bool done = layout != NULL && add_to_lookup(&core->numbers, number, plain, layout)
                && keep_type(&core->base, layout->type, plain, layout);
    PyErr_Clear();
    return PyBool_FromLong(done);
}

static PyObject *core_add_method(Core0 *core, PyObject *arguments) {
    PyObject *type, *prototype, *rest;
    unsigned int key;
    int has_content;
    if (!PyArg_ParseTuple(arguments, "O!OO!Ip", &PyType_Type, &type, &prototype, &PyTuple_Type, &rest, &key, &has_content))
        return NULL;
    Layout *layout = make_layout(core, type, prototype, rest, key);
    if (layout != NULL) layout->has_content = has_content != 0;
    return add_layout(core, layout, key, METHOD_CLASS);
}

/* One word of flags, and no bits. */
static bool are_plain_properties(const Layout *layout) {
    for (Py_ssize_t index = 0; index < layout->field_count; index++)
        if (layout->fields[index].kind == BIT || layout->fields[index].reserved) return false;
    return layout->field_count <= 15 && layout->key <= UINT16_MAX;
}

static PyObject *core_add_properties(Core0 *core, PyObject *arguments) {
    PyObject *type, *prototype, *rest;
    unsigned int key;
    if (!PyArg_ParseTuple(arguments, "O!OO!I", &PyType_Type, &type, &prototype, &PyTuple_Type, &rest, &key)) return NULL;
    Layout *layout = make_layout(core, type, prototype, rest, key);
    bool is_plain = layout != NULL && are_plain_properties(layout);
    return add_layout(core, is_plain ? layout : NULL, properties_number(key), PROPERTIES_CLASS);
}

static PyObject *core_add_content(Core0 *core, PyObject *arguments) {
    PyTypeObject *header, *body, *heartbeat;
    if (!PyArg_ParseTuple(arguments, "O!O!O!", &PyType_Type, &header, &PyType_Type, &body, &PyType_Type, &heartbeat)) return NULL;
    core->header_properties = find_slot(header, "properties");
    core->header_size = find_slot(header, "body_size");
    core->header_weight = find_slot(header, "weight");
    core->body_payload = find_slot(body, "payload");
    bool done = core->header_properties >= 0 && core->header_size >= 0 && core->header_weight >= 0 && core->body_payload >= 0
                && keep_type(&core->base, header, HEADER_CLASS, NULL) && keep_type(&core->base, body, BODY_CLASS, NULL)
                && keep_type(&core->base, heartbeat, HEARTBEAT_CLASS, NULL);
    PyErr_Clear();
    if (!done) Py_RETURN_FALSE;
    core->header_type = header;
    core->body_type = body;
    core->heartbeat_type = heartbeat;
    Py_RETURN_TRUE;
}

/* Core0(Timestamp, Decimal, decimal_parts) */
static PyObject *core_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *timestamp, *decimal, *parts;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyType_Type, &timestamp, &PyType_Type, &decimal, &parts)) return NULL;
    Core0 *core = (Core0 *)PyType_GenericAlloc(type, 0);
    if (core == NULL) return NULL;
    core->base.texts = keep_memory(&core->base, sizeof(Texts));
    core->timestamp_type = keep(&core->base, timestamp);
    core->decimal_type = keep(&core->base, decimal);
    core->decimal_parts = keep(&core->base, parts);
    core->zero = keep_owned(&core->base, PyLong_FromLong(0));
    const struct {
        PyTypeObject *type;
        Plain plain;
    } builtins[] = {
        {&PyBool_Type, PLAIN_BOOLEAN}, {&PyFloat_Type, PLAIN_FLOAT}, {&PyUnicode_Type, PLAIN_TEXT}, {&PyBytes_Type, PLAIN_BYTES},
        {&PyList_Type, PLAIN_ARRAY},   {&PyDict_Type, PLAIN_TABLE},  {Py_TYPE(Py_None), PLAIN_VOID}, {&PyLong_Type, PLAIN_INTEGER},
        {(PyTypeObject *)decimal, PLAIN_DECIMAL}, {(PyTypeObject *)timestamp, PLAIN_TIMESTAMP},
    };
    for (size_t index = 0; index < sizeof builtins / sizeof *builtins; index++)
        keep_type(&core->base, builtins[index].type, builtins[index].plain, NULL);
    if (core->base.texts != NULL && core->timestamp_type != NULL && core->decimal_type != NULL && core->decimal_parts != NULL && core->zero != NULL)
        return (PyObject *)core;
    Py_DECREF(core);
    return PyErr_NoMemory();
}

static PyMethodDef methods[] = {
    {"read_frames", (PyCFunction)(void (*)(void))core_read_frames, METH_FASTCALL,
     "read_frames(reading, buffer, position, max_payload, frames) -> position of the first frame not read"},
    {"read_method", (PyCFunction)(void (*)(void))core_read_method, METH_FASTCALL, "read_method(reading, payload) -> method or None"},
    {"read_table", (PyCFunction)(void (*)(void))core_read_table, METH_FASTCALL,
     "read_table(reading, buffer, position) -> (table, position after it) or None"},
    {"read_table_variant", (PyCFunction)(void (*)(void))core_read_table_variant, METH_FASTCALL,
     "read_table_variant(reading, buffer, position, end) -> ((value, metadata), position after it) or None"},
    {"write_frame", (PyCFunction)(void (*)(void))core_write_frame, METH_FASTCALL,
     "write_frame(writing, channel, frame) -> bytes or None"},
    {"write_message", (PyCFunction)(void (*)(void))core_write_message, METH_FASTCALL,
     "write_message(writing, channel, method, properties, body, max_frame_size) -> bytes or None"},
    {"write_method", (PyCFunction)(void (*)(void))core_write_method, METH_FASTCALL, "write_method(writing, method) -> bytes or None"},
    {"write_table", (PyCFunction)(void (*)(void))core_write_table, METH_FASTCALL, "write_table(writing, table) -> bytes or None"},
    {"row_reader", (PyCFunction)make_row_reader, METH_VARARGS,
     "row_reader((number of the layout, reading), size of a row, read of Python) -> read(buffer, position, end, tables)"},
    {"add_method", (PyCFunction)(void (*)(void))core_add_method, METH_VARARGS,
     "add_method(class, prototype, names of slots that are no fields, key, has content) -> whether the core takes it"},
    {"add_properties", (PyCFunction)(void (*)(void))core_add_properties, METH_VARARGS,
     "add_properties(class, prototype, names of slots that are no fields, class index) -> whether the core takes it"},
    {"add_content", (PyCFunction)(void (*)(void))core_add_content, METH_VARARGS,
     "add_content(ContentHeader, ContentBody, Heartbeat) -> whether the core takes them"},
    {NULL, NULL, 0, NULL},
};

int add_core0(PyObject *module) { return add_core_type(module, "amqp_native.Core0", sizeof(Core0), core_new, methods); }
