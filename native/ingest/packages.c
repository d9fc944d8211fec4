#include "packages.h"

#include "../src/values.h"
#include "amqp1_values.h"
#include "memory.h"

static bool make_fields(RowLayout *layout, PyObject *fields) {
    layout->field_count = (size_t)PyTuple_Size(fields);
    layout->fields = zeros(layout->field_count, sizeof(Field));
    for (size_t index = 0; layout->fields != NULL && index < layout->field_count; index++) {
        const char *name; /* a field of a type that is not known here is never plain */
        if (!read_field_layout(&layout->fields[index], PyTuple_GetItem(fields, (Py_ssize_t)index), &name)) {
            return false;
        }
    }
    return layout->fields != NULL;
}

/* Where the values of a row go; a content header has no table. */
static bool find_columns(RowLayout *layout, PyObject *columns, const Table *table) {
    Py_ssize_t count = PyTuple_Size(columns);
    if (count > MOST_VALUES) {
        PyErr_SetString(PyExc_ValueError, "a row has too many values");
        return false;
    }
    layout->value_count = (size_t)count;
    for (Py_ssize_t index = 0; table != NULL && index < count; index++) {
        const char *name, *type;
        if (!PyArg_ParseTuple(PyTuple_GetItem(columns, index), "ss", &name, &type)) { return false; }
        if (!find_column(table, name, &layout->columns[index])) { return false; }
    }
    return true;
}

static bool make_replies(RowLayout *layout, PyObject *replies) {
    layout->reply_count = (size_t)PyTuple_Size(replies);
    layout->replies = zeros(layout->reply_count, sizeof(uint32_t));
    for (size_t index = 0; layout->replies != NULL && index < layout->reply_count; index++) {
        if (!PyArg_Parse(PyTuple_GetItem(replies, (Py_ssize_t)index), "I", &layout->replies[index])) { return false; }
    }
    return layout->replies != NULL;
}

/* (key, number of the name, name, reader, columns, FIELDS, keys of replies, is it a reply, index of no-wait or -1,
   does it tell facts) */
static bool make_layout(Package *package, RowLayout *layout, PyObject *facts, const Table *table) {
    PyObject *name, *columns, *fields, *replies;
    int is_reply, tells_facts;
    if (!PyArg_ParseTuple(facts, "IiUOO!O!O!pip", &layout->key, &layout->name, &name, &layout->reader, &PyTuple_Type,
                          &columns, &PyTuple_Type, &fields, &PyTuple_Type, &replies, &is_reply, &layout->no_wait,
                          &tells_facts)) {
        return false;
    }
    layout->is_reply = is_reply != 0;
    layout->tells_facts = tells_facts != 0;
    if (!text_run(name, &layout->name_text) || !find_columns(layout, columns, table)
        || !make_replies(layout, replies)) {
        return false;
    }
    if (package->family == 0) { return make_fields(layout, fields); }
    PyObject *description = PyTuple_Pack(2, fields, columns);
    bool is_made = description != NULL && make_composite_fields(layout, description);
    Py_XDECREF(description);
    return is_made;
}

/* Makes layouts from the next place on, and finds them by their keys. */
static bool make_layouts(Package *package, PyObject *facts, const Table *table, Map *by_key) {
    for (Py_ssize_t index = 0; index < PyTuple_Size(facts); index++) {
        RowLayout *layout = &package->layouts[package->layout_count++];
        if (!make_layout(package, layout, PyTuple_GetItem(facts, index), table)) { return false; }
        if (!map_put(by_key, layout->key, layout)) { return false; }
    }
    return true;
}

/* (kinds by letter, max_depth, max_elements) */
static bool make_reading(Reading *reading, PyObject *settings) {
    PyObject *letters;
    return PyArg_ParseTuple(settings, "O!II", &PyDict_Type, &letters, &reading->max_depth, &reading->max_elements)
           && fill_kinds(reading, letters);
}

