/* Layouts: what the core knows of a class, from its FIELDS and from an instance of it. */
#include "amqp0.h"

static Result make_slot_field(Field *field, PyTypeObject *type, PyObject *facts) {
    const char *name;
    if (!read_field_layout(field, facts, &name)) { return FAILED; }
    if (!field->is_reserved) { field->place = find_slot(type, name); }
    return plain_if(field->kind != NO_VALUE && field->place >= 0);
}

static Result make_fields(Core0 *core, Layout *layout) {
    PyObject *facts = keep_owned(&core->base, PyObject_GetAttrString((PyObject *)layout->type, "FIELDS"));
    if (facts == NULL) { return FAILED; }
    layout->field_count = PyTuple_Check(facts) ? PyTuple_Size(facts) : 0;
    layout->fields = keep_memory(&core->base, (size_t)layout->field_count * sizeof(Field));
    if (layout->fields == NULL) { return FAILED; }
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        Field *field = &layout->fields[index];
        RETURN_UNLESS_DONE(make_slot_field(field, layout->type, PyTuple_GetItem(facts, index)));
        layout->value_count += !field->is_reserved;
    }
    return plain_if(PyTuple_Check(facts));
}

static Result make_rest(Core0 *core, Layout *layout, PyObject *prototype, PyObject *names) {
    layout->rest_count = PyTuple_Size(names);
    layout->rest = keep_memory(&core->base, (size_t)layout->rest_count * sizeof(Rest));
    if (layout->rest == NULL) { return FAILED; }
    for (Py_ssize_t index = 0; index < layout->rest_count; index++) {
        Rest *rest = &layout->rest[index];
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, index), NULL);
        if (name == NULL) { return FAILED; }
        rest->place = find_slot(layout->type, name);
        if (rest->place < 0) { return NOT_PLAIN; }
        rest->value = get_slot(prototype, rest->place);
        if (rest->value != NULL && keep(&core->base, rest->value) == NULL) { return FAILED; }
    }
    return DONE;
}

/* NOT_PLAIN: the class is not for this core. */
Result make_layout(Core0 *core, PyObject *type, PyObject *prototype, PyObject *rest, uint32_t key, Layout **layout) {
    if ((PyObject *)Py_TYPE(prototype) != type) { return NOT_PLAIN; }
    *layout = keep(&core->base, type) == NULL ? NULL : keep_memory(&core->base, sizeof(Layout));
    if (*layout == NULL) { return FAILED; }
    (*layout)->type = (PyTypeObject *)type;
    (*layout)->key = key;
    RETURN_UNLESS_DONE(make_fields(core, *layout));
    return make_rest(core, *layout, prototype, rest);
}

/* A new instance whose rest is filled and whose fields are not. */
PyObject *new_instance(const Layout *layout) {
    PyObject *instance = PyType_GenericAlloc(layout->type, 0);
    if (instance == NULL) { return NULL; }
    for (Py_ssize_t index = 0; index < layout->rest_count; index++) {
        const Rest *rest = &layout->rest[index];
        fill_slot(instance, rest->place, Py_XNewRef(rest->value));
    }
    return instance;
}
