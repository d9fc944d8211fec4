#include "columns.h"

#include "memory.h"

static const struct {
    const char *type;
    ValueKind kind;
    Shape shape;
    size_t width;
} TYPES[] = {
    {"bool", NUMBER, BITS, 0},      {"int8", NUMBER, NUMBERS, 1},      {"int16", NUMBER, NUMBERS, 2},
    {"int32", NUMBER, NUMBERS, 4},  {"int64", NUMBER, NUMBERS, 8},     {"timestamp[us]", NUMBER, NUMBERS, 8},
    {"name", NUMBER, NUMBERS, 4},   {"string", TEXT, RUNS, 0},         {"binary", OCTETS, RUNS, 0},
    {"variant", VARIANT, PAIRS, 0}, {"list<string>", TEXTS, LISTS, 0},
};

static bool set_type(Column *column, const char *type) {
    for (size_t index = 0; index < sizeof TYPES / sizeof *TYPES; index++) {
        if (strcmp(type, TYPES[index].type) != 0) { continue; }
        column->kind = TYPES[index].kind;
        column->shape = TYPES[index].shape;
        column->width = TYPES[index].width;
        return true;
    }
    return PyErr_Format(PyExc_ValueError, "no type of columns: %s", type) != NULL;
}

static bool make_column(Column *column, PyObject *pair) {
    PyObject *name, *type;
    if (!PyTuple_Check(pair)) { return PyErr_Format(PyExc_TypeError, "(name, type), not %R", pair) != NULL; }
    if (!PyArg_ParseTuple(pair, "UU", &name, &type)) { return false; }
    const char *text = PyUnicode_AsUTF8AndSize(type, NULL);
    if (text == NULL || !set_type(column, text)) { return false; }
    column->name = Py_NewRef(name);
    column->type = Py_NewRef(type);
    return true;
}

bool make_table(Table *table, PyObject *columns) {
    Py_ssize_t count = PySequence_Size(columns);
    *table = (Table){0, NULL, 0};
    if (count < 0) { return false; }
    table->columns = zeros((size_t)count, sizeof(Column));
    for (Py_ssize_t index = 0; table->columns != NULL && index < count; index++) {
        PyObject *pair = PySequence_GetItem(columns, index);
        bool is_made = pair != NULL && make_column(&table->columns[index], pair);
        Py_XDECREF(pair);
        if (!is_made) { return false; }
        table->column_count++;
    }
    return table->columns != NULL;
}

bool find_column(const Table *table, const char *name, size_t *column) {
    for (*column = 0; *column < table->column_count; ++*column) {
        if (PyUnicode_CompareWithASCIIString(table->columns[*column].name, name) == 0) { return true; }
    }
    return PyErr_Format(PyExc_ValueError, "there is no column %s", name) != NULL;
}

static bool find_value(const Origin *origin, const char *name, long place, size_t *found) {
    for (place = origin->names == NULL ? place : 0; origin->names != NULL && place < (long)origin->count; place++) {
        if (strcmp(origin->names[place], name) == 0) { break; }
    }
    place += place < 0 ? (long)origin->count : 0;
    *found = origin->first + (size_t)place;
    return place >= 0 && place < (long)origin->count;
}

static bool read_line(RowMaker *maker, PyObject *line, const Origin *origins) {
    const char *column, *origin, *name;
    long place;
    if (!PyTuple_Check(line)) { return PyErr_Format(PyExc_TypeError, "a line of a recipe, not %R", line) != NULL; }
    if (!PyArg_ParseTuple(line, "sssl", &column, &origin, &name, &place)) { return false; }
    if (!find_column(maker->table, column, &maker->columns[maker->count])) { return false; }
    while (origins->name != NULL && strcmp(origins->name, origin) != 0) { origins++; }
    if (origins->name == NULL || !find_value(origins, name, place, &maker->places[maker->count])) {
        return PyErr_Format(PyExc_ValueError, "no value for the column %s: %s %s", column, origin, name) != NULL;
    }
    maker->count++;
    return true;
}

bool read_recipe(RowMaker *maker, Table *table, PyObject *recipes, const char *key, const Origin *origins) {
    PyObject *recipe = PyDict_GetItemString(recipes, key);
    *maker = (RowMaker){.table = table};
    if (recipe == NULL || !PyTuple_Check(recipe) || PyTuple_Size(recipe) > MOST_PICKED) {
        return PyErr_Format(PyExc_ValueError, "no recipe of %s, or a long one", key) != NULL;
    }
    for (Py_ssize_t index = 0; index < PyTuple_Size(recipe); index++) {
        if (!read_line(maker, PyTuple_GetItem(recipe, index), origins)) { return false; }
    }
    return true;
}

size_t table_octets(const Table *table) {
    size_t octets = 0;
    for (size_t index = 0; index < table->column_count; index++) {
        const Column *column = &table->columns[index];
        if (column->values == 0) { continue; }
        octets += numbers_size(column, table->row_count) + column->octets[0].size + column->octets[1].size;
        octets += (column->offsets[0].count + column->offsets[1].count) * sizeof(int32_t);
    }
    return octets;
}

/* --- Clearing --- */

