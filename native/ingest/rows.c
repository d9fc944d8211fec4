#include "rows.h"

#include <stddef.h>

enum { BLOCK_OCTETS = 1 << 16 };

struct ArenaBlock {
    ArenaBlock *next;
    uint8_t octets[];
};

uint8_t *arena_room(Arena *arena, size_t size) {
    if (arena->blocks == NULL || arena->capacity - arena->used < size) {
        size_t capacity = size > BLOCK_OCTETS ? size : BLOCK_OCTETS;
        ArenaBlock *block = PyMem_Malloc(sizeof(ArenaBlock) + capacity);
        if (block == NULL) return (uint8_t *)PyErr_NoMemory();
        block->next = arena->blocks;
        *arena = (Arena){block, 0, capacity};
    }
    uint8_t *at = arena->blocks->octets + arena->used;
    arena->used += size;
    return at;
}

void clear_arena(Arena *arena) {
    if (arena->blocks == NULL || (arena->blocks->next == NULL && arena->capacity == BLOCK_OCTETS))
        arena->used = 0;
    else
        release_arena(arena);
}

void release_arena(Arena *arena) {
    while (arena->blocks != NULL) {
        ArenaBlock *block = arena->blocks;
        arena->blocks = block->next;
        PyMem_Free(block);
    }
    *arena = (Arena){NULL, 0, 0};
}

/* Copies octets to a place, which moves behind them, and lets the run refer to the copy. */
static void move_run(Input *run, uint8_t **place) {
    size_t size = input_size(run);
    if (size > 0) memcpy(*place, run->at, size);
    *run = (Input){*place, *place + size};
    *place += size;
}

Row *copy_row(const Row *row) {
    size_t head = offsetof(Row, values) + row->count * sizeof(Value), size = head;
    for (size_t index = 0; index < row->count; index++)
        size += input_size(&row->values[index].octets) + input_size(&row->values[index].metadata);
    Row *copy = PyMem_Malloc(size);
    if (copy == NULL) return (Row *)PyErr_NoMemory();
    memcpy(copy, row, head);
    uint8_t *place = (uint8_t *)copy + head;
    for (size_t index = 0; index < copy->count; index++) {
        Value *value = &copy->values[index];
        if (value->kind == TEXTS) *value = no_value();
        move_run(&value->octets, &place);
        move_run(&value->metadata, &place);
    }
    return copy;
}

/* Octets that are no text in UTF-8 stand in a str as surrogates: they become escapes; so does any other surrogate. */
static PyObject *valid_octets(PyObject *text) {
    PyErr_Clear();
    PyObject *octets = PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");
    if (octets == NULL) {
        PyErr_Clear();
        return PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    }
    PyObject *valid = PyUnicode_FromEncodedObject(octets, "utf-8", "backslashreplace");
    Py_DECREF(octets);
    octets = valid == NULL ? NULL : PyUnicode_AsUTF8String(valid);
    Py_XDECREF(valid);
    return octets;
}

static bool run_of_bytes(PyObject *bytes, Input *run) {
    char *octets;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &octets, &size) < 0) return false;
    *run = (Input){(const uint8_t *)octets, (const uint8_t *)octets + size};
    return true;
}

bool run_of_text(PyObject *text, Arena *arena, Input *run) {
    Py_ssize_t size;
    run->at = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &size);
    if (run->at != NULL) {
        run->end = run->at + size;
        return true;
    }
    Input valid;
    PyObject *octets = valid_octets(text);
    uint8_t *at = NULL;
    if (octets != NULL && run_of_bytes(octets, &valid)) at = arena_room(arena, input_size(&valid));
    if (at != NULL) {
        *run = (Input){at, at + input_size(&valid)};
        memcpy(at, valid.at, input_size(&valid));
    }
    Py_XDECREF(octets);
    return at != NULL;
}

static bool value_of(PyObject *object, Arena *arena, Value *value) {
    *value = no_value();
    if (object == Py_None) return true;
    if (PyLong_Check(object)) {
        *value = number_value(PyLong_AsLongLong(object));
        return !(value->number == -1 && PyErr_Occurred());
    }
    if (PyUnicode_Check(object)) {
        value->kind = TEXT;
        return run_of_text(object, arena, &value->octets);
    }
    if (PyBytes_Check(object)) {
        value->kind = OCTETS;
        return run_of_bytes(object, &value->octets);
    }
    if (PyList_Check(object)) {
        value->kind = TEXTS;
        value->texts = object;
        return true;
    }
    value->kind = VARIANT;
    if (PyTuple_Check(object) && PyTuple_Size(object) == 2 && run_of_bytes(PyTuple_GetItem(object, 0), &value->octets))
        return run_of_bytes(PyTuple_GetItem(object, 1), &value->metadata);
    if (PyErr_Occurred()) return false;
    PyErr_Format(PyExc_TypeError, "no value of a row: %R", Py_TYPE(object));
    return false;
}

bool row_of_tuple(PyObject *tuple, Arena *arena, Row *row) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) return false;
    if (count > MOST_VALUES) {
        PyErr_Format(PyExc_ValueError, "a row of %zd values", count);
        return false;
    }
    row->count = (size_t)count;
    for (Py_ssize_t index = 0; index < count; index++)
        if (!value_of(PyTuple_GetItem(tuple, index), arena, &row->values[index])) return false;
    return true;
}
