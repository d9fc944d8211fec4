#include "conversation.h"
#include "delivery.h"
#include "stream.h"
#include "stream_map.h"

/* Packets after its end, or after an unanswered SYN, until a connection is given up. */
enum { LINGER_PACKETS = 1 << 16 };

/* When to look whether a connection is over. It may be gone by then. */
typedef struct Closing {
    struct Closing *next;
    int64_t over_after;
    int64_t number;
} Closing;

struct Tracker {
    struct Ingest *ingest;
    const bool *server_ports;
    const Map *senders;
    StreamMap streams;
    Map connections; /* by number; owns them */
    int64_t count;   /* of connections so far */
    Closing *closing, **closing_end; /* the first, and where the next goes */
    Recent recent;
};

/* --- Beginning and end --- */

static void free_connection(Connection *connection) {
    if (connection->conversation != NULL) drop_conversation(connection);
    for (int index = 0; index < 2; index++) release_held(&connection->streams[index].held);
    PyMem_Free(connection);
}

/* Notes when to give up a connection that has ended or sent a SYN. */
static bool give_up_after(Tracker *tracker, Connection *connection, int64_t packet_no) {
    Closing *closing = PyMem_Malloc(sizeof *closing);
    if (closing == NULL) {
        PyErr_NoMemory();
        return false;
    }
    connection->over_after = packet_no;
    *closing = (Closing){NULL, packet_no, connection->number};
    *tracker->closing_end = closing;
    tracker->closing_end = &closing->next;
    return true;
}

/* The first of those noted. */
static Closing take_closing(Tracker *tracker) {
    Closing *first = tracker->closing, closing = *first;
    tracker->closing = first->next;
    if (first->next == NULL) tracker->closing_end = &tracker->closing;
    PyMem_Free(first);
    return closing;
}

static bool close_connection(Tracker *tracker, Connection *connection, EndMode mode, int64_t packet_no) {
    if (connection->end_mode != END_OPEN) return true;
    connection->end_mode = mode;
    return give_up_after(tracker, connection, packet_no + LINGER_PACKETS);
}

static void start_stream(Connection *connection, int index, const uint8_t *flow, uint8_t flow_size) {
    Stream *stream = connection->sides[index] = &connection->streams[index];
    stream->connection = connection;
    stream->peer = &connection->streams[1 - index];
    stream->lost_since = -1;
    stream->flow_size = flow_size;
    memcpy(stream->flow, flow, flow_size);
}

/* Addresses and ports of the other direction. */
static void reverse_flow(const Segment *segment, uint8_t *reversed) {
    size_t address = (segment->flow_size - 4u) / 2, ports = 2 * address;
    memcpy(reversed, segment->flow + address, address);
    memcpy(reversed + address, segment->flow, address);
    memcpy(reversed + ports, segment->flow + ports + 2, 2);
    memcpy(reversed + ports + 2, segment->flow + ports, 2);
}

/* Makes a connection that begins with a segment; its sender comes first. NULL with an exception. */
static Connection *make_connection(Tracker *tracker, const Segment *segment, const Place *place) {
    Connection *connection = PyMem_Calloc(1, sizeof *connection);
    if (connection == NULL) return (Connection *)PyErr_NoMemory();
    uint8_t reversed[LONGEST_FLOW];
    reverse_flow(segment, reversed);
    start_stream(connection, 0, segment->flow, segment->flow_size);
    start_stream(connection, 1, reversed, segment->flow_size);
    connection->ingest = tracker->ingest;
    connection->number = tracker->count + 1;
    connection->first = *place;
    if (!map_put(&tracker->connections, (uint64_t)connection->number, connection)) {
        PyMem_Free(connection);
        return NULL;
    }
    tracker->count++;
    return connection;
}

