/* Writing composites: the descriptor and a list of the fields, without the nulls at its end (1.0, 1.4). */
#include "amqp1.h"

/* An exact int, one of the class of the type, or a member of the enum. */
static bool is_number(const Core1 *core, const FieldFacts *field, PyObject *value) {
    if (field->members != NULL && Py_TYPE(value) == field->member_type) return true;
    if (field->members != NULL) return PyLong_CheckExact(value) && PyDict_GetItemWithError(field->members, value) != NULL;
    return PyLong_CheckExact(value) || Py_TYPE(value) == core->classes[field->type];
}

/* Whether nothing is sent for a value. */
static bool is_fallback(const Core1 *core, const FieldFacts *field, PyObject *value) {
    int64_t number;
    if (field->is_mandatory) return false;
    if (field->is_multiple) return PyList_CheckExact(value) && PyList_Size(value) == 0;
    if (value == field->fallback) return true;
    return field->has_number && is_number(core, field, value) && signed_64(value, &number) && number == field->fallback_number;
}

static bool write_boolean(Output *out, const FieldFacts *field, PyObject *value) {
    int64_t flag;
    bool is_member = field->members != NULL && Py_TYPE(value) == field->member_type;
    if ((!is_member && !PyBool_Check(value)) || !signed_64(value, &flag)) return false;
    return write_code(out, flag != 0 ? TRUE_CODE : FALSE_CODE);
}

static bool is_symbol(const Core1 *core, const FieldFacts *field, PyObject *value) {
    if (field->members != NULL) return Py_TYPE(value) == field->member_type;
    return PyUnicode_CheckExact(value) || Py_TYPE(value) == core->classes[T_SYMBOL];
}

/* A value of any type that provides what the field requires; the rarer ones are for Python. */
static bool write_provider(Core1 *core, Output *out, const FieldFacts *field, PyObject *value, uint32_t depth) {
    const Found *found = look_up_type(&core->base.types, value);
    if (field->providers == NULL) return false;
    bool is_provided = (field->provided >> found->kind & 1) != 0;
    bool takes_ulongs = (field->provided >> T_ULONG & 1) != 0;
    if (found->kind == T_LONG && takes_ulongs && !is_provided) return write_number(out, T_ULONG, value);
    if (found->kind != T_COMPOSITE) return is_provided && write_value(core, out, value, depth);
    if (depth == 0 || PySet_Contains(field->providers, (PyObject *)Py_TYPE(value)) != 1) return false;
    return write_composite(core, out, found->layout, value, depth - 1);
}

/* One symbol by itself, more of them as an array of short ones. */
static bool write_symbols(const Core1 *core, Output *out, const FieldFacts *field, PyObject *list, uint32_t depth) {
    Py_ssize_t count = PyList_CheckExact(list) ? PyList_Size(list) : 0;
    if (count == 1) return is_symbol(core, field, PyList_GetItem(list, 0)) && write_symbol(out, PyList_GetItem(list, 0));
    size_t start = depth > 0 && count > 0 && count <= UINT8_MAX ? open_compound(out) : 0;
    if (start == 0 || !write_code(out, SYM8)) return false;
    for (Py_ssize_t index = 0; index < count; index++) {
        size_t code = out->size;
        PyObject *symbol = PyList_GetItem(list, index);
        if (!is_symbol(core, field, symbol) || !write_symbol(out, symbol) || out->octets[code] != SYM8) return false;
        out->size--;
        memmove(out->octets + code, out->octets + code + 1, out->size - code);
    }
    return close_compound(out, start, ARRAY8, (uint32_t)count);
}

static bool write_field(Core1 *core, Output *out, const FieldFacts *field, PyObject *value, uint32_t depth) {
    if (field->is_multiple) return field->type == T_SYMBOL && field->members == NULL && write_symbols(core, out, field, value, depth);
    switch (field->type) {
    case T_BOOLEAN: return write_boolean(out, field, value);
    case T_UBYTE:
    case T_USHORT:
    case T_UINT:
    case T_ULONG:
    case T_TIMESTAMP: return is_number(core, field, value) && write_number(out, field->type, value);
    case T_BINARY: return PyBytes_CheckExact(value) && write_binary(out, value);
    case T_STRING: return PyUnicode_CheckExact(value) && write_string(out, value);
    case T_SYMBOL: return is_symbol(core, field, value) && write_symbol(out, value);
    case T_MAP: return depth > 0 && PyDict_CheckExact(value) && write_map(core, out, value, field->keys, depth - 1);
    default: return write_provider(core, out, field, value, depth);
    }
}

/* A list without items when every field is at its fallback. */
static bool close_fields(Output *out, size_t start, size_t end, uint32_t count) {
    out->size = end;
    if (count > 0) return close_compound(out, start, LIST8, count);
    out->size = start - COMPOUND_HEAD;
    return write_code(out, LIST0);
}

/* The octet 0 and a smallulong (1.0, 1.2). */
bool write_descriptor(Output *out, uint8_t code) {
    if (!output_room(out, 3)) return false;
    put_8(out, DESCRIBED);
    put_8(out, SMALLULONG);
    put_8(out, code);
    return true;
}

bool write_composite(Core1 *core, Output *out, const Composite *composite, PyObject *owner, uint32_t depth) {
    size_t start = write_descriptor(out, composite->code) ? open_compound(out) : 0;
    size_t end = start;
    uint32_t count = 0;
    if (start == 0) return false;
    for (Py_ssize_t index = 0; index < composite->field_count; index++) {
        const FieldFacts *field = &composite->fields[index];
        PyObject *value = get_slot(owner, field->place);
        if (value == NULL) return false;
        if (is_fallback(core, field, value)) {
            if (!write_code(out, NULL_CODE)) return false;
            continue;
        }
        Py_INCREF(value);
        bool done = write_field(core, out, field, value, depth);
        Py_DECREF(value);
        if (!done) return false;
        end = out->size;
        count = (uint32_t)index + 1;
    }
    return close_fields(out, start, end, count);
}
