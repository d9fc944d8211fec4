#include "conversation.h"

#include "memory.h"

/* --- What Python says --- */

/* A framer that is to go on here: (octets, begin, need, starts, limit, frame types or None, until, looks,
   hides_frames). */
static bool take_framer(Framer *framer, PyObject *state) {
    Input octets, types = {NULL, NULL};
    Py_ssize_t size, type_count = 0;
    PyObject *starts;
    int hides_frames;
    long long begin;
    unsigned long long need, limit;
    if (!PyArg_ParseTuple(state, "y#LKO!Kz#iip", &octets.at, &size, &begin, &need, &PyList_Type, &starts, &limit,
                          &types.at, &type_count, &framer->until, &framer->looks, &hides_frames)) {
        return false;
    }
    if (framer->is_here) {
        PyErr_SetString(PyExc_RuntimeError, "this framer is in C already");
        return false;
    }
    octets.end = octets.at + size;
    framer->family = types.at == NULL;
    for (Py_ssize_t type = 0; type < 256; type++) { framer->types[type] = type < type_count && types.at[type] != 0; }
    framer->size = framer->start_count = 0;
    framer->begin = begin;
    framer->need = need;
    framer->limit = limit;
    framer->hides_frames = hides_frames != 0;
    framer->is_here = true;
    for (Py_ssize_t index = 0; index < PyList_Size(starts); index++) {
        long long offset, packet_no, ns;
        unsigned long long record;
        if (!PyArg_ParseTuple(PyList_GetItem(starts, index), "LLKL", &offset, &packet_no, &record, &ns)) {
            return false;
        }
        if (!add_start(framer, offset, &(Place){packet_no, record, ns})) { return false; }
    }
    return add_held(framer, &octets);
}

/* (number of the package, hints, limit of the client's frames, of the server's, of their content headers, framer of the
   client or None, of the server) */
static bool take_state(Conversation *conversation, PyObject *state) {
    Py_ssize_t package;
    unsigned long long limits[2], header_limits[2];
    PyObject *framers[2];
    long long hints;
    if (!PyArg_ParseTuple(state, "nLKKKKOO", &package, &hints, &limits[0], &limits[1], &header_limits[0],
                          &header_limits[1], &framers[0], &framers[1])) {
        return false;
    }
    if (!has_package(&conversation->shared->packages, conversation->shared->host, package)) { return false; }
    if (conversation->package != (size_t)package) { free_map(&conversation->hinted); /* another version: look again */ }
    conversation->package = (size_t)package;
    conversation->hints = hints;
    for (int direction = 0; direction < 2; direction++) {
        Framer *framer = &conversation->framers[direction];
        framer->limit = limits[direction];
        framer->header_limit = header_limits[direction];
        if (framers[direction] != Py_None && !take_framer(framer, framers[direction])) { return false; }
    }
    return true;
}

/* A FrameSpan of Python: (offset, size, type, channel, payload, packet_no, packet_offset, ns). */
static bool read_span(PyObject *span, Frame *frame) {
    long long offset, packet_no, ns;
    unsigned long long size, record;
    int channel;
    Py_ssize_t payload_size;
    if (!PyArg_ParseTuple(span, "LKiiy#LKL", &offset, &size, &frame->type, &channel, &frame->payload.at, &payload_size,
                          &packet_no, &record, &ns)) {
        return false;
    }
    frame->payload.end = frame->payload.at + payload_size;
    frame->offset = offset;
    frame->size = size;
    frame->channel = (uint16_t)channel;
    frame->place = (Place){packet_no, record, ns};
    frame->owner = NULL;
    return true;
}

static bool room_for_frames(Shared *shared, size_t count) {
    return make_room(&shared->batch, &shared->batch_capacity, count, sizeof(Frame));
}

