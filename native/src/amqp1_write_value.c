/* Writing values of any type. The exact class of a value chooses its type: what a subclass means is for Python to say.
 */
#include "amqp1.h"

/* Makes room for the longer head of a list, map or array; returns where its items start, 0 when there is no memory. */
size_t open_compound(Output *out) {
    if (!output_room(out, COMPOUND_HEAD)) { return 0; }
    out->size += COMPOUND_HEAD;
    return out->size;
}

/* Fills in the head; the shorter one when it is enough, and then the items move up to it. */
Result close_compound(Output *out, size_t start, uint8_t small_code, uint32_t count) {
    size_t size = out->size - start;
    uint8_t *head = out->octets + start - COMPOUND_HEAD;
    if (size > UINT32_MAX - 4) { return NOT_PLAIN; }
    if (size <= UINT8_MAX - 1 && count <= UINT8_MAX) {
        head[0] = small_code;
        head[1] = (uint8_t)(size + 1);
        head[2] = (uint8_t)count;
        memmove(head + 3, head + COMPOUND_HEAD, size);
        out->size -= COMPOUND_HEAD - 3;
    }
    else {
        head[0] = small_code + 0x10;
        set_32(head + 1, (uint32_t)size + 4);
        set_32(head + 5, count);
    }
    return DONE;
}

static Result write_list(Core1 *core, Output *out, PyObject *list, uint32_t depth) {
    Py_ssize_t count = PyList_Size(list);
    if (count > core->max_elements) { return NOT_PLAIN; }
    if (count == 0) { return write_code(out, LIST0); }
    size_t start = open_compound(out);
    if (start == 0) { return NOT_PLAIN; }
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *item = PyList_GetItem(list, index);
        if (item == NULL) { return FAILED; }
        RETURN_UNLESS_DONE(write_held(core, out, item, depth));
    }
    return PyList_Size(list) == count ? close_compound(out, start, LIST8, (uint32_t)count) : NOT_PLAIN;
}

/* Keys of these types are equal in Python if they are in AMQP; see `Keys`. */
static Result write_key(Core1 *core, Output *out, PyObject *key, Keys keys) {
    Type type = type_of_value(core, key);
    bool is_scalar = type != T_OTHER && type < T_LIST;
    switch (keys) {
    case ANY_KEYS: return is_scalar ? write_value(core, out, key, 0) : NOT_PLAIN;
    case STRING_KEYS: return type == T_STRING ? write_string(out, key) : NOT_PLAIN;
    default: return type == T_STRING || type == T_SYMBOL ? write_symbol(out, key) : NOT_PLAIN;
    }
}

/* To write a rare key may run Python, which may change the map: both are held meanwhile. */
static Result write_entry(Core1 *core, Output *out, PyObject *key, PyObject *value, Keys keys, uint32_t depth) {
    Py_INCREF(key);
    Py_INCREF(value);
    Result result = write_key(core, out, key, keys);
    if (result == DONE) { result = write_value(core, out, value, depth); }
    Py_DECREF(value);
    Py_DECREF(key);
    return result;
}

/* A map whose entries may nest that deep. */
Result write_map(Core1 *core, Output *out, PyObject *map, Keys keys, uint32_t depth) {
    Py_ssize_t count = PyDict_Size(map), written = 0, position = 0;
    PyObject *key, *value;
    if (2 * count > core->max_elements) { return NOT_PLAIN; }
    size_t start = open_compound(out);
    if (start == 0) { return NOT_PLAIN; }
    while (PyDict_Next(map, &position, &key, &value)) {
        if (written++ == count) { return NOT_PLAIN; }
        RETURN_UNLESS_DONE(write_entry(core, out, key, value, keys, depth));
    }
    bool is_unchanged = written == count && PyDict_Size(map) == count;
    return is_unchanged ? close_compound(out, start, MAP8, (uint32_t)(2 * count)) : NOT_PLAIN;
}

/* What Python writes, or refuses: then the whole attempt ends. */
static Result ask_python(Core1 *core, Output *out, PyObject *value, uint32_t depth) {
    Input run;
    if (out->retries <= 0) { return NOT_PLAIN; }
    PyObject *levels = PyLong_FromUnsignedLong(depth);
    PyObject *written = levels == NULL ? NULL : PyObject_CallFunctionObjArgs(core->write_other, value, levels, NULL);
    Py_XDECREF(levels);
    if (written == NULL) {
        out->retries = 0;
        return FAILED;
    }
    bool is_plain = bytes_run(written, &run) && output_room(out, input_size(&run));
    if (is_plain) { put_run(out, &run); }
    Py_DECREF(written);
    return plain_if(is_plain);
}

/* A list, a map or a composite that is given up is written again by Python, from where it began. */
static Result write_compound(Core1 *core, Output *out, PyObject *value, const Found *found, uint32_t depth) {
    size_t start = out->size;
    Result result;
    if (depth == 0) { return NOT_PLAIN; }
    if (found->kind == T_LIST) { result = write_list(core, out, value, depth - 1); }
    else if (found->kind == T_MAP) { result = write_map(core, out, value, ANY_KEYS, depth - 1); }
    else { result = write_composite(core, out, found->layout, value, depth - 1); }
    result = left_to_python(result);
    if (result != NOT_PLAIN) { return result; }
    out->retries--;
    out->size = start;
    return ask_python(core, out, value, depth);
}

/* A value of fixed width, or of octets; for Python when it is not quite what its class promises. */
static Result write_scalar(Core1 *core, Output *out, PyObject *value, Type type) {
    switch (type) {
    case T_OTHER: return NOT_PLAIN;
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

Result write_value(Core1 *core, Output *out, PyObject *value, uint32_t depth) {
    const Found *found = look_up_type(&core->base.types, value);
    Type type = (Type)found->kind;
    if (type >= T_LIST) { return write_compound(core, out, value, found, depth); }
    Result result = write_scalar(core, out, value, type);
    if (result == DONE) { return DONE; }
    return left_to_python(result) == FAILED ? FAILED : ask_python(core, out, value, depth);
}
