/* The walk over the fields of a composite, which is a list of them in order (1.0, 1.4), and the numbers in it. Objects,
   rows and typed values are made of the same octets: a sink tells what becomes of each field. */
#ifndef AMQP_NATIVE_AMQP1_WALK_H
#define AMQP_NATIVE_AMQP1_WALK_H

#include "amqp1_codes.h"
#include "column_numbers.h"

typedef struct {
    Result (*take_sent)(const void *target, size_t field, Input *in); /* a value, whose format code is there */
    Result (*take_absent)(const void *target, size_t field);          /* null, or not listed */
} FieldSink;

/* The items of the list that a composite is; false when that is no list. */
static inline bool take_fields(Input *in, Input *items, uint32_t *count) {
    const uint8_t *code = take(in, 1);
    if (code == NULL) { return false; }
    if (*code == LIST8 || *code == LIST32) { return take_compound(in, *code == LIST32, items, count); }
    *count = 0;
    items->at = items->end = in->at;
    return *code == LIST0;
}

/* Walks over what follows the descriptor of a composite. */
static ALWAYS_INLINE Result walk_fields(Input *in, size_t field_count, const FieldSink *sink, const void *target) {
    Input items;
    uint32_t count;
    if (!take_fields(in, &items, &count) || count > field_count) { return NOT_PLAIN; }
    for (size_t field = 0; field < field_count; field++) {
        if (field < count && !input_has(&items, 1)) { return NOT_PLAIN; }
        if (field < count && *items.at != NULL_CODE) { RETURN_UNLESS_DONE(sink->take_sent(target, field, &items)); }
        else {
            items.at += field < count;
            RETURN_UNLESS_DONE(sink->take_absent(target, field));
        }
    }
    return plain_if(items.at == items.end);
}

/* A boolean or an unsigned number, whose format code is there: the first digit of the code tells how many octets it has
   (1.0, 1.2). False when they are missing, or are neither true nor false. */
static inline bool take_number(Input *in, uint64_t *number) {
    uint8_t code = *in->at++;
    const uint8_t *at = take_fixed(in, code);
    if (at == NULL) { return false; }
    switch (code >> 4) {
    case 4: *number = code == TRUE_CODE; return true;
    case 5: *number = *at; return code != BOOLEAN_CODE || *at <= 1;
    case 6: *number = get_16(at); return true;
    case 7: *number = get_32(at); return true;
    default: *number = get_64(at); return true;
    }
}

/* A timestamp, whose format code is there, in microseconds. */
static inline bool take_moment(Input *in, int64_t *microseconds) {
    const uint8_t *at = take(in, 9);
    return at != NULL && moment_in_years((int64_t)get_64(at + 1), MOMENTS_PER_SECOND, microseconds);
}

#endif
