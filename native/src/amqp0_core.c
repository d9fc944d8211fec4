/* The Python type Core0: what a package calls. Its methods return None where Python has to do it. */
#include "amqp0.h"

/* The settings that are the first argument. */
static const Reading *start_reading(const char *name, PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted) {
    return argument_count(name, count, wanted) ? reading_of(arguments[0]) : NULL;
}

static PyObject *core_read_frames(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    const Reading *reading = start_reading("read_frames", arguments, count, 5);
    const uint8_t *start = reading == NULL ? NULL : input_from(arguments[1], arguments[2], &in);
    if (start == NULL) { return NULL; }
    uint64_t max_payload = PyLong_AsUnsignedLongLong(arguments[3]);
    if (PyErr_Occurred() || !read_frames(core, reading, &in, max_payload, arguments[4])) { return NULL; }
    return PyLong_FromSsize_t(in.at - start);
}

static PyObject *core_read_method(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    PyObject *method = NULL;
    const Reading *reading = start_reading("read_method", arguments, count, 2);
    if (reading == NULL || input_from(arguments[1], core->zero, &in) == NULL) { return NULL; }
    Result result = read_method(core, reading, &in, &method);
    return none_unless_done(result, method);
}

static PyObject *core_read_table(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in;
    PyObject *table = NULL;
    const Reading *reading = start_reading("read_table", arguments, count, 3);
    const uint8_t *start = reading == NULL ? NULL : input_from(arguments[1], arguments[2], &in);
    if (start == NULL) { return NULL; }
    Result result = read_table(core, reading, &in, 1, &table);
    return pair_or_none(result, table, in.at - start);
}

static PyObject *core_read_table_variant(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Input in = {NULL, NULL};
    const uint8_t *start = NULL;
    PyObject *pair = NULL;
    const Reading *reading = start_reading("read_table_variant", arguments, count, 4);
    if (reading == NULL) { return NULL; }
    Result result = input_between(arguments[1], arguments[2], arguments[3], &in, &start);
    if (result == DONE) { result = read_table_variant(core, reading, &in, &pair); }
    return pair_or_none(result, pair, in.at - start);
}

/* The settings that are the first argument, and an empty output. */
static const Writing *start_writing(const char *name, PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted,
                                    Output *out) {
    start_output(out);
    return argument_count(name, count, wanted) ? writing_of(arguments[0]) : NULL;
}

static PyObject *core_write_frame(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_frame", arguments, count, 3, &out);
    if (writing == NULL) { return NULL; }
    return octets_or_none(&out, write_frame(core, writing, &out, arguments[1], arguments[2]));
}

static PyObject *core_write_message(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_message", arguments, count, 6, &out);
    if (writing == NULL) { return NULL; }
    MessageParts message = {arguments[1], arguments[2], arguments[3], arguments[4], 0};
    bool has_limit = PyLong_CheckExact(arguments[5]) && unsigned_64(arguments[5], &message.max_frame_size);
    return octets_or_none(&out, has_limit ? write_message(core, writing, &out, &message) : NOT_PLAIN);
}

static PyObject *core_write_method(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_method", arguments, count, 2, &out);
    if (writing == NULL) { return NULL; }
    const Found *found = look_up_type(&core->base.types, arguments[1]);
    bool is_method = found->kind == METHOD_CLASS;
    return octets_or_none(&out, is_method ? write_method(core, writing, &out, found->layout, arguments[1]) : NOT_PLAIN);
}

static PyObject *core_write_table(Core0 *core, PyObject *const *arguments, Py_ssize_t count) {
    Output out;
    const Writing *writing = start_writing("write_table", arguments, count, 2, &out);
    if (writing == NULL) { return NULL; }
    return octets_or_none(&out, write_table(core, writing, &out, arguments[1], 1));
}

