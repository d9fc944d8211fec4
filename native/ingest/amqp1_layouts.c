/* Layouts of composites, from the FIELDS of their classes. */
#include "amqp1_values.h"

#include "../src/values.h"
#include "memory.h"

/* The types of primitive values that have a column of their own. */
static bool is_column_type(Type type) {
    bool is_number = type >= T_BOOLEAN && type <= T_ULONG, is_run = type >= T_BINARY && type <= T_SYMBOL;
    return is_number || is_run || type == T_TIMESTAMP || type == T_MAP;
}

/* The numbers of an enum, which have to be of 0 to 63. */
static Result read_members(CompositeField *field, PyObject *values) {
    PyObject *member, *members = PyObject_GetIter(values);
    Result result = done_or_failed(members != NULL);
    while (result == DONE && (member = PyIter_Next(members)) != NULL) {
        int64_t number;
        result = plain_if(PyLong_Check(member) && signed_64(member, &number) && number >= 0 && number < 64);
        if (result == DONE) { field->members |= (uint64_t)1 << number; }
        Py_DECREF(member);
    }
    Py_XDECREF(members);
    return PyErr_Occurred() ? FAILED : result;
}

/* The primitive types that provide an archetype. */
static bool read_archetype(CompositeField *field, PyObject *archetype) {
    PyObject *types = PyObject_GetAttrString(archetype, "types");
    Py_ssize_t count = types == NULL ? -1 : PySequence_Size(types);
    bool is_done = count >= 0;
    for (Py_ssize_t index = 0; is_done && index < count; index++) {
        PyObject *name = PySequence_GetItem(types, index);
        const char *text = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
        Type type = text == NULL ? T_OTHER : type_named(text);
        if (type != T_OTHER) { field->provided |= (uint32_t)1 << type; }
        is_done = text != NULL;
        Py_XDECREF(name);
    }
    Py_XDECREF(types);
    Py_INCREF(archetype);
    field->archetype = archetype;
    return is_done;
}

/* What a field is when nothing is sent. */
static void read_default(CompositeField *field, PyObject *fallback) {
    field->absent = number_value(0);
    if (fallback == Py_None) { field->absent = no_value(); }
    else if (!PyLong_Check(fallback) || !signed_64(fallback, &field->absent.number)) { field->may_be_absent = false; }
}

/* Finds the column of that name; -1 when there is none. */
static bool find_place(PyObject *columns, const char *name, int *place) {
    const char *column, *type;
    *place = -1;
    for (Py_ssize_t index = 0; *place < 0 && index < PyTuple_Size(columns); index++) {
        if (!PyArg_ParseTuple(PyTuple_GetItem(columns, index), "ss", &column, &type)) { return false; }
        if (strcmp(column, name) == 0) { *place = (int)index; }
    }
    return true;
}

/* How a single value is laid out; of a type that is not named here it stays T_OTHER. Maps of other types have other
   keys. */
static void read_type(CompositeField *field, const char *primitive, const char *type_name) {
    Type type = type_named(primitive);
    field->keys = strcmp(type_name, "fields") == 0 ? SYMBOL_KEYS : STRING_KEYS;
    bool is_known = type != T_MAP || field->keys == SYMBOL_KEYS || strcmp(type_name, "map") == 0;
    if (is_known && is_column_type(type)) { field->type = type; }
}

/* From a FieldLayout, a named tuple. */
static bool make_field(CompositeField *field, PyObject *facts, PyObject *columns) {
    const char *attribute, *type_name, *primitive;
    PyObject *name, *archetype, *values, *fallback;
    int is_mandatory, is_multiple;
    if (!PyArg_ParseTuple(facts, "OsssppOOO", &name, &attribute, &type_name, &primitive, &is_mandatory, &is_multiple,
                          &archetype, &values, &fallback)) {
        return false;
    }
    field->may_be_absent = !is_mandatory;
    read_default(field, fallback);
    if (!find_place(columns, attribute, &field->column)) { return false; }
    if (is_multiple) { return true; }
    if (archetype != Py_None) { return *primitive != 0 || read_archetype(field, archetype); }
    read_type(field, primitive, type_name);
    Result result = values == Py_None ? DONE : read_members(field, values);
    if (result == NOT_PLAIN) { field->type = T_OTHER; }
    return result != FAILED;
}

bool make_composite_fields(RowLayout *layout, PyObject *description) {
    PyObject *fields, *columns;
    if (!PyArg_ParseTuple(description, "O!O!", &PyTuple_Type, &fields, &PyTuple_Type, &columns)) { return false; }
    if (PyTuple_Size(columns) > MOST_VALUES) {
        PyErr_SetString(PyExc_ValueError, "too many columns");
        return false;
    }
    size_t count = (size_t)PyTuple_Size(fields);
    layout->composite_fields = zeros(count, sizeof(CompositeField));
    if (layout->composite_fields == NULL) { return false; }
    layout->field_count = count;
    layout->value_count = (size_t)PyTuple_Size(columns);
    for (size_t index = 0; index < count; index++) {
        if (!make_field(&layout->composite_fields[index], PyTuple_GetItem(fields, (Py_ssize_t)index), columns)) {
            return false;
        }
    }
    return true;
}

void free_composite_fields(RowLayout *layout) {
    for (size_t index = 0; layout->composite_fields != NULL && index < layout->field_count; index++) {
        Py_XDECREF(layout->composite_fields[index].archetype);
    }
    PyMem_Free(layout->composite_fields);
    layout->composite_fields = NULL;
    layout->field_count = 0;
}