/* The tuple holds the spans, to whose octets the frames refer. */
static bool take_spans(Conversation *conversation, int direction, PyObject *spans) {
    Shared *shared = conversation->shared;
    size_t count = (size_t)PyTuple_Size(spans);
    if (!room_for_frames(shared, count)) { return false; }
    for (size_t index = 0; index < count; index++) {
        if (!read_span(PyTuple_GetItem(spans, (Py_ssize_t)index), &shared->batch[index])) { return false; }
    }
    return take_frames(conversation, direction, shared->batch, count);
}

/* Frames that Python found: (direction, number of the package, list of frames). */
static bool take_batch(Conversation *conversation, PyObject *batch) {
    int direction;
    Py_ssize_t package;
    PyObject *list;
    if (!PyArg_ParseTuple(batch, "inO!", &direction, &package, &PyList_Type, &list)) { return false; }
    if (direction != FROM_CLIENT && direction != FROM_SERVER) {
        PyErr_Format(PyExc_ValueError, "there is no direction %d", direction);
        return false;
    }
    if (!has_package(&conversation->shared->packages, conversation->shared->host, package)) { return false; }
    PyObject *spans = PyList_AsTuple(list);
    conversation->package = (size_t)package;
    bool is_done = spans != NULL && take_spans(conversation, direction, spans);
    Py_XDECREF(spans);
    return is_done;
}

static bool take_found(Conversation *conversation, PyObject *list) {
    PyObject *batches = PyList_AsTuple(list);
    bool is_done = batches != NULL;
    for (Py_ssize_t index = 0; is_done && index < PyTuple_Size(batches); index++) {
        is_done = take_batch(conversation, PyTuple_GetItem(batches, index));
    }
    Py_XDECREF(batches);
    return is_done;
}

/* Takes (frames, state), the answer of Python to whatever it was told; NULL is an exception. */
static bool take_answer(Conversation *conversation, PyObject *answer) {
    PyObject *batches, *state;
    if (answer == NULL) { return false; }
    bool is_taken = PyArg_ParseTuple(answer, "O!O!", &PyList_Type, &batches, &PyTuple_Type, &state)
                    && take_found(conversation, batches) && take_state(conversation, state);
    Py_DECREF(answer);
    return is_taken;
}

/* --- To Python --- */

static PyObject *starts_of(const Framer *framer) {
    PyObject *starts = PyList_New((Py_ssize_t)framer->start_count);
    for (size_t index = 0; starts != NULL && index < framer->start_count; index++) {
        const Start *start = &framer->starts[index];
        PyObject *tuple = Py_BuildValue("(LLKL)", (long long)start->offset, (long long)start->place.packet_no,
                                        (unsigned long long)start->place.record, (long long)start->place.ns);
        if (tuple == NULL || PyList_SetItem(starts, (Py_ssize_t)index, tuple) < 0) { Py_CLEAR(starts); }
    }
    return starts;
}

/* The numbers of the channels in use that Python does not know yet. */
static PyObject *take_channels(Conversation *conversation) {
    PyObject *channels = PyList_New(0);
    size_t place = 0;
    for (void *item; channels != NULL && (item = map_next(&conversation->channels, &place)) != NULL;) {
        PyObject *number = PyLong_FromSize_t((size_t)(uintptr_t)item - 1);
        if (number == NULL || PyList_Append(channels, number) < 0) { Py_CLEAR(channels); }
        Py_XDECREF(number);
    }
    free_map(&conversation->channels);
    conversation->last_channel = 0;
    return channels;
}

/* Gives a framer, with all that it holds, back to Python. */
static bool give_framer(Conversation *conversation, int direction) {
    Framer *framer = &conversation->framers[direction];
    if (!framer->is_here) { return true; }
    PyObject *starts = starts_of(framer), *channels = starts == NULL ? NULL : take_channels(conversation), *done = NULL;
    if (channels != NULL) {
        done = PyObject_CallMethod(conversation->host, "take_framer", "iOy#LKOLiiO", direction, channels,
                                   framer->held == NULL ? "" : (const char *)framer->held, (Py_ssize_t)framer->size,
                                   (long long)framer->begin, (unsigned long long)framer->need, starts,
                                   (long long)framer->framed, framer->until, framer->looks,
                                   framer->hides_frames ? Py_True : Py_False);
    }
    Py_XDECREF(starts);
    Py_XDECREF(channels);
    framer->is_here = false;
    framer->framed = 0;
    free_framer(framer);
    Py_XDECREF(done);
    return done != NULL;
}

