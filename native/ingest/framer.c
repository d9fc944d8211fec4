#include "framer.h"

#include "memory.h"

/* Frame types and heads: 0-9-1 document, 2.3.5; 1.0, part 2, section 2.3. */
enum {
    HEAD0 = 7,
    HEAD1 = 8,
    OVERHEAD0 = 8,
    END_OCTET = 0xCE,
    METHOD_FRAME = 1,
    HEADER_FRAME = 2,
    BODY_FRAME = 3,
    HEARTBEAT_FRAME = 8,
    SASL_FRAME = 1
};
enum { HEADER_OCTETS = 8, CONNECTION_CLASS = 10, SHORT_DESCRIPTOR = 0x53, OPEN_CODE = 0x10 };
enum { FRAMES_PER_SAMPLE = 17 };

static const uint8_t LETTERS[4] = {'A', 'M', 'Q', 'P'};

static bool has_letters(const Input *in) { return input_has(in, 4) && memcmp(in->at, LETTERS, 4) == 0; }

static Cut cut_header(Input *in, int64_t offset, Frame *frame) {
    const uint8_t *at = take(in, HEADER_OCTETS);
    if (at == NULL) { return INCOMPLETE_FRAME; }
    *frame = (Frame){
        .offset = offset, .size = HEADER_OCTETS, .type = PROTOCOL_HEADER_TYPE, .payload = {at, at + HEADER_OCTETS}};
    return WHOLE_FRAME;
}

/* Peers cannot split content headers: these may be larger than other frames. */
static bool is_too_large0(const Framer *framer, uint8_t type, uint64_t size) {
    return size > framer->limit - OVERHEAD0 && (type != HEADER_FRAME || size + OVERHEAD0 > framer->header_limit);
}

static Cut cut_frame0(const Framer *framer, Input *in, int64_t offset, Frame *frame) {
    const uint8_t *at = in->at;
    if (!input_has(in, HEAD0)) { return INCOMPLETE_FRAME; }
    uint64_t size = get_32(at + 3);
    if (!framer->types[*at] || is_too_large0(framer, *at, size)) {
        return has_letters(in) ? cut_header(in, offset, frame) : NO_FRAME;
    }
    if (!input_has(in, HEAD0 + size + 1)) { return INCOMPLETE_FRAME; }
    if (at[HEAD0 + size] != END_OCTET) { return NO_FRAME; }
    in->at += OVERHEAD0 + size;
    *frame = (Frame){.offset = offset,
                     .size = size + OVERHEAD0,
                     .type = *at,
                     .channel = get_16(at + 1),
                     .payload = {at + HEAD0, at + HEAD0 + size}};
    return WHOLE_FRAME;
}

static Cut cut_frame1(const Framer *framer, Input *in, int64_t offset, Frame *frame) {
    const uint8_t *at = in->at;
    if (!input_has(in, HEAD1)) { return INCOMPLETE_FRAME; }
    uint64_t size = get_32(at), start = (uint64_t)at[4] * 4;
    if (size > framer->limit || at[4] < 2 || start > size || at[5] > SASL_FRAME) {
        return has_letters(in) ? cut_header(in, offset, frame) : NO_FRAME;
    }
    if (start < size && input_has(in, start + 1) && at[start] != 0) { return NO_FRAME; /* a body is described */ }
    if (!input_has(in, size)) { return INCOMPLETE_FRAME; }
    in->at += size;
    *frame = (Frame){.offset = offset,
                     .size = size,
                     .type = at[5],
                     .channel = at[5] == SASL_FRAME ? 0 : get_16(at + 6),
                     .payload = {at + start, at + size}};
    return WHOLE_FRAME;
}

Cut cut_frame(const Framer *framer, Input *in, int64_t offset, Frame *frame) {
    return framer->family == 0 ? cut_frame0(framer, in, offset, frame) : cut_frame1(framer, in, offset, frame);
}

bool is_control(const Framer *framer, const Frame *frame, const Map *telling) {
    const uint8_t *payload = frame->payload.at;
    size_t size = input_size(&frame->payload);
    if (frame->type == PROTOCOL_HEADER_TYPE) { return true; }
    if (framer->family == 0) {
        return frame->type == METHOD_FRAME && size > 3 && payload[1] == CONNECTION_CLASS
               && map_get(telling, get_32(payload)) != NULL;
    }
    if (frame->type == SASL_FRAME) { return true; }
    if (size == 0) { return false; }
    return size < 2 || payload[1] != SHORT_DESCRIPTOR || (size > 2 && payload[2] == OPEN_CODE);
}

