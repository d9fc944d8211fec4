/* The state of one stream and of its connection, and which side is the client; see `amqp_traffic.streams.connection`.

   Sequence numbers are those of the wire, modulo 2^32. Offsets count from the first octet of the stream; they may be
   negative until the beginning is certain. */
#ifndef AMQP_NATIVE_INGEST_STREAM_H
#define AMQP_NATIVE_INGEST_STREAM_H

#include "map.h"
#include "packets.h"
#include "reassembly.h"

typedef struct Connection Connection;
typedef struct Stream Stream;

/* How a connection began and ended, and what tells client and server; the names are those of `CapturedConnection`. */
typedef enum { BEGAN_MID_STREAM, BEGAN_WITH_SYN } StartMode;
typedef enum { END_OPEN, END_FIN, END_RST, END_NOT_FOLLOWED } EndMode;
typedef enum { ROLE_UNKNOWN, ROLE_BY_PORT, ROLE_BY_SYN, ROLE_BY_HEADER, ROLE_BY_METHOD, ROLE_BY_LOWER_PORT } RoleBy;

/* Reasons of the quarantine that streams know; the names are those of `amqp_traffic.capture.quarantine.Reason`. */
typedef enum { SEQ_GAP, SNAPLEN_CUT, OVERLAP_CONFLICT, NO_DATA, MANY_OPEN, STREAM_REASONS } StreamReason;

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

/* Who takes what the streams hand on. */
typedef struct {
    void *context; /* the first argument of functions */
    /* Takes the next piece of a direction; pieces of a direction are adjacent. */
    bool (*take_piece)(void *context, Connection *connection, int direction, const Piece *piece);
    /* Takes what is left out of a stream; `offset` is that in the stream, or -1. `direction` is -1 where it is not
       about one. */
    bool (*leave_out)(void *context, const Connection *connection, int direction, StreamReason reason, int64_t offset,
                      uint64_t length, const Place *place);
    /* Ends the connection, whose streams are complete; frees its conversation. */
    bool (*end)(void *context, Connection *connection);
    /* Frees its conversation, which must be there, without any row. */
    void (*drop)(Connection *connection);
    /* Visits the Python objects of its conversation, which must be there. */
    int (*visit)(const Connection *connection, visitproc visit, void *arg);
} PieceSink;

struct Connection {
    const PieceSink *sink;
    struct Conversation *conversation; /* of the sink; NULL before the first piece */
    int64_t number;                    /* from 1, in the order of the first packets */
    Place first;
    StartMode start_mode;
    EndMode end_mode;
    RoleBy role_by;
    int64_t packets;
    int64_t over_after;
    Stream streams[2]; /* in the order of the first packets */
    struct Bucket *bucket;
    struct Connection *earlier, *later; /* in its bucket */
    Stream *sides[2]; /* by direction once the roles are known, until then in the order of the first packets */
};

/* The flags of a TCP header. */
enum { FIN = 1, SYN = 2, RST = 4, ACK = 16 };

/* The offset of a sequence number; `expected` must be known. */
int64_t offset_of(const Stream *stream, uint32_t sequence);
/* The offset up to which the peer has everything; that of the next octet if it never acknowledged. */
int64_t acknowledged_offset(const Stream *stream);
/* Decides where a stream begins whose SYN was not captured; something has to be held. */
void settle_stream(Stream *stream);
/* Sets the certain sequence number of the first octet. */
void set_beginning(Stream *stream, uint32_t first);
/* Takes a SYN: the beginning is certain; with an acknowledgment, so is that of the peer. */
void synchronise_stream(Stream *stream, const Segment *segment);
/* Takes an acknowledgment of the peer, not the first one. */
bool raise_acknowledged(Stream *stream, uint32_t acknowledgment);
/* Takes any acknowledgment of the peer: it has all octets before this one. */
void acknowledge_stream(Stream *stream, uint32_t acknowledgment);
/* Whether a segment is of this connection, not of a new one with the same addresses and ports. */
bool continues_stream(const Stream *stream, const Segment *segment);

/* Its roles are known and it cannot be over: it has not ended, and both sides or data were seen. */
bool is_usual(const Connection *connection);
/* It had ended, or was never answered, long before this packet. */
bool is_over(const Connection *connection, int64_t packet_no);

void set_roles(Stream *client, RoleBy role_by);
/* Sets the roles if exactly one of the ports is a server's. */
void set_roles_by_port(Stream *stream, const bool *server_ports);
/* Chooses the client by the data held, else by the ports. */
void choose_roles(Connection *connection, const Map *senders);

/* --- delivery.c: octets to ordered pieces --- */

/* Hands on the octets of a segment that is the next of its stream. */
bool hand_on_next(Recent *recent, Stream *stream, const Segment *segment, const Place *place, bool is_lasting);
/* Holds the new octets of a segment, the first of which has this sequence number; counts and compares those that come
   again. */
bool hold_octets(Recent *recent, Stream *stream, const Segment *segment, uint32_t sequence, const Place *place,
                 bool is_lasting);
/* Hands on what is ready in both directions, in the order of packets; with `is_forced` all that is held. */
bool release_octets(Connection *connection, const Map *senders, bool is_forced);
/* Hands on as a gap what the peer acknowledged but was not captured; up to the FIN, if that was captured. */
bool hand_on_lost_end(Stream *stream);

#endif
