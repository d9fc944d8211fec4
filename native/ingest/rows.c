#include "rows.h"

#include "../src/values.h"
#include "memory.h"
#include "secrets.h"

enum { BLOCK_OCTETS = 1 << 16 };

struct ArenaBlock {
    ArenaBlock *next;
    uint8_t octets[];
};

uint8_t *arena_room(Arena *arena, size_t size) {
    if (arena->blocks == NULL || arena->capacity - arena->used < size) {
        size_t capacity = size > BLOCK_OCTETS ? size : BLOCK_OCTETS;
        ArenaBlock *block = new_memory(sizeof(ArenaBlock) + capacity);
        if (block == NULL) { return NULL; }
        block->next = arena->blocks;
        arena->blocks = block;
        arena->used = 0;
        arena->capacity = capacity;
    }
    uint8_t *at = arena->blocks->octets + arena->used;
    arena->used += size;
    return at;
}

void clear_arena(Arena *arena) {
    if (arena->blocks == NULL || (arena->blocks->next == NULL && arena->capacity == BLOCK_OCTETS)) { arena->used = 0; }
    else { release_arena(arena); }
}

void release_arena(Arena *arena) {
    while (arena->blocks != NULL) {
        ArenaBlock *block = arena->blocks;
        arena->blocks = block->next;
        PyMem_Free(block);
    }
    arena->used = arena->capacity = 0;
}

/* Copies octets to a place, which moves behind them, and lets the run refer to the copy. */
static void move_run(Input *run, uint8_t **place) {
    size_t size = input_size(run);
    if (size > 0) { memcpy(*place, run->at, size); }
    *run = (Input){*place, *place + size};
    *place += size;
}

static bool is_kept(const Value *value) { return value->kind != NOTHING && value->kind != TEXTS; }

PackedRow *pack_row(const Row *row) {
    size_t kept = 0, size = 0;
    for (size_t index = 0; index < row->count; index++) {
        const Value *value = &row->values[index];
        if (!is_kept(value)) { continue; }
        kept++;
        size += sizeof(Value) + input_size(&value->octets) + input_size(&value->metadata);
    }
    PackedRow *packed = new_memory(sizeof(PackedRow) + size);
    if (packed == NULL) { return NULL; }
    packed->count = (uint16_t)row->count;
    packed->kept = 0;
    uint8_t *place = (uint8_t *)&packed->values[kept];
    for (size_t index = 0; index < row->count; index++) {
        if (!is_kept(&row->values[index])) { continue; }
        packed->places[packed->kept] = (uint8_t)index;
        Value *value = &packed->values[packed->kept++];
        *value = row->values[index];
        move_run(&value->octets, &place);
        move_run(&value->metadata, &place);
    }
    return packed;
}

void unpack_values(const PackedRow *packed, size_t from, size_t count, Value *values) {
    for (size_t index = 0; index < count; index++) { values[index] = no_value(); }
    for (size_t index = 0; packed != NULL && index < packed->kept; index++) {
        size_t place = packed->places[index];
        if (place >= from && place - from < count) { values[place - from] = packed->values[index]; }
    }
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

bool run_of_bytes(PyObject *bytes, Input *run) {
    char *octets;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &octets, &size) < 0) { return false; }
    *run = (Input){(const uint8_t *)octets, (const uint8_t *)octets + size};
    return true;
}

bool run_of_text(PyObject *text, Arena *arena, Input *run) {
    if (text_run(text, run)) { return true; }
    Input valid;
    PyObject *octets = valid_octets(text);
    uint8_t *at = NULL;
    if (octets != NULL && run_of_bytes(octets, &valid)) { at = arena_room(arena, input_size(&valid)); }
    if (at != NULL) {
        *run = (Input){at, at + input_size(&valid)};
        memcpy(at, valid.at, input_size(&valid));
    }
    Py_XDECREF(octets);
    return at != NULL;
}

bool value_of(PyObject *object, Arena *arena, Value *value) {
    *value = no_value();
    if (object == Py_None) { return true; }
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
    if (PyTuple_Check(object) && PyTuple_Size(object) == 2) {
        value->kind = VARIANT;
        return run_of_bytes(PyTuple_GetItem(object, 0), &value->octets)
               && run_of_bytes(PyTuple_GetItem(object, 1), &value->metadata);
    }
    PyErr_Format(PyExc_TypeError, "no value of a row: %R", Py_TYPE(object));
    return false;
}

bool row_of_tuple(PyObject *tuple, Arena *arena, Row *row) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) { return false; }
    if (count > MOST_VALUES) {
        PyErr_Format(PyExc_ValueError, "a row of %zd values", count);
        return false;
    }
    row->count = (size_t)count;
    for (Py_ssize_t index = 0; index < count; index++) {
        if (!value_of(PyTuple_GetItem(tuple, index), arena, &row->values[index])) { return false; }
    }
    return true;
}

Result keep_variant(const Input *octets, const Input *metadata, Arena *arena, Value *value) {
    if (arena->secrets != NULL && may_hold_secret(arena->secrets, octets, metadata)) { return NOT_PLAIN; }
    size_t size = input_size(octets), metadata_size = input_size(metadata);
    uint8_t *room = arena_room(arena, size + metadata_size);
    if (room == NULL) { return FAILED; }
    memcpy(room, octets->at, size);
    memcpy(room + size, metadata->at, metadata_size);
    *value = run_value(VARIANT, (Input){room, room + size});
    value->metadata = (Input){room + size, room + size + metadata_size};
    return DONE;
}

Result finish_variant_value(Variant *variant, bool done, Arena *arena, Value *value) {
    Output names;
    Result result = NOT_PLAIN;
    start_output(&names);
    if (done && write_metadata(variant, &names)) {
        Input octets = {variant->out.octets, variant->out.octets + variant->out.size};
        Input metadata = {names.octets, names.octets + names.size};
        result = keep_variant(&octets, &metadata, arena, value);
    }
    release_output(&names);
    release_output(&variant->out);
    return result;
}
