/* Frames of one direction, as long as its stream is in order: the fast half of `amqp_traffic.frames.framer.Framer`.

   Theory of operation. `cut_frame` finds the frame at the beginning of some octets. What does not make a whole frame
   yet is held, with the place of the packet that each part is from. A framer is either here or in Python:
   `conversation.c` moves it, with all that is held, when something comes that is not a frame, and takes it back when
   the stream is in order again. */
#ifndef AMQP_NATIVE_INGEST_FRAMER_H
#define AMQP_NATIVE_INGEST_FRAMER_H

#include "map.h"
#include "rows.h"

/* Where a packet begins in the stream. */
typedef struct {
    int64_t offset;
    Place place;
} Start;

typedef struct {
    bool is_here;
    int family;            /* 0: 0-x, 1: 1.0 */
    bool types[256];       /* the frame types of the version, 0-x */
    uint64_t limit;        /* the largest frame */
    uint64_t header_limit; /* the largest content header of 0-x, where that is above the limit */
    uint8_t *held;         /* the beginning of a frame */
    size_t size, capacity;
    uint64_t need; /* octets that it takes to go on */
    int64_t begin; /* the offset of the first octet held */
    Start *starts; /* of what is held */
    size_t start_count, start_capacity;
    int64_t framed;   /* octets of frames since the framer is here */
    int until, looks; /* see `EmbeddedFrameSampler` */
    bool hides_frames;
} Framer;

typedef enum { WHOLE_FRAME, INCOMPLETE_FRAME, NO_FRAME } Cut;

/* Cuts the frame, or the protocol header, at the beginning of some octets; its place is not set. */
Cut cut_frame(const Framer *framer, Input *in, int64_t offset, Frame *frame);
/* Whether a frame is about the connection as a whole, and Python wants to see it; see `FrameFormat.is_control`.
   `telling` has the methods of 0-x from which it learns, or which have secrets. */
bool is_control(const Framer *framer, const Frame *frame, const Map *telling);

/* Holds a piece behind what is held. */
bool hold_piece(Framer *framer, const Piece *piece);
/* Holds the rest of what was read: of what is held, or else of a piece; and sets how many octets it takes to go on. */
bool hold_rest(Framer *framer, const Input *rest, int64_t offset, const Piece *piece);
/* Adds where a packet begins. */
bool add_start(Framer *framer, int64_t offset, const Place *place);
bool add_held(Framer *framer, const Input *octets);
/* The place of the packet that has the octet at an offset; `*start` is where to look first. */
const Place *place_at(const Framer *framer, int64_t offset, size_t *start);

/* Whether it is time to look for frames in the payload of a frame; counts the frame. */
bool is_sample(Framer *framer, const Frame *frame);
/* False when there can be no frame in it; else Python has to look. */
bool may_hide_frames(const Framer *framer, const Input *payload);

void free_framer(Framer *framer);

#endif
