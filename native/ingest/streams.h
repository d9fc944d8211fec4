/* TCP segments to ordered pieces of streams, for each connection (RFC 9293).

   The counterpart of `amqp_traffic.streams`: the same connections, pieces, ledgers and rows of quarantine, whatever the capture
   holds. The next room is `conversation.h`; it gets each piece as it becomes ready.

   Theory of operation. Most segments are the next of their stream, and nothing is held: their octets are handed on at once.
   All others are held (`reassembly.h`) until they are next, or what is missing before them is lost (`delivery.h`): when the peer
   has acknowledged later octets and a few more packets have come, or when too much is held. `stream.h` knows the state of a
   stream: where it begins, what is acknowledged, whether a segment is part of it, which side is the client. `streams.c` has the
   connections: when they begin and end. One that is closed ends when its addresses and ports are used again, after many more
   packets, or with the capture. */
#ifndef AMQP_NATIVE_INGEST_STREAMS_H
#define AMQP_NATIVE_INGEST_STREAMS_H

#include "packets.h"
#include "map.h"
#include "rows.h"

struct Ingest;
struct Conversation;
typedef struct Connection Connection;
typedef struct Stream Stream;

/* How a connection began and ended, and what tells client and server; the names are those of `CapturedConnection`. */
typedef enum { BEGAN_MID_STREAM, BEGAN_WITH_SYN } StartMode;
typedef enum { END_OPEN, END_FIN, END_RST } EndMode;
typedef enum { ROLE_UNKNOWN, ROLE_BY_PORT, ROLE_BY_SYN, ROLE_BY_HEADER, ROLE_BY_METHOD, ROLE_BY_LOWER_PORT } RoleBy;

/* Reasons of the quarantine that streams know; the names are those of `amqp_traffic.capture.quarantine.Reason`. */
typedef enum { SEQ_GAP, SNAPLEN_CUT, OVERLAP_CONFLICT, NO_DATA, STREAM_REASONS } StreamReason;

/* Chunks that wait for earlier octets: in order, without overlap; see `reassembly.h`. */
typedef struct {
    struct Chunk **chunks;
    size_t count, capacity;
    size_t octets;
} Held;

/* One direction; see `amqp_traffic.streams.connection.Stream` for what each member is. */
struct Stream {
    Chained chained; /* by its flow */
    Connection *connection;
    Stream *peer;
    uint8_t flow[LONGEST_FLOW];
    uint8_t flow_size;
    uint8_t direction; /* known when the first piece is handed on, until then FROM_CLIENT */
    bool is_known;     /* `expected` and `first_sequence` have values */
    bool is_settled, is_plain, is_finished;
    bool is_acknowledged; /* `first_acknowledged` and `acknowledged` have values */
    bool has_end, has_last;
    uint32_t expected, first_sequence;
    int64_t offset;
    Held held;
    int64_t first_seen;
    uint32_t first_acknowledged, acknowledged;
    int64_t acknowledged_at;
    int64_t lost_since; /* -1: nothing is lost */
    int64_t end;
    Place last;
    int64_t gap, duplicate, discarded;
};

struct Connection {
    struct Ingest *ingest;
    struct Conversation *conversation; /* of the next room; NULL before the first piece */
    int64_t number; /* from 1, in the order of the first packets */
    Place first;
    StartMode start_mode;
    EndMode end_mode;
    RoleBy role_by;
    int64_t packets;
    int64_t over_after;
    Stream streams[2];   /* in the order of the first packets */
    Stream *sides[2];    /* by direction once the roles are known, until then in the order of the first packets */
};

typedef struct Tracker Tracker;

/* `server_ports` has 65,536 flags. `senders` has the methods of amqp_0_9_1_rabbitmq that only one side sends, by key (class id
   << 16 | method id); the items are 1 + FROM_CLIENT or 1 + FROM_SERVER, as pointers. Both belong to the caller, and live longer
   than the tracker. NULL with an exception. */
Tracker *new_tracker(struct Ingest *ingest, const bool *server_ports, const Map *senders);
/* Frees all, without handing anything on. */
void free_tracker(Tracker *tracker);
/* Takes the next segment. With `is_lasting`, its payload stays where it is until `end_of_file`. */
bool track_segment(Tracker *tracker, const Segment *segment, const Place *place, bool is_lasting);
/* Whatever lasts no longer than the file is copied. */
bool end_of_file(Tracker *tracker);
/* Hands on all that is held, and ends all connections, in the order of their numbers. */
bool end_streams(Tracker *tracker);

#endif
