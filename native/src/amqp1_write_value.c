/* Writing values of any type. The exact class of a value chooses its type: what a subclass means is for Python to say. */
#include "amqp1.h"

/* Makes room for the longer head of a list, map or array; returns where its items start, 0 when there is no memory. */
size_t open_compound(Output *out) {
    if (!output_room(out, COMPOUND_HEAD)) return 0;
    out->size += COMPOUND_HEAD;
    return out->size;
}

/* Fills in the head; the shorter one when it is enough, and then the items move up to it. */
bool close_compound(Output *out, size_t start, uint8_t small_code, uint32_t count) {
    size_t size = out->size - start;
    uint8_t *head = out->octets + start - COMPOUND_HEAD;
    if (size > UINT32_MAX - 4) return false;
    if (size <= UINT8_MAX - 1 && count <= UINT8_MAX) {
        head[0] = small_code;
        head[1] = (uint8_t)(size + 1);
        head[2] = (uint8_t)count;
        memmove(head + 3, head + COMPOUND_HEAD, size);
        out->size -= COMPOUND_HEAD - 3;
    } else {
        head[0] = small_code + 0x10;
        set_32(head + 1, (uint32_t)size + 4);
        set_32(head + 5, count);
    }
    return true;
}

/* Writing an item may run Python, which may change what is around it: it is held meanwhile. */
static bool write_held(Core1 *core, Output *out, PyObject *item, uint32_t depth) {
    Py_INCREF(item);
    bool done = write_value(core, out, item, depth);
    Py_DECREF(item);
    return done;
}

static bool write_list(Core1 *core, Output *out, PyObject *list, uint32_t depth) {
    Py_ssize_t count = PyList_Size(list);
    if (count > core->max_elements) return false;
    if (count == 0) return write_code(out, LIST0);
    size_t start = open_compound(out);
    if (start == 0) return false;
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *item = PyList_GetItem(list, index);
        if (item == NULL || !write_held(core, out, item, depth)) return false;
    }
    return PyList_Size(list) == count && close_compound(out, start, LIST8, (uint32_t)count);
}

/* Keys of these types are equal in Python if they are in AMQP; see `Keys`. */
static bool write_key(Core1 *core, Output *out, PyObject *key, Keys keys) {
    Type type = type_of_value(core, key);
    bool is_scalar = type != T_OTHER && type < T_LIST;
    switch (keys) {
    case ANY_KEYS: return is_scalar && write_value(core, out, key, 0);
    case STRING_KEYS: return type == T_STRING && write_string(out, key);
    default: return (type == T_STRING || type == T_SYMBOL) && write_symbol(out, key);
    }
}

/* A map whose entries may nest that deep. */
bool write_map(Core1 *core, Output *out, PyObject *map, Keys keys, uint32_t depth) {
    Py_ssize_t count = PyDict_Size(map);
    if (2 * count > core->max_elements) return false;
    size_t start = open_compound(out);
    if (start == 0) return false;
    Py_ssize_t position = 0;
    PyObject *key, *value;
    while (PyDict_Next(map, &position, &key, &value)) {
        if (!write_key(core, out, key, keys) || !write_held(core, out, value, depth) || PyDict_Size(map) != count) return false;
    }
    return close_compound(out, start, MAP8, (uint32_t)(2 * count));
}

/* What Python writes, or refuses: then the whole attempt ends. */
static bool ask_python(Core1 *core, Output *out, PyObject *value, uint32_t depth) {
    PyObject *levels = out->retries > 0 ? PyLong_FromUnsignedLong(depth) : NULL;
    PyObject *written = levels == NULL ? NULL : PyObject_CallFunctionObjArgs(core->write_other, value, levels, NULL);
    Py_XDECREF(levels);
    Input run;
    bool done = written != NULL && bytes_run(written, &run) && output_room(out, input_size(&run));
    if (done) put_run(out, &run);
    if (written == NULL) out->retries = 0;
    Py_XDECREF(written);
    return done;
}

/* A list, a map or a composite that is given up is written again by Python, from where it began. */
static bool write_compound(Core1 *core, Output *out, PyObject *value, const Found *found, uint32_t depth) {
    size_t start = out->size;
    bool done = false;
    if (depth == 0) return false;
    if (found->kind == T_LIST)
        done = write_list(core, out, value, depth - 1);
    else if (found->kind == T_MAP)
        done = write_map(core, out, value, ANY_KEYS, depth - 1);
    else
        done = write_composite(core, out, found->layout, value, depth - 1);
    if (done || !forget_error()) return done;
    out->retries--;
    out->size = start;
    return ask_python(core, out, value, depth);
}

/* A value of fixed width: false when it is not quite what its class promises. */
static bool write_scalar(Core1 *core, Output *out, PyObject *value, Type type) {
    switch (type) {
    case T_NULL: return write_code(out, NULL_CODE);
    case T_BOOLEAN: return write_code(out, value == Py_True ? TRUE_CODE : FALSE_CODE);
    case T_DOUBLE: return write_double(out, value);
    case T_FLOAT: return write_float(out, value);
    case T_CHAR: return write_char(out, value);
    case T_DECIMAL32:
    case T_DECIMAL64:
    case T_DECIMAL128:
    case T_UUID: return write_bits(core, out, type, value);
    case T_BINARY: return write_binary(out, value);
    case T_STRING: return write_string(out, value);
    case T_SYMBOL: return write_symbol(out, value);
    default: return write_number(out, type, value);
    }
}

bool write_value(Core1 *core, Output *out, PyObject *value, uint32_t depth) {
    const Found *found = look_up_type(&core->base.types, value);
    Type type = (Type)found->kind;
    if (type >= T_LIST) return write_compound(core, out, value, found, depth);
    if (type != T_OTHER && write_scalar(core, out, value, type)) return true;
    return forget_error() && ask_python(core, out, value, depth);
}
