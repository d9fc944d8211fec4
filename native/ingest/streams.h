/* TCP segments to ordered pieces of streams, for each connection (RFC 9293).

   The counterpart of `amqp_traffic.streams`: the same connections, pieces, ledgers and rows of quarantine, whatever the
   capture holds. A `PieceSink` gets each piece as it becomes ready.

   Theory of operation. Most segments are the next of their stream, and nothing is held: their octets are handed on at
   once. All others are held (`reassembly.h`) until they are next, or what is missing before them is lost
   (`delivery.c`): when the peer has acknowledged later octets and a few more packets have come, or when too much is
   held. `stream.h` knows the state of a stream: where it begins, what is acknowledged, whether a segment is part of it,
   which side is the client. `streams.c` has the connections: when they begin and end. One that is closed ends when its
   addresses and ports are used again, after many more packets, or with the capture. Those that are followed at once are
   bounded, see `amqp_traffic.streams.open_connections`. */
#ifndef AMQP_NATIVE_INGEST_STREAMS_H
#define AMQP_NATIVE_INGEST_STREAMS_H

#include "../src/steps.h"
#include "stream.h"

typedef struct Tracker Tracker;

/* `server_ports` has 65,536 flags. `senders` has the methods of amqp_0_9_1_rabbitmq that only one side sends, by key
   (class id
   << 16 | method id); the items are 1 + FROM_CLIENT or 1 + FROM_SERVER, as pointers. Both belong to the caller, and
   live longer than the tracker, as do the sink and the steps. */
Tracker *new_tracker(const PieceSink *sink, const bool *server_ports, const Map *senders, Steps *steps);
/* Frees all, without handing anything on. */
void free_tracker(Tracker *tracker);
int visit_tracker(const Tracker *tracker, visitproc visit, void *arg);
/* Takes the next segment. With `is_lasting`, its payload stays where it is until `end_of_file`. */
bool track_segment(Tracker *tracker, const Segment *segment, const Place *place, bool is_lasting);
/* Whatever lasts no longer than the file is copied. */
bool end_of_file(Tracker *tracker);
/* Hands on all that is held, and ends all connections, in the order of their numbers. */
bool end_streams(Tracker *tracker);

#endif
