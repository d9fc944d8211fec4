/* Rows of columns: the fields of a composite as a tuple, without an object for it. Where its layout has a last column
   for what does not fit the others, a row with such a value is not plain. */
#include "amqp1.h"
#include "amqp1_walk.h"

Result read_value_variant(Core1 *core, Input *in, PyObject **pair) {
    Variant variant;
    start_variant(&variant);
    return finish_variant(&core->base, &variant, write_value_variant(&variant, in), pair);
}

Result read_map_variant(Core1 *core, Input *in, Keys keys, PyObject **pair) {
    Variant variant;
    start_variant(&variant);
    return finish_variant(&core->base, &variant, write_map_variant(&variant, in, keys), pair);
}

/* The value of a field of a primitive type. */
static Result read_primitive(Core1 *core, const FieldFacts *field, Input *in, PyObject **value) {
    uint64_t number;
    int64_t column;
    uint8_t code = *in->at;
    if (type_of_code(code) != field->type) { return NOT_PLAIN; }
    switch (field->type) {
    case T_BOOLEAN: return take_number(in, &number) ? made(value, PyBool_FromLong((long)number)) : NOT_PLAIN;
    case T_UBYTE:
    case T_USHORT:
    case T_UINT:
    case T_ULONG:
        return take_number(in, &number) && fits_column(number, &column) ? made(value, PyLong_FromLongLong(column))
                                                                        : NOT_PLAIN;
    case T_TIMESTAMP: return take_moment(in, &column) ? made(value, PyLong_FromLongLong(column)) : NOT_PLAIN;
    case T_BINARY:
    case T_STRING:
    case T_SYMBOL: in->at++; return read_octets(core, code, in, value);
    case T_MAP: return read_map_variant(core, in, field->keys, value);
    default: return NOT_PLAIN;
    }
}

/* The row at work. */
typedef struct {
    Core1 *core;
    const FieldFacts *fields;
    PyObject *row;
} RowTarget;

/* Of an enum the column has the value, not the member; of a type that provides an archetype, a VARIANT. */
static Result take_sent(const void *object, size_t index, Input *in) {
    const RowTarget *target = object;
    const FieldFacts *field = &target->fields[index];
    PyObject *value;
    if (field->is_multiple) { return NOT_PLAIN; }
    if (field->type != T_OTHER) { RETURN_UNLESS_DONE(read_primitive(target->core, field, in, &value)); }
    else if (field->provided >> type_of_code(*in->at) & 1) {
        RETURN_UNLESS_DONE(read_value_variant(target->core, in, &value));
    }
    else { return NOT_PLAIN; }
    if (field->members != NULL) {
        RETURN_UNLESS_DONE(drop_unless_done(result_of_answer(PyDict_Contains(field->members, value)), &value));
    }
    return done_or_failed(PyTuple_SetItem(target->row, (Py_ssize_t)index, value) == 0);
}

static Result take_absent(const void *object, size_t index) {
    const RowTarget *target = object;
    const FieldFacts *field = &target->fields[index];
    PyObject *value;
    if (field->is_mandatory) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(made(&value, field->has_number    ? PyLong_FromLongLong(field->fallback_number)
                                    : field->is_multiple ? Py_NewRef(Py_None)
                                                         : Py_NewRef(field->fallback)));
    return done_or_failed(PyTuple_SetItem(target->row, (Py_ssize_t)index, value) == 0);
}

static Result read_composite_row(Core1 *core, const Composite *composite, Py_ssize_t size, Input *in, PyObject **row) {
    static const FieldSink sink = {take_sent, take_absent};
    RETURN_UNLESS_DONE(made(row, PyTuple_New(size)));
    if (size > composite->field_count) { PyTuple_SetItem(*row, size - 1, Py_NewRef(Py_None)); }
    RowTarget target = {core, composite->fields, *row};
    return drop_unless_done(walk_fields(in, (size_t)composite->field_count, &sink, &target), row);
}

/* The layout of a class; NULL when the core does not take it. */
static const Composite *composite_of(const Core1 *core, PyObject *class) {
    const Found *found = look_up(&core->base.types, (uint64_t)(uintptr_t)class);
    return found->kind == T_COMPOSITE ? found->layout : NULL;
}

/* Facts of a reader: the class of the composite and the size of a row. */
static Result try_row(PyObject *reader, PyObject *const *arguments, PyObject **pair) {
    Input in;
    const uint8_t *start;
    PyObject *row;
    Core1 *core = (Core1 *)PyTuple_GetItem(reader, 0);
    PyObject *facts = PyTuple_GetItem(reader, 1);
    const Composite *composite = composite_of(core, PyTuple_GetItem(facts, 0));
    Py_ssize_t size = PyLong_AsSsize_t(PyTuple_GetItem(facts, 1));
    if (size < 0) { return FAILED; }
    RETURN_UNLESS_DONE(input_between(arguments[0], arguments[1], NULL, &in, &start));
    RETURN_UNLESS_DONE(read_composite_row(core, composite, size, &in, &row));
    return made(pair, with_position(row, in.at - start));
}

static PyObject *read_row(PyObject *reader, PyObject *const *arguments, Py_ssize_t count) {
    PyObject *pair = NULL;
    if (!argument_count("read", count, 4)) { return NULL; }
    Result result = try_row(reader, arguments, &pair);
    return row_or_ask(result, pair, reader, arguments);
}

static PyMethodDef read_row_definition = METHOD("read", read_row, METH_FASTCALL,
                                                "read(buffer, position, limits, variants, /)\n--\n\nReturn (row, "
                                                "position after it); what is not plain Python reads.");

/* row_reader((class of the composite, size of a row), fallback) -> a reader, or the fallback */
PyObject *make_row_reader1(Core1 *core, PyObject *arguments) {
    PyObject *facts, *class, *fallback;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &facts, &fallback)) { return NULL; }
    if (!PyArg_ParseTuple(facts, "On", &class, &size)) { return NULL; }
    const Composite *composite = composite_of(core, class);
    bool is_plain = composite != NULL && (size == composite->field_count || size == composite->field_count + 1);
    return is_plain ? new_row_reader(&core->base, &read_row_definition, facts, fallback) : Py_NewRef(fallback);
}
