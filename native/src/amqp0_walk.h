/* The walk over the fields of a method or of a content header, whatever becomes of their values.

   Theory of operation. Fields follow each other along the layout (0-9-1, 4.2.5). A sink gets each value where it
   stands, and takes it out of the input: objects fill slots (amqp0_read.c), columns fill tuples (amqp0_rows.c) or typed
   values (ingest/amqp0_values.c). Sinks are constants, so that compilers put the functions of each into a walk of its
   own. */
#ifndef AMQP_NATIVE_AMQP0_WALK_H
#define AMQP_NATIVE_AMQP0_WALK_H

#include "amqp0_kinds.h"

enum { BITS_IN_OCTET = 8 };

typedef struct {
    Result (*read)(void *owner, const Field *field, Input *in); /* a value that is there */
    Result (*skip)(void *owner, const Field *field, Input *in); /* that of a reserved field */
    void (*take_bit)(void *owner, const Field *field, bool bit);
    void (*leave_out)(void *owner, const Field *field); /* a property that is not there */
    bool is_exact;                                      /* bits without a field have to be zeros */
} FieldSink;

/* Bits in a row share octets, lowest bit first (0-9-1, 4.2.5.2). Returns how many fields the octet at hand is for; 0
   when it is not plain. */
static ALWAYS_INLINE Py_ssize_t walk_bits(const FieldSink *sink, void *owner, const Field *fields, Py_ssize_t count,
                                          Input *in) {
    const uint8_t *octet = take(in, 1);
    if (octet == NULL) { return 0; }
    Py_ssize_t bit = 0;
    int others = *octet;
    for (; bit < BITS_IN_OCTET && bit < count && fields[bit].kind == BIT; bit++) {
        if (fields[bit].is_reserved) { continue; }
        others &= ~(1 << bit);
        sink->take_bit(owner, &fields[bit], *octet >> bit & 1);
    }
    return sink->is_exact && others != 0 ? 0 : bit;
}

/* The arguments of a method, and nothing behind them. */
static ALWAYS_INLINE Result walk_arguments(const FieldSink *sink, void *owner, const Field *fields, Py_ssize_t count,
                                           Input *in) {
    for (Py_ssize_t index = 0, step = 1; index < count; index += step, step = 1) {
        const Field *field = &fields[index];
        if (field->kind == BIT) {
            step = walk_bits(sink, owner, field, count - index, in);
            if (step == 0) { return NOT_PLAIN; }
        }
        else { RETURN_UNLESS_DONE(field->is_reserved ? sink->skip(owner, field, in) : sink->read(owner, field, in)); }
    }
    return plain_if(in->at == in->end);
}

/* What stands before the properties in a content header (0-9-1, 4.2.6.1). */
typedef struct {
    uint16_t class_index;
    uint16_t flags; /* from the highest bit on: which properties follow */
    uint64_t body_size;
} HeaderHead;

/* False when it is cut off, or has a weight. */
static inline bool take_header_head(Input *in, HeaderHead *head) {
    const uint8_t *at = take(in, 14);
    if (at == NULL || get_16(at + 2) != 0) { return false; }
    *head = (HeaderHead){get_16(at), get_16(at + 12), get_64(at + 4)};
    return true;
}

/* The properties, one word of flags, and nothing behind them. */
static ALWAYS_INLINE Result walk_properties(const FieldSink *sink, void *owner, const Field *fields, Py_ssize_t count,
                                            uint16_t flags, Input *in) {
    if (count >= 16 || flags & 0xFFFF >> count) { return NOT_PLAIN; }
    for (Py_ssize_t index = 0; index < count; index++) {
        if (flags & 0x8000 >> index) { RETURN_UNLESS_DONE(sink->read(owner, &fields[index], in)); }
        else { sink->leave_out(owner, &fields[index]); }
    }
    return plain_if(in->at == in->end);
}

/* For columns: a reserved field of zeros, that is a number, or the length of what is empty. */
static inline bool take_zeros(const Field *field, Input *in) {
    size_t width = kinds[field->kind].width;
    const uint8_t *at = take(in, width);
    uint8_t all = 0;
    for (size_t index = 0; at != NULL && index < width; index++) { all |= at[index]; }
    return at != NULL && all == 0;
}

#endif