/* Makes a class known by its number and by its address. */
static Result add_layout(Core0 *core, const Layout *layout, uint64_t number, Plain plain) {
    if (!add_to_lookup(&core->numbers, number, plain, layout)) { return NOT_PLAIN; }
    return keep_type(&core->base, layout->type, plain, layout);
}

static PyObject *core_add_method(Core0 *core, PyObject *arguments) {
    PyObject *type, *prototype, *rest;
    unsigned int key;
    int has_content;
    Layout *layout;
    if (!PyArg_ParseTuple(arguments, "O!OO!Ip", &PyType_Type, &type, &prototype, &PyTuple_Type, &rest, &key,
                          &has_content)) {
        return NULL;
    }
    Result result = make_layout(core, type, prototype, rest, key, &layout);
    if (result != DONE) { return true_if_done(result); }
    layout->has_content = has_content != 0;
    return true_if_done(add_layout(core, layout, key, METHOD_CLASS));
}

/* One word of flags, and no bits. */
static bool has_plain_properties(const Layout *layout) {
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        if (layout->fields[index].kind == BIT || layout->fields[index].is_reserved) { return false; }
    }
    return layout->field_count <= 15 && layout->key <= UINT16_MAX;
}

static PyObject *core_add_properties(Core0 *core, PyObject *arguments) {
    PyObject *type, *prototype, *rest;
    unsigned int key;
    Layout *layout;
    if (!PyArg_ParseTuple(arguments, "O!OO!I", &PyType_Type, &type, &prototype, &PyTuple_Type, &rest, &key)) {
        return NULL;
    }
    Result result = make_layout(core, type, prototype, rest, key, &layout);
    if (result == DONE) { result = plain_if(has_plain_properties(layout)); }
    if (result == DONE) { result = add_layout(core, layout, properties_number(key), PROPERTIES_CLASS); }
    return true_if_done(result);
}

static Result set_content(Core0 *core, PyTypeObject *header, PyTypeObject *body, PyTypeObject *heartbeat) {
    core->header_properties = find_slot(header, "properties");
    core->header_size = find_slot(header, "body_size");
    core->header_weight = find_slot(header, "weight");
    core->body_payload = find_slot(body, "payload");
    if (core->header_properties < 0 || core->header_size < 0 || core->header_weight < 0 || core->body_payload < 0) {
        return NOT_PLAIN;
    }
    RETURN_UNLESS_DONE(keep_type(&core->base, header, HEADER_CLASS, NULL));
    RETURN_UNLESS_DONE(keep_type(&core->base, body, BODY_CLASS, NULL));
    RETURN_UNLESS_DONE(keep_type(&core->base, heartbeat, HEARTBEAT_CLASS, NULL));
    core->header_type = header;
    core->body_type = body;
    core->heartbeat_type = heartbeat;
    return DONE;
}

static PyObject *core_add_content(Core0 *core, PyObject *arguments) {
    PyTypeObject *header, *body, *heartbeat;
    if (!PyArg_ParseTuple(arguments, "O!O!O!", &PyType_Type, &header, &PyType_Type, &body, &PyType_Type, &heartbeat)) {
        return NULL;
    }
    return true_if_done(set_content(core, header, body, heartbeat));
}

/* A class that is given twice is what it was first. */
static bool keep_value_types(Core0 *core) {
    const struct {
        PyTypeObject *type;
        Plain plain;
    } value_types[] = {
        {&PyBool_Type, PLAIN_BOOLEAN},
        {&PyFloat_Type, PLAIN_FLOAT},
        {&PyUnicode_Type, PLAIN_TEXT},
        {&PyBytes_Type, PLAIN_BYTES},
        {&PyList_Type, PLAIN_ARRAY},
        {&PyDict_Type, PLAIN_TABLE},
        {Py_TYPE(Py_None), PLAIN_VOID},
        {&PyLong_Type, PLAIN_INTEGER},
        {(PyTypeObject *)core->decimal_type, PLAIN_DECIMAL},
        {(PyTypeObject *)core->timestamp_type, PLAIN_TIMESTAMP},
    };
    for (size_t index = 0; index < sizeof value_types / sizeof *value_types; index++) {
        if (keep_type(&core->base, value_types[index].type, value_types[index].plain, NULL) == FAILED) { return false; }
    }
    return true;
}

