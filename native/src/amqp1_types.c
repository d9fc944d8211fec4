/* Types: the Python classes of their values. */
#include "amqp1.h"

/* Decimals and UUIDs are taken apart and put together where their slot can be found; else Python does it. */
static bool keep_bits(Core1 *core, Type type, PyObject *class, const char *slot) {
    if (class == NULL || !PyType_Check(class)) { return true; }
    core->bits_places[type] = find_slot((PyTypeObject *)class, slot);
    if (core->bits_places[type] < 0) { return true; }
    Result result = keep_type(&core->base, (PyTypeObject *)class, type, NULL);
    if (result == DONE) { core->classes[type] = (PyTypeObject *)class; }
    return result != FAILED;
}

static Result find_uuid(Core1 *core, PyObject *module, PyObject **type) {
    *type = keep_owned(&core->base, PyObject_GetAttrString(module, "UUID"));
    PyObject *safety = *type == NULL ? NULL : PyObject_GetAttrString(module, "SafeUUID");
    if (safety == NULL) { return FAILED; }
    core->unknown_safety = keep_owned(&core->base, PyObject_GetAttrString(safety, "unknown"));
    Py_DECREF(safety);
    if (core->unknown_safety == NULL) { return FAILED; }
    core->uuid_safety = PyType_Check(*type) ? find_slot((PyTypeObject *)*type, "is_safe") : -1;
    return plain_if(core->uuid_safety >= 0);
}

static bool make_uuids(Core1 *core) {
    PyObject *type, *module = PyImport_ImportModule("uuid");
    Result result = left_to_python(module == NULL ? FAILED : find_uuid(core, module, &type));
    Py_XDECREF(module);
    return result == DONE ? keep_bits(core, T_UUID, type, "int") : result != FAILED;
}

/* The class of a type, by its name; derived from that of Python's own values. */
static bool keep_class(Core1 *core, Type type, PyObject *classes) {
    PyTypeObject *base = type == T_FLOAT                      ? &PyFloat_Type
                         : type == T_CHAR || type == T_SYMBOL ? &PyUnicode_Type
                                                              : &PyLong_Type;
    PyObject *class = PyDict_GetItemString(classes, type_name_of(type));
    bool is_class = class != NULL && PyType_Check(class) && PyType_IsSubtype((PyTypeObject *)class, base);
    Result result = is_class ? keep_type(&core->base, (PyTypeObject *)class, type, NULL) : NOT_PLAIN;
    if (result == NOT_PLAIN) { PyErr_Format(PyExc_TypeError, "there is no class for %s", type_name_of(type)); }
    core->classes[type] = (PyTypeObject *)class;
    return result == DONE;
}

bool make_types(Core1 *core, PyObject *classes) {
    static const Type wanted[] = {T_UBYTE, T_USHORT, T_UINT, T_ULONG,     T_BYTE,  T_SHORT,
                                  T_INT,   T_FLOAT,  T_CHAR, T_TIMESTAMP, T_SYMBOL};
    const struct {
        PyTypeObject *class;
        Type type;
    } builtins[] = {
        {Py_TYPE(Py_None), T_NULL}, {&PyBool_Type, T_BOOLEAN},   {&PyLong_Type, T_LONG}, {&PyFloat_Type, T_DOUBLE},
        {&PyBytes_Type, T_BINARY},  {&PyUnicode_Type, T_STRING}, {&PyList_Type, T_LIST}, {&PyDict_Type, T_MAP},
    };
    for (size_t index = 0; index < sizeof builtins / sizeof *builtins; index++) {
        if (keep_type(&core->base, builtins[index].class, builtins[index].type, NULL) == FAILED) { return false; }
    }
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        if (!keep_class(core, wanted[index], classes)) { return false; }
    }
    for (Type type = T_OTHER; type < TYPE_COUNT; type++) {
        core->type_names[type] = keep_owned(&core->base, PyUnicode_InternFromString(type_name_of(type)));
        if (core->type_names[type] == NULL) { return false; }
    }
    core->base.symbols->type = core->classes[T_SYMBOL];
    core->sixty_four = keep_owned(&core->base, PyLong_FromLong(64));
    if (core->sixty_four == NULL) { return false; }
    for (Type type = T_DECIMAL32; type <= T_DECIMAL128; type++) {
        if (!keep_bits(core, type, PyDict_GetItemString(classes, type_name_of(type)), "bits")) { return false; }
    }
    return make_uuids(core);
}
