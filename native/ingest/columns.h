/* Tables as Arrow has them: columns that grow row by row, without a Python object for a row.

   Theory of operation. A column has the buffers of the Arrow columnar format
   (https://arrow.apache.org/docs/format/Columnar.html): values, offsets of texts, and bits that tell which rows have a
   value. Rows are made one after the other: `put_values` and `append_value` set columns of the row at hand, `finish_row`
   ends it. Columns that a row does not set are null; a number that is not set costs nothing, for memory grows with
   zeros in it, and the ends of texts that are not there are written when the next one comes. So a column without values
   costs nothing.
   `rows_of_table` hands the buffers to Python, which wraps them (`amqp_traffic.ingest.native.tables`). columns.c has
   what is done for each row, tables.c the rest. */
#ifndef AMQP_NATIVE_INGEST_COLUMNS_H
#define AMQP_NATIVE_INGEST_COLUMNS_H

#include "rows.h"

typedef struct {
    uint8_t *at;
    size_t size, capacity;
} Buffer;

/* Where runs end; before them stands a 0. The first ones are of rows without a value, if that is due. */
typedef struct {
    int32_t *at;
    size_t count;    /* of runs */
    size_t capacity; /* of ends, with the 0 */
} Offsets;

typedef enum {
    BITS,
    NUMBERS,
    RUNS,  /* offsets[0], octets[0] */
    PAIRS, /* offsets[0], octets[0] of the values, offsets[1], octets[1] of the metadata */
    LISTS  /* offsets[0] of the lists, offsets[1], octets[1] of their texts */
} Shape;

typedef struct {
    PyObject *name, *type; /* str */
    ValueKind kind;        /* of all its values */
    Shape shape;
    size_t width;      /* of NUMBERS, in octets */
    int64_t values;    /* so many rows have a value */
    int64_t capacity;  /* for so many rows there is room in: */
    uint8_t *validity; /* bits; zeros from the last value on */
    uint8_t *numbers;  /* BITS, NUMBERS; zeros where there is no value */
    Offsets offsets[2];
    Buffer octets[2];
} Column;

/* How many octets as many rows take in `numbers`. */
static inline size_t numbers_size(const Column *column, int64_t rows) {
    return column->shape == BITS ? (size_t)(rows + 7) / 8 : (size_t)rows * column->width;
}

typedef struct {
    size_t column_count;
    Column *columns; /* in the order in which they were given */
    int64_t row_count;
} Table;

/* Columns: a sequence of (name, type of `amqp_traffic.schemas`, or `name` for the number of a name). */
bool make_table(Table *table, PyObject *columns);
void free_table(Table *table);
int visit_table(const Table *table, visitproc visit, void *arg);

/* Finds the index of a column, which must be there. */
bool find_column(const Table *table, const char *name, size_t *column);

/* Sets a column of the row at hand, once; nothing sets nothing. Raises `TypeError` when the column is not for
   this kind of value, `OverflowError` when it would have more octets than 32 bits of its offsets can tell. */
bool append_value(Table *table, size_t column, const Value *value);
/* Removes what was set of the row at hand, after a failure. */
void undo_row(Table *table);

/* About how many octets the table holds. */
size_t table_octets(const Table *table);

/* (rows, {name: (type, nulls, validity or None, [buffers])}), without columns that have no value and without a row that
   has not ended. The buffers are bytes: the values; of text the offsets and the octets; of a variant both for the
   values, then for the metadata; of a list its offsets, then those of its texts and their octets. */
PyObject *rows_of_table(Table *table);
/* Removes the rows. */
void clear_table(Table *table);

/* Makes room for a row and some more. */
bool grow_rows(Column *column, int64_t row);
/* Ends rows without a value until there are so many ends. */
bool fill_ends(Offsets *offsets, size_t count);

/* Makes rows from values by a recipe of `amqp_traffic.recipes`, which tells the place of each column's value. */
enum { MOST_PICKED = 96 };
typedef struct {
    Table *table;
    size_t count;
    size_t columns[MOST_PICKED], places[MOST_PICKED];
} RowMaker;

/* Where the values of an origin stand among those of a row: `count` of them from `first` on. */
typedef struct {
    const char *name;
    size_t first, count;
    const char *const *names; /* of own values; the recipe tells the places of others */
} Origin;

/* A list of own values is a macro, which has each name beside its value: VALUE("channel", number_value(...)). */
#define NAME_OF(name, value) name,
#define VALUE_OF(name, value) value,
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Reads the recipe with this key: a tuple of (column, origin, name of the value, its place in the origin, from the end
   when it is negative). The origins end with one without a name. */
bool read_recipe(RowMaker *maker, Table *table, PyObject *recipes, const char *key, const Origin *origins);
/* Sets the columns of the row at hand. */
bool put_values(const RowMaker *maker, const Value *values);
/* Ends a row that is put; removes what was set of one that is not. */
bool finish_row(Table *table, bool is_put);
bool put_row(const RowMaker *maker, const Value *values);

#endif
