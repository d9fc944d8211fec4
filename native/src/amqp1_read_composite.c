/* Reading composites: a list whose items are the fields in order (1.0, 1.4). */
#include "amqp1.h"

/* A number that stands for itself: fields have plain ints, whatever their type. */
PyObject *read_whole(Type type, Input *in) {
    uint8_t code = *in->at++;
    size_t width = code < UBYTE_CODE ? 0 : (size_t)1 << ((code >> 4) - 5);
    const uint8_t *at = type_of_code(code) == type ? take(in, width) : NULL;
    if (at == NULL) return NULL;
    switch (width) {
    case 0: return PyLong_FromLong(0);
    case 1: return PyLong_FromLong(*at);
    case 2: return PyLong_FromLong(get_16(at));
    case 4: return PyLong_FromUnsignedLong(get_32(at));
    default: return PyLong_FromUnsignedLongLong(get_64(at));
    }
}

/* A value of any type that provides what the field requires. */
static PyObject *read_provider(Core1 *core, Reading1 *reading, const FieldFacts *field, Input *in, uint32_t depth) {
    uint8_t code = *in->at;
    if (field->providers == NULL) return NULL;
    PyObject *value = read_value(core, reading, in, depth);
    if (value == NULL) return NULL;
    bool is_provided = code == DESCRIBED ? PySet_Contains(field->providers, (PyObject *)Py_TYPE(value)) == 1
                                         : (field->provided >> type_of_code(code) & 1) != 0;
    if (!is_provided) Py_CLEAR(value);
    return value;
}

/* The items of an array of the field's type, as the core makes it; NULL for any other value. */
static PyObject *items_of(const Core1 *core, const FieldFacts *field, PyObject *array) {
    if (Py_TYPE(array) != core->array_type || get_slot(array, core->array_type_name) != core->type_names[field->type]) return NULL;
    PyObject *items = get_slot(array, core->array_items);
    if (items == NULL || !PyList_CheckExact(items) || get_slot(array, core->array_descriptors) != core->no_descriptors) return NULL;
    if (field->is_mandatory && PyList_Size(items) == 0) return NULL;
    Py_INCREF(items);
    return items;
}

/* A field that may have several values has one by itself, or an array of them (1.0, 1.4). */
static PyObject *read_several(Core1 *core, Reading1 *reading, const FieldFacts *field, Input *in, uint32_t depth) {
    Type type = type_of_code(*in->at);
    if (field->type == T_OTHER || field->members != NULL || (type != T_ARRAY && type != field->type)) return NULL;
    PyObject *value = read_value(core, reading, in, depth);
    if (value == NULL) return NULL;
    PyObject *list = type == T_ARRAY ? items_of(core, field, value) : PyList_New(0);
    if (list != NULL && type != T_ARRAY && PyList_Append(list, value) < 0) Py_CLEAR(list);
    if (list != NULL && field->is_mandatory && PyList_Size(list) == 0) Py_CLEAR(list);
    Py_DECREF(value);
    return list;
}

/* The value of a field before its enum, if it has one. */
static PyObject *read_plain(Core1 *core, Reading1 *reading, const FieldFacts *field, Input *in, uint32_t depth) {
    switch (field->type) {
    case T_UBYTE:
    case T_USHORT:
    case T_UINT:
    case T_ULONG: return read_whole(field->type, in);
    case T_OTHER: return read_provider(core, reading, field, in, depth);
    default: return type_of_code(*in->at) == field->type ? read_value(core, reading, in, depth) : NULL;
    }
}

/* A value that is there, and its format code. */
static PyObject *read_sent(Core1 *core, Reading1 *reading, const FieldFacts *field, Input *in, uint32_t depth) {
    if (field->is_multiple) return read_several(core, reading, field, in, depth);
    PyObject *value = read_plain(core, reading, field, in, depth);
    if (value == NULL || field->members == NULL) return value;
    PyObject *member = PyDict_GetItemWithError(field->members, value);
    Py_XINCREF(member);
    Py_DECREF(value);
    return member;
}

static PyObject *fallback_of(const FieldFacts *field) {
    if (field->is_mandatory) return NULL;
    if (field->is_multiple) return PyList_New(0);
    Py_INCREF(field->fallback);
    return field->fallback;
}

static bool read_fields(
    Core1 *core, Reading1 *reading, const Composite *composite, Input *items, uint32_t count, uint32_t depth, PyObject *owner) {
    for (Py_ssize_t index = 0; index < composite->field_count; index++) {
        const FieldFacts *field = &composite->fields[index];
        bool is_listed = (uint32_t)index < count;
        if (is_listed && !input_has(items, 1)) return false;
        bool is_sent = is_listed && *items->at != NULL_CODE;
        if (is_listed && !is_sent) items->at++;
        PyObject *value = is_sent ? read_sent(core, reading, field, items, depth) : fallback_of(field);
        if (value == NULL) return false;
        fill_slot(owner, field->place, value);
    }
    return items->at == items->end;
}

/* What follows the descriptor of a composite. */
PyObject *read_composite(Core1 *core, Reading1 *reading, const Composite *composite, Input *in, uint32_t depth) {
    Input items;
    uint32_t count;
    if (!take_fields(in, &items, &count) || count > (uint32_t)composite->field_count) return NULL;
    PyObject *value = PyType_GenericAlloc(composite->type, 0);
    if (value != NULL && !read_fields(core, reading, composite, &items, count, depth, value)) Py_CLEAR(value);
    return value;
}