/* The stream of the first segment of a connection; NULL with an exception. */
static Stream *begin(Tracker *tracker, const Segment *segment, const Place *place) {
    Connection *connection = make_connection(tracker, segment, place);
    if (connection == NULL) return NULL;
    Stream *sender = &connection->streams[0], *receiver = &connection->streams[1];
    if (!add_stream(&tracker->streams, receiver) || !add_stream(&tracker->streams, sender)) return NULL;
    if (!(segment->flags & SYN)) {
        set_roles_by_port(sender, tracker->server_ports);
        return sender;
    }
    connection->start_mode = BEGAN_WITH_SYN;
    set_roles(segment->flags & ACK ? receiver : sender, ROLE_BY_SYN);
    return give_up_after(tracker, connection, place->packet_no + LINGER_PACKETS) ? sender : NULL;
}

/* Hands on what is held and what is lost at the end, ends the connection, and frees it. */
static bool finish(Tracker *tracker, Connection *connection) {
    if (!release_octets(connection, tracker->senders, true)) return false;
    if (connection->role_by == ROLE_UNKNOWN) choose_roles(connection, tracker->senders);
    bool has_data = false;
    for (int side = 0; side < 2; side++) {
        Stream *stream = connection->sides[side];
        if (!hand_on_lost_end(stream)) return false;
        remove_stream(&tracker->streams, stream);
        has_data = has_data || stream->offset > stream->gap;
    }
    if (!has_data && !leave_out(connection, -1, NO_DATA, -1, 0, &connection->first)) return false;
    if (!end_conversation(connection)) return false;
    map_take(&tracker->connections, (uint64_t)connection->number);
    free_connection(connection);
    return true;
}

/* Whether segments of its flow belong to a stream: if an endpoint is connected with itself, to one of both only. */
static bool is_found(const Tracker *tracker, const Stream *stream) {
    return find_stream(&tracker->streams, stream->flow, stream->flow_size) == stream;
}

/* Gives up connections that are over, to free memory; their next packet would do so, too. */
static bool expire(Tracker *tracker, int64_t packet_no) {
    while (tracker->closing != NULL && tracker->closing->over_after < packet_no) {
        Closing closing = take_closing(tracker);
        Connection *connection = map_get(&tracker->connections, (uint64_t)closing.number);
        if (connection == NULL || !is_found(tracker, connection->sides[0])) continue;
        if (is_over(connection, packet_no)) {
            if (!finish(tracker, connection)) return false;
        } else if (connection->end_mode != END_OPEN) {
            if (!give_up_after(tracker, connection, connection->over_after)) return false;
        }
    }
    return true;
}

/* --- Segments --- */

static bool has_payload(const Segment *segment) { return input_size(&segment->payload) > 0 || segment->missing > 0; }

/* The next segment of its stream, and there is nothing else to do. */
static bool is_next(const Stream *stream, const Segment *segment) {
    return stream->is_plain && stream->expected == segment->sequence && (segment->flags & (FIN | SYN | RST | ACK)) == ACK &&
           segment->missing == 0;
}

static void set_last(Stream *stream, const Place *place) {
    stream->last = *place;
    stream->has_last = true;
}

static bool pass_on(Tracker *tracker, Stream *stream, const Segment *segment, const Place *place, bool is_lasting) {
    set_last(stream, place);
    raise_acknowledged(stream->peer, segment->acknowledgment);
    return input_size(&segment->payload) == 0 || hand_on_next(&tracker->recent, stream, segment, place, is_lasting);
}

/* Notes what a segment says but for its octets. */
static void note_segment(Stream *stream, const Segment *segment, const Place *place) {
    Connection *connection = stream->connection;
    connection->packets++;
    set_last(stream, place);
    if (input_size(&segment->payload) > 0 && connection->end_mode != END_OPEN)
        connection->over_after = place->packet_no + LINGER_PACKETS;
    if (segment->flags & ACK) acknowledge_stream(stream->peer, segment->acknowledgment);
    if (segment->flags & SYN) synchronise_stream(stream, segment);
}

