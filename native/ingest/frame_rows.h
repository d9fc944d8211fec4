/* Frames to rows of the tables `frames`, `methods` and `performatives`, and to events for the assembly of messages.

   The counterpart of `amqp_traffic.decode`. A frame that cannot be decoded is described by Python, with a reason. */
#ifndef AMQP_NATIVE_INGEST_FRAME_ROWS_H
#define AMQP_NATIVE_INGEST_FRAME_ROWS_H

#include "framer.h"
#include "ingest.h"

/* The state of a connection between its streams and its rows; see conversation.h. */
typedef struct Conversation {
    Connection *connection;
    PyObject *host;          /* `amqp_traffic.frames.native_conversation.NativeConversation` */
    size_t package;          /* the number of the package that reads its frames */
    Framer framers[2];
    int64_t hints;           /* frames whose methods may still tell the version */
    Map hinted;              /* the methods that were shown to Python, by key + 1 */
    Map channels;            /* those in use, by number + 1 */
    uint32_t last_channel;   /* + 1 */
    bool has_begun;          /* the package is that of frames that were read */
    bool is_given_up;        /* there was an error: no more messages */
    int64_t frames;
    int64_t good[2], bad[2];
    Assembly0 *assembly0;
    Assembly1 *assembly1;
} Conversation;

bool make_frame_rows(Ingest *ingest);
/* Takes frames of one direction, in order. */
bool take_frames(Conversation *conversation, int direction, const Frame *frames, size_t count);
/* Writes the rows of messages and requests that are still open. */
bool finish_messages(Conversation *conversation);
/* Forgets them. */
void drop_messages(Conversation *conversation);

#endif
