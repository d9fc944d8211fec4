/* Layouts: what the core knows of a class, from its FIELDS and from an instance of it. */
#include "amqp0.h"

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
