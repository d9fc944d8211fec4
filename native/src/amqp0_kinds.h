/* The kinds of fields and of values in field tables (0-9-1, 4.2.1 and 4.2.5.5), and which letter announces which. */
#ifndef AMQP_NATIVE_AMQP0_KINDS_H
#define AMQP_NATIVE_AMQP0_KINDS_H

#include "variant.h"

/* How a field (0-9-1, 4.2.1) or a value of a field table (4.2.5.5) is laid out; see `kinds` in amqp0_kinds.c. */
/* clang-format off */
typedef enum {
    NO_VALUE, BIT, BOOLEAN,
    INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64,
    FLOAT, DOUBLE, DECIMAL, DECIMAL_UNSIGNED,
    NAME,                      /* a short string that has to be text */
    SHORT_STRING, LONG_STRING, /* text where they are UTF-8, else octets */
    BYTES, TIME, ARRAY, MAPPING, VOID
} Kind;
/* clang-format on */

/* The units of a timestamp in a second. */
enum { PER_SECOND = 1 };

typedef struct {
    const char *name;    /* NULL for those that tables do not have */
    uint8_t width;       /* octets of the value, or of the length before it */
    int64_t least, most; /* of integers */
} KindFacts;

extern const KindFacts kinds[];

/* A field of a method or a content header. */
typedef struct {
    Kind kind;
    bool is_reserved; /* on the wire, but without a slot or a column */
    bool is_moment;   /* units from 1970 on; a column has microseconds */
    Py_ssize_t place; /* of its slot, where objects are read */
} Field;

/* Fills a field, but for its place, from a FieldLayout, the tuple (name, type, reserved); its type may be one that is
   not known. */
bool read_field_layout(Field *field, PyObject *facts, const char **name);

/* Settings of reading tables: what each letter announces. */
typedef struct {
    uint8_t kinds[256];
    uint32_t max_depth, max_elements;
} Reading;

/* A letter and what it announces; the letter 0 stands for none. */
typedef struct {
    uint8_t letter;
    uint8_t kind;
} Letter;

/* One ASCII character and the name of a kind of value. */
bool read_letter(PyObject *text, PyObject *kind_name, Letter *letter);
/* Takes a dict of kinds by letter. */
bool fill_kinds(Reading *reading, PyObject *kinds_by_letter);

/* amqp0_variant.c: a field table; false when it is not plain. */
bool write_table_variant(const Reading *reading, Variant *variant, Input *in);

#endif
