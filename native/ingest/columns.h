/* Tables as Arrow has them: columns that grow row by row, without a Python object for a row.

   Theory of operation. A column has the buffers of the Arrow columnar format
   (https://arrow.apache.org/docs/format/Columnar.html): values, offsets of texts, and bits that tell which rows have a value.
   Rows are made one after the other: `append_value` sets a column of the row at hand, `end_row` ends it. Columns that a row does
   not set are null; a number that is not set costs nothing, for memory grows with zeros in it, and the ends of texts that are
   not there are written when the next one comes. So a column without values costs nothing. `take_table` hands the buffers to
   Python, which wraps them (`amqp_traffic.ingest.native_tables`). columns.c has what is done for each row, tables.c the rest. */
#ifndef AMQP_NATIVE_INGEST_COLUMNS_H
#define AMQP_NATIVE_INGEST_COLUMNS_H

#include "rows.h"

typedef struct Column Column;

typedef struct {
    size_t column_count;
    Column *columns; /* in the order in which they were given */
    int64_t row_count;
} Table;

/* Columns: a sequence of (name, type of `amqp_traffic.schemas`, or `name` for the number of a name). False with an exception. */
bool make_table(Table *table, PyObject *columns);
void free_table(Table *table);

/* The index of a column, which must be there. -1 with an exception when it is not. */
Py_ssize_t find_column(const Table *table, const char *name);

/* Sets a column of the row at hand, once; nothing sets nothing. False with an exception: `TypeError` when the column is not for
   this kind of value, `OverflowError` when it would have more octets than 32 bits of its offsets can tell. */
bool append_value(Table *table, size_t column, const Value *value);
bool append_number(Table *table, size_t column, int64_t number);
static inline void end_row(Table *table) { table->row_count++; }

/* About how many octets the table holds. */
size_t table_octets(const Table *table);

/* Removes the rows and returns (rows, {name: (type, nulls, validity or None, [buffers])}), without columns that have no value.
   The buffers are bytes: the values; of text the offsets and the octets; of a variant both for the values, then for the
   metadata; of a list its offsets, then those of its texts and their octets. NULL with an exception. */
PyObject *take_table(Table *table);

/* Makes rows from values in the order of some names of columns; the counterpart of `amqp_traffic.rows.row_maker`. */
enum { MOST_PICKED = 64 };
typedef struct {
    Table *table;
    size_t count;
    size_t columns[MOST_PICKED];
} RowMaker;

bool pick_columns(RowMaker *maker, Table *table, const char *const *names, size_t count);
/* Adds a row of as many values as there are names. */
bool put_row(const RowMaker *maker, const Value *values);

#endif
