#include "streams.h"

#include "flows.h"
#include "memory.h"

/* Packets after its end, or after an unanswered SYN, until a connection is given up. */
enum { LINGER_PACKETS = 1 << 16 };

/* When to look whether a connection is over. It may be gone by then. */
typedef struct Closing {
    struct Closing *next;
    int64_t over_after;
    int64_t number;
} Closing;

/* The connections of a bucket of flows that are followed. How many there are at most: see
   `amqp_traffic.streams.open_connections`. */
enum { MOST_OPEN = 16 };

typedef struct Bucket {
    Connection *first, *last;
    size_t count;
} Bucket;

struct Tracker {
    const PieceSink *sink;
    const bool *server_ports;
    const Map *senders;
    Steps *steps;
    Map streams;                     /* by a key that is mixed from the flow; they are looked up for every packet */
    uint64_t secret;                 /* of these keys */
    Map connections;                 /* by number; owns them */
    int64_t count;                   /* of connections so far */
    Closing *closing, **closing_end; /* the first, and where the next goes */
    Recent recent;
    Bucket buckets[BUCKETS];
};

/* --- Streams by flow --- */

static uint64_t key_of(const Tracker *tracker, const uint8_t *flow, size_t size) {
    return key_of_run(tracker->secret, (Input){flow, flow + size});
}

static Stream *find_stream(const Tracker *tracker, const uint8_t *flow, size_t size) {
    Stream *stream = map_get(&tracker->streams, key_of(tracker, flow, size));
    while (stream != NULL && (stream->flow_size != size || memcmp(stream->flow, flow, size) != 0)) {
        stream = (Stream *)stream->chained.next;
    }
    return stream;
}

/* Puts a stream before another one of the same flow. */
static bool add_stream(Tracker *tracker, Stream *stream) {
    stream->chained.key = key_of(tracker, stream->flow, stream->flow_size);
    return chain_put(&tracker->streams, &stream->chained);
}

/* --- Beginning and end --- */

static void free_connection(Connection *connection) {
    if (connection->conversation != NULL) { connection->sink->drop(connection); }
    for (int index = 0; index < 2; index++) { release_held(&connection->streams[index].held); }
    PyMem_Free(connection);
}

/* The number of its last packet. */
static int64_t last_sign(const Connection *connection) {
    int64_t one = connection->streams[0].last.packet_no, other = connection->streams[1].last.packet_no;
    return one > other ? one : other;
}

/* Whether a connection goes before another one: it has ended, or was silent for longer. */
static bool goes_before(const Connection *one, const Connection *other) {
    if ((one->end_mode == END_OPEN) != (other->end_mode == END_OPEN)) { return other->end_mode == END_OPEN; }
    int64_t last = last_sign(one), others = last_sign(other);
    return last < others || (last == others && one->number < other->number);
}

/* The connection that has to go before another one begins; NULL if there is room. */
static Connection *surplus(const Bucket *bucket) {
    if (bucket->count < MOST_OPEN) { return NULL; }
    Connection *first = bucket->first;
    for (Connection *other = first->later; other != NULL; other = other->later) {
        if (goes_before(other, first)) { first = other; }
    }
    return first;
}

/* Notes when to give up a connection that has ended or sent a SYN. */
static bool give_up_after(Tracker *tracker, Connection *connection, int64_t packet_no) {
    Closing *closing = new_memory(sizeof *closing);
    if (closing == NULL) { return false; }
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
    if (first->next == NULL) { tracker->closing_end = &tracker->closing; }
    PyMem_Free(first);
    return closing;
}

static bool close_connection(Tracker *tracker, Connection *connection, EndMode mode, int64_t packet_no) {
    if (connection->end_mode != END_OPEN) { return true; }
    connection->end_mode = mode;
    return give_up_after(tracker, connection, packet_no + LINGER_PACKETS);
}

/* Addresses and ports of the other direction. */
static void reverse_flow(const Segment *segment, uint8_t *reversed) {
    size_t address = (segment->flow_size - 4u) / 2, ports = 2 * address;
    memcpy(reversed, segment->flow + address, address);
    memcpy(reversed + address, segment->flow, address);
    memcpy(reversed + ports, segment->flow + ports + 2, 2);
    memcpy(reversed + ports + 2, segment->flow + ports, 2);
}

/* Makes a connection that begins with a segment; its sender comes first. */
static Connection *make_connection(Tracker *tracker, const Segment *segment, const Place *place) {
    Connection *connection = zeros(1, sizeof *connection);
    if (connection == NULL) { return NULL; }
    memcpy(connection->streams[0].flow, segment->flow, segment->flow_size);
    reverse_flow(segment, connection->streams[1].flow);
    for (int side = 0; side < 2; side++) {
        Stream *stream = connection->sides[side] = &connection->streams[side];
        stream->connection = connection;
        stream->peer = &connection->streams[1 - side];
        stream->lost_since = -1;
        stream->flow_size = segment->flow_size;
    }
    connection->sink = tracker->sink;
    connection->number = tracker->count + 1;
    connection->first = *place;
    if (!map_put(&tracker->connections, (uint64_t)connection->number, connection)) {
        PyMem_Free(connection);
        return NULL;
    }
    tracker->count++;
    return connection;
}

