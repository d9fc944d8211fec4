/* What Python tells about a generated package: its methods or performatives, how their rows are read, and what answers what. */
#ifndef AMQP_NATIVE_INGEST_PACKAGES_H
#define AMQP_NATIVE_INGEST_PACKAGES_H

#include "../src/amqp0_kinds.h"
#include "columns.h"
#include "map.h"

/* A field of a method or a content header. */
typedef struct {
    Kind kind;
    bool is_reserved; /* on the wire, but without a column */
    bool is_moment;   /* seconds since 1970; a column of microseconds */
} FieldLayout;

/* A method (0-x), a content header, or a performative. */
typedef struct {
    uint32_t key;          /* class id << 16 | method id; of a header class id << 16; of a performative its code */
    int32_t name;          /* the number of its name; -1 when it has none */
    Input name_text;       /* lives as long as the package */
    size_t value_count;    /* values of a row */
    size_t columns[MOST_VALUES]; /* where they go in the table methods or performatives; not for headers */
    size_t field_count;
    FieldLayout *fields;   /* of 0-x */
    struct CompositeField *composite_fields; /* of 1.0, see amqp1_values.h */
    PyObject *reader;      /* Python's: (payload) -> row, or of 1.0 (row, where it ends); borrowed from the description */
    bool tells_facts;      /* about the connection: Python reads it and wants its row */
    /* What pairs it with others, see `amqp_traffic.dialogue.amqp0.methods.MethodTraits`. */
    uint32_t *replies;     /* keys of what may answer it */
    size_t reply_count;
    bool is_reply;
    int no_wait;           /* the index of this value; -1 without one */
} RowLayout;

/* A generated package with a dialect of field tables. */
typedef struct {
    int family;            /* 0: 0-x, 1: 1.0 */
    Map methods;           /* RowLayout by key; of 1.0, performatives by frame type << 8 | code */
    Map headers;           /* RowLayout by class id */
    RowLayout *layouts;    /* the memory of both */
    size_t layout_count;
    Reading reading;       /* what letters of field tables announce, and limits */
    struct SectionLayouts *sections; /* of messages of 1.0, see amqp1_values.h */
    PyObject *description; /* keeps what the layouts refer to */
} Package;

/* Makes a package from what `amqp_traffic.ingest.native_packages` tells of it; its columns are those of `table`. NULL with an
   exception. */
Package *make_package(PyObject *description, const Table *table);
void free_package(Package *package);

/* Whether a method expects a reply: it has replies, and no-wait is not set or its row cannot be read (NULL). */
static inline bool wants_reply(const RowLayout *method, const Row *row) {
    if (method->reply_count == 0) return false;
    return row == NULL || method->no_wait < 0 || row->values[method->no_wait].number == 0;
}

static inline bool is_reply_to(const RowLayout *request, uint32_t key) {
    for (size_t index = 0; index < request->reply_count; index++)
        if (request->replies[index] == key) return true;
    return false;
}

#endif
