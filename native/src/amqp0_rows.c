/* Rows of columns: the values of a method or of a content header as a tuple, without an object for it. The last value is for
   what does not fit the columns; a row with such a value is not plain. */
#include "amqp0.h"
#include "variant_pair.h"

enum { MICROSECONDS = 1000000 };

PyObject *read_table_variant(Core0 *core, const Reading *reading, Input *in) {
    Variant variant;
    start_variant(&variant);
    return finish_variant(&core->base, &variant, write_table_variant(reading, &variant, in));
}

static PyObject *read_moment(Input *in) {
    const uint8_t *at = take(in, 8);
    if (at == NULL || get_64(at) > LAST_SECOND) return NULL;
    return PyLong_FromLongLong((long long)get_64(at) * MICROSECONDS);
}

/* Takes over the value; false when there is none. */
static bool set_column(PyObject *row, Py_ssize_t column, PyObject *value) {
    return value != NULL && PyTuple_SetItem(row, column, value) == 0;
}

/* Columns have no unsigned 64 bits. */
static PyObject *read_column(Core0 *core, const Reading *reading, const Field *field, Input *in) {
    if (field->is_moment) return read_moment(in);
    if (field->kind == MAPPING) return read_table_variant(core, reading, in);
    if (field->kind == UINT64 && input_has(in, 1) && *in->at > 0x7F) return NULL;
    return read_kind(core, reading, field->kind, in, 0);
}

/* Reserved fields have no column; with anything but zeros in it, one is not plain. */
static bool skip_reserved(Core0 *core, const Reading *reading, const Field *field, Input *in) {
    const uint8_t *at = in->at;
    PyObject *value = read_kind(core, reading, field->kind, in, 0);
    Py_XDECREF(value);
    for (; value != NULL && at < in->at; at++)
        if (*at != 0) return false;
    return value != NULL;
}

/* Bits in a row share octets; returns the index of the field after them, or -1 when bits are set that no column has. */
static Py_ssize_t read_bit_columns(const Layout *layout, Py_ssize_t index, Input *in, PyObject *row, Py_ssize_t *column) {
    const uint8_t *octet = take(in, 1);
    if (octet == NULL) return -1;
    int known = 0;
    for (int bit = 0; bit < 8 && index < layout->field_count && layout->fields[index].kind == BIT; bit++, index++) {
        if (layout->fields[index].reserved) continue;
        known |= 1 << bit;
        set_column(row, (*column)++, PyBool_FromLong(*octet >> bit & 1));
    }
    return (*octet & ~known) == 0 ? index : -1;
}

static bool read_columns(Core0 *core, const Reading *reading, const Layout *layout, Input *in, PyObject *row) {
    Py_ssize_t index = 0, column = 0;
    while (index >= 0 && index < layout->field_count) {
        const Field *field = &layout->fields[index];
        if (field->kind == BIT) {
            index = read_bit_columns(layout, index, in, row, &column);
        } else if (field->reserved) {
            index = skip_reserved(core, reading, field, in) ? index + 1 : -1;
        } else {
            if (!set_column(row, column++, read_column(core, reading, field, in))) return false;
            index++;
        }
    }
    return index >= 0 && in->at == in->end;
}

/* A row whose last value is None, and the others are not there yet. */
static PyObject *new_row(Py_ssize_t size) {
    PyObject *row = PyTuple_New(size);
    if (row == NULL) return NULL;
    Py_INCREF(Py_None);
    PyTuple_SetItem(row, size - 1, Py_None);
    return row;
}

/* The arguments of a method. */
static PyObject *read_method_row(Core0 *core, const Reading *reading, const Layout *layout, Input *in) {
    PyObject *row = new_row(layout->value_count + 1);
    if (row != NULL && !read_columns(core, reading, layout, in, row)) Py_CLEAR(row);
    return row;
}

static bool read_present_columns(Core0 *core, const Reading *reading, const Layout *layout, uint16_t flags, Input *in, PyObject *row) {
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        PyObject *value = Py_None;
        if (flags & 0x8000 >> index)
            value = read_column(core, reading, &layout->fields[index], in);
        else
            Py_INCREF(value);
        if (!set_column(row, index + 2, value)) return false;
    }
    return in->at == in->end;
}

/* A content header, with the index of its class and the size of the body before its properties. */
static PyObject *read_header_row(Core0 *core, const Reading *reading, const Layout *layout, Input *in) {
    const uint8_t *at = take(in, 14);
    if (at == NULL || get_16(at) != layout->key || get_16(at + 2) != 0 || get_64(at + 4) > INT64_MAX) return NULL;
    uint16_t flags = get_16(at + 12);
    PyObject *row = flags & 0xFFFF >> layout->field_count ? NULL : new_row(layout->field_count + 3);
    if (row == NULL) return NULL;
    bool done = set_column(row, 0, PyLong_FromLong(get_16(at))) && set_column(row, 1, PyLong_FromUnsignedLongLong(get_64(at + 4)));
    if (!done || !read_present_columns(core, reading, layout, flags, in, row)) Py_CLEAR(row);
    return row;
}

/* Facts of a reader: the number of its layout and the settings. */
static PyObject *try_row(PyObject *reader, PyObject *const *arguments) {
    Input in;
    Core0 *core = (Core0 *)PyTuple_GetItem(reader, 0);
    PyObject *facts = PyTuple_GetItem(reader, 1);
    const Reading *reading = reading_of(PyTuple_GetItem(facts, 1));
    const Found *found = look_up(&core->numbers, PyLong_AsUnsignedLongLong(PyTuple_GetItem(facts, 0)));
    if (reading == NULL || input_between(arguments[0], arguments[1], arguments[2], &in) == NULL) return NULL;
    return found->kind == METHOD_CLASS ? read_method_row(core, reading, found->layout, &in)
                                       : read_header_row(core, reading, found->layout, &in);
}

static PyObject *read_row(PyObject *reader, PyObject *const *arguments, Py_ssize_t count) {
    return argument_count("read", count, 4) ? row_or_ask(try_row(reader, arguments), reader, arguments) : NULL;
}

static PyMethodDef read_row_definition = {
    "read", (PyCFunction)(void (*)(void))read_row, METH_FASTCALL, "read(buffer, position, end, tables) -> row"};

/* row_reader((number of the layout, settings), size of a row, fallback) -> a reader, or the fallback */
PyObject *make_row_reader(Core0 *core, PyObject *arguments) {
    PyObject *facts, *settings, *fallback;
    unsigned long long number;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "O!nO", &PyTuple_Type, &facts, &size, &fallback)) return NULL;
    if (!PyArg_ParseTuple(facts, "KO", &number, &settings) || reading_of(settings) == NULL) return NULL;
    const Found *found = look_up(&core->numbers, number);
    const Layout *layout = found->layout;
    Py_ssize_t others = found->kind == METHOD_CLASS ? 1 : 3;
    if (layout != NULL && layout->value_count + others == size)
        return new_row_reader(&core->base, &read_row_definition, facts, fallback);
    Py_INCREF(fallback);
    return fallback;
}