static bool feed_python(Conversation *conversation, int direction, const Piece *piece) {
    return take_answer(conversation,
                       PyObject_CallMethod(conversation->host, "feed", "Liy#LKLKL", (long long)conversation->hints,
                                           direction, piece->octets.at == NULL ? "" : (const char *)piece->octets.at,
                                           (Py_ssize_t)input_size(&piece->octets), (long long)piece->offset,
                                           (unsigned long long)piece->gap, (long long)piece->place.packet_no,
                                           (unsigned long long)piece->place.record, (long long)piece->place.ns));
}

/* A frame about the connection: its payload afterwards, without secrets, belongs to the frame. */
static bool take_control(Conversation *conversation, int direction, Frame *frame) {
    PyObject *span = span_of(frame), *answer = NULL, *payload, *state;
    if (span != NULL) {
        answer =
            PyObject_CallMethod(conversation->host, "control", "LiN", (long long)conversation->hints, direction, span);
    }
    bool is_taken = answer != NULL && PyArg_ParseTuple(answer, "SO!", &payload, &PyTuple_Type, &state)
                    && run_of_bytes(payload, &frame->payload) && take_state(conversation, state);
    if (is_taken) { frame->owner = Py_NewRef(payload); }
    Py_XDECREF(answer);
    return is_taken;
}

/* --- In order --- */

/* Shows methods to Python that may tell the version. */
static bool take_hints(Conversation *conversation, const Frame *frames, size_t count) {
    PyObject *keys = PyList_New(0);
    bool is_done = keys != NULL;
    for (size_t index = 0; is_done && index < count; index++) {
        const Frame *frame = &frames[index];
        if (frame->type != 1) { continue; }
        uint64_t key = 0;
        for (size_t at = 0; at < 4 && at < input_size(&frame->payload); at++) {
            key = key << 8 | frame->payload.at[at];
        }
        if (map_get(&conversation->hinted, key + 1) != NULL) { continue; }
        PyObject *number = PyLong_FromUnsignedLongLong(key);
        is_done =
            number != NULL && PyList_Append(keys, number) == 0 && map_put(&conversation->hinted, key + 1, conversation);
        Py_XDECREF(number);
    }
    conversation->hints = conversation->hints > (int64_t)count ? conversation->hints - (int64_t)count : 0;
    if (is_done && PyList_Size(keys) > 0) {
        PyObject *state = PyObject_CallMethod(conversation->host, "hint", "LO", (long long)conversation->hints, keys);
        is_done = state != NULL && take_state(conversation, state);
        Py_XDECREF(state);
    }
    Py_XDECREF(keys);
    return is_done;
}

/* Looks for frames in the payloads of some frames. */
static bool sample_frames(Conversation *conversation, int direction, const Frame *frames, size_t count) {
    Framer *framer = &conversation->framers[direction];
    for (size_t index = 0; index < count; index++) {
        const Input *payload = &frames[index].payload;
        if (!is_sample(framer, &frames[index]) || !may_hide_frames(framer, payload)) { continue; }
        PyObject *found =
            PyObject_CallMethod(conversation->host, "hides_frame", "iy#K", direction, (const char *)payload->at,
                                (Py_ssize_t)input_size(payload), (unsigned long long)framer->limit);
        if (found == NULL) { return false; }
        int hides_frames = PyObject_IsTrue(found);
        Py_DECREF(found);
        if (hides_frames < 0) { return false; }
        framer->hides_frames = hides_frames != 0;
    }
    return true;
}

static void release_frames(Frame *frames, size_t count) {
    for (size_t index = 0; index < count; index++) { Py_XDECREF(frames[index].owner); }
}

