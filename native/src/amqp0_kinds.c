#include "amqp0_kinds.h"

#include "values.h"

/* clang-format off */
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
/* clang-format on */

/* The elementary types of fields, by the names in FIELDS: numbers stand for themselves, and long strings are octets. */
static const struct {
    const char *name;
    Kind kind;
    bool is_moment;
} field_types[] = {
    {"bit", BIT, false},       {"octet", UINT8, false},     {"short", UINT16, false},
    {"long", UINT32, false},   {"longlong", UINT64, false}, {"timestamp", UINT64, true},
    {"shortstr", NAME, false}, {"longstr", BYTES, false},   {"table", MAPPING, false},
};

static Kind value_kind(const char *name) {
    for (Kind kind = NO_VALUE; kind <= VOID; kind++) {
        if (kinds[kind].name != NULL && strcmp(kinds[kind].name, name) == 0) { return kind; }
    }
    return NO_VALUE;
}

static Field field_of_type(const char *name) {
    for (size_t index = 0; index < sizeof field_types / sizeof *field_types; index++) {
        if (strcmp(field_types[index].name, name) == 0) {
            return (Field){field_types[index].kind, false, field_types[index].is_moment, 0};
        }
    }
    return (Field){NO_VALUE, false, false, 0};
}

bool read_field_layout(Field *field, PyObject *facts, const char **name) {
    const char *type_name;
    int is_reserved;
    if (!PyArg_Parse(facts, "(ssp)", name, &type_name, &is_reserved)) { return false; }
    *field = field_of_type(type_name);
    field->is_reserved = is_reserved != 0;
    return true;
}

bool read_letter(PyObject *text, PyObject *kind_name, Letter *letter) {
    const char *octets, *name;
    Py_ssize_t size;
    if (!PyArg_Parse(text, "s#", &octets, &size) || !PyArg_Parse(kind_name, "s", &name)) { return false; }
    *letter = (Letter){(uint8_t)*octets, (uint8_t)value_kind(name)};
    bool is_usable = size == 1 && letter->kind != NO_VALUE;
    if (!is_usable) { PyErr_SetString(PyExc_ValueError, "a letter or a kind of value is not usable"); }
    return is_usable;
}

bool fill_kinds(Reading *reading, PyObject *kinds_by_letter) {
    Py_ssize_t position = 0;
    PyObject *text, *kind_name;
    while (PyDict_Next(kinds_by_letter, &position, &text, &kind_name)) {
        Letter letter;
        if (!read_letter(text, kind_name, &letter)) { return false; }
        reading->kinds[letter.letter] = letter.kind;
    }
    return true;
}