/* Memory is kept for the next rows, unless the last ones needed much less. */
static bool is_wasted(size_t capacity, size_t used) { return capacity / 4 > used; }

static void clear_rows(Column *column, int64_t rows) {
    if (is_wasted((size_t)column->capacity, (size_t)rows)) {
        PyMem_Free(column->validity);
        PyMem_Free(column->numbers);
        column->validity = column->numbers = NULL;
        column->capacity = 0;
    }
    else if (column->values > 0) {
        int64_t used = rows < column->capacity ? rows : column->capacity; /* there may have been no memory for all */
        memset(column->validity, 0, (size_t)(used + 7) / 8);
        if (column->numbers != NULL) { memset(column->numbers, 0, numbers_size(column, used)); }
    }
    column->values = 0;
}

static void clear_part(Offsets *offsets, Buffer *octets) {
    if (is_wasted(offsets->capacity, offsets->count)) {
        PyMem_Free(offsets->at);
        *offsets = (Offsets){NULL, 0, 0};
    }
    if (is_wasted(octets->capacity, octets->size)) {
        PyMem_Free(octets->at);
        *octets = (Buffer){NULL, 0, 0};
    }
    offsets->count = octets->size = 0;
}

int visit_table(const Table *table, visitproc visit, void *arg) {
    for (size_t index = 0; index < table->column_count; index++) {
        Py_VISIT(table->columns[index].name);
        Py_VISIT(table->columns[index].type);
    }
    return 0;
}

void free_table(Table *table) {
    Table former = *table;
    *table = (Table){0, NULL, 0};
    for (size_t index = 0; index < former.column_count; index++) {
        Column *column = &former.columns[index];
        PyMem_Free(column->validity);
        PyMem_Free(column->numbers);
        for (int part = 0; part < 2; part++) {
            PyMem_Free(column->offsets[part].at);
            PyMem_Free(column->octets[part].at);
        }
        Py_DECREF(column->name);
        Py_DECREF(column->type);
    }
    PyMem_Free(former.columns);
}

/* --- Reading --- */

/* Makes room for rows, and ends those without a value. */
static bool fill_column(Column *column, int64_t rows) {
    if (rows > column->capacity && !grow_rows(column, rows)) { return false; }
    bool is_filled = column->shape < RUNS || fill_ends(&column->offsets[0], (size_t)rows);
    size_t count = column->shape == PAIRS ? (size_t)rows : column->offsets[1].count;
    return is_filled && (column->shape < PAIRS || fill_ends(&column->offsets[1], count));
}

static bool add_bytes(PyObject *list, const void *octets, size_t size) {
    PyObject *bytes = PyBytes_FromStringAndSize(octets, (Py_ssize_t)size);
    bool is_added = bytes != NULL && PyList_Append(list, bytes) == 0;
    Py_XDECREF(bytes);
    return is_added;
}

static bool add_offsets(PyObject *list, const Offsets *offsets) {
    return add_bytes(list, offsets->at, (offsets->count + 1) * sizeof(int32_t));
}

static bool add_part(PyObject *list, const Column *column, int part) {
    return add_offsets(list, &column->offsets[part])
           && add_bytes(list, column->octets[part].at, column->octets[part].size);
}

static bool add_buffers(PyObject *list, const Column *column, int64_t rows) {
    switch (column->shape) {
    case RUNS: return add_part(list, column, 0);
    case PAIRS: return add_part(list, column, 0) && add_part(list, column, 1);
    case LISTS: return add_offsets(list, &column->offsets[0]) && add_part(list, column, 1);
    default: return add_bytes(list, column->numbers, numbers_size(column, rows));
    }
}

static PyObject *read_column(Column *column, int64_t rows) {
    PyObject *list = fill_column(column, rows) ? PyList_New(0) : NULL, *validity = NULL;
    if (list != NULL && add_buffers(list, column, rows)) {
        validity = column->values >= rows
                       ? Py_NewRef(Py_None)
                       : PyBytes_FromStringAndSize((const char *)column->validity, (Py_ssize_t)(rows + 7) / 8);
    }
    if (validity != NULL) {
        return Py_BuildValue("(OLNN)", column->type, (long long)(rows - column->values), validity, list);
    }
    Py_XDECREF(list);
    return NULL;
}

PyObject *rows_of_table(Table *table) {
    PyObject *columns = PyDict_New();
    undo_row(table);
    for (size_t index = 0; columns != NULL && index < table->column_count; index++) {
        Column *column = &table->columns[index];
        if (column->values == 0) { continue; }
        PyObject *taken = read_column(column, table->row_count);
        if (taken == NULL || PyDict_SetItem(columns, column->name, taken) < 0) { Py_CLEAR(columns); }
        Py_XDECREF(taken);
    }
    return columns == NULL ? NULL : Py_BuildValue("(LN)", (long long)table->row_count, columns);
}

void clear_table(Table *table) {
    for (size_t index = 0; index < table->column_count; index++) {
        Column *column = &table->columns[index];
        clear_rows(column, table->row_count);
        for (int part = 0; part < 2; part++) { clear_part(&column->offsets[part], &column->octets[part]); }
    }
    table->row_count = 0;
}
