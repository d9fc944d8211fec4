/* Writing composites: the descriptor and a list of the fields, without the nulls at its end (1.0, 1.4). */
#include "amqp1.h"

/* An exact int, or one of the field's own class. */
static bool has_number_class(const FieldFacts *field, PyObject *value) {
    return PyLong_CheckExact(value) || Py_TYPE(value) == field->own_type;
}

/* Whether nothing is sent for a value. */
static bool is_fallback(const FieldFacts *field, PyObject *value) {
    int64_t number;
    if (field->is_mandatory) { return false; }
    if (field->is_multiple) { return PyList_CheckExact(value) && PyList_Size(value) == 0; }
    if (value == field->fallback) { return true; }
    return field->has_number && has_number_class(field, value) && signed_64(value, &number)
           && number == field->fallback_number;
}

static Result write_boolean(Output *out, const FieldFacts *field, PyObject *value) {
    int64_t flag;
    if ((Py_TYPE(value) != field->own_type && !PyBool_Check(value)) || !signed_64(value, &flag)) { return NOT_PLAIN; }
    return write_code(out, flag != 0 ? TRUE_CODE : FALSE_CODE);
}

/* Of an enum an int has to be the value of a member. */
static Result write_integer(Output *out, const FieldFacts *field, PyObject *value) {
    if (!has_number_class(field, value)) { return NOT_PLAIN; }
    if (field->members != NULL && Py_TYPE(value) != field->own_type) {
        RETURN_UNLESS_DONE(result_of_answer(PyDict_Contains(field->members, value)));
    }
    return write_number(out, field->type, value);
}

static bool is_symbol(const FieldFacts *field, PyObject *value) {
    return Py_TYPE(value) == field->own_type || (field->members == NULL && PyUnicode_CheckExact(value));
}

/* A value of any type that provides what the field requires; the rarer ones are for Python. */
static Result write_provider(Core1 *core, Output *out, const FieldFacts *field, PyObject *value, uint32_t depth) {
    const Found *found = look_up_type(&core->base.types, value);
    if (field->providers == NULL) { return NOT_PLAIN; }
    bool is_provided = (field->provided >> found->kind & 1) != 0;
    bool takes_ulongs = (field->provided >> T_ULONG & 1) != 0;
    if (found->kind == T_LONG && takes_ulongs && !is_provided) { return write_number(out, T_ULONG, value); }
    if (found->kind != T_COMPOSITE) { return is_provided ? write_value(core, out, value, depth) : NOT_PLAIN; }
    if (depth == 0) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(result_of_answer(PySet_Contains(field->providers, (PyObject *)Py_TYPE(value))));
    return write_composite(core, out, found->layout, value, depth - 1);
}

/* One symbol by itself, more of them as an array of short ones. */
static Result write_symbols(Output *out, const FieldFacts *field, PyObject *list, uint32_t depth) {
    Py_ssize_t count = PyList_CheckExact(list) ? PyList_Size(list) : 0;
    if (count == 1) {
        PyObject *only = PyList_GetItem(list, 0);
        return is_symbol(field, only) ? write_symbol(out, only) : NOT_PLAIN;
    }
    size_t start = depth > 0 && count > 0 && count <= UINT8_MAX ? open_compound(out) : 0;
    if (start == 0) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(write_code(out, SYM8));
    for (Py_ssize_t index = 0; index < count; index++) {
        size_t code = out->size;
        PyObject *symbol = PyList_GetItem(list, index);
        if (!is_symbol(field, symbol)) { return NOT_PLAIN; }
        RETURN_UNLESS_DONE(write_symbol(out, symbol));
        if (out->octets[code] != SYM8) { return NOT_PLAIN; }
        out->size--;
        memmove(out->octets + code, out->octets + code + 1, out->size - code);
    }
    return close_compound(out, start, ARRAY8, (uint32_t)count);
}

static Result write_field(Core1 *core, Output *out, const FieldFacts *field, PyObject *value, uint32_t depth) {
    if (field->is_multiple) {
        bool is_plain = field->type == T_SYMBOL && field->members == NULL;
        return is_plain ? write_symbols(out, field, value, depth) : NOT_PLAIN;
    }
    switch (field->type) {
    case T_BOOLEAN: return write_boolean(out, field, value);
    case T_UBYTE:
    case T_USHORT:
    case T_UINT:
    case T_ULONG:
    case T_TIMESTAMP: return write_integer(out, field, value);
    case T_BINARY: return write_binary(out, value);
    case T_STRING: return PyUnicode_CheckExact(value) ? write_string(out, value) : NOT_PLAIN;
    case T_SYMBOL: return is_symbol(field, value) ? write_symbol(out, value) : NOT_PLAIN;
    case T_MAP:
        return depth > 0 && PyDict_CheckExact(value) ? write_map(core, out, value, field->keys, depth - 1) : NOT_PLAIN;
    default: return write_provider(core, out, field, value, depth);
    }
}

/* A list without items when every field is at its fallback. */
static Result close_fields(Output *out, size_t start, size_t end, uint32_t count) {
    out->size = end;
    if (count > 0) { return close_compound(out, start, LIST8, count); }
    out->size = start - COMPOUND_HEAD;
    return write_code(out, LIST0);
}

/* The octet 0 and a smallulong (1.0, 1.2). */
Result write_descriptor(Output *out, uint8_t code) {
    if (!output_room(out, 3)) { return NOT_PLAIN; }
    put_8(out, DESCRIBED);
    put_8(out, SMALLULONG);
    put_8(out, code);
    return DONE;
}

Result write_composite(Core1 *core, Output *out, const Composite *composite, PyObject *owner, uint32_t depth) {
    RETURN_UNLESS_DONE(write_descriptor(out, composite->code));
    size_t start = open_compound(out), end = start;
    uint32_t count = 0;
    if (start == 0) { return NOT_PLAIN; }
    for (Py_ssize_t index = 0; index < composite->field_count; index++) {
        const FieldFacts *field = &composite->fields[index];
        PyObject *value = get_slot(owner, field->place);
        if (value == NULL) { return NOT_PLAIN; }
        if (is_fallback(field, value)) {
            RETURN_UNLESS_DONE(write_code(out, NULL_CODE));
            continue;
        }
        Py_INCREF(value);
        Result result = write_field(core, out, field, value, depth);
        Py_DECREF(value);
        RETURN_UNLESS_DONE(result);
        end = out->size;
        count = (uint32_t)index + 1;
    }
    return close_fields(out, start, end, count);
}
