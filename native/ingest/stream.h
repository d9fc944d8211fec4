/* The state of one stream and of its connection, and which side is the client; see `amqp_traffic.streams.connection`.

   Sequence numbers are those of the wire, modulo 2^32. Offsets count from the first octet of the stream; they may be negative
   until the beginning is certain. */
#ifndef AMQP_NATIVE_INGEST_STREAM_H
#define AMQP_NATIVE_INGEST_STREAM_H

#include "reassembly.h"

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
/* Counts octets as handed on. */
void advance_stream(Stream *stream, int64_t length);
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

#endif
