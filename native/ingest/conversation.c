#include "conversation.h"

#include "frame_rows.h"

/* --- What Python says --- */

/* A framer that is to go on here: (octets, begin, need, starts, limit, frame types or None, until, looks, hides_frames). */
static bool take_framer(Framer *framer, PyObject *state) {
    Input octets, types = {NULL, NULL};
    Py_ssize_t size, type_count = 0;
    PyObject *starts;
    int hides_frames;
    long long begin;
    unsigned long long need, limit;
    if (!PyArg_ParseTuple(state, "y#LKO!Kz#iip", &octets.at, &size, &begin, &need, &PyList_Type, &starts, &limit, &types.at, &type_count,
                          &framer->until, &framer->looks, &hides_frames))
        return false;
    octets.end = octets.at + size;
    framer->family = types.at == NULL;
    for (Py_ssize_t type = 0; type < 256; type++) framer->types[type] = type < type_count && types.at[type] != 0;
    framer->size = framer->start_count = 0;
    framer->begin = begin;
    framer->need = need;
    framer->limit = limit;
    framer->hides_frames = hides_frames != 0;
    framer->is_here = true;
    for (Py_ssize_t index = 0; index < PyList_Size(starts); index++) {
        long long offset, packet_no, ns;
        unsigned long long record;
        if (!PyArg_ParseTuple(PyList_GetItem(starts, index), "LLKL", &offset, &packet_no, &record, &ns)) return false;
        if (!add_start(framer, offset, &(Place){packet_no, record, ns})) return false;
    }
    return add_held(framer, &octets);
}

/* (number of the package, hints, limit of the client's frames, of the server's, framer of the client or None, of the server) */
static bool take_state(Conversation *conversation, PyObject *state) {
    Py_ssize_t package;
    unsigned long long limits[2];
    PyObject *framers[2];
    long long hints;
    if (!PyArg_ParseTuple(state, "nLKKOO", &package, &hints, &limits[0], &limits[1], &framers[0], &framers[1])) return false;
    if (!has_package(conversation->connection->ingest, package)) return false;
    if (conversation->package != (size_t)package) free_map(&conversation->hinted); /* another version: look again */
    conversation->package = (size_t)package;
    conversation->hints = hints;
    for (int direction = 0; direction < 2; direction++) {
        Framer *framer = &conversation->framers[direction];
        framer->limit = limits[direction];
        if (framers[direction] != Py_None && !take_framer(framer, framers[direction])) return false;
    }
    return true;
}

/* A FrameSpan of Python: (offset, size, type, channel, payload, packet_no, packet_offset, ns). */
static bool read_span(PyObject *span, Frame *frame) {
    long long offset, packet_no, ns;
    unsigned long long size, record;
    int channel;
    Py_ssize_t payload_size;
    if (!PyArg_ParseTuple(span, "LKiiy#LKL", &offset, &size, &frame->type, &channel, &frame->payload.at, &payload_size, &packet_no, &record,
                          &ns))
        return false;
    frame->payload.end = frame->payload.at + payload_size;
    frame->offset = offset;
    frame->size = size;
    frame->channel = (uint16_t)channel;
    frame->place = (Place){packet_no, record, ns};
    frame->owner = NULL;
    return true;
}

static bool room_for_frames(Ingest *ingest, size_t count) {
    if (count <= ingest->batch_capacity) return true;
    Frame *batch = PyMem_Realloc(ingest->batch, 2 * count * sizeof(Frame));
    if (batch == NULL) {
        PyErr_NoMemory();
        return false;
    }
    ingest->batch = batch;
    ingest->batch_capacity = 2 * count;
    return true;
}

/* Frames that Python found: a list of (direction, number of the package, frames). */
static bool take_found(Conversation *conversation, PyObject *batches) {
    Ingest *ingest = conversation->connection->ingest;
    for (Py_ssize_t index = 0; index < PyList_Size(batches); index++) {
        int direction;
        Py_ssize_t package;
        PyObject *spans;
        if (!PyArg_ParseTuple(PyList_GetItem(batches, index), "inO!", &direction, &package, &PyList_Type, &spans)) return false;
        size_t count = (size_t)PyList_Size(spans);
        if (!has_package(ingest, package) || !room_for_frames(ingest, count)) return false;
        for (size_t at = 0; at < count; at++)
            if (!read_span(PyList_GetItem(spans, (Py_ssize_t)at), &ingest->batch[at])) return false;
        conversation->package = (size_t)package;
        if (!take_frames(conversation, direction, ingest->batch, count)) return false;
    }
    return true;
}

