/* Types: the Python classes of their values. */
#include "amqp1.h"

/* Decimals and UUIDs are taken apart and put together where their slot can be found; else Python does it. */
static void keep_bits(Core1 *core, Type type, PyObject *class, const char *slot) {
    if (class == NULL || !PyType_Check(class)) return;
    core->bits_places[type] = find_slot((PyTypeObject *)class, slot);
    if (core->bits_places[type] >= 0 && keep_type(&core->base, (PyTypeObject *)class, type, NULL))
        core->classes[type] = (PyTypeObject *)class;
}

static void make_uuids(Core1 *core) {
    PyObject *module = PyImport_ImportModule("uuid");
    PyObject *type = module == NULL ? NULL : keep_owned(&core->base, PyObject_GetAttrString(module, "UUID"));
    PyObject *safety = type == NULL ? NULL : PyObject_GetAttrString(module, "SafeUUID");
    core->unknown_safety = safety == NULL ? NULL : keep_owned(&core->base, PyObject_GetAttrString(safety, "unknown"));
    Py_XDECREF(safety);
    Py_XDECREF(module);
    PyErr_Clear();
    if (core->unknown_safety == NULL || !PyType_Check(type)) return;
    core->uuid_safety = find_slot((PyTypeObject *)type, "is_safe");
    if (core->uuid_safety >= 0) keep_bits(core, T_UUID, type, "int");
}

/* Takes the classes that numbers and texts have of their own, by the names of their types; false with an exception. */
bool make_types(Core1 *core, PyObject *classes) {
    static const Type wanted[] = {T_UBYTE, T_USHORT, T_UINT, T_ULONG, T_BYTE, T_SHORT, T_INT, T_FLOAT, T_CHAR, T_TIMESTAMP, T_SYMBOL};
    const struct {
        PyTypeObject *class;
        Type type;
    } builtins[] = {
        {Py_TYPE(Py_None), T_NULL}, {&PyBool_Type, T_BOOLEAN},   {&PyLong_Type, T_LONG}, {&PyFloat_Type, T_DOUBLE},
        {&PyBytes_Type, T_BINARY},  {&PyUnicode_Type, T_STRING}, {&PyList_Type, T_LIST}, {&PyDict_Type, T_MAP},
    };
    for (size_t index = 0; index < sizeof builtins / sizeof *builtins; index++)
        keep_type(&core->base, builtins[index].class, builtins[index].type, NULL);
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        PyObject *found = PyDict_GetItemString(classes, type_name_of(wanted[index]));
        if (found == NULL || !PyType_Check(found)) {
            PyErr_Format(PyExc_TypeError, "there is no class for %s", type_name_of(wanted[index]));
            return false;
        }
        core->classes[wanted[index]] = (PyTypeObject *)found;
        keep_type(&core->base, (PyTypeObject *)found, wanted[index], NULL);
    }
    for (Type type = T_OTHER; type < TYPE_COUNT; type++) {
        core->type_names[type] = keep_owned(&core->base, PyUnicode_InternFromString(type_name_of(type)));
        if (core->type_names[type] == NULL) return false;
    }
    core->base.symbols->type = core->classes[T_SYMBOL];
    core->sixty_four = keep_owned(&core->base, PyLong_FromLong(64));
    for (Type type = T_DECIMAL32; type <= T_DECIMAL128; type++)
        keep_bits(core, type, PyDict_GetItemString(classes, type_name_of(type)), "bits");
    make_uuids(core);
    return core->sixty_four != NULL;
}