/* Cuts frames from some octets into the batch. */
static bool cut_frames(Conversation *conversation, int direction, Input *in, int64_t offset, const Piece *piece,
                       Cut *cut, size_t *count) {
    Shared *shared = conversation->shared;
    Framer *framer = &conversation->framers[direction];
    const uint8_t *first = in->at;
    size_t start = 0;
    for (*count = 0;; ++*count) {
        if (!room_for_frames(shared, *count + 1)) { break; }
        Frame *frame = &shared->batch[*count];
        int64_t at = offset + (in->at - first);
        *cut = cut_frame(framer, in, at, frame);
        if (*cut != WHOLE_FRAME) { return true; }
        frame->place = framer->start_count == 0 ? piece->place : *place_at(framer, at, &start);
        if (is_control(framer, frame, &shared->telling) && !take_control(conversation, direction, frame)) { break; }
    }
    release_frames(shared->batch, *count);
    return false;
}

static bool hand_on(Conversation *conversation, int direction, Frame *frames, size_t count) {
    bool is_done = count == 0
                   || (sample_frames(conversation, direction, frames, count)
                       && (conversation->hints == 0 || take_hints(conversation, frames, count))
                       && take_frames(conversation, direction, frames, count));
    release_frames(frames, count);
    return is_done;
}

/* Reads a piece behind what is held. */
static bool read_in_order(Conversation *conversation, int direction, const Piece *piece) {
    Framer *framer = &conversation->framers[direction];
    Input in = piece->octets;
    int64_t offset = piece->offset;
    if (framer->size > 0) {
        if (!hold_piece(framer, piece)) { return false; }
        if (framer->size < framer->need) { return true; }
        in = (Input){framer->held, framer->held + framer->size};
        offset = framer->begin;
    }
    Cut cut;
    size_t count;
    const uint8_t *first = in.at;
    if (!cut_frames(conversation, direction, &in, offset, piece, &cut, &count)) { return false; }
    framer->framed += in.at - first;
    offset += in.at - first;
    if (!hand_on(conversation, direction, conversation->shared->batch, count)) { return false; }
    if (!hold_rest(framer, &in, offset, piece)) { return false; }
    if (cut != NO_FRAME) { return true; }
    if (!give_framer(conversation, direction)) { return false; }
    return take_answer(conversation, PyObject_CallMethod(conversation->host, "read_on", "Li",
                                                         (long long)conversation->hints, direction));
}

/* --- Beginning and end --- */

static const char *const ROLES[] = {"", "port", "syn", "header", "method", "lower-port"};
static const char *const STARTS[] = {"mid-stream", "syn"};
static const char *const ENDS[] = {"open", "fin", "rst", "not-followed"};
static const char *const REASONS[STREAM_REASONS] = {"seq-gap", "snaplen-cut", "overlap-conflict", "no-data",
                                                    "not-followed"};

static bool begin_conversation(Shared *shared, Connection *connection) {
    const Stream *client = connection->sides[FROM_CLIENT];
    PyObject *host = PyObject_CallMethod(shared->host, "begin", "Ly#LLss", (long long)connection->number,
                                         (const char *)client->flow, (Py_ssize_t)client->flow_size,
                                         (long long)connection->first.packet_no, (long long)connection->first.ns,
                                         STARTS[connection->start_mode], ROLES[connection->role_by]);
    Conversation *conversation = host == NULL ? NULL : zeros(1, sizeof(Conversation));
    if (conversation == NULL) {
        Py_XDECREF(host);
        return false;
    }
    conversation->shared = shared;
    conversation->connection = connection;
    conversation->host = host;
    connection->conversation = conversation;
    return true;
}

static bool take_piece(void *context, Connection *connection, int direction, const Piece *piece) {
    Shared *shared = context;
    if (connection->conversation == NULL && !begin_conversation(shared, connection)) { return false; }
    if (!take_step(&shared->steps)) { return false; }
    Conversation *conversation = connection->conversation;
    if (piece->gap == 0 && conversation->framers[direction].is_here) {
        return read_in_order(conversation, direction, piece);
    }
    /* Both: what the other side says may have to wait for this one. */
    return give_framer(conversation, 0) && give_framer(conversation, 1) && feed_python(conversation, direction, piece);
}

