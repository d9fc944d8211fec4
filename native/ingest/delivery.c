/* Octets of a connection to ordered pieces: what is held, what is handed on when, and what counts as lost. */
#include "stream.h"

/* Packets of a connection to wait for before octets count as lost: captures may swap neighbouring packets. */
enum { SLACK = 32 };

/* --- Handing on --- */

static bool quarantine(const Stream *stream, StreamReason reason, int64_t offset, int64_t length, const Place *place) {
    const PieceSink *sink = stream->connection->sink;
    return sink->leave_out(sink->context, stream->connection, stream->direction, reason, offset, (uint64_t)length,
                           place);
}

/* Hands on the next octets, or a gap. */
static bool hand_on(Stream *stream, Input octets, int64_t gap, const Place *place) {
    const PieceSink *sink = stream->connection->sink;
    Piece piece = {octets, (uint64_t)gap, stream->offset, *place};
    stream->offset += piece_size(&piece);
    stream->expected += (uint32_t)piece_size(&piece);
    return sink->take_piece(sink->context, stream->connection, stream->direction, &piece);
}

static bool hand_on_gap(Stream *stream, int64_t length, StreamReason reason, const Place *place) {
    if (!quarantine(stream, reason, stream->offset, length, place)) { return false; }
    stream->gap += length;
    return hand_on(stream, (Input){NULL, NULL}, length, place);
}

/* After a gap for what is lost before it. */
static bool hand_on_chunk(Stream *stream, const Chunk *chunk) {
    int64_t lost = chunk->offset - stream->offset;
    stream->lost_since = -1;
    if (lost > 0 && !hand_on_gap(stream, lost, SEQ_GAP, &chunk->place)) { return false; }
    if (chunk->missing > 0) { return hand_on_gap(stream, (int64_t)chunk->missing, SNAPLEN_CUT, &chunk->place); }
    return hand_on(stream, (Input){chunk->octets, chunk->octets + chunk->size}, 0, &chunk->place);
}

bool hand_on_lost_end(Stream *stream) {
    /* Nothing of it was captured but its FIN. */
    bool is_earlier = !stream->is_known || distance(stream->first_acknowledged, stream->first_sequence) >= 0;
    if (!stream->is_settled && stream->is_acknowledged && is_earlier) {
        set_beginning(stream, stream->first_acknowledged);
    }
    if (!stream->is_known) { return true; }
    int64_t lost = (stream->has_end ? stream->end : acknowledged_offset(stream)) - stream->offset;
    bool is_fin = !stream->has_end && lost == 1; /* more likely than an octet */
    if (is_fin || lost <= 0 || lost >= LARGEST_WINDOW) { return true; }
    return hand_on_gap(stream, lost, SEQ_GAP, stream->has_end ? &stream->last : &stream->peer->last);
}

/* --- Holding --- */

/* A number that only this stream has. */
static int64_t stream_number(const Stream *stream) {
    return 2 * stream->connection->number + (stream != stream->connection->streams);
}

static bool remember(Recent *recent, const Stream *stream, const Segment *segment, const Place *place,
                     bool is_lasting) {
    Remembered remembered = {stream_number(stream), place->packet_no, segment->sequence, segment->payload, NULL};
    return remember_octets(recent, &remembered, is_lasting);
}

bool hand_on_next(Recent *recent, Stream *stream, const Segment *segment, const Place *place, bool is_lasting) {
    return remember(recent, stream, segment, place, is_lasting) && hand_on(stream, segment->payload, 0, place);
}

/* Counts the first octets of a piece, which were handed on before, and compares them; except those of a keep-alive. */
static bool note_again(const Recent *recent, Stream *stream, const Piece *piece, int64_t length) {
    if (piece->gap > 0) { return true; }
    stream->duplicate += length;
    bool is_keep_alive = input_size(&piece->octets) == 1 && piece->offset == stream->offset - 1;
    uint32_t sequence = stream->expected + (uint32_t)(piece->offset - stream->offset);
    Input octets = {piece->octets.at, piece->octets.at + length};
    Remembered again = {stream_number(stream), piece->place.packet_no, sequence, octets, NULL};
    if (is_keep_alive || !differs_from(recent, &again)) { return true; }
    return quarantine(stream, OVERLAP_CONFLICT, piece->offset, length, &piece->place);
}

