/* Reading field tables (0-9-1, 4.2.5.5): a length, then entries of a short string, a letter and a value. */
#include "amqp0.h"

/* A string is text where it is UTF-8, else octets. */
static PyObject *text_or_octets(Core0 *core, const Input *run) {
    PyObject *text = find_text(core->base.texts, run);
    if (text != NULL || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return text;
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

static PyObject *read_array(Core0 *core, const Reading *reading, Input *in, uint32_t depth) {
    Input items;
    if (depth >= reading->max_depth || !take_run(in, true, &items)) return NULL;
    PyObject *array = PyList_New(0);
    uint32_t count = 0;
    while (array != NULL && items.at < items.end) {
        Kind kind = (Kind)reading->kinds[*items.at++];
        PyObject *value = read_kind(core, reading, kind, &items, depth + 1);
        if (value == NULL || ++count > reading->max_elements || PyList_Append(array, value) < 0) Py_CLEAR(array);
        Py_XDECREF(value);
    }
    return array;
}

/* A value of that kind; tables and arrays in it are one level deeper. */
PyObject *read_kind(Core0 *core, const Reading *reading, Kind kind, Input *in, uint32_t depth) {
    Input run;
    switch (kind) {
    case NAME: return take_run(in, false, &run) ? find_text(core->base.texts, &run) : NULL;
    case SHORT_STRING:
    case LONG_STRING: return take_run(in, kind == LONG_STRING, &run) ? text_or_octets(core, &run) : NULL;
    case BYTES: return take_run(in, true, &run) ? new_bytes(&run) : NULL;
    case ARRAY: return read_array(core, reading, in, depth);
    case MAPPING: return read_table(core, reading, in, depth + 1);
    default: break;
    }
    const uint8_t *at = take(in, kinds[kind].width);
    if (at == NULL) return NULL;
    switch (kind) {
    case BOOLEAN: return PyBool_FromLong(*at);
    case INT8: return PyLong_FromLong((int8_t)*at);
    case UINT8: return PyLong_FromLong(*at);
    case INT16: return PyLong_FromLong((int16_t)get_16(at));
    case UINT16: return PyLong_FromLong(get_16(at));
    case INT32: return PyLong_FromLong((int32_t)get_32(at));
    case UINT32: return PyLong_FromUnsignedLong(get_32(at));
    case INT64: return PyLong_FromLongLong((int64_t)get_64(at));
    case UINT64: return PyLong_FromUnsignedLongLong(get_64(at));
    case FLOAT: return PyFloat_FromDouble(get_float(at));
    case DOUBLE: return PyFloat_FromDouble(get_double(at));
    case DECIMAL:
    case DECIMAL_UNSIGNED: return read_decimal(core, at, kind == DECIMAL);
    case TIME: return new_from(core->timestamp_type, PyLong_FromUnsignedLongLong(get_64(at)));
    case VOID: Py_RETURN_NONE;
    default: return NULL;
    }
}

static bool read_entry(Core0 *core, const Reading *reading, Input *entries, uint32_t depth, PyObject *table) {
    PyObject *key = read_kind(core, reading, NAME, entries, depth);
    const uint8_t *letter = key == NULL ? NULL : take(entries, 1);
    PyObject *value = letter == NULL ? NULL : read_kind(core, reading, (Kind)reading->kinds[*letter], entries, depth);
    bool done = value != NULL && PyDict_SetItem(table, key, value) == 0;
    Py_XDECREF(value);
    Py_XDECREF(key);
    return done;
}

/* A table; that of a field or of an argument is at the depth 1. */
PyObject *read_table(Core0 *core, const Reading *reading, Input *in, uint32_t depth) {
    Input entries;
    if (depth > reading->max_depth || !take_run(in, true, &entries)) return NULL;
    PyObject *table = PyDict_New();
    uint32_t count = 0;
    while (table != NULL && entries.at < entries.end) {
        if (++count > reading->max_elements || !read_entry(core, reading, &entries, depth, table)) Py_CLEAR(table);
    }
    return table;
}