static bool fill_core(Core0 *core, PyObject *arguments) {
    PyObject *timestamp, *decimal, *parts;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyType_Type, &timestamp, &PyType_Type, &decimal, &parts)) {
        return false;
    }
    core->base.texts = keep_memory(&core->base, sizeof(Texts));
    core->timestamp_type = keep(&core->base, timestamp);
    core->decimal_type = keep(&core->base, decimal);
    core->decimal_parts = keep(&core->base, parts);
    core->zero = PyErr_Occurred() ? NULL : keep_owned(&core->base, PyLong_FromLong(0));
    return core->zero != NULL && keep_value_types(core);
}

static PyObject *core_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    Core0 *core = (Core0 *)PyType_GenericAlloc(type, 0);
    if (core != NULL && !fill_core(core, arguments)) { Py_CLEAR(core); }
    return (PyObject *)core;
}

static PyMethodDef methods[] = {
    METHOD("read_frames", core_read_frames, METH_FASTCALL,
           "read_frames($self, reading, buffer, position, max_payload, frames, /)\n--\n\n"
           "Append (channel, frame) to the frames; return the position of the first frame not read."),
    METHOD("read_method", core_read_method, METH_FASTCALL,
           "read_method($self, reading, payload, /)\n--\n\nReturn a method, or None."),
    METHOD("read_table", core_read_table, METH_FASTCALL,
           "read_table($self, reading, buffer, position, /)\n--\n\nReturn (table, position after it), or None."),
    METHOD("read_table_variant", core_read_table_variant, METH_FASTCALL,
           "read_table_variant($self, reading, buffer, position, end, /)\n--\n\n"
           "Return ((value, metadata), position after it), or None."),
    METHOD("write_frame", core_write_frame, METH_FASTCALL,
           "write_frame($self, writing, channel, frame, /)\n--\n\nReturn bytes, or None."),
    METHOD("write_message", core_write_message, METH_FASTCALL,
           "write_message($self, writing, channel, method, properties, body, max_frame_size, /)\n--\n\nReturn bytes, "
           "or None."),
    METHOD("write_method", core_write_method, METH_FASTCALL,
           "write_method($self, writing, method, /)\n--\n\nReturn bytes, or None."),
    METHOD("write_table", core_write_table, METH_FASTCALL,
           "write_table($self, writing, table, /)\n--\n\nReturn bytes, or None."),
    METHOD("row_reader", make_row_reader, METH_VARARGS,
           "row_reader($self, facts, size, fallback, /)\n--\n\n"
           "Return read(buffer, position, end, tables); facts are (number of the layout, reading)."),
    METHOD("add_method", core_add_method, METH_VARARGS,
           "add_method($self, method_class, prototype, other_slots, key, has_content, /)\n--\n\nReturn whether the "
           "core takes it."),
    METHOD("add_properties", core_add_properties, METH_VARARGS,
           "add_properties($self, properties_class, prototype, other_slots, class_index, /)\n--\n\n"
           "Return whether the core takes it."),
    METHOD("add_content", core_add_content, METH_VARARGS,
           "add_content($self, content_header, content_body, heartbeat, /)\n--\n\nReturn whether the core takes them."),
    {NULL, NULL, 0, NULL},
};

int add_core0(PyObject *module) {
    static const char doc[] = "Core0(timestamp_class, decimal_class, decimal_parts, /)\n--\n\n"
                              "The classes of one package of 0-x, and who reads and writes their instances.";
    return add_core_type(module, "amqp_native.Core0", doc, sizeof(Core0), core_new, methods);
}
