/* Layouts: what the core knows of a class, from its FIELDS and from an instance of it. */
#include "amqp0.h"

const KindFacts kinds[] = {
    [NO_VALUE] = {NULL, 0, 0, -1},              [BIT] = {NULL, 0, 0, -1},
    [BOOLEAN] = {"boolean", 1, 0, -1},          [INT8] = {"int8", 1, INT8_MIN, INT8_MAX},
    [UINT8] = {"uint8", 1, 0, UINT8_MAX},       [INT16] = {"int16", 2, INT16_MIN, INT16_MAX},
    [UINT16] = {"uint16", 2, 0, UINT16_MAX},    [INT32] = {"int32", 4, INT32_MIN, INT32_MAX},
    [UINT32] = {"uint32", 4, 0, UINT32_MAX},    [INT64] = {"int64", 8, INT64_MIN, INT64_MAX},
    [UINT64] = {"uint64", 8, 0, INT64_MAX}, /* larger ones are for Python */
    [FLOAT] = {"float", 4, 0, -1},              [DOUBLE] = {"double", 8, 0, -1},
    [DECIMAL] = {"decimal", 5, 0, -1},          [DECIMAL_UNSIGNED] = {"decimal-unsigned", 5, 0, -1},
    [NAME] = {NULL, 1, 0, -1},                  [SHORT_STRING] = {"shortstr", 1, 0, -1},
    [LONG_STRING] = {"longstr", 4, 0, -1},      [BYTES] = {"bytes", 4, 0, -1},
    [TIME] = {"timestamp", 8, 0, -1},           [ARRAY] = {"array", 4, 0, -1},
    [MAPPING] = {"table", 4, 0, -1},            [VOID] = {"void", 0, 0, -1},
};

/* The elementary types of fields, by the names in FIELDS: numbers stand for themselves, and long strings are octets. */
static const struct {
    const char *name;
    Kind kind;
} field_types[] = {
    {"bit", BIT},         {"octet", UINT8},      {"short", UINT16},   {"long", UINT32},   {"longlong", UINT64},
    {"timestamp", UINT64}, {"shortstr", NAME}, {"longstr", BYTES}, {"table", MAPPING},
};

/* The kind of value of that name, or NO_VALUE. */
Kind value_kind(const char *name) {
    for (Kind kind = NO_VALUE; kind <= VOID; kind++)
        if (kinds[kind].name != NULL && strcmp(kinds[kind].name, name) == 0) return kind;
    return NO_VALUE;
}

static Kind field_kind(const char *name) {
    for (size_t index = 0; index < sizeof field_types / sizeof *field_types; index++)
        if (strcmp(field_types[index].name, name) == 0) return field_types[index].kind;
    return NO_VALUE;
}

/* Fills one field from a FieldLayout, a named tuple of name, type and reserved. */
static bool make_field(Field *field, PyTypeObject *type, PyObject *facts) {
    const char *name, *type_name;
    int reserved;
    if (!PyTuple_Check(facts) || !PyArg_ParseTuple(facts, "ssp", &name, &type_name, &reserved)) return false;
    field->kind = field_kind(type_name);
    field->reserved = reserved != 0;
    field->is_moment = strcmp(type_name, "timestamp") == 0;
    field->place = field->reserved ? 0 : find_slot(type, name);
    return field->kind != NO_VALUE && field->place >= 0;
}

static bool make_fields(Core0 *core, Layout *layout) {
    PyObject *facts = keep_owned(&core->base, PyObject_GetAttrString((PyObject *)layout->type, "FIELDS"));
    if (facts == NULL || !PyTuple_Check(facts)) return false;
    layout->field_count = PyTuple_Size(facts);
    layout->fields = keep_memory(&core->base, (size_t)layout->field_count * sizeof(Field));
    if (layout->fields == NULL) return false;
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        Field *field = &layout->fields[index];
        if (!make_field(field, layout->type, PyTuple_GetItem(facts, index))) return false;
        layout->value_count += !field->reserved;
    }
    return true;
}

static bool make_rest(Core0 *core, Layout *layout, PyObject *prototype, PyObject *names) {
    layout->rest_count = PyTuple_Size(names);
    layout->rest = keep_memory(&core->base, (size_t)layout->rest_count * sizeof(Rest));
    if (layout->rest == NULL) return false;
    for (Py_ssize_t index = 0; index < layout->rest_count; index++) {
        Rest *rest = &layout->rest[index];
        rest->place = find_slot(layout->type, PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, index), NULL));
        if (rest->place < 0) return false;
        rest->value = get_slot(prototype, rest->place);
        if (rest->value != NULL && keep(&core->base, rest->value) == NULL) return false;
    }
    return true;
}

/* A layout of a class; NULL when the class is not for this core, with or without an exception set. */
Layout *make_layout(Core0 *core, PyObject *type, PyObject *prototype, PyObject *rest, uint32_t key) {
    if ((PyObject *)Py_TYPE(prototype) != type || keep(&core->base, type) == NULL) return NULL;
    Layout *layout = keep_memory(&core->base, sizeof(Layout));
    if (layout == NULL) return NULL;
    layout->type = (PyTypeObject *)type;
    layout->key = key;
    return make_fields(core, layout) && make_rest(core, layout, prototype, rest) ? layout : NULL;
}

/* A new instance whose rest is filled and whose fields are not. */
PyObject *new_instance(const Layout *layout) {
    PyObject *instance = PyType_GenericAlloc(layout->type, 0);
    if (instance == NULL) return NULL;
    for (Py_ssize_t index = 0; index < layout->rest_count; index++) {
        const Rest *rest = &layout->rest[index];
        Py_XINCREF(rest->value);
        fill_slot(instance, rest->place, rest->value);
    }
    return instance;
}
