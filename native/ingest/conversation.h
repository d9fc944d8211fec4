/* Pieces of streams to frames.

   In order, conversation.c cuts frames. Whatever else there is about a connection is the business of the Python class
   `amqp_traffic.frames.native_conversation.NativeConversation`: which protocol is spoken, what connection-level frames
   say, their secrets, and the search for the next frame after a gap or damage. */
#ifndef AMQP_NATIVE_INGEST_CONVERSATION_H
#define AMQP_NATIVE_INGEST_CONVERSATION_H

#include "frame_rows.h"

/* What takes the pieces of connections, each of which has a conversation from its first piece on. */
PieceSink conversation_sink(Shared *shared);

#endif