/* Takes octets and FIN. A SYN takes the sequence number before the first octet. */
static bool take_octets(Tracker *tracker, Stream *stream, const Segment *segment, const Place *place, bool is_lasting) {
    uint32_t sequence = segment->sequence + (segment->flags & SYN ? 1 : 0);
    if (!stream->is_known && (has_payload(segment) || segment->flags & FIN)) {
        stream->expected = stream->first_sequence = sequence; /* for now, see `settle_stream` */
        stream->is_known = true;
        stream->first_seen = stream->connection->packets;
    }
    if (has_payload(segment) && !hold_octets(&tracker->recent, stream, segment, sequence, place, is_lasting)) return false;
    if (!(segment->flags & FIN) || stream->has_end) return true;
    stream->has_end = true;
    stream->end = offset_of(stream, sequence) + (int64_t)(input_size(&segment->payload) + segment->missing);
    if (!stream->peer->has_end && stream->peer->is_known) return true;
    return close_connection(tracker, stream->connection, END_FIN, place->packet_no);
}

/* The stream that a segment belongs to, which may begin or end a connection; NULL without one, or with an exception. */
static Stream *stream_of(Tracker *tracker, Stream *stream, const Segment *segment, const Place *place) {
    if (stream != NULL && is_over(stream->connection, place->packet_no)) {
        if (!finish(tracker, stream->connection)) return NULL;
        stream = NULL;
    }
    if (stream != NULL && continues_stream(stream, segment)) return stream;
    if (segment->flags & RST || !(segment->flags & SYN || has_payload(segment))) return NULL;
    if (stream != NULL && !finish(tracker, stream->connection)) return NULL;
    return begin(tracker, segment, place);
}

static bool add_segment(Tracker *tracker, Stream *stream, const Segment *segment, const Place *place, bool is_lasting) {
    stream = stream_of(tracker, stream, segment, place);
    if (stream == NULL) return PyErr_Occurred() == NULL;
    note_segment(stream, segment, place);
    if (segment->flags & RST) {
        stream->discarded += (int64_t)input_size(&segment->payload); /* a diagnostic text at most */
        if (!close_connection(tracker, stream->connection, END_RST, place->packet_no)) return false;
    } else if (!take_octets(tracker, stream, segment, place, is_lasting)) {
        return false;
    }
    return release_octets(stream->connection, tracker->senders, false) && expire(tracker, place->packet_no);
}

bool track_segment(Tracker *tracker, const Segment *segment, const Place *place, bool is_lasting) {
    Stream *stream = find_stream(&tracker->streams, segment->flow, segment->flow_size);
    if (stream != NULL && is_next(stream, segment)) return pass_on(tracker, stream, segment, place, is_lasting);
    return add_segment(tracker, stream, segment, place, is_lasting);
}

bool end_of_file(Tracker *tracker) { return copy_remembered(&tracker->recent); }

bool end_streams(Tracker *tracker) {
    for (int64_t number = 1; number <= tracker->count; number++) {
        Connection *connection = map_get(&tracker->connections, (uint64_t)number);
        if (connection != NULL && !finish(tracker, connection)) return false;
    }
    return true;
}

Tracker *new_tracker(struct Ingest *ingest, const bool *server_ports, const Map *senders) {
    Tracker *tracker = PyMem_Calloc(1, sizeof *tracker);
    if (tracker == NULL) return (Tracker *)PyErr_NoMemory();
    if (!start_stream_map(&tracker->streams)) {
        PyMem_Free(tracker);
        return NULL;
    }
    tracker->ingest = ingest;
    tracker->server_ports = server_ports;
    tracker->senders = senders;
    tracker->closing_end = &tracker->closing;
    return tracker;
}

void free_tracker(Tracker *tracker) {
    size_t place = 0;
    Connection *connection;
    while ((connection = map_next(&tracker->connections, &place)) != NULL) free_connection(connection);
    while (tracker->closing != NULL) take_closing(tracker);
    free_map(&tracker->connections);
    free_stream_map(&tracker->streams);
    forget_all(&tracker->recent);
    PyMem_Free(tracker);
}
