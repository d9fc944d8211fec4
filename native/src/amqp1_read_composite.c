/* Reading composites: a list whose items are the fields in order (1.0, 1.4). */
#include "amqp1.h"
#include "amqp1_walk.h"

/* The composite at work, and what its fields are filled into. */
typedef struct {
    Core1 *core;
    Reading1 *reading;
    const FieldFacts *fields;
    uint32_t depth;
    PyObject *owner;
} ObjectTarget;

/* A value of any type that provides what the field requires. */
static Result read_provider(const ObjectTarget *target, const FieldFacts *field, Input *in, PyObject **value) {
    uint8_t code = *in->at;
    if (field->providers == NULL) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(read_value(target->core, target->reading, in, target->depth, value));
    Result result = code == DESCRIBED ? result_of_answer(PySet_Contains(field->providers, (PyObject *)Py_TYPE(*value)))
                                      : plain_if((field->provided >> type_of_code(code) & 1) != 0);
    return drop_unless_done(result, value);
}

/* The items of an array of the field's type, as the core makes it. */
static Result items_of(const Core1 *core, const FieldFacts *field, PyObject *array, PyObject **list) {
    if (Py_TYPE(array) != core->array_type || get_slot(array, core->array_type_name) != core->type_names[field->type]
        || get_slot(array, core->array_descriptors) != core->no_descriptors) {
        return NOT_PLAIN;
    }
    *list = get_slot(array, core->array_items);
    if (*list == NULL || !PyList_CheckExact(*list) || (field->is_mandatory && PyList_Size(*list) == 0)) {
        return NOT_PLAIN;
    }
    Py_INCREF(*list);
    return DONE;
}

static Result list_of_one(PyObject *item, PyObject **list) {
    RETURN_UNLESS_DONE(made(list, PyList_New(0)));
    return drop_unless_done(done_or_failed(PyList_Append(*list, item) == 0), list);
}

/* A field that may have several values has one by itself, or an array of them (1.0, 1.4). */
static Result read_several(const ObjectTarget *target, const FieldFacts *field, Input *in, PyObject **list) {
    Type type = type_of_code(*in->at);
    PyObject *value;
    if (field->type == T_OTHER || field->members != NULL || (type != T_ARRAY && type != field->type)) {
        return NOT_PLAIN;
    }
    RETURN_UNLESS_DONE(read_value(target->core, target->reading, in, target->depth, &value));
    Result result = type == T_ARRAY ? items_of(target->core, field, value, list) : list_of_one(value, list);
    Py_DECREF(value);
    return result;
}

/* The value of a field before its enum, if it has one. Fields have plain ints, whatever their type. */
static Result read_plain(const ObjectTarget *target, const FieldFacts *field, Input *in, PyObject **value) {
    uint64_t number;
    uint8_t code = *in->at;
    if (field->type == T_OTHER) { return read_provider(target, field, in, value); }
    if (type_of_code(code) != field->type) { return NOT_PLAIN; }
    switch (field->type) {
    case T_UBYTE:
    case T_USHORT:
    case T_UINT:
    case T_ULONG: return take_number(in, &number) ? made(value, PyLong_FromUnsignedLongLong(number)) : NOT_PLAIN;
    case T_BINARY:
    case T_STRING:
    case T_SYMBOL: in->at++; return read_octets(target->core, code, in, value);
    default: return read_value(target->core, target->reading, in, target->depth, value);
    }
}

/* Puts the member of an enum in place of its value. */
static Result find_member(const FieldFacts *field, PyObject **value) {
    PyObject *number = *value;
    *value = PyDict_GetItemWithError(field->members, number);
    Py_XINCREF(*value);
    Result result = *value != NULL ? DONE : PyErr_Occurred() ? FAILED : NOT_PLAIN;
    Py_DECREF(number);
    return result;
}

static Result take_sent(const void *object, size_t index, Input *in) {
    const ObjectTarget *target = object;
    const FieldFacts *field = &target->fields[index];
    PyObject *value;
    RETURN_UNLESS_DONE(field->is_multiple ? read_several(target, field, in, &value)
                                          : read_plain(target, field, in, &value));
    if (field->members != NULL) { RETURN_UNLESS_DONE(find_member(field, &value)); }
    fill_slot(target->owner, field->place, value);
    return DONE;
}

static Result take_absent(const void *object, size_t index) {
    const ObjectTarget *target = object;
    const FieldFacts *field = &target->fields[index];
    PyObject *value;
    if (field->is_mandatory) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(made(&value, field->is_multiple ? PyList_New(0) : Py_NewRef(field->fallback)));
    fill_slot(target->owner, field->place, value);
    return DONE;
}

Result read_composite(Core1 *core, Reading1 *reading, const Composite *composite, Input *in, uint32_t depth,
                      PyObject **value) {
    static const FieldSink sink = {take_sent, take_absent};
    RETURN_UNLESS_DONE(made(value, PyType_GenericAlloc(composite->type, 0)));
    ObjectTarget target = {core, reading, composite->fields, depth, *value};
    return drop_unless_done(walk_fields(in, (size_t)composite->field_count, &sink, &target), value);
}