/* Takes (frames, state), the answer of Python to whatever it was told; NULL is an exception. */
static bool take_answer(Conversation *conversation, PyObject *answer) {
    PyObject *batches, *state;
    if (answer == NULL) return false;
    bool is_taken = PyArg_ParseTuple(answer, "O!O!", &PyList_Type, &batches, &PyTuple_Type, &state) && take_found(conversation, batches)
                    && take_state(conversation, state);
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
        if (tuple == NULL || PyList_SetItem(starts, (Py_ssize_t)index, tuple) < 0) Py_CLEAR(starts);
    }
    return starts;
}

/* The numbers of the channels in use that Python does not know yet. */
static PyObject *take_channels(Conversation *conversation) {
    PyObject *channels = PyList_New(0);
    size_t place = 0;
    for (void *item; channels != NULL && (item = map_next(&conversation->channels, &place)) != NULL;) {
        PyObject *number = PyLong_FromSize_t((size_t)(uintptr_t)item - 1);
        if (number == NULL || PyList_Append(channels, number) < 0) Py_CLEAR(channels);
        Py_XDECREF(number);
    }
    free_map(&conversation->channels);
    conversation->last_channel = 0;
    return channels;
}

/* Gives a framer, with all that it holds, back to Python. */
static bool give_framer(Conversation *conversation, int direction) {
    Framer *framer = &conversation->framers[direction];
    if (!framer->is_here) return true;
    PyObject *starts = starts_of(framer), *channels = starts == NULL ? NULL : take_channels(conversation);
    if (channels == NULL) {
        Py_XDECREF(starts);
        return false;
    }
    PyObject *done = PyObject_CallMethod(conversation->host, "take_framer", "iNy#LKNLiiO", direction, channels,
                                         framer->held == NULL ? "" : (const char *)framer->held,
                                         (Py_ssize_t)framer->size, (long long)framer->begin, (unsigned long long)framer->need, starts,
                                         (long long)framer->framed, framer->until, framer->looks, framer->hides_frames ? Py_True : Py_False);
    framer->is_here = false;
    framer->framed = 0;
    free_framer(framer);
    Py_XDECREF(done);
    return done != NULL;
}

static bool feed_python(Conversation *conversation, int direction, const Piece *piece) {
    return take_answer(conversation,
                       PyObject_CallMethod(conversation->host, "feed", "Liy#LKLKL", (long long)conversation->hints, direction,
                                           piece->octets.at == NULL ? "" : (const char *)piece->octets.at,
                                           (Py_ssize_t)input_size(&piece->octets), (long long)piece->offset, (unsigned long long)piece->gap,
                                           (long long)piece->place.packet_no, (unsigned long long)piece->place.record,
                                           (long long)piece->place.ns));
}

/* A frame about the connection: its payload afterwards, without secrets, belongs to the frame. */
static bool take_control(Conversation *conversation, int direction, Frame *frame) {
    PyObject *answer = PyObject_CallMethod(
        conversation->host, "control", "Li(LKiiy#LKL)", (long long)conversation->hints, direction, (long long)frame->offset,
        (unsigned long long)frame->size, (int)frame->type, (int)frame->channel, (const char *)frame->payload.at,
        (Py_ssize_t)input_size(&frame->payload), (long long)frame->place.packet_no, (unsigned long long)frame->place.record,
        (long long)frame->place.ns);
    PyObject *payload, *state;
    Py_ssize_t size;
    bool is_taken = answer != NULL && PyArg_ParseTuple(answer, "SO!", &payload, &PyTuple_Type, &state)
                    && PyArg_Parse(payload, "y#", &frame->payload.at, &size) && take_state(conversation, state);
    if (is_taken) {
        frame->payload.end = frame->payload.at + size;
        frame->owner = payload;
        Py_INCREF(payload);
    }
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
        if (frame->type != 1) continue;
        uint64_t key = 0;
        for (size_t at = 0; at < 4 && at < input_size(&frame->payload); at++) key = key << 8 | frame->payload.at[at];
        if (map_get(&conversation->hinted, key + 1) != NULL) continue;
        PyObject *number = PyLong_FromUnsignedLongLong(key);
        is_done = number != NULL && PyList_Append(keys, number) == 0 && map_put(&conversation->hinted, key + 1, conversation);
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
        if (!is_sample(framer, &frames[index]) || !may_hide_frames(framer, payload)) continue;
        PyObject *found = PyObject_CallMethod(conversation->host, "hides_frame", "iy#K", direction, (const char *)payload->at,
                                              (Py_ssize_t)input_size(payload), (unsigned long long)framer->limit);
        if (found == NULL) return false;
        framer->hides_frames = PyObject_IsTrue(found) == 1;
        Py_DECREF(found);
    }
    return true;
}