static bool leave_out(void *context, const Connection *connection, int direction, StreamReason reason, int64_t offset,
                      uint64_t length, const Place *place) {
    const Shared *shared = context;
    return is_called(PyObject_CallMethod(shared->host, "leave_out", "sKLKLLiL", REASONS[reason],
                                         (unsigned long long)length, (long long)place->packet_no,
                                         (unsigned long long)place->record, (long long)place->ns,
                                         (long long)connection->number, direction, (long long)offset));
}

/* (flow, offset, is its beginning known, octets by sequence numbers, gap, duplicate, discarded, ns of the last packet
   or None) */
static PyObject *stream_facts(const Stream *stream) {
    uint32_t by_sequence = stream->expected - stream->first_sequence - stream->is_finished;
    PyObject *last_ns = stream->has_last ? PyLong_FromLongLong(stream->last.ns) : Py_NewRef(Py_None);
    if (last_ns == NULL) { return NULL; }
    return Py_BuildValue("(y#LOILLLN)", (const char *)stream->flow, (Py_ssize_t)stream->flow_size,
                         (long long)stream->offset, stream->is_known ? Py_True : Py_False, (unsigned int)by_sequence,
                         (long long)stream->gap, (long long)stream->duplicate, (long long)stream->discarded, last_ns);
}

static bool tell_end(const Conversation *conversation) {
    const Connection *connection = conversation->connection;
    const int64_t *good = conversation->good, *bad = conversation->bad;
    PyObject *client = stream_facts(connection->sides[0]),
             *server = client == NULL ? NULL : stream_facts(connection->sides[1]);
    PyObject *done = NULL;
    if (server != NULL) {
        done = PyObject_CallMethod(
            conversation->shared->host, "end", "OLLLsssOO(LL)(LL)", conversation->host, (long long)connection->number,
            (long long)connection->first.packet_no, (long long)connection->first.ns, ROLES[connection->role_by],
            STARTS[connection->start_mode], ENDS[connection->end_mode], client, server, (long long)(good[0] + bad[0]),
            (long long)(good[1] + bad[1]), (long long)bad[0], (long long)bad[1]);
    }
    Py_XDECREF(client);
    Py_XDECREF(server);
    Py_XDECREF(done);
    return done != NULL;
}

static void drop_conversation(Connection *connection) {
    Conversation *conversation = connection->conversation;
    connection->conversation = NULL;
    for (int direction = 0; direction < 2; direction++) { free_framer(&conversation->framers[direction]); }
    free_map(&conversation->hinted);
    free_map(&conversation->channels);
    drop_messages(conversation);
    Py_DECREF(conversation->host);
    PyMem_Free(conversation);
}

static bool tell_finish(Conversation *conversation) {
    const Connection *connection = conversation->connection;
    const Place *first = &connection->first;
    if (!give_framer(conversation, 0) || !give_framer(conversation, 1)) { return false; }
    return take_answer(conversation,
                       PyObject_CallMethod(conversation->host, "finish", "LLLLKL", (long long)conversation->hints,
                                           (long long)connection->sides[0]->offset,
                                           (long long)connection->sides[1]->offset, (long long)first->packet_no,
                                           (unsigned long long)first->record, (long long)first->ns));
}

static bool end_conversation(void *context, Connection *connection) {
    if (connection->conversation == NULL && !begin_conversation(context, connection)) { return false; }
    Conversation *conversation = connection->conversation;
    bool is_done = tell_finish(conversation) && finish_messages(conversation) && tell_end(conversation);
    drop_conversation(connection);
    return is_done;
}

static int visit_conversation(const Connection *connection, visitproc visit, void *arg) {
    Py_VISIT(connection->conversation->host);
    return visit_messages(connection->conversation, visit, arg);
}

PieceSink conversation_sink(Shared *shared) {
    return (PieceSink){shared, take_piece, leave_out, end_conversation, drop_conversation, visit_conversation};
}