static bool hold_all(Stream *stream, Piece piece) {
    bool has_octets = piece.gap == 0;
    while (piece_size(&piece) > 0) {
        Overlap again;
        if (!hold_some(&stream->held, &piece, &again)) { return false; }
        if (has_octets) { stream->duplicate += again.length; }
        if (again.is_conflict && !quarantine(stream, OVERLAP_CONFLICT, again.offset, again.length, &piece.place)) {
            return false;
        }
    }
    return true;
}

/* `*is_fresh` becomes true unless all of the piece was handed on before. */
static bool hold_piece(const Recent *recent, Stream *stream, Piece piece, bool *is_fresh) {
    int64_t size = piece_size(&piece), again = stream->is_settled ? stream->offset - piece.offset : 0;
    if (again > size) { again = size; }
    if (again > 0) {
        if (!note_again(recent, stream, &piece, again)) { return false; }
        skip_octets(&piece, again);
    }
    if (piece_size(&piece) > 0) { *is_fresh = true; }
    return hold_all(stream, piece);
}

bool hold_octets(Recent *recent, Stream *stream, const Segment *segment, uint32_t sequence, const Place *place,
                 bool is_lasting) {
    const Input *octets = &segment->payload;
    int64_t offset = offset_of(stream, sequence), end = offset + (int64_t)input_size(octets);
    bool is_fresh = false;
    if (!hold_piece(recent, stream, (Piece){*octets, 0, offset, *place}, &is_fresh)) { return false; }
    Piece missing = {{octets->end, octets->end}, segment->missing, end, *place};
    if (!hold_piece(recent, stream, missing, &is_fresh)) { return false; }
    return !is_fresh || remember(recent, stream, segment, place, is_lasting);
}

/* --- Order --- */

/* Whether the first chunk held is the next one, or what is missing before it is lost. */
static bool is_ready(Stream *stream, bool is_forced) {
    int64_t packets = stream->connection->packets;
    if (stream->held.count == 0) { return false; }
    if (is_held_full(&stream->held)) { is_forced = true; }
    if (!stream->is_settled) {
        if (!is_forced && packets - stream->first_seen < SLACK) { return false; }
        settle_stream(stream);
    }
    int64_t first = stream->held.chunks[0]->offset;
    if (first == stream->offset || is_forced) { return true; }
    if (acknowledged_offset(stream) < first) { return false; }
    if (stream->lost_since < 0) { stream->lost_since = packets; }
    return packets - stream->lost_since >= SLACK;
}

/* The stream whose first chunk may be handed on; of both the one of the earlier packet. Where one waits for its
   beginning, nothing need be missing of it: the other, if it is later, waits with it. */
static Stream *next_ready(Stream *one, Stream *other, bool is_forced) {
    bool is_swapped =
        one->held.count == 0
        || (other->held.count > 0 && other->held.chunks[0]->place.packet_no < one->held.chunks[0]->place.packet_no);
    Stream *earlier = is_swapped ? other : one, *later = earlier->peer;
    if (is_ready(earlier, is_forced)) { return earlier; }
    if (earlier->held.count > 0 && !earlier->is_settled && !is_held_full(&later->held)) { return NULL; }
    return is_ready(later, is_forced) ? later : NULL;
}

/* The FIN takes a sequence number, once all octets before it are handed on. */
static void note_end(Stream *stream) {
    if (!stream->has_end || stream->end != stream->offset || !stream->is_settled || stream->is_finished) { return; }
    stream->is_finished = true;
    stream->expected++;
}

bool release_octets(Connection *connection, const Map *senders, bool is_forced) {
    Stream *one = connection->sides[0], *other = connection->sides[1], *next;
    while ((next = next_ready(one, other, is_forced)) != NULL) {
        if (connection->role_by == ROLE_UNKNOWN) { choose_roles(connection, senders); }
        Chunk *chunk = take_chunk(&next->held);
        bool is_handed_on = hand_on_chunk(next, chunk);
        PyMem_Free(chunk);
        if (!is_handed_on) { return false; }
    }
    note_end(one);
    note_end(other);
    bool is_plain = one->held.count == 0 && other->held.count == 0 && is_usual(connection);
    one->is_plain = is_plain && one->is_settled && other->is_acknowledged;
    other->is_plain = is_plain && other->is_settled && one->is_acknowledged;
    return true;
}
