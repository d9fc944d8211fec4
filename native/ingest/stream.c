#include "stream.h"

/* A segment further away, after the end, belongs to another connection of the same addresses and ports. */
enum { WINDOW_AFTER_END = 1 << 20 };

int64_t offset_of(const Stream *stream, uint32_t sequence) {
    return stream->offset + distance(stream->expected, sequence);
}

int64_t acknowledged_offset(const Stream *stream) {
    if (!stream->is_acknowledged) { return stream->offset; }
    uint32_t there = stream->first_sequence + (uint32_t)stream->acknowledged_at;
    return stream->acknowledged_at + distance(there, stream->acknowledged);
}

/* Moves the beginning so many octets back; it is certain then. Nothing may have been handed on yet. Octets before it
   are not part of the stream: its receiver drops them. */
static void move_beginning(Stream *stream, int64_t by) {
    stream->expected = stream->first_sequence = stream->first_sequence - (uint32_t)by;
    move_chunks(&stream->held, by);
    stream->discarded += drop_chunks(&stream->held, 0);
    if (stream->has_end) { stream->end += by; }
    stream->is_settled = true;
}

/* It begins with the first octet held; but octets before that which the peer acknowledged during the capture are lost,
   and part of the stream. */
void settle_stream(Stream *stream) {
    int64_t first = stream->held.chunks[0]->offset;
    if (stream->is_acknowledged) {
        int64_t acknowledged = distance(stream->first_sequence, stream->first_acknowledged);
        bool is_certain = stream->connection->start_mode == BEGAN_WITH_SYN || acknowledged_offset(stream) >= first;
        if (is_certain && first - LARGEST_WINDOW < acknowledged && acknowledged < first) { first = acknowledged; }
    }
    move_beginning(stream, -first);
}

void set_beginning(Stream *stream, uint32_t first) {
    if (!stream->is_known) {
        stream->expected = stream->first_sequence = first;
        stream->is_known = stream->is_settled = true;
    }
    else if (distance(first, stream->first_sequence) > -LARGEST_WINDOW) {
        move_beginning(stream, distance(first, stream->first_sequence));
    }
}

void synchronise_stream(Stream *stream, const Segment *segment) {
    if (!stream->is_settled) { set_beginning(stream, segment->sequence + 1); }
    if (segment->flags & ACK && !stream->peer->is_settled) { set_beginning(stream->peer, segment->acknowledgment); }
}

/* Whether a sequence number is after another one, and near. */
static bool is_later(uint32_t sequence, uint32_t other) {
    uint32_t after = sequence - other;
    return 0 < after && after < LARGEST_WINDOW;
}

bool raise_acknowledged(Stream *stream, uint32_t acknowledgment) {
    if (!is_later(acknowledgment, stream->acknowledged)) { return false; }
    stream->acknowledged = acknowledgment;
    stream->acknowledged_at = stream->offset;
    return true;
}

void acknowledge_stream(Stream *stream, uint32_t acknowledgment) {
    if (!stream->is_acknowledged) {
        stream->first_acknowledged = stream->acknowledged = acknowledgment;
        stream->is_acknowledged = true;
    }
    else if (!raise_acknowledged(stream, acknowledgment) && stream->held.count > 0 && !stream->is_settled
             && is_later(stream->first_acknowledged, acknowledgment)) {
        stream->first_acknowledged = acknowledgment;
    }
}

static bool continues_with_syn(const Stream *stream, uint32_t first) {
    if (!stream->is_known) { return stream->connection->end_mode == END_OPEN; }
    if (stream->is_settled) { return first == stream->first_sequence; }
    int64_t before = distance(first, stream->first_sequence);
    return 0 <= before && before < WINDOW_AFTER_END;
}

bool continues_stream(const Stream *stream, const Segment *segment) {
    if (segment->flags & SYN) { return continues_with_syn(stream, segment->sequence + 1); }
    if (!stream->is_known || input_size(&segment->payload) == 0) { return true; }
    int64_t window = stream->connection->end_mode == END_OPEN ? LARGEST_WINDOW : WINDOW_AFTER_END;
    int64_t away = distance(stream->expected, segment->sequence);
    return -window <= away && away <= window;
}

