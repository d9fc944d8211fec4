#include "reassembly.h"

#include "memory.h"

/* The most that is held of one direction. Beyond this, missing octets count as lost. */
enum { HELD_OCTETS = 1 << 20, HELD_CHUNKS = 4096 };

static int64_t chunk_end(const Chunk *chunk) { return chunk->offset + (int64_t)(chunk->size + chunk->missing); }

/* The first chunk that ends after an offset. */
static size_t find_chunk(const Held *held, int64_t offset) {
    size_t low = 0, high = held->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (chunk_end(held->chunks[middle]) > offset) { high = middle; }
        else { low = middle + 1; }
    }
    return low;
}

/* Holds a copy of the first octets of a piece. */
static bool insert_chunk(Held *held, size_t at, const Piece *piece, int64_t length) {
    if (!make_room(&held->chunks, &held->capacity, held->count + 1, sizeof *held->chunks)) { return false; }
    size_t size = piece->gap > 0 ? 0 : (size_t)length;
    Chunk *chunk = new_memory(sizeof *chunk + size);
    if (chunk == NULL) { return false; }
    *chunk = (Chunk){piece->offset, piece->place, piece->gap > 0 ? (uint64_t)length : 0, size};
    memcpy(chunk->octets, piece->octets.at, size);
    memmove(held->chunks + at + 1, held->chunks + at, (held->count - at) * sizeof *held->chunks);
    held->chunks[at] = chunk;
    held->count++;
    held->octets += size;
    return true;
}

/* The first octets of a piece are those of a chunk, too. What the capture did not keep is no conflict. */
static bool is_conflict(const Chunk *chunk, const Piece *piece, int64_t length) {
    if (piece->gap > 0 || chunk->missing > 0) { return false; }
    return memcmp(chunk->octets + (piece->offset - chunk->offset), piece->octets.at, (size_t)length) != 0;
}

bool hold_some(Held *held, Piece *piece, Overlap *overlap) {
    size_t at = find_chunk(held, piece->offset);
    const Chunk *other = at < held->count ? held->chunks[at] : NULL;
    int64_t until = piece->offset + piece_size(piece);
    *overlap = (Overlap){piece->offset, 0, false};
    if (other != NULL && other->offset <= piece->offset) {
        if (chunk_end(other) < until) { until = chunk_end(other); }
        overlap->length = until - piece->offset;
        overlap->is_conflict = is_conflict(other, piece, overlap->length);
    }
    else {
        if (other != NULL && other->offset < until) { until = other->offset; }
        if (!insert_chunk(held, at, piece, until - piece->offset)) { return false; }
    }
    skip_octets(piece, until - piece->offset);
    return true;
}

bool is_held_full(const Held *held) { return held->octets > HELD_OCTETS || held->count > HELD_CHUNKS; }

Chunk *take_chunk(Held *held) {
    Chunk *chunk = held->chunks[0];
    held->count--;
    memmove(held->chunks, held->chunks + 1, held->count * sizeof *held->chunks);
    held->octets -= chunk->size;
    return chunk;
}

void move_chunks(Held *held, int64_t by) {
    for (size_t index = 0; index < held->count; index++) { held->chunks[index]->offset += by; }
}

int64_t drop_chunks(Held *held, int64_t offset) {
    size_t before = held->octets, gone = find_chunk(held, offset);
    for (size_t index = 0; index < gone; index++) {
        held->octets -= held->chunks[index]->size;
        PyMem_Free(held->chunks[index]);
    }
    held->count -= gone;
    if (gone > 0) { memmove(held->chunks, held->chunks + gone, held->count * sizeof *held->chunks); }
    Chunk *first = held->count == 0 ? NULL : held->chunks[0];
    if (first != NULL && first->offset < offset) {
        int64_t by = offset - first->offset;
        first->offset = offset;
        if (first->missing > 0) { first->missing -= (uint64_t)by; }
        else {
            first->size -= (size_t)by;
            held->octets -= (size_t)by;
            memmove(first->octets, first->octets + by, first->size);
        }
    }
    return (int64_t)(before - held->octets);
}

void release_held(Held *held) {
    for (size_t index = 0; index < held->count; index++) { PyMem_Free(held->chunks[index]); }
    PyMem_Free(held->chunks);
    *held = (Held){0};
}

/* --- What is remembered --- */

static bool copy_octets(Remembered *segment) {
    size_t size = input_size(&segment->octets);
    if (size == 0) { return true; }
    segment->copy = new_memory(size);
    if (segment->copy == NULL) {
        segment->octets.end = segment->octets.at; /* they may be gone when it is looked at again */
        return false;
    }
    memcpy(segment->copy, segment->octets.at, size);
    segment->octets = (Input){segment->copy, segment->copy + size};
    return true;
}

bool remember_octets(Recent *recent, const Remembered *segment, bool is_lasting) {
    Remembered *place = &recent->segments[recent->next++ % REMEMBERED];
    if (place->copy != NULL) { PyMem_Free(place->copy); }
    *place = *segment;
    return is_lasting || copy_octets(place);
}

bool copy_remembered(Recent *recent) {
    for (size_t index = 0; index < REMEMBERED; index++) {
        if (recent->segments[index].copy == NULL && !copy_octets(&recent->segments[index])) { return false; }
    }
    return true;
}

void forget_all(Recent *recent) {
    for (size_t index = 0; index < REMEMBERED; index++) { PyMem_Free(recent->segments[index].copy); }
}

static bool differ(const Remembered *first, const Remembered *again) {
    int64_t ahead = distance(first->sequence, again->sequence);
    int64_t there = (int64_t)input_size(&first->octets), size = (int64_t)input_size(&again->octets);
    int64_t start = ahead > 0 ? ahead : 0, end = ahead + size < there ? ahead + size : there;
    if (start >= end) { return false; }
    return memcmp(first->octets.at + start, again->octets.at + (start - ahead), (size_t)(end - start)) != 0;
}

bool differs_from(const Recent *recent, const Remembered *again) {
    for (size_t index = 0; index < REMEMBERED; index++) {
        const Remembered *first = &recent->segments[index];
        bool is_near = first->stream == again->stream && first->packet_no > again->packet_no - REMEMBERED;
        if (is_near && differ(first, again)) { return true; }
    }
    return false;
}
