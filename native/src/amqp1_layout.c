/* Layouts of composites: what the core knows of a class, from facts that the package takes from its FIELDS. */
#include "amqp1.h"

/* Their values in Python are derived from int. */
static bool is_number_type(Type type) { return (type >= T_BOOLEAN && type <= T_ULONG) || type == T_TIMESTAMP; }

/* Types of fields that the core reads and writes; the others only as nothing. */
static bool is_field_type(Type type) {
    return is_number_type(type) || (type >= T_BINARY && type <= T_SYMBOL) || type == T_MAP;
}

/* Adds the types of a set of names. */
static Result add_provided(const Core1 *core, FieldFacts *field, PyObject *names) {
    for (Type type = T_NULL; type < T_COMPOSITE; type++) {
        Result result = result_of_answer(PySet_Contains(names, core->type_names[type]));
        if (result == FAILED) { return FAILED; }
        if (result == DONE) { field->provided |= (uint32_t)1 << type; }
    }
    return DONE;
}

/* The class of the members of an enum, from a dict of them; they are numbers or texts as the type of the field is. */
static Result find_member_type(FieldFacts *field, PyObject *members) {
    PyObject *key, *member;
    Py_ssize_t position = 0;
    if (!PyDict_Check(members) || !PyDict_Next(members, &position, &key, &member)) { return NOT_PLAIN; }
    field->own_type = Py_TYPE(member);
    if (is_number_type(field->type)) { return plain_if(PyLong_Check(member)); }
    return plain_if(field->type != T_SYMBOL || PyUnicode_Check(member));
}

/* (attribute, type, is mandatory, is multiple, fallback, members, types, providers); None where there is nothing. The
   type symbol-map is a map whose keys are symbols. */
static Result make_field(Core1 *core, FieldFacts *field, PyTypeObject *owner, PyObject *facts) {
    const char *attribute, *type_name;
    PyObject *fallback, *members, *types, *providers;
    int is_mandatory, is_multiple;
    if (!PyTuple_Check(facts)) { return NOT_PLAIN; }
    if (!PyArg_ParseTuple(facts, "ssppOOOO", &attribute, &type_name, &is_mandatory, &is_multiple, &fallback, &members,
                          &types, &providers)) {
        return FAILED;
    }
    bool has_symbols = strcmp(type_name, "symbol-map") == 0;
    Type type = has_symbols ? T_MAP : type_named(type_name);
    field->keys = has_symbols ? SYMBOL_KEYS : ANY_KEYS;
    field->type = is_field_type(type) ? type : T_OTHER;
    field->own_type = core->classes[field->type];
    field->is_mandatory = is_mandatory != 0;
    field->is_multiple = is_multiple != 0;
    field->place = find_slot(owner, attribute);
    if (field->place < 0) { return NOT_PLAIN; }
    field->has_number =
        PyLong_Check(fallback) && !PyBool_Check(fallback) && signed_64(fallback, &field->fallback_number);
    RETURN_UNLESS_DONE(made(&field->fallback, keep(&core->base, fallback)));
    if (members != Py_None) {
        RETURN_UNLESS_DONE(made(&field->members, keep(&core->base, members)));
        RETURN_UNLESS_DONE(find_member_type(field, members));
    }
    if (providers == Py_None) { return DONE; }
    RETURN_UNLESS_DONE(made(&field->providers, keep(&core->base, providers)));
    return types == Py_None ? DONE : add_provided(core, field, types);
}

Result make_composite(Core1 *core, PyTypeObject *type, uint8_t code, PyObject *facts, Composite **composite) {
    Composite *layout = *composite = keep_memory(&core->base, sizeof(Composite));
    if (layout == NULL) { return FAILED; }
    layout->type = type;
    layout->code = code;
    layout->field_count = PyTuple_Size(facts);
    layout->fields = keep_memory(&core->base, (size_t)layout->field_count * sizeof(FieldFacts));
    if (layout->fields == NULL) { return FAILED; }
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        RETURN_UNLESS_DONE(make_field(core, &layout->fields[index], type, PyTuple_GetItem(facts, index)));
    }
    return DONE;
}
