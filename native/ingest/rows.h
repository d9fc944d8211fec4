/* What the rooms of an ingest hand to each other: pieces of streams, frames, and rows of values.

   Whatever is referred to by an `Input` belongs to somebody else and is valid during the call. Who keeps it longer
   copies it, with `pack_row` or into an `Arena`. There is no other failure than a lack of memory or an exception of
   Python that ends the ingest. */
#ifndef AMQP_NATIVE_INGEST_ROWS_H
#define AMQP_NATIVE_INGEST_ROWS_H

#include "../src/variant.h"

/* The sender of a frame. */
enum { FROM_CLIENT = 0, FROM_SERVER = 1 };

/* A packet: its number in the capture, from 1; where its record begins in its file; when it was captured. */
typedef struct {
    int64_t packet_no;
    uint64_t record;
    int64_t ns;
} Place;

/* Octets of one direction of a connection, or a gap of so many octets; see
   `amqp_traffic.capture.stream_data.StreamPiece`. */
typedef struct {
    Input octets;
    uint64_t gap;
    int64_t offset;
    Place place;
} Piece;

/* A whole frame, or a protocol header; see `amqp_traffic.frames.formats.FrameSpan`. */
enum { PROTOCOL_HEADER_TYPE = -1 };

typedef struct {
    int64_t offset;
    uint64_t size;
    int32_t type;
    uint16_t channel;
    Input payload;
    Place place;
    PyObject *owner; /* what holds the payload where it is not that of the stream; or NULL */
} Frame;

typedef enum { NOTHING, NUMBER, TEXT, OCTETS, VARIANT, TEXTS } ValueKind;

/* A value of a row. */
typedef struct {
    ValueKind kind;
    int64_t number;  /* NUMBER: also booleans, and moments in microseconds since 1970 */
    Input octets;    /* TEXT, which is UTF-8; OCTETS; the value of a VARIANT */
    Input metadata;  /* of a VARIANT */
    PyObject *texts; /* TEXTS: a list of str, borrowed */
} Value;

static inline Value no_value(void) { return (Value){.kind = NOTHING}; }
static inline Value number_value(int64_t number) { return (Value){.kind = NUMBER, .number = number}; }
static inline Value text_value(const char *text) {
    return (Value){.kind = TEXT, .octets = {(const uint8_t *)text, (const uint8_t *)text + strlen(text)}};
}
static inline Value run_value(ValueKind kind, Input run) { return (Value){.kind = kind, .octets = run}; }

static inline bool equal_runs(const Input *one, const Input *other) {
    return input_size(one) == input_size(other) && memcmp(one->at, other->at, input_size(one)) == 0;
}

enum { MOST_VALUES = 32 };

/* The row of a method, of a content header or of a performative: its values in the order of the package's columns. */
typedef struct {
    size_t count;
    Value values[MOST_VALUES];
} Row;

/* A row that is kept, with all that it refers to: only the values that there are, but none of the kind TEXTS. */
typedef struct {
    uint16_t count;              /* of the row */
    uint16_t kept;               /* of the values */
    uint8_t places[MOST_VALUES]; /* of those kept, in the row */
    Value values[];
} PackedRow;

/* In one block of memory to be freed with `PyMem_Free`. */
PackedRow *pack_row(const Row *row);
/* Copies the values from one on; all are nothing where there is no row (NULL). */
void unpack_values(const PackedRow *packed, size_t from, size_t count, Value *values);

/* Memory for what lives as long as a frame is worked on. */
typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *blocks;
    size_t used, capacity;   /* of the first block */
    struct Secrets *secrets; /* what rows must not hold; NULL: anything */
} Arena;

/* Octets that stay where they are until `clear_arena`. */
uint8_t *arena_room(Arena *arena, size_t size);
void clear_arena(Arena *arena);   /* keeps a block for the next frame */
void release_arena(Arena *arena); /* keeps nothing */

/* The octets of a bytes object, which has to live as long. */
bool run_of_bytes(PyObject *bytes, Input *run);
/* The UTF-8 of a str, which has to live as long, or a copy of it in the arena: surrogates become what
   `amqp_traffic.rows.valid_text` makes of them. */
bool run_of_text(PyObject *text, Arena *arena, Input *run);

/* The value of a Python object, which has to live as long: None, int, str, bytes, a list of str, or a VARIANT, a pair
   of bytes. */
bool value_of(PyObject *object, Arena *arena, Value *value);
/* The values of a Python tuple, which has to live as long as the row is used. */
bool row_of_tuple(PyObject *tuple, Arena *arena, Row *row);

/* A VARIANT that was written, as a value of a row: both parts in the arena. NOT_PLAIN: they may hold a secret. */
Result keep_variant(const Input *octets, const Input *metadata, Arena *arena, Value *value);
/* Keeps what was written, when that is `done`; releases what the variant needed. */
Result finish_variant_value(Variant *variant, bool done, Arena *arena, Value *value);

#endif