static bool has_data(const Connection *connection) {
    return connection->streams[0].offset + connection->streams[1].offset > 0;
}

bool is_usual(const Connection *connection) {
    bool is_known = connection->role_by != ROLE_UNKNOWN && connection->end_mode == END_OPEN;
    return is_known && (connection->sides[1]->is_known || has_data(connection));
}

bool is_over(const Connection *connection, int64_t packet_no) {
    if (packet_no <= connection->over_after) { return false; }
    if (connection->end_mode != END_OPEN) { return true; }
    return connection->over_after > 0 && !connection->sides[1]->is_known && !has_data(connection);
}

/* --- Roles --- */

void set_roles(Stream *client, RoleBy role_by) {
    Connection *connection = client->connection;
    connection->sides[FROM_CLIENT] = client;
    connection->sides[FROM_SERVER] = client->peer;
    client->direction = FROM_CLIENT;
    client->peer->direction = FROM_SERVER;
    connection->role_by = role_by;
}

static uint16_t own_port(const Stream *stream) { return get_16(stream->flow + stream->flow_size - 4); }

void set_roles_by_port(Stream *stream, const bool *server_ports) {
    bool is_server = server_ports[own_port(stream)], is_client = server_ports[own_port(stream->peer)];
    if (is_server != is_client) { set_roles(is_client ? stream : stream->peer, ROLE_BY_PORT); }
}

/* The protocol header of AMQP, or one of the headers of the PROXY protocol. */
static bool is_client_beginning(const Chunk *chunk) {
    static const char *const BEGINNINGS[] = {"AMQP", "PROXY ", "\r\n\r\n\0\r\nQUIT\n"};
    static const size_t SIZES[] = {4, 6, 12};
    for (size_t index = 0; index < 3; index++) {
        if (chunk->size >= SIZES[index] && memcmp(chunk->octets, BEGINNINGS[index], SIZES[index]) == 0) { return true; }
    }
    return false;
}

/* Tells by the first octets of a segment whether the client sent it; ROLE_UNKNOWN if nothing tells. */
static RoleBy tell_sender(const Chunk *chunk, const Map *senders, bool *is_client) {
    enum { METHOD_FRAME = 1, MECHANISMS = 0x40, INIT = 0x41, RESPONSE = 0x43, OUTCOME = 0x44 };
    const uint8_t *octets = chunk->octets;
    if (is_client_beginning(chunk)) {
        *is_client = true;
        return ROLE_BY_HEADER;
    }
    if (chunk->size >= 12 && octets[0] == METHOD_FRAME) {
        uintptr_t sender = (uintptr_t)map_get(senders, get_32(octets + 7));
        *is_client = sender == 1 + FROM_CLIENT;
        return sender == 0 ? ROLE_UNKNOWN : ROLE_BY_METHOD;
    }
    /* AMQP 1.0, 5.3.1: data offset and type; 1.1.3: a described value with a small descriptor */
    if (chunk->size <= 10 || get_16(octets + 4) != 0x0201 || get_16(octets + 8) != 0x0053) { return ROLE_UNKNOWN; }
    *is_client = octets[10] == INIT || octets[10] == RESPONSE;
    return MECHANISMS <= octets[10] && octets[10] <= OUTCOME ? ROLE_BY_METHOD : ROLE_UNKNOWN;
}

void choose_roles(Connection *connection, const Map *senders) {
    Stream *one = connection->sides[0], *client = own_port(one) >= own_port(one->peer) ? one : one->peer;
    RoleBy role_by = ROLE_BY_LOWER_PORT;
    int64_t earliest = INT64_MAX;
    for (size_t index = 0; index < one->held.count + one->peer->held.count; index++) {
        Stream *stream = index < one->held.count ? one : one->peer;
        const Chunk *chunk = stream->held.chunks[stream == one ? index : index - one->held.count];
        bool is_client;
        RoleBy told = chunk->place.packet_no < earliest ? tell_sender(chunk, senders, &is_client) : ROLE_UNKNOWN;
        if (told == ROLE_UNKNOWN) { continue; }
        client = is_client ? stream : stream->peer;
        role_by = told;
        earliest = chunk->place.packet_no;
    }
    set_roles(client, role_by);
}