/* (family, methods or performatives, headers, settings of tables, sections) */
static bool fill_package(Package *package, PyObject *description, const Table *const tables[2]) {
    PyObject *rows, *headers, *settings, *sections;
    if (!PyArg_ParseTuple(description, "iO!O!OO", &package->family, &PyList_Type, &rows, &PyList_Type, &headers,
                          &settings, &sections)) {
        return false;
    }
    PyObject **facts = package->facts;
    facts[0] = PyList_AsTuple(rows);
    facts[1] = facts[0] == NULL ? NULL : PyList_AsTuple(headers);
    if (facts[1] == NULL) { return false; }
    package->layouts = zeros((size_t)(PyTuple_Size(facts[0]) + PyTuple_Size(facts[1])), sizeof(RowLayout));
    if (package->layouts == NULL) { return false; }
    if (!make_layouts(package, facts[0], tables[package->family != 0], &package->methods)) { return false; }
    if (!make_layouts(package, facts[1], NULL, &package->headers)) { return false; }
    return package->family == 0 ? make_reading(&package->reading, settings) : make_sections(package, sections);
}

static void free_package(Package *package) {
    for (size_t index = 0; index < package->layout_count; index++) {
        RowLayout *layout = &package->layouts[index];
        PyMem_Free(layout->fields);
        PyMem_Free(layout->replies);
        free_composite_fields(layout);
    }
    if (package->family != 0) { free_sections(package); }
    free_map(&package->methods);
    free_map(&package->headers);
    PyMem_Free(package->layouts);
    for (int part = 0; part < 2; part++) { Py_XDECREF(package->facts[part]); }
    PyMem_Free(package);
}

/* Adds the next package, as Python describes it. */
static bool add_package(Packages *packages, PyObject *host) {
    PyObject *description = PyObject_CallMethod(host, "describe", "n", (Py_ssize_t)packages->count);
    Package *package = description == NULL ? NULL : zeros(1, sizeof(Package));
    bool is_made = package != NULL && fill_package(package, description, packages->tables)
                   && make_room(&packages->items, &packages->capacity, packages->count + 1, sizeof *packages->items);
    if (is_made) { packages->items[packages->count++] = package; }
    else if (package != NULL) { free_package(package); }
    Py_XDECREF(description);
    return is_made;
}

bool has_package(Packages *packages, PyObject *host, Py_ssize_t number) {
    if (number < 0) {
        PyErr_SetString(PyExc_ValueError, "there is no such package");
        return false;
    }
    while ((size_t)number >= packages->count) {
        if (!add_package(packages, host)) { return false; }
    }
    return true;
}

void free_packages(Packages *packages) {
    Packages former = *packages;
    *packages = (Packages){.items = NULL};
    for (size_t index = 0; index < former.count; index++) { free_package(former.items[index]); }
    PyMem_Free(former.items);
}

static int visit_fields(const RowLayout *layout, visitproc visit, void *arg) {
    for (size_t index = 0; layout->composite_fields != NULL && index < layout->field_count; index++) {
        Py_VISIT(layout->composite_fields[index].archetype);
    }
    return 0;
}

static int visit_sections(const struct SectionLayouts *sections, visitproc visit, void *arg) {
    VISIT_WITH(visit_fields(&sections->header, visit, arg));
    VISIT_WITH(visit_fields(&sections->properties, visit, arg));
    for (size_t index = 0; index < MOST_SMALL; index++) { Py_VISIT(sections->small[index].variant); }
    Py_VISIT(sections->read_required);
    return 0;
}

int visit_packages(const Packages *packages, visitproc visit, void *arg) {
    for (size_t index = 0; index < packages->count; index++) {
        const Package *package = packages->items[index];
        for (size_t place = 0; place < package->layout_count; place++) {
            VISIT_WITH(visit_fields(&package->layouts[place], visit, arg));
        }
        if (package->sections != NULL) { VISIT_WITH(visit_sections(package->sections, visit, arg)); }
        for (int part = 0; part < 2; part++) { Py_VISIT(package->facts[part]); }
    }
    return 0;
}