/* --- What is held --- */

bool add_start(Framer *framer, int64_t offset, const Place *place) {
    if (!make_room(&framer->starts, &framer->start_capacity, framer->start_count + 1, sizeof(Start))) { return false; }
    framer->starts[framer->start_count++] = (Start){offset, *place};
    return true;
}

bool add_held(Framer *framer, const Input *octets) {
    size_t size = input_size(octets);
    if (!make_room(&framer->held, &framer->capacity, framer->size + size, 1)) { return false; }
    if (size > 0) { memcpy(framer->held + framer->size, octets->at, size); }
    framer->size += size;
    return true;
}

bool hold_piece(Framer *framer, const Piece *piece) {
    if (framer->size == 0) { framer->begin = piece->offset; }
    return add_start(framer, piece->offset, &piece->place) && add_held(framer, &piece->octets);
}

/* The size of the frame that the held octets begin, once its head is there. */
static uint64_t size_needed(const Framer *framer) {
    Input in = {framer->held, framer->held + framer->size};
    size_t head = framer->family == 0 ? HEAD0 : HEAD1;
    if (framer->size < head) { return head; }
    if (has_letters(&in)) { return HEADER_OCTETS; }
    return framer->family == 0 ? (uint64_t)get_32(in.at + 3) + OVERHEAD0 : get_32(in.at);
}

/* Drops the starts before the last one that is not after an offset. */
static void drop_starts(Framer *framer, int64_t offset) {
    size_t first = 0;
    while (first + 1 < framer->start_count && framer->starts[first + 1].offset <= offset) { first++; }
    framer->start_count -= first;
    memmove(framer->starts, framer->starts + first, framer->start_count * sizeof(Start));
}

bool hold_rest(Framer *framer, const Input *rest, int64_t offset, const Piece *piece) {
    size_t size = input_size(rest);
    if (framer->size > 0) {
        memmove(framer->held, rest->at, size);
        framer->size = size;
        drop_starts(framer, offset);
    }
    else if (!add_held(framer, rest) || (size > 0 && !add_start(framer, piece->offset, &piece->place))) {
        return false;
    }
    if (size == 0) { framer->start_count = 0; }
    framer->begin = offset;
    framer->need = size == 0 ? 0 : size_needed(framer);
    return true;
}

const Place *place_at(const Framer *framer, int64_t offset, size_t *start) {
    while (*start + 1 < framer->start_count && framer->starts[*start + 1].offset <= offset) { ++*start; }
    return &framer->starts[*start].place;
}

/* --- Frames within frames --- */

bool is_sample(Framer *framer, const Frame *frame) {
    if (--framer->until > 0) { return false; }
    framer->looks++;
    framer->until = framer->looks < FRAMES_PER_SAMPLE ? 1 : FRAMES_PER_SAMPLE;
    return frame->type != PROTOCOL_HEADER_TYPE && !framer->hides_frames;
}

/* An end octet, then a type, a channel, and a size below 2^24. */
static bool may_hide_frames0(const Input *payload) {
    Input rest = *payload;
    while ((rest.at = memchr(rest.at, END_OCTET, input_size(&rest))) != NULL) {
        rest.at++;
        bool is_type = input_has(&rest, 5) && (*rest.at <= BODY_FRAME || *rest.at == HEARTBEAT_FRAME);
        if (is_type && rest.at[3] == 0) { return true; }
    }
    return false;
}

/* A size below 2^24, a data offset of two words, and a type; or a protocol header. */
static bool may_hide_frames1(const Input *payload) {
    Input rest = *payload;
    while ((rest.at = memchr(rest.at, 2, input_size(&rest))) != NULL) {
        if (rest.at - payload->at >= 4 && rest.at[-4] == 0 && input_has(&rest, 2) && rest.at[1] <= SASL_FRAME) {
            return true;
        }
        rest.at++;
    }
    rest.at = payload->at;
    while ((rest.at = memchr(rest.at, LETTERS[0], input_size(&rest))) != NULL) {
        if (has_letters(&rest)) { return true; }
        rest.at++;
    }
    return false;
}

bool may_hide_frames(const Framer *framer, const Input *payload) {
    if (input_size(payload) == 0) { return false; }
    return framer->family == 0 ? may_hide_frames0(payload) : may_hide_frames1(payload);
}

void free_framer(Framer *framer) {
    PyMem_Free(framer->held);
    PyMem_Free(framer->starts);
    framer->held = NULL;
    framer->starts = NULL;
    framer->size = framer->capacity = framer->start_count = framer->start_capacity = 0;
}
