/* Rows of columns: the values of a method or of a content header as a tuple, without an object for it. The last value
   is for what does not fit the columns; a row with such a value is not plain. */
#include "amqp0.h"
#include "amqp0_walk.h"
#include "column_numbers.h"

Result read_table_variant(Core0 *core, const Reading *reading, Input *in, PyObject **pair) {
    Variant variant;
    start_variant(&variant);
    return finish_variant(&core->base, &variant, write_table_variant(reading, &variant, in), pair);
}

/* A tuple whose values are being set. */
typedef struct {
    Core0 *core;
    const Reading *reading;
    PyObject *row;
    Py_ssize_t column; /* the next one */
} RowFilling;

static inline void set_next(RowFilling *filling, PyObject *value) {
    PyTuple_SetItem(filling->row, filling->column++, value);
}

static Result read_long(bool is_moment, Input *in, PyObject **value) {
    const uint8_t *at = take(in, 8);
    int64_t number;
    if (at == NULL || !fits_column(get_64(at), &number)
        || (is_moment && !moment_in_years(number, PER_SECOND, &number))) {
        return NOT_PLAIN;
    }
    return made(value, PyLong_FromLongLong(number));
}

static inline Result read_column(void *owner, const Field *field, Input *in) {
    RowFilling *filling = owner;
    PyObject *value;
    if (field->kind == UINT64) { RETURN_UNLESS_DONE(read_long(field->is_moment, in, &value)); }
    else if (field->kind == MAPPING) {
        RETURN_UNLESS_DONE(read_table_variant(filling->core, filling->reading, in, &value));
    }
    else { RETURN_UNLESS_DONE(read_kind(filling->core, filling->reading, field->kind, in, 0, &value)); }
    set_next(filling, value);
    return DONE;
}

static inline Result skip_zeros(void *Py_UNUSED(owner), const Field *field, Input *in) {
    return plain_if(take_zeros(field, in));
}

static inline void set_bit(void *owner, const Field *Py_UNUSED(field), bool bit) {
    set_next(owner, PyBool_FromLong(bit));
}

static inline void set_none(void *owner, const Field *Py_UNUSED(field)) { set_next(owner, Py_NewRef(Py_None)); }

static const FieldSink columns = {read_column, skip_zeros, set_bit, set_none, true};

/* The arguments of a method. */
static Result fill_method_row(RowFilling *filling, const Layout *layout, Input *in) {
    return walk_arguments(&columns, filling, layout->fields, layout->field_count, in);
}

/* A content header, with the index of its class and the size of the body before its properties. */
static Result fill_header_row(RowFilling *filling, const Layout *layout, Input *in) {
    HeaderHead head;
    int64_t body_size;
    if (!take_header_head(in, &head) || head.class_index != layout->key || !fits_column(head.body_size, &body_size)) {
        return NOT_PLAIN;
    }
    PyObject *class_index = PyLong_FromLong(head.class_index);
    PyObject *size = class_index == NULL ? NULL : PyLong_FromLongLong(body_size);
    if (size == NULL) {
        Py_XDECREF(class_index);
        return FAILED;
    }
    set_next(filling, class_index);
    set_next(filling, size);
    return walk_properties(&columns, filling, layout->fields, layout->field_count, head.flags, in);
}

/* How many values stand before those of the fields, and after them. */
static Py_ssize_t other_values(const Found *found) { return found->kind == METHOD_CLASS ? 1 : 3; }

/* Facts of a reader: the number of its layout and the settings. */
static Result try_row(PyObject *reader, PyObject *const *arguments, PyObject **row) {
    Input in;
    const uint8_t *start;
    Core0 *core = (Core0 *)PyTuple_GetItem(reader, 0);
    PyObject *facts = PyTuple_GetItem(reader, 1);
    const Reading *reading = reading_of(PyTuple_GetItem(facts, 1));
    const Found *found = look_up(&core->numbers, PyLong_AsUnsignedLongLongMask(PyTuple_GetItem(facts, 0)));
    const Layout *layout = found->layout;
    if (reading == NULL) { return FAILED; }
    RETURN_UNLESS_DONE(input_between(arguments[0], arguments[1], arguments[2], &in, &start));
    Py_ssize_t size = layout->value_count + other_values(found);
    RETURN_UNLESS_DONE(made(row, PyTuple_New(size)));
    PyTuple_SetItem(*row, size - 1, Py_NewRef(Py_None));
    RowFilling filling = {core, reading, *row, 0};
    Result result =
        found->kind == METHOD_CLASS ? fill_method_row(&filling, layout, &in) : fill_header_row(&filling, layout, &in);
    return drop_unless_done(result, row);
}

static PyObject *read_row(PyObject *reader, PyObject *const *arguments, Py_ssize_t count) {
    PyObject *row = NULL;
    if (!argument_count("read", count, 4)) { return NULL; }
    Result result = try_row(reader, arguments, &row);
    return row_or_ask(result, row, reader, arguments);
}

static PyMethodDef read_row_definition =
    METHOD("read", read_row, METH_FASTCALL,
           "read($self, buffer, position, end, tables, /)\n--\n\nReturn the row of a payload.");

/* row_reader((number of the layout, settings), size of a row, fallback) -> a reader, or the fallback */
PyObject *make_row_reader(Core0 *core, PyObject *arguments) {
    PyObject *facts, *settings, *fallback;
    unsigned long long number;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "O!nO", &PyTuple_Type, &facts, &size, &fallback)) { return NULL; }
    if (!PyArg_ParseTuple(facts, "KO", &number, &settings) || reading_of(settings) == NULL) { return NULL; }
    const Found *found = look_up(&core->numbers, number);
    const Layout *layout = found->layout;
    bool is_plain = layout != NULL && layout->value_count + other_values(found) == size;
    return is_plain ? new_row_reader(&core->base, &read_row_definition, facts, fallback) : Py_NewRef(fallback);
}