static void release_frames(Frame *frames, size_t count) {
    for (size_t index = 0; index < count; index++) Py_XDECREF(frames[index].owner);
}

/* Cuts frames from some octets into the batch; returns their number, or -1 with an exception. */
static Py_ssize_t cut_frames(Conversation *conversation, int direction, Input *in, int64_t offset, const Piece *piece, Cut *cut) {
    Ingest *ingest = conversation->connection->ingest;
    Framer *framer = &conversation->framers[direction];
    const uint8_t *first = in->at;
    size_t count = 0, start = 0;
    for (;; count++) {
        if (!room_for_frames(ingest, count + 1)) break;
        Frame *frame = &ingest->batch[count];
        int64_t at = offset + (in->at - first);
        *cut = cut_frame(framer, in, at, frame);
        if (*cut != WHOLE_FRAME) return (Py_ssize_t)count;
        frame->place = framer->start_count == 0 ? piece->place : *place_at(framer, at, &start);
        if (is_control(framer, frame, &ingest->telling) && !take_control(conversation, direction, frame)) break;
    }
    release_frames(ingest->batch, count);
    return -1;
}

static bool hand_on(Conversation *conversation, int direction, Frame *frames, size_t count) {
    bool is_done = count == 0 || (sample_frames(conversation, direction, frames, count)
                                  && (conversation->hints == 0 || take_hints(conversation, frames, count))
                                  && take_frames(conversation, direction, frames, count));
    release_frames(frames, count);
    return is_done;
}

/* Reads a piece behind what is held. */
static bool read_in_order(Conversation *conversation, int direction, const Piece *piece) {
    Ingest *ingest = conversation->connection->ingest;
    Framer *framer = &conversation->framers[direction];
    Input in = piece->octets;
    int64_t offset = piece->offset;
    if (framer->size > 0) {
        if (!hold_piece(framer, piece)) return false;
        if (framer->size < framer->need) return true;
        in = (Input){framer->held, framer->held + framer->size};
        offset = framer->begin;
    }
    Cut cut;
    const uint8_t *first = in.at;
    Py_ssize_t count = cut_frames(conversation, direction, &in, offset, piece, &cut);
    if (count < 0) return false;
    framer->framed += in.at - first;
    offset += in.at - first;
    if (!hand_on(conversation, direction, ingest->batch, (size_t)count)) return false;
    if (!hold_rest(framer, &in, offset, piece)) return false;
    if (cut != NO_FRAME) return true;
    if (!give_framer(conversation, direction)) return false;
    return take_answer(conversation, PyObject_CallMethod(conversation->host, "read_on", "Li", (long long)conversation->hints, direction));
}

/* --- Beginning and end --- */

static const char *const ROLES[] = {"", "port", "syn", "header", "method", "lower-port"};
static const char *const STARTS[] = {"mid-stream", "syn"};
static const char *const ENDS[] = {"open", "fin", "rst"};
static const char *const REASONS[STREAM_REASONS] = {"seq-gap", "snaplen-cut", "overlap-conflict", "no-data"};

