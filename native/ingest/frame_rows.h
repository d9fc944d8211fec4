/* Frames to rows of the tables `frames`, `methods` and `performatives`, and to events for the assembly of messages; the
   counterpart of `amqp_traffic.decode`. A frame that cannot be decoded is described by Python, with a reason. */
#ifndef AMQP_NATIVE_INGEST_FRAME_ROWS_H
#define AMQP_NATIVE_INGEST_FRAME_ROWS_H

#include "assembly.h"
#include "framer.h"
#include "packages.h"
#include "stream.h"

/* The numbers of names that frames have without a package's own, and of statuses. */
typedef struct {
    int32_t content_header, content_body, protocol_header, empty, ok, undecoded;
    int32_t others[256]; /* by frame type; -1: none */
} FrameNames;

/* What the conversations of an ingest share. */
typedef struct {
    PyObject *host; /* `amqp_traffic.ingest.native.host.NativeHost`; borrowed from the ingest */
    Packages packages;
    Map telling; /* the methods of 0-x that Python wants to see before they are delivered, by key */
    FrameNames names;
    RowMaker frames;
    RowMaker methods, performatives; /* without the arguments, which the layout has */
    Sink sink;
    Steps steps;
    Arena arena;  /* of the frame at hand */
    Frame *batch; /* the frames of a piece; nothing is in it but during a call */
    size_t batch_capacity;
} Shared;

/* The state of a connection between its streams and its rows. */
typedef struct Conversation {
    Shared *shared;
    Connection *connection;
    PyObject *host; /* `amqp_traffic.frames.native_conversation.NativeConversation` */
    size_t package; /* the number of the package that reads its frames */
    Framer framers[2];
    int64_t hints;         /* frames whose methods may still tell the version */
    Map hinted;            /* the methods that were shown to Python, by key + 1 */
    Map channels;          /* those in use, by number + 1 */
    uint32_t last_channel; /* + 1 */
    bool has_begun;        /* frames were read, so that the family of its packages is certain: */
    int family;
    bool is_given_up; /* there was an error: no more messages */
    int64_t frames;
    int64_t good[2], bad[2];
    Assembly0 *assembly0; /* of family 0 */
    Assembly1 *assembly1; /* of family 1 */
} Conversation;

/* Reads the recipes of rows. */
bool make_frame_rows(Shared *shared, Table *frames, Table *methods, Table *performatives, PyObject *recipes);
/* A FrameSpan of Python: (offset, size, type, channel, payload, packet_no, packet_offset, ns). */
PyObject *span_of(const Frame *frame);
/* Takes frames of one direction, in order. */
bool take_frames(Conversation *conversation, int direction, const Frame *frames, size_t count);
/* Writes the rows of messages and requests that are still open. */
bool finish_messages(Conversation *conversation);
void drop_messages(Conversation *conversation); /* without rows */
int visit_messages(const Conversation *conversation, visitproc visit, void *arg);

#endif
