/* How the rows of a generated package are laid out, and what reads rows along these layouts. */
#ifndef AMQP_NATIVE_INGEST_ROW_LAYOUTS_H
#define AMQP_NATIVE_INGEST_ROW_LAYOUTS_H

#include "../src/amqp0_kinds.h"
#include "map.h"
#include "rows.h"

/* A method (0-x), a content header, or a performative. */
typedef struct {
    uint32_t key;       /* class id << 16 | method id; of a header class id << 16; of a performative its code */
    int32_t name;       /* the number of its name; -1 when it has none */
    Input name_text;    /* lives as long as the package */
    size_t value_count; /* values of a row */
    size_t columns[MOST_VALUES]; /* where they go in the table methods or performatives; not for headers */
    size_t field_count;
    Field *fields;                           /* of 0-x */
    struct CompositeField *composite_fields; /* of 1.0, see amqp1_values.h */
    PyObject *reader; /* Python's: (payload) -> row, or of 1.0 (row, where it ends); borrowed from the facts */
    bool tells_facts; /* about the connection: Python reads it and wants its row */
    /* What pairs it with others, see `amqp_traffic.dialogue.amqp0.methods.MethodTraits`. */
    uint32_t *replies; /* keys of what may answer it */
    size_t reply_count;
    bool is_reply;
    int no_wait; /* the index of this value; -1 without one */
} RowLayout;

/* A generated package with a dialect of field tables. */
typedef struct {
    int family;         /* 0: 0-x, 1: 1.0 */
    Map methods;        /* RowLayout by key; of 1.0, performatives by frame type << 8 | code */
    Map headers;        /* RowLayout by class id */
    RowLayout *layouts; /* the memory of both */
    size_t layout_count;
    Reading reading;                 /* what letters of field tables announce, and limits */
    struct SectionLayouts *sections; /* of messages of 1.0, see amqp1_values.h */
    PyObject *facts[2]; /* tuples: of methods or performatives, of headers; they keep what the layouts refer to */
} Package;

/* Whether a method expects a reply: it has replies, and no-wait is not set or its row cannot be read (NULL). */
static inline bool wants_reply(const RowLayout *method, const Row *row) {
    if (method->reply_count == 0) { return false; }
    return row == NULL || method->no_wait < 0 || row->values[method->no_wait].number == 0;
}

static inline bool is_reply_to(const RowLayout *request, uint32_t key) {
    for (size_t index = 0; index < request->reply_count; index++) {
        if (request->replies[index] == key) { return true; }
    }
    return false;
}

/* Octets of frames to rows. What is not plain is for the package's own reader, see `RowLayout`.

   0-x. `payload` is that of the frame: a method with class and method id, a content header with the class id. The row
   has the values of `MethodColumns` or of `HeaderColumns`: class id, size of the body, the properties; and last the
   misfits. */
Result read_method_row(const Package *package, const RowLayout *method, Input payload, Arena *arena, Row *row);
Result read_header_row(const Package *package, const RowLayout *header, Input payload, Arena *arena, Row *row);

/* 1.0. `payload` is the body of a frame that begins with a short descriptor; `*rest` gets what follows the
   performative. */
Result read_performative_row(const Package *package, const RowLayout *performative, Input payload, Arena *arena,
                             Row *row, Input *rest);
/* The sections of a message before its body, as `amqp_1_0.columns.MessageColumns.append_head` reads them; `*body` gets
   what follows. The row has the values of `MessageSections`. */
enum { SECTION_MISFITS = 20, SECTION_VALUES = 26 };
Result read_sections_row(const Package *package, Input payload, Arena *arena, Row *row, Input *body);

#endif
