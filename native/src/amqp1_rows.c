/* Rows of columns: the fields of a composite as a tuple, without an object for it. Where its layout has a last column for what
   does not fit the others, a row with such a value is not plain. */
#include "amqp1.h"

PyObject *read_value_variant(Core1 *core, Input *in) {
    Variant variant;
    start_variant(&variant);
    return finish_variant(&core->base, &variant, write_value_variant(&variant, in));
}

PyObject *read_map_variant(Core1 *core, Input *in, Keys keys) {
    Variant variant;
    start_variant(&variant);
    return finish_variant(&core->base, &variant, write_map_variant(&variant, in, keys));
}

/* Columns have no unsigned 64 bits. */
static PyObject *read_integer(Type type, Input *in) {
    if (*in->at == ULONG_CODE && input_has(in, 2) && in->at[1] > 0x7F) return NULL;
    return read_whole(type, in);
}

/* Milliseconds as microseconds. */
static PyObject *read_moment(Input *in) {
    const uint8_t *at = take(in, 9);
    if (at == NULL) return NULL;
    int64_t milliseconds = (int64_t)get_64(at + 1);
    if (milliseconds < FIRST_SECOND * 1000 || milliseconds >= (LAST_SECOND + 1) * 1000) return NULL;
    return PyLong_FromLongLong(milliseconds * 1000);
}

static PyObject *read_octets(Core1 *core, Type type, Input *in) {
    Input run;
    uint8_t code = *in->at++;
    if (!take_run(in, code == VBIN32 || code == STR32 || code == SYM32, &run)) return NULL;
    if (type == T_BINARY) return new_bytes(&run);
    return find_text(type == T_STRING ? core->base.texts : core->base.symbols, &run);
}

/* The value of a field of a primitive type. */
static PyObject *read_primitive(Core1 *core, const FieldFacts *field, Input *in) {
    if (type_of_code(*in->at) != field->type) return NULL;
    switch (field->type) {
    case T_BOOLEAN: {
        const uint8_t *code = take(in, 1), *at = take_fixed(in, *code);
        return at == NULL ? NULL : read_scalar(core, *code, at);
    }
    case T_UBYTE:
    case T_USHORT:
    case T_UINT:
    case T_ULONG: return read_integer(field->type, in);
    case T_TIMESTAMP: return read_moment(in);
    case T_BINARY:
    case T_STRING:
    case T_SYMBOL: return read_octets(core, field->type, in);
    case T_MAP: return read_map_variant(core, in, field->keys);
    default: return NULL;
    }
}

/* A value that is there. Of an enum the column has the value, not the member; of a type that provides an archetype, a VARIANT. */
static PyObject *read_sent(Core1 *core, const FieldFacts *field, Input *in) {
    if (field->is_multiple) return NULL;
    if (field->type == T_OTHER) return field->provided >> type_of_code(*in->at) & 1 ? read_value_variant(core, in) : NULL;
    PyObject *value = read_primitive(core, field, in);
    if (value != NULL && field->members != NULL && PyDict_GetItemWithError(field->members, value) == NULL) Py_CLEAR(value);
    return value;
}

static PyObject *fallback_of(const FieldFacts *field) {
    if (field->is_mandatory) return NULL;
    if (field->has_number) return PyLong_FromLongLong(field->fallback_number);
    PyObject *value = field->is_multiple ? Py_None : field->fallback;
    Py_INCREF(value);
    return value;
}

static PyObject *read_column(Core1 *core, const FieldFacts *field, Input *items, bool is_listed) {
    if (is_listed && !input_has(items, 1)) return NULL;
    if (is_listed && *items->at != NULL_CODE) return read_sent(core, field, items);
    if (is_listed) items->at++;
    return fallback_of(field);
}

static bool read_columns(Core1 *core, const Composite *composite, Input *items, uint32_t count, PyObject *row) {
    for (Py_ssize_t index = 0; index < composite->field_count; index++) {
        PyObject *value = read_column(core, &composite->fields[index], items, (uint32_t)index < count);
        if (value == NULL || PyTuple_SetItem(row, index, value) < 0) return false;
    }
    return items->at == items->end;
}

static PyObject *read_composite_row(Core1 *core, const Composite *composite, Py_ssize_t size, Input *in) {
    Input items;
    uint32_t count;
    if (!take_fields(in, &items, &count) || count > (uint32_t)composite->field_count) return NULL;
    PyObject *row = PyTuple_New(size);
    if (row == NULL) return NULL;
    if (size > composite->field_count) {
        Py_INCREF(Py_None);
        PyTuple_SetItem(row, size - 1, Py_None);
    }
    if (!read_columns(core, composite, &items, count, row)) Py_CLEAR(row);
    return row;
}

/* The layout of a class; NULL when the core does not take it. */
static const Composite *composite_of(const Core1 *core, PyObject *class) {
    const Found *found = look_up(&core->base.types, (uint64_t)(uintptr_t)class);
    return found->kind == T_COMPOSITE ? found->layout : NULL;
}

/* Facts of a reader: the class of the composite and the size of a row. */
static PyObject *try_row(PyObject *reader, PyObject *const *arguments) {
    Input in;
    Core1 *core = (Core1 *)PyTuple_GetItem(reader, 0);
    PyObject *facts = PyTuple_GetItem(reader, 1);
    const Composite *composite = composite_of(core, PyTuple_GetItem(facts, 0));
    const uint8_t *start = input_between(arguments[0], arguments[1], NULL, &in);
    PyObject *row = start == NULL ? NULL : read_composite_row(core, composite, PyLong_AsSsize_t(PyTuple_GetItem(facts, 1)), &in);
    PyObject *pair = row == NULL ? NULL : PyTuple_New(2);
    if (pair == NULL) {
        Py_XDECREF(row);
        return NULL;
    }
    PyTuple_SetItem(pair, 0, row);
    PyTuple_SetItem(pair, 1, PyLong_FromSsize_t(in.at - start));
    return pair;
}

static PyObject *read_row(PyObject *reader, PyObject *const *arguments, Py_ssize_t count) {
    return argument_count("read", count, 4) ? row_or_ask(try_row(reader, arguments), reader, arguments) : NULL;
}

static PyMethodDef read_row_definition = {
    "read", (PyCFunction)(void (*)(void))read_row, METH_FASTCALL, "read(buffer, position, limits, variants) -> (row, position)"};

/* row_reader((class of the composite, size of a row), fallback) -> a reader, or the fallback */
PyObject *make_row_reader1(Core1 *core, PyObject *arguments) {
    PyObject *facts, *class, *fallback;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &facts, &fallback)) return NULL;
    if (!PyArg_ParseTuple(facts, "On", &class, &size)) return NULL;
    const Composite *composite = composite_of(core, class);
    if (composite != NULL && (size == composite->field_count || size == composite->field_count + 1))
        return new_row_reader(&core->base, &read_row_definition, facts, fallback);
    Py_INCREF(fallback);
    return fallback;
}
