/* Octets of a stream that wait for earlier ones, and octets that come again.

   The counterpart of `amqp_traffic.streams.reassembly`. The first copy of an octet counts, as for the receiver in most
   implementations. What is held are copies in an array of pointers, so that many small chunks move fast. What was
   handed on is compared with what comes again as long as it is among the last segments of the capture. */
#ifndef AMQP_NATIVE_INGEST_REASSEMBLY_H
#define AMQP_NATIVE_INGEST_REASSEMBLY_H

#include "rows.h"

/* The most octets that TCP sends before they are acknowledged. A segment further away is not of the same stream. */
enum { LARGEST_WINDOW = 1 << 30 };
enum { REMEMBERED = 256 };

/* Octets at an offset of a stream, or so many that the capture did not keep; never both. */
typedef struct Chunk {
    int64_t offset;
    Place place;
    uint64_t missing;
    size_t size;
    uint8_t octets[];
} Chunk;

/* Chunks that wait for earlier octets: in order, without overlap. */
typedef struct {
    Chunk **chunks;
    size_t count, capacity;
    size_t octets;
} Held;

/* Octets that came again; `is_conflict`: they differ from the first copy. */
typedef struct {
    int64_t offset;
    int64_t length; /* 0: there are none */
    bool is_conflict;
} Overlap;

/* From one sequence number to another, modulo 2^32: -2^31 to 2^31 - 1. */
static inline int64_t distance(uint32_t start, uint32_t end) { return (int32_t)(end - start); }

/* A piece has octets or a gap. */
static inline int64_t piece_size(const Piece *piece) { return (int64_t)(input_size(&piece->octets) + piece->gap); }
/* Moves the beginning of a piece. */
static inline void skip_octets(Piece *piece, int64_t count) {
    piece->offset += count;
    if (piece->gap > 0) { piece->gap -= (uint64_t)count; }
    else { piece->octets.at += count; }
}

/* Takes the first octets of a piece, which is not empty: those up to what is held already, to hold a copy; or those
   that are held already, to tell the overlap. The piece begins after them then. */
bool hold_some(Held *held, Piece *piece, Overlap *overlap);
/* No more may be held. */
bool is_held_full(const Held *held);
/* The first chunk, to be freed with `PyMem_Free`; there has to be one. */
Chunk *take_chunk(Held *held);
void move_chunks(Held *held, int64_t by);
/* Drops what is before an offset, and returns the number of octets. */
int64_t drop_chunks(Held *held, int64_t offset);
void release_held(Held *held);

/* A segment with octets that were new. */
typedef struct {
    int64_t stream; /* a number that only this stream has */
    int64_t packet_no;
    uint32_t sequence;
    Input octets;
    uint8_t *copy; /* where the octets are if they do not last; else NULL */
} Remembered;

/* The last segments, in a ring. */
typedef struct {
    Remembered segments[REMEMBERED];
    size_t next;
} Recent;

bool remember_octets(Recent *recent, const Remembered *segment, bool is_lasting);
/* Makes copies of what does not last any longer. */
bool copy_remembered(Recent *recent);
void forget_all(Recent *recent);
/* Whether octets that come again, in a later segment, differ from those remembered. */
bool differs_from(const Recent *recent, const Remembered *again);

#endif
