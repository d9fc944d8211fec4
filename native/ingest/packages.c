#include "packages.h"

#include "../src/values.h"
#include "amqp1_values.h"

static void *zeros(size_t count, size_t size) {
    void *memory = PyMem_Calloc(count + 1, size);
    return memory == NULL ? PyErr_NoMemory() : memory;
}

/* A field of a method or a content header, from (name, type, reserved). A type that is not known here is never plain. */
static bool make_field(FieldLayout *field, PyObject *facts) {
    const char *name, *type;
    int reserved = 0;
    if (!PyTuple_Check(facts) || !PyArg_ParseTuple(facts, "ssp", &name, &type, &reserved)) return false;
    *field = (FieldLayout){field_kind(type), reserved != 0, strcmp(type, "timestamp") == 0};
    return true;
}

static bool make_fields(RowLayout *layout, PyObject *fields) {
    Py_ssize_t count = PyTuple_Size(fields);
    layout->fields = count < 0 ? NULL : zeros((size_t)count, sizeof(FieldLayout));
    if (layout->fields == NULL) return false;
    layout->field_count = (size_t)count;
    for (Py_ssize_t index = 0; index < count; index++)
        if (!make_field(&layout->fields[index], PyTuple_GetItem(fields, index))) return false;
    return true;
}

/* Where the values of a row go; a content header has no table. */
static bool find_columns(RowLayout *layout, PyObject *columns, const Table *table) {
    Py_ssize_t count = PyTuple_Size(columns);
    if (count < 0) return false;
    if (count > MOST_VALUES) PyErr_SetString(PyExc_ValueError, "a row has too many values");
    layout->value_count = (size_t)count;
    for (Py_ssize_t index = 0; table != NULL && index < count && !PyErr_Occurred(); index++) {
        const char *name, *type;
        if (!PyArg_ParseTuple(PyTuple_GetItem(columns, index), "ss", &name, &type)) return false;
        Py_ssize_t column = find_column(table, name);
        if (column >= 0) layout->columns[index] = (size_t)column;
    }
    return !PyErr_Occurred();
}

static bool make_replies(RowLayout *layout, PyObject *replies) {
    Py_ssize_t count = PyTuple_Size(replies);
    layout->replies = count < 0 ? NULL : zeros((size_t)count, sizeof(uint32_t));
    if (layout->replies == NULL) return false;
    for (Py_ssize_t index = 0; index < count; index++)
        layout->replies[index] = (uint32_t)PyLong_AsUnsignedLong(PyTuple_GetItem(replies, index));
    layout->reply_count = (size_t)count;
    return !PyErr_Occurred();
}

/* (key, number of the name, name, reader, columns, FIELDS, keys of replies, is it a reply, index of no-wait or -1,
   does it tell facts) */
static bool make_layout(Package *package, RowLayout *layout, PyObject *facts, const Table *table) {
    PyObject *name, *columns, *fields, *replies;
    int is_reply, tells_facts;
    if (!PyTuple_Check(facts) || !PyArg_ParseTuple(facts, "IiUOO!O!O!pip", &layout->key, &layout->name, &name, &layout->reader, &PyTuple_Type,
                                                   &columns, &PyTuple_Type, &fields, &PyTuple_Type, &replies, &is_reply, &layout->no_wait,
                                                   &tells_facts))
        return false;
    layout->is_reply = is_reply != 0;
    layout->tells_facts = tells_facts != 0;
    if (!text_run(name, &layout->name_text) || !find_columns(layout, columns, table) || !make_replies(layout, replies)) return false;
    if (package->family == 0) return make_fields(layout, fields);
    PyObject *description = PyTuple_Pack(2, fields, columns);
    bool is_made = description != NULL && make_composite_fields(layout, description);
    Py_XDECREF(description);
    return is_made;
}

/* Makes layouts from the next place on, and finds them by their keys. */
static bool make_layouts(Package *package, PyObject *list, const Table *table, Map *by_key) {
    for (Py_ssize_t index = 0; index < PyList_Size(list); index++) {
        RowLayout *layout = &package->layouts[package->layout_count++];
        if (!make_layout(package, layout, PyList_GetItem(list, index), table)) return false;
        if (!map_put(by_key, layout->key, layout)) return false;
    }
    return true;
}

/* (kinds by letter, max_depth, max_elements) */
static bool make_reading(Reading *reading, PyObject *settings) {
    PyObject *letters;
    if (!PyTuple_Check(settings) || !PyArg_ParseTuple(settings, "O!II", &PyDict_Type, &letters, &reading->max_depth, &reading->max_elements))
        return false;
    if (fill_kinds(reading, letters)) return true;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a letter or a kind of value is not usable");
    return false;
}

/* (family, methods or performatives, headers, settings of tables, sections) */
static bool fill_package(Package *package, PyObject *description, const Table *table) {
    PyObject *rows, *headers, *settings, *sections;
    if (!PyArg_ParseTuple(description, "iO!O!OO", &package->family, &PyList_Type, &rows, &PyList_Type, &headers, &settings, &sections))
        return false;
    package->layouts = zeros((size_t)(PyList_Size(rows) + PyList_Size(headers)), sizeof(RowLayout));
    if (package->layouts == NULL || !make_layouts(package, rows, table, &package->methods)) return false;
    if (!make_layouts(package, headers, NULL, &package->headers)) return false;
    return package->family == 0 ? make_reading(&package->reading, settings) : make_sections(package, sections);
}

Package *make_package(PyObject *description, const Table *table) {
    Package *package = zeros(1, sizeof(Package));
    if (package == NULL) return NULL;
    Py_INCREF(description);
    package->description = description;
    if (fill_package(package, description, table)) return package;
    free_package(package);
    return NULL;
}

void free_package(Package *package) {
    if (package == NULL) return;
    for (size_t index = 0; index < package->layout_count; index++) {
        RowLayout *layout = &package->layouts[index];
        PyMem_Free(layout->fields);
        PyMem_Free(layout->replies);
        free_composite_fields(layout);
    }
    if (package->family != 0) free_sections(package);
    free_map(&package->methods);
    free_map(&package->headers);
    PyMem_Free(package->layouts);
    Py_XDECREF(package->description);
    PyMem_Free(package);
}
