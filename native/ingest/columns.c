#include "columns.h"

#include "memory.h"

enum { FIRST_ROWS = 64 };

/* Memory for more, with zeros behind what was there. */
static bool grow_zeros(uint8_t **octets, size_t before, size_t size) {
    uint8_t *grown = PyMem_Realloc(*octets, size);
    if (grown == NULL) { return PyErr_NoMemory() != NULL; }
    memset(grown + before, 0, size - before);
    *octets = grown;
    return true;
}

bool grow_rows(Column *column, int64_t row) {
    int64_t before = column->capacity, capacity = (2 * row + FIRST_ROWS) / 8 * 8;
    if (!grow_zeros(&column->validity, (size_t)before / 8, (size_t)capacity / 8)) { return false; }
    size_t size = numbers_size(column, capacity);
    if (size > 0 && !grow_zeros(&column->numbers, numbers_size(column, before), size)) { return false; }
    column->capacity = capacity;
    return true;
}

static bool grow_offsets(Offsets *offsets, size_t count) {
    bool is_first = offsets->at == NULL;
    if (!make_room(&offsets->at, &offsets->capacity, count + FIRST_ROWS, sizeof *offsets->at)) { return false; }
    if (is_first) { *offsets->at = 0; }
    return true;
}

bool fill_ends(Offsets *offsets, size_t count) {
    if (count >= offsets->capacity && !grow_offsets(offsets, count)) { return false; }
    while (offsets->count < count) {
        offsets->at[offsets->count + 1] = offsets->at[offsets->count];
        offsets->count++;
    }
    return true;
}

static inline bool put_end(Offsets *offsets, size_t end) {
    if (offsets->count + 1 >= offsets->capacity && !grow_offsets(offsets, offsets->count)) { return false; }
    offsets->at[++offsets->count] = (int32_t)end;
    return true;
}

static bool refuse_more(const Column *column) {
    PyErr_Format(PyExc_OverflowError, "the column %U would have more than %d octets", column->name, INT32_MAX);
    return false;
}

/* A run behind the others of this part of a column. */
static inline bool put_run_of(Column *column, int part, const Input *run) {
    Buffer *octets = &column->octets[part];
    size_t size = input_size(run);
    if (size > INT32_MAX - octets->size) { return refuse_more(column); }
    if (!make_room(&octets->at, &octets->capacity, octets->size + size, 1)) { return false; }
    if (size > 0) { memcpy(octets->at + octets->size, run->at, size); }
    octets->size += size;
    return put_end(&column->offsets[part], octets->size);
}

static inline bool put_octets(Column *column, int part, int64_t row, const Input *run) {
    Offsets *offsets = &column->offsets[part];
    if (offsets->count < (size_t)row && !fill_ends(offsets, (size_t)row)) { return false; }
    return put_run_of(column, part, run);
}

static bool put_texts(Column *column, int64_t row, PyObject *texts) {
    Py_ssize_t count = PyList_Size(texts);
    Arena arena = {0};
    bool is_put = count < INT32_MAX - (Py_ssize_t)column->offsets[1].count || refuse_more(column);
    for (Py_ssize_t index = 0; is_put && index < count; index++) {
        Input run;
        is_put = run_of_text(PyList_GetItem(texts, index), &arena, &run) && put_run_of(column, 1, &run);
    }
    release_arena(&arena);
    return is_put && fill_ends(&column->offsets[0], (size_t)row)
           && put_end(&column->offsets[0], column->offsets[1].count);
}

static inline void set_number(Column *column, int64_t row, int64_t number) {
    uint8_t *at = column->numbers + (size_t)row * column->width;
    int32_t four = (int32_t)number;
    int16_t two = (int16_t)number;
    switch (column->width) {
    case 1: *at = (uint8_t)number; break;
    case 2: memcpy(at, &two, sizeof two); break;
    case 4: memcpy(at, &four, sizeof four); break;
    default: memcpy(at, &number, sizeof number); break;
    }
}

static inline void set_bit(uint8_t *bits, int64_t place, bool value) {
    bits[place >> 3] |= (uint8_t)(value << (place & 7));
}

static bool refuse(const Column *column, const Value *value) {
    static const char *const kinds[] = {[NOTHING] = "nothing", [NUMBER] = "a number",   [TEXT] = "text",
                                        [OCTETS] = "octets",   [VARIANT] = "a variant", [TEXTS] = "texts"};
    PyErr_Format(PyExc_TypeError, "the column %U has the type %U, not %s", column->name, column->type,
                 kinds[value->kind]);
    return false;
}

static inline bool put_value(Column *column, int64_t row, const Value *value) {
    if (value->kind != column->kind) { return value->kind == NOTHING || refuse(column, value); }
    if (row >= column->capacity && !grow_rows(column, row)) { return false; }
    bool is_put = true;
    switch (column->shape) {
    case BITS: set_bit(column->numbers, row, value->number != 0); break;
    case NUMBERS: set_number(column, row, value->number); break;
    case RUNS: is_put = put_octets(column, 0, row, &value->octets); break;
    case PAIRS:
        is_put = put_octets(column, 0, row, &value->octets) && put_octets(column, 1, row, &value->metadata);
        break;
    case LISTS: is_put = put_texts(column, row, value->texts); break;
    }
    set_bit(column->validity, row, true);
    column->values++;
    return is_put;
}

bool append_value(Table *table, size_t column, const Value *value) {
    return put_value(&table->columns[column], table->row_count, value);
}

/* Removes the runs behind so many; the last one may have no end. */
static void cut_runs(Offsets *offsets, Buffer *octets, size_t count) {
    if (offsets->count > count) { offsets->count = count; }
    octets->size = offsets->at == NULL ? 0 : (size_t)offsets->at[offsets->count];
}

static void undo_number(Column *column, int64_t row) {
    uint8_t bit = (uint8_t)(1 << (row & 7));
    if (row >= column->capacity) { return; }
    if (column->validity[row >> 3] & bit) { column->values--; }
    column->validity[row >> 3] &= (uint8_t)~bit;
    if (column->shape == BITS) { column->numbers[row >> 3] &= (uint8_t)~bit; }
    if (column->shape == NUMBERS) { memset(column->numbers + (size_t)row * column->width, 0, column->width); }
}

static void undo_lists(Column *column, size_t row) {
    Offsets *lists = &column->offsets[0];
    if (lists->count > row) { lists->count = row; }
    cut_runs(&column->offsets[1], &column->octets[1], lists->at == NULL ? 0 : (size_t)lists->at[lists->count]);
}

void undo_row(Table *table) {
    for (size_t index = 0; index < table->column_count; index++) {
        Column *column = &table->columns[index];
        undo_number(column, table->row_count);
        for (int part = 0; part < 2 && (column->shape == RUNS || column->shape == PAIRS); part++) {
            cut_runs(&column->offsets[part], &column->octets[part], (size_t)table->row_count);
        }
        if (column->shape == LISTS) { undo_lists(column, (size_t)table->row_count); }
    }
}

bool put_values(const RowMaker *maker, const Value *values) {
    Table *table = maker->table;
    for (size_t index = 0; index < maker->count; index++) {
        Column *column = &table->columns[maker->columns[index]];
        if (!put_value(column, table->row_count, &values[maker->places[index]])) { return false; }
    }
    return true;
}

bool finish_row(Table *table, bool is_put) {
    if (is_put) { table->row_count++; }
    else { undo_row(table); }
    return is_put;
}

bool put_row(const RowMaker *maker, const Value *values) { return finish_row(maker->table, put_values(maker, values)); }