static bool leave_out(const Connection *connection, StreamReason reason, const Place *place) {
    const PieceSink *sink = connection->sink;
    return sink->leave_out(sink->context, connection, -1, reason, -1, 0, place);
}

/* Hands on what is held and what is lost at the end, ends the connection, and frees it. */
static bool finish(Tracker *tracker, Connection *connection) {
    if (!release_octets(connection, tracker->senders, true)) { return false; }
    if (connection->role_by == ROLE_UNKNOWN) { choose_roles(connection, tracker->senders); }
    bool has_data = false;
    for (int side = 0; side < 2; side++) {
        Stream *stream = connection->sides[side];
        if (!hand_on_lost_end(stream)) { return false; }
        chain_take(&tracker->streams, &stream->chained);
        has_data = has_data || stream->offset > stream->gap;
    }
    if (!has_data && !leave_out(connection, NO_DATA, &connection->first)) { return false; }
    if (!connection->sink->end(connection->sink->context, connection)) { return false; }
    REMOVE_ITEM(connection->bucket, connection, earlier, later);
    connection->bucket->count--;
    map_take(&tracker->connections, (uint64_t)connection->number);
    free_connection(connection);
    return true;
}

/* Ends a connection to make room for another one, which begins with the packet at hand. */
static bool follow_no_longer(Tracker *tracker, Connection *connection, const Place *place) {
    if (connection->end_mode == END_OPEN) {
        connection->end_mode = END_NOT_FOLLOWED;
        if (!leave_out(connection, MANY_OPEN, place)) { return false; }
    }
    return finish(tracker, connection);
}

/* Makes the stream of the first segment of a connection. */
static Stream *begin(Tracker *tracker, const Segment *segment, const Place *place) {
    Bucket *bucket = &tracker->buckets[bucket_of(segment->flow, segment->flow_size)];
    Connection *silent = surplus(bucket);
    if (silent != NULL && !follow_no_longer(tracker, silent, place)) { return NULL; }
    Connection *connection = make_connection(tracker, segment, place);
    if (connection == NULL) { return NULL; }
    Stream *sender = &connection->streams[0], *receiver = &connection->streams[1];
    connection->bucket = bucket;
    APPEND_ITEM(bucket, connection, earlier, later);
    bucket->count++;
    if (!add_stream(tracker, receiver) || !add_stream(tracker, sender)) { return NULL; }
    if (!(segment->flags & SYN)) {
        set_roles_by_port(sender, tracker->server_ports);
        return sender;
    }
    connection->start_mode = BEGAN_WITH_SYN;
    set_roles(segment->flags & ACK ? receiver : sender, ROLE_BY_SYN);
    return give_up_after(tracker, connection, place->packet_no + LINGER_PACKETS) ? sender : NULL;
}

/* Gives up connections that are over, to free memory; their next packet would do so, too. */
static bool expire(Tracker *tracker, int64_t packet_no) {
    while (tracker->closing != NULL && tracker->closing->over_after < packet_no) {
        if (!take_step(tracker->steps)) { return false; }
        Closing closing = take_closing(tracker);
        Connection *connection = map_get(&tracker->connections, (uint64_t)closing.number);
        if (connection == NULL) { continue; }
        /* If an endpoint is connected with itself, segments of its flow belong to one of both streams only. */
        const Stream *first = connection->sides[0];
        if (find_stream(tracker, first->flow, first->flow_size) != first) { continue; }
        bool is_done = true;
        if (is_over(connection, packet_no)) { is_done = finish(tracker, connection); }
        else if (connection->end_mode != END_OPEN) {
            is_done = give_up_after(tracker, connection, connection->over_after);
        }
        if (!is_done) { return false; }
    }
    return true;
}

/* --- Segments --- */

static bool has_payload(const Segment *segment) { return input_size(&segment->payload) > 0 || segment->missing > 0; }

/* The next segment of its stream, and there is nothing else to do. */
static bool is_next(const Stream *stream, const Segment *segment) {
    return stream->is_plain && stream->expected == segment->sequence
           && (segment->flags & (FIN | SYN | RST | ACK)) == ACK && segment->missing == 0;
}

static void set_last(Stream *stream, const Place *place) {
    stream->last = *place;
    stream->has_last = true;
}

/* Notes what a segment says but for its octets. */
static void note_segment(Stream *stream, const Segment *segment, const Place *place) {
    Connection *connection = stream->connection;
    connection->packets++;
    set_last(stream, place);
    if (input_size(&segment->payload) > 0 && connection->end_mode != END_OPEN) {
        connection->over_after = place->packet_no + LINGER_PACKETS;
    }
    if (segment->flags & ACK) { acknowledge_stream(stream->peer, segment->acknowledgment); }
    if (segment->flags & SYN) { synchronise_stream(stream, segment); }
}