static Conversation *begin_conversation(Connection *connection) {
    Conversation *conversation = PyMem_Calloc(1, sizeof(Conversation));
    if (conversation == NULL) return (Conversation *)PyErr_NoMemory();
    const Stream *client = connection->sides[FROM_CLIENT];
    conversation->connection = connection;
    conversation->host = PyObject_CallMethod(connection->ingest->host, "begin", "Ly#Lss", (long long)connection->number,
                                             (const char *)client->flow, (Py_ssize_t)client->flow_size, (long long)connection->first.ns,
                                             STARTS[connection->start_mode], ROLES[connection->role_by]);
    if (conversation->host == NULL) {
        PyMem_Free(conversation);
        return NULL;
    }
    connection->conversation = conversation;
    return conversation;
}

bool take_piece(Connection *connection, int direction, const Piece *piece) {
    Conversation *conversation = connection->conversation;
    if (conversation == NULL) conversation = begin_conversation(connection);
    if (conversation == NULL) return false;
    if (piece->gap == 0 && conversation->framers[direction].is_here) return read_in_order(conversation, direction, piece);
    return give_framer(conversation, direction) && feed_python(conversation, direction, piece);
}

bool leave_out(Connection *connection, int direction, StreamReason reason, int64_t offset, uint64_t length, const Place *place) {
    PyObject *done = PyObject_CallMethod(connection->ingest->host, "leave_out", "sKLKLLiL", REASONS[reason], (unsigned long long)length,
                                         (long long)place->packet_no, (unsigned long long)place->record, (long long)place->ns,
                                         (long long)connection->number, direction, (long long)offset);
    Py_XDECREF(done);
    return done != NULL;
}

/* (flow, offset, is its beginning known, octets by sequence numbers, gap, duplicate, discarded, ns of the last packet) */
static PyObject *stream_facts(const Stream *stream) {
    uint32_t by_sequence = stream->expected - stream->first_sequence - stream->is_finished;
    return Py_BuildValue("(y#LOILLLL)", (const char *)stream->flow, (Py_ssize_t)stream->flow_size, (long long)stream->offset,
                         stream->is_known ? Py_True : Py_False, (unsigned int)by_sequence, (long long)stream->gap,
                         (long long)stream->duplicate, (long long)stream->discarded, (long long)(stream->has_last ? stream->last.ns : 0));
}

static bool tell_end(Conversation *conversation) {
    const Connection *connection = conversation->connection;
    PyObject *client = stream_facts(connection->sides[0]), *server = stream_facts(connection->sides[1]);
    PyObject *done = NULL;
    if (client != NULL && server != NULL)
        done = PyObject_CallMethod(connection->ingest->host, "end", "OLLLsssOO(LL)(LL)", conversation->host, (long long)connection->number,
                                   (long long)connection->first.packet_no, (long long)connection->first.ns, ROLES[connection->role_by],
                                   STARTS[connection->start_mode], ENDS[connection->end_mode], client, server,
                                   (long long)(conversation->good[0] + conversation->bad[0]),
                                   (long long)(conversation->good[1] + conversation->bad[1]), (long long)conversation->bad[0],
                                   (long long)conversation->bad[1]);
    Py_XDECREF(client);
    Py_XDECREF(server);
    Py_XDECREF(done);
    return done != NULL;
}

void drop_conversation(Connection *connection) {
    Conversation *conversation = connection->conversation;
    for (int direction = 0; direction < 2; direction++) free_framer(&conversation->framers[direction]);
    free_map(&conversation->hinted);
    free_map(&conversation->channels);
    drop_messages(conversation);
    Py_XDECREF(conversation->host);
    PyMem_Free(conversation);
    connection->conversation = NULL;
}

bool end_conversation(Connection *connection) {
    Conversation *conversation = connection->conversation;
    if (conversation == NULL) conversation = begin_conversation(connection);
    if (conversation == NULL) return false;
    bool is_done = give_framer(conversation, 0) && give_framer(conversation, 1);
    const Place *first = &connection->first;
    is_done = is_done
              && take_answer(conversation, PyObject_CallMethod(conversation->host, "finish", "LLLLKL", (long long)conversation->hints,
                                                               (long long)connection->sides[0]->offset,
                                                               (long long)connection->sides[1]->offset, (long long)first->packet_no,
                                                               (unsigned long long)first->record, (long long)first->ns));
    is_done = is_done && finish_messages(conversation) && tell_end(conversation);
    drop_conversation(connection);
    return is_done;
}
