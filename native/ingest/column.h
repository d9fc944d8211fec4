/* A column of a table, as columns.c fills it and tables.c makes, takes and frees it. */
#ifndef AMQP_NATIVE_INGEST_COLUMN_H
#define AMQP_NATIVE_INGEST_COLUMN_H

#include "columns.h"

typedef struct {
    uint8_t *at;
    size_t size, capacity;
} Buffer;

/* Where runs end; before them stands a 0. The first ones are of rows without a value, if that is due. */
typedef struct {
    int32_t *at;
    size_t count, capacity; /* of runs */
} Offsets;

typedef enum {
    BITS, NUMBERS,
    RUNS,  /* offsets[0], octets[0] */
    PAIRS, /* offsets[0], octets[0] of the values, offsets[1], octets[1] of the metadata */
    LISTS  /* offsets[0] of the lists, offsets[1], octets[1] of their texts */
} Shape;

struct Column {
    PyObject *name, *type; /* str */
    ValueKind kind;        /* of all its values */
    Shape shape;
    size_t width;          /* of NUMBERS, in octets */
    int64_t values;        /* so many rows have a value */
    int64_t capacity;      /* for so many rows there is room in: */
    uint8_t *validity;     /* bits; zeros from the last value on */
    uint8_t *numbers;      /* BITS, NUMBERS; zeros where there is no value */
    Offsets offsets[2];
    Buffer octets[2];
};

/* How many octets as many rows take in `numbers`. */
static inline size_t numbers_size(const Column *column, int64_t rows) {
    return column->shape == BITS ? (size_t)(rows + 7) / 8 : (size_t)rows * column->width;
}

/* Makes room for a row and some more; false with an exception. */
bool grow_rows(Column *column, int64_t row);
/* Ends rows without a value until there are so many ends; false with an exception. */
bool fill_ends(Offsets *offsets, size_t count);

#endif