/* Takes octets and FIN. A SYN takes the sequence number before the first octet. */
static bool take_octets(Tracker *tracker, Stream *stream, const Segment *segment, const Place *place, bool is_lasting) {
    uint32_t sequence = segment->sequence + (segment->flags & SYN ? 1 : 0);
    if (!stream->is_known && (has_payload(segment) || segment->flags & FIN)) {
        stream->expected = stream->first_sequence = sequence; /* for now, see `settle_stream` */
        stream->is_known = true;
        stream->first_seen = stream->connection->packets;
    }
    if (has_payload(segment) && !hold_octets(&tracker->recent, stream, segment, sequence, place, is_lasting)) {
        return false;
    }
    if (!(segment->flags & FIN) || stream->has_end) { return true; }
    stream->has_end = true;
    stream->end = offset_of(stream, sequence) + (int64_t)(input_size(&segment->payload) + segment->missing);
    if (!stream->peer->has_end && stream->peer->is_known) { return true; }
    return close_connection(tracker, stream->connection, END_FIN, place->packet_no);
}

/* Chooses the stream that a segment belongs to, which may begin or end a connection; NULL: it belongs to none.
   `*stream` is that of its flow before. */
static bool choose_stream(Tracker *tracker, const Segment *segment, const Place *place, Stream **stream) {
    Stream *former = *stream;
    if (former != NULL && is_over(former->connection, place->packet_no)) {
        if (!finish(tracker, former->connection)) { return false; }
        former = NULL;
    }
    if (former != NULL && continues_stream(former, segment)) { return true; }
    *stream = NULL;
    if (segment->flags & RST || !(segment->flags & SYN || has_payload(segment))) { return true; }
    if (former != NULL && !finish(tracker, former->connection)) { return false; }
    *stream = begin(tracker, segment, place);
    return *stream != NULL;
}

static bool add_segment(Tracker *tracker, Stream *stream, const Segment *segment, const Place *place, bool is_lasting) {
    if (!choose_stream(tracker, segment, place, &stream)) { return false; }
    if (stream == NULL) { return true; }
    note_segment(stream, segment, place);
    if (segment->flags & RST) {
        stream->discarded += (int64_t)input_size(&segment->payload); /* a diagnostic text at most */
        if (!close_connection(tracker, stream->connection, END_RST, place->packet_no)) { return false; }
    }
    else if (!take_octets(tracker, stream, segment, place, is_lasting)) { return false; }
    return release_octets(stream->connection, tracker->senders, false) && expire(tracker, place->packet_no);
}

bool track_segment(Tracker *tracker, const Segment *segment, const Place *place, bool is_lasting) {
    Stream *stream = find_stream(tracker, segment->flow, segment->flow_size);
    if (stream == NULL || !is_next(stream, segment)) {
        return add_segment(tracker, stream, segment, place, is_lasting);
    }
    set_last(stream, place);
    raise_acknowledged(stream->peer, segment->acknowledgment);
    return input_size(&segment->payload) == 0 || hand_on_next(&tracker->recent, stream, segment, place, is_lasting);
}

bool end_of_file(Tracker *tracker) { return copy_remembered(&tracker->recent); }

bool end_streams(Tracker *tracker) {
    for (int64_t number = 1; number <= tracker->count; number++) {
        Connection *connection = map_get(&tracker->connections, (uint64_t)number);
        if (!take_step(tracker->steps) || (connection != NULL && !finish(tracker, connection))) { return false; }
    }
    return true;
}

Tracker *new_tracker(const PieceSink *sink, const bool *server_ports, const Map *senders, Steps *steps) {
    uint64_t secret;
    Tracker *tracker = make_secret(&secret) ? zeros(1, sizeof *tracker) : NULL;
    if (tracker == NULL) { return NULL; }
    tracker->secret = secret;
    tracker->sink = sink;
    tracker->server_ports = server_ports;
    tracker->senders = senders;
    tracker->steps = steps;
    tracker->closing_end = &tracker->closing;
    return tracker;
}

int visit_tracker(const Tracker *tracker, visitproc visit, void *arg) {
    size_t place = 0;
    Connection *connection;
    while ((connection = map_next(&tracker->connections, &place)) != NULL) {
        if (connection->conversation != NULL) { VISIT_WITH(connection->sink->visit(connection, visit, arg)); }
    }
    return 0;
}

void free_tracker(Tracker *tracker) {
    size_t place = 0;
    Connection *connection;
    while ((connection = map_next(&tracker->connections, &place)) != NULL) { free_connection(connection); }
    while (tracker->closing != NULL) { take_closing(tracker); }
    free_map(&tracker->connections);
    free_map(&tracker->streams);
    forget_all(&tracker->recent);
    PyMem_Free(tracker);
}
