/* Reading field tables (0-9-1, 4.2.5.5): a length, then entries of a short string, a letter and a value. */
#include "amqp0.h"

/* A string is text where it is UTF-8, else octets. */
static PyObject *text_or_octets(Core0 *core, const Input *run) {
    PyObject *text = find_text(core->base.texts, run);
    if (text != NULL || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) { return text; }
    PyErr_Clear();
    return new_bytes(run);
}

/* Calls a class; takes over the argument, which may be NULL. */
static PyObject *new_from(PyObject *type, PyObject *argument) {
    PyObject *value = argument == NULL ? NULL : PyObject_CallFunctionObjArgs(type, argument, NULL);
    Py_XDECREF(argument);
    return value;
}

/* An octet, the number of digits after the point, and 32 bits, the digits. */
static PyObject *read_decimal(Core0 *core, const uint8_t *at, bool is_signed) {
    char text[32];
    uint32_t digits = get_32(at + 1);
    long long number = is_signed ? (int32_t)digits : (long long)digits;
    int size = snprintf(text, sizeof text, "%lldE-%d", number, (int)at[0]);
    return new_from(core->decimal_type, PyUnicode_FromStringAndSize(text, size));
}

static Result read_item(Core0 *core, const Reading *reading, Input *items, uint32_t depth, PyObject *array) {
    Kind kind = (Kind)reading->kinds[*items->at++];
    PyObject *item;
    RETURN_UNLESS_DONE(read_kind(core, reading, kind, items, depth, &item));
    bool is_appended = PyList_Append(array, item) == 0;
    Py_DECREF(item);
    return done_or_failed(is_appended);
}

static Result read_array(Core0 *core, const Reading *reading, Input *in, uint32_t depth, PyObject **array) {
    Input items;
    if (depth >= reading->max_depth || !take_run(in, true, &items)) { return NOT_PLAIN; }
    Result result = made(array, PyList_New(0));
    for (uint32_t count = 0; result == DONE && items.at < items.end; count++) {
        result = count < reading->max_elements ? read_item(core, reading, &items, depth + 1, *array) : NOT_PLAIN;
    }
    return drop_unless_done(result, array);
}

/* A value of that kind; tables and arrays in it are one level deeper. */
Result read_kind(Core0 *core, const Reading *reading, Kind kind, Input *in, uint32_t depth, PyObject **value) {
    Input run;
    switch (kind) {
    case NAME: return take_run(in, false, &run) ? made(value, find_text(core->base.texts, &run)) : NOT_PLAIN;
    case SHORT_STRING:
    case LONG_STRING:
        return take_run(in, kind == LONG_STRING, &run) ? made(value, text_or_octets(core, &run)) : NOT_PLAIN;
    case BYTES: return take_run(in, true, &run) ? made(value, new_bytes(&run)) : NOT_PLAIN;
    case ARRAY: return read_array(core, reading, in, depth, value);
    case MAPPING: return read_table(core, reading, in, depth + 1, value);
    default: break;
    }
    const uint8_t *at = take(in, kinds[kind].width);
    if (at == NULL) { return NOT_PLAIN; }
    switch (kind) {
    case BOOLEAN: return made(value, PyBool_FromLong(*at));
    case INT8: return made(value, PyLong_FromLong((int8_t)*at));
    case UINT8: return made(value, PyLong_FromLong(*at));
    case INT16: return made(value, PyLong_FromLong((int16_t)get_16(at)));
    case UINT16: return made(value, PyLong_FromLong(get_16(at)));
    case INT32: return made(value, PyLong_FromLong((int32_t)get_32(at)));
    case UINT32: return made(value, PyLong_FromUnsignedLong(get_32(at)));
    case INT64: return made(value, PyLong_FromLongLong((int64_t)get_64(at)));
    case UINT64: return made(value, PyLong_FromUnsignedLongLong(get_64(at)));
    case FLOAT: return made(value, PyFloat_FromDouble(get_float(at)));
    case DOUBLE: return made(value, PyFloat_FromDouble(get_double(at)));
    case DECIMAL:
    case DECIMAL_UNSIGNED: return made(value, read_decimal(core, at, kind == DECIMAL));
    case TIME: return made(value, new_from(core->timestamp_type, PyLong_FromUnsignedLongLong(get_64(at))));
    case VOID: return made(value, Py_NewRef(Py_None));
    default: return NOT_PLAIN;
    }
}

static Result read_value_of(Core0 *core, const Reading *reading, Input *entries, uint32_t depth, PyObject *table,
                            PyObject *key) {
    const uint8_t *letter = take(entries, 1);
    PyObject *value;
    if (letter == NULL) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(read_kind(core, reading, (Kind)reading->kinds[*letter], entries, depth, &value));
    bool is_set = PyDict_SetItem(table, key, value) == 0;
    Py_DECREF(value);
    return done_or_failed(is_set);
}

static Result read_entry(Core0 *core, const Reading *reading, Input *entries, uint32_t depth, PyObject *table) {
    PyObject *key;
    RETURN_UNLESS_DONE(read_kind(core, reading, NAME, entries, depth, &key));
    Result result = read_value_of(core, reading, entries, depth, table, key);
    Py_DECREF(key);
    return result;
}

/* A table; that of a field or of an argument is at the depth 1. */
Result read_table(Core0 *core, const Reading *reading, Input *in, uint32_t depth, PyObject **table) {
    Input entries;
    if (depth > reading->max_depth || !take_run(in, true, &entries)) { return NOT_PLAIN; }
    Result result = made(table, PyDict_New());
    for (uint32_t count = 0; result == DONE && entries.at < entries.end; count++) {
        result = count < reading->max_elements ? read_entry(core, reading, &entries, depth, *table) : NOT_PLAIN;
    }
    return drop_unless_done(result, table);
}
