/* Pieces of streams to frames: the room between `streams.h` and the rows of frames.

   In order, frames are cut here. Whatever else there is about a connection is the business of the Python class
   `amqp_traffic.frames.native_conversation.NativeConversation`: which protocol is spoken, what connection-level frames say,
   their secrets, and the search for the next frame after a gap or damage. */
#ifndef AMQP_NATIVE_INGEST_CONVERSATION_H
#define AMQP_NATIVE_INGEST_CONVERSATION_H

#include "streams.h"

typedef struct Conversation Conversation;

/* Takes the next piece of a direction; pieces of a direction are adjacent. */
bool take_piece(Connection *connection, int direction, const Piece *piece);
/* Takes what is left out of a stream; `offset` is that in the stream, or -1. `direction` is -1 where it is not about one. */
bool leave_out(Connection *connection, int direction, StreamReason reason, int64_t offset, uint64_t length, const Place *place);
/* Ends the connection, whose streams are complete; frees the conversation. */
bool end_conversation(Connection *connection);
/* Frees it without any row. */
void drop_conversation(Connection *connection);

#endif
