/* Layouts of composites: what the core knows of a class, from facts that the package takes from its FIELDS. */
#include "amqp1.h"

static PyObject *kept(Core1 *core, PyObject *value) { return value == Py_None ? NULL : keep(&core->base, value); }

/* Types of fields that the core reads and writes; the others only as nothing. */
static bool is_field_type(Type type) {
    return (type >= T_BOOLEAN && type <= T_ULONG) || type == T_TIMESTAMP || (type >= T_BINARY && type <= T_SYMBOL) || type == T_MAP;
}

/* The types of a set of names, by bits. */
static uint32_t provided_types(const Core1 *core, PyObject *set) {
    uint32_t types = 0;
    for (Type type = T_NULL; type < T_COMPOSITE; type++)
        if (PySet_Contains(set, core->type_names[type]) == 1) types |= (uint32_t)1 << type;
    return types;
}

/* The class of the members of an enum, from a dict of them; NULL when there is none. */
static PyTypeObject *type_of_members(PyObject *members) {
    PyObject *key, *member;
    Py_ssize_t position = 0;
    return PyDict_Check(members) && PyDict_Next(members, &position, &key, &member) ? Py_TYPE(member) : NULL;
}

/* (attribute, type, is mandatory, is multiple, fallback, members, types, providers); None where there is nothing. The type
   symbol-map is a map whose keys are symbols. */
static bool make_field(Core1 *core, FieldFacts *field, PyTypeObject *owner, PyObject *facts) {
    const char *attribute, *type_name;
    PyObject *fallback, *members, *types, *providers;
    int is_mandatory, is_multiple;
    if (!PyTuple_Check(facts)
        || !PyArg_ParseTuple(facts, "ssppOOOO", &attribute, &type_name, &is_mandatory, &is_multiple, &fallback, &members, &types,
                             &providers))
        return false;
    bool has_symbols = strcmp(type_name, "symbol-map") == 0;
    Type type = has_symbols ? T_MAP : type_named(type_name);
    field->keys = has_symbols ? SYMBOL_KEYS : ANY_KEYS;
    field->type = is_field_type(type) ? type : T_OTHER;
    field->is_mandatory = is_mandatory != 0;
    field->is_multiple = is_multiple != 0;
    field->place = find_slot(owner, attribute);
    field->fallback = keep(&core->base, fallback);
    field->has_number = PyLong_Check(fallback) && !PyBool_Check(fallback) && signed_64(fallback, &field->fallback_number);
    field->members = kept(core, members);
    if (field->members != NULL) {
        field->member_type = type_of_members(members);
        if (field->member_type == NULL) return false;
    }
    field->providers = kept(core, providers);
    if (field->providers != NULL && types != Py_None) field->provided = provided_types(core, types);
    return field->place >= 0 && field->fallback != NULL;
}

/* A layout; NULL when the class is not for this core, with or without an exception. */
Composite *make_composite(Core1 *core, PyTypeObject *type, uint8_t code, PyObject *facts) {
    Composite *composite = keep_memory(&core->base, sizeof(Composite));
    if (composite == NULL) return NULL;
    composite->type = type;
    composite->code = code;
    composite->field_count = PyTuple_Size(facts);
    composite->fields = keep_memory(&core->base, (size_t)composite->field_count * sizeof(FieldFacts));
    if (composite->fields == NULL) return NULL;
    for (Py_ssize_t index = 0; index < composite->field_count; index++)
        if (!make_field(core, &composite->fields[index], type, PyTuple_GetItem(facts, index))) return NULL;
    return composite;
}
