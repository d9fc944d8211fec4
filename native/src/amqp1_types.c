/* Types: their names, the format codes of their encodings (1.0, 1.6), and the Python classes of their values. */
#include "amqp1.h"

static const char *const names[TYPE_COUNT] = {
    [T_OTHER] = "",         [T_NULL] = "null",     [T_BOOLEAN] = "boolean", [T_UBYTE] = "ubyte", [T_USHORT] = "ushort",
    [T_UINT] = "uint",      [T_ULONG] = "ulong",   [T_BYTE] = "byte",       [T_SHORT] = "short", [T_INT] = "int",
    [T_LONG] = "long",      [T_FLOAT] = "float",   [T_DOUBLE] = "double",   [T_CHAR] = "char",   [T_TIMESTAMP] = "timestamp",
    [T_DECIMAL32] = "decimal32", [T_DECIMAL64] = "decimal64", [T_DECIMAL128] = "decimal128",
    [T_UUID] = "uuid",      [T_BINARY] = "binary", [T_STRING] = "string",   [T_SYMBOL] = "symbol",
    [T_LIST] = "list",      [T_MAP] = "map",       [T_ARRAY] = "array",     [T_COMPOSITE] = "",
};

/* T_OTHER for descriptors, and for types that the core leaves to Python. */
const uint8_t types_by_code[256] = {
    [NULL_CODE] = T_NULL,       [TRUE_CODE] = T_BOOLEAN,  [FALSE_CODE] = T_BOOLEAN,  [BOOLEAN_CODE] = T_BOOLEAN,
    [UBYTE_CODE] = T_UBYTE,     [USHORT_CODE] = T_USHORT, [UINT0] = T_UINT,          [SMALLUINT] = T_UINT,
    [UINT_CODE] = T_UINT,       [ULONG0] = T_ULONG,       [SMALLULONG] = T_ULONG,    [ULONG_CODE] = T_ULONG,
    [BYTE_CODE] = T_BYTE,       [SHORT_CODE] = T_SHORT,   [SMALLINT] = T_INT,        [INT_CODE] = T_INT,
    [SMALLLONG] = T_LONG,       [LONG_CODE] = T_LONG,     [FLOAT_CODE] = T_FLOAT,    [DOUBLE_CODE] = T_DOUBLE,
    [CHAR_CODE] = T_CHAR,       [UUID_CODE] = T_UUID,     [TIMESTAMP_CODE] = T_TIMESTAMP,
    [DECIMAL32_CODE] = T_DECIMAL32, [DECIMAL64_CODE] = T_DECIMAL64, [DECIMAL128_CODE] = T_DECIMAL128,
    [VBIN8] = T_BINARY,         [VBIN32] = T_BINARY,      [STR8] = T_STRING,         [STR32] = T_STRING,
    [SYM8] = T_SYMBOL,          [SYM32] = T_SYMBOL,       [LIST0] = T_LIST,          [LIST8] = T_LIST,
    [LIST32] = T_LIST,          [MAP8] = T_MAP,           [MAP32] = T_MAP,           [ARRAY8] = T_ARRAY,
    [ARRAY32] = T_ARRAY,
};

const char *type_name_of(Type type) { return names[type]; }

/* The type of that name; T_OTHER for one that the core leaves to Python. */
Type type_named(const char *name) {
    for (Type type = T_NULL; type < T_COMPOSITE; type++)
        if (strcmp(names[type], name) == 0) return type;
    return T_OTHER;
}

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
        PyObject *found = PyDict_GetItemString(classes, names[wanted[index]]);
        if (found == NULL || !PyType_Check(found)) {
            PyErr_Format(PyExc_TypeError, "there is no class for %s", names[wanted[index]]);
            return false;
        }
        core->classes[wanted[index]] = (PyTypeObject *)found;
        keep_type(&core->base, (PyTypeObject *)found, wanted[index], NULL);
    }
    for (Type type = T_OTHER; type < TYPE_COUNT; type++) {
        core->type_names[type] = keep_owned(&core->base, PyUnicode_InternFromString(names[type]));
        if (core->type_names[type] == NULL) return false;
    }
    core->base.symbols->type = core->classes[T_SYMBOL];
    core->sixty_four = keep_owned(&core->base, PyLong_FromLong(64));
    for (Type type = T_DECIMAL32; type <= T_DECIMAL128; type++)
        keep_bits(core, type, PyDict_GetItemString(classes, names[type]), "bits");
    make_uuids(core);
    return core->sixty_four != NULL;
}
