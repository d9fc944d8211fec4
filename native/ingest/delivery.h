/* Octets of a connection to ordered pieces: what is held, what is handed on when, and what counts as lost. */
#ifndef AMQP_NATIVE_INGEST_DELIVERY_H
#define AMQP_NATIVE_INGEST_DELIVERY_H

#include "reassembly.h"

/* Hands on the octets of a segment that is the next of its stream. */
bool hand_on_next(Recent *recent, Stream *stream, const Segment *segment, const Place *place, bool is_lasting);
/* Holds the new octets of a segment, the first of which has this sequence number; counts and compares those that come again. */
bool hold_octets(Recent *recent, Stream *stream, const Segment *segment, uint32_t sequence, const Place *place, bool is_lasting);
/* Hands on what is ready in both directions, in the order of packets; with `is_forced` all that is held. */
bool release_octets(Connection *connection, const Map *senders, bool is_forced);
/* Hands on as a gap what the peer acknowledged but was not captured; up to the FIN, if that was captured. */
bool hand_on_lost_end(Stream *stream);

#endif
