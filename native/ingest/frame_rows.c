#include "frame_rows.h"

#include "../src/values.h"
#include "memory.h"

enum { METHOD_FRAME = 1, HEADER_FRAME = 2, BODY_FRAME = 3, SASL_FRAME = 1, SHORT_DESCRIPTOR = 0x53, OVERHEAD0 = 8 };

/* What was found out about a frame. */
typedef struct {
    int32_t name;  /* the number of its name; -1 without one */
    int64_t key;   /* of a method or content header; -1 without one */
    int32_t error; /* the number of the reason why it cannot be decoded; -1 */
    Value raw;     /* what of it may be kept, when it cannot be decoded */
} FrameKind;

static const Package *package_of(const Conversation *conversation) {
    return conversation->shared->packages.items[conversation->package];
}

static Value name_value(int32_t name) { return name < 0 ? no_value() : number_value(name); }

/* clang-format off */
#define OWN_VALUES(VALUE) \
    VALUE("connection", number_value(conversation->connection->number)) \
    VALUE("direction", number_value(event->direction)) \
    VALUE("frame_no", number_value(event->frame_no)) \
    VALUE("offset", number_value(frame->offset)) \
    VALUE("packet_no", number_value(frame->place.packet_no)) \
    VALUE("packet_offset", number_value((int64_t)frame->place.record)) \
    VALUE("ns", number_value(frame->place.ns)) \
    VALUE("type", number_value(frame->type)) \
    VALUE("channel", number_value(frame->channel)) \
    VALUE("size", number_value((int64_t)frame->size)) \
    VALUE("class_id", kind->key < 0 ? no_value() : number_value(kind->key >> 16)) \
    VALUE("method_id", has_method ? number_value(kind->key & 0xFFFF) : no_value()) \
    VALUE("name", name_value(kind->name)) \
    VALUE("status", number_value(kind->error < 0 ? names->ok : names->undecoded)) \
    VALUE("error", name_value(kind->error)) \
    VALUE("raw", kind->raw) \
    VALUE("payload_size", event->row == NULL ? no_value() : number_value((int64_t)event->size))
/* clang-format on */
static const char *const OWN[] = {OWN_VALUES(NAME_OF)};
/* Arguments go where the layout of the method says. */
static const Origin ORIGINS[] = {{"own", 0, COUNT_OF(OWN), OWN}, {.name = NULL}};

bool make_frame_rows(Shared *shared, Table *frames, Table *methods, Table *performatives, PyObject *recipes) {
    return read_recipe(&shared->frames, frames, recipes, "frames", ORIGINS)
           && read_recipe(&shared->methods, methods, recipes, "methods", ORIGINS)
           && read_recipe(&shared->performatives, performatives, recipes, "performatives", ORIGINS);
}

/* Adds a row of any of the three tables, with arguments where `arguments` is not NULL. */
static bool put(const RowMaker *maker, const Conversation *conversation, const Frame *frame, const Event *event,
                const FrameKind *kind, const Row *arguments) {
    const FrameNames *names = &conversation->shared->names;
    bool has_method = kind->key >= 0 && frame->type != HEADER_FRAME;
    const Value values[] = {OWN_VALUES(VALUE_OF)};
    bool is_put = put_values(maker, values);
    for (size_t index = 0; is_put && arguments != NULL && index < arguments->count; index++) {
        is_put = append_value(maker->table, event->layout->columns[index], &arguments->values[index]);
    }
    return finish_row(maker->table, is_put);
}

static bool put_frame(Conversation *conversation, const Frame *frame, const Event *event, const FrameKind *kind) {
    conversation->good[event->direction] += kind->error < 0;
    conversation->bad[event->direction] += kind->error >= 0;
    return put(&conversation->shared->frames, conversation, frame, event, kind, NULL);
}

/* --- What Python does --- */

/* True when the error is one of decoding: it is forgotten. False when it ends the ingest: it stays set; see `FATAL` in
   `amqp_traffic.capture.faults`. */
static bool forget_error(void) {
    bool is_fatal = PyErr_ExceptionMatches(PyExc_MemoryError) || PyErr_ExceptionMatches(PyExc_OSError);
    if (is_fatal || !PyErr_ExceptionMatches(PyExc_Exception)) { return false; }
    PyErr_Clear();
    return true;
}

/* What the package's own reader makes of a payload. */
static PyObject *ask_reader(PyObject *reader, const Input *payload) {
    PyObject *octets = new_bytes(payload),
             *result = octets == NULL ? NULL : PyObject_CallFunctionObjArgs(reader, octets, NULL);
    Py_XDECREF(octets);
    return result;
}

PyObject *span_of(const Frame *frame) {
    return Py_BuildValue("(LKiiy#LKL)", (long long)frame->offset, (unsigned long long)frame->size, (int)frame->type,
                         (int)frame->channel, (const char *)frame->payload.at, (Py_ssize_t)input_size(&frame->payload),
                         (long long)frame->place.packet_no, (unsigned long long)frame->place.record,
                         (long long)frame->place.ns);
}

/* Describes a frame that cannot be decoded. The caller gives the answer, which has the octets that may be kept, back with
   `Py_XDECREF`. */
static bool describe_undecodable(Conversation *conversation, int direction, const Frame *frame, FrameKind *kind,
                                 PyObject **answer) {
    long long key;
    PyObject *span = span_of(frame), *raw;
    *answer = NULL;
    if (span != NULL) {
        *answer =
            PyObject_CallMethod(conversation->shared->host, "undecodable", "nLiN", (Py_ssize_t)conversation->package,
                                (long long)conversation->connection->number, direction, span);
    }
    bool is_read = *answer != NULL && PyArg_ParseTuple(*answer, "iLiO", &kind->name, &key, &kind->error, &raw);
    if (is_read) { kind->key = key; }
    return is_read && value_of(raw, &conversation->shared->arena, &kind->raw);
}

/* --- Events --- */

void drop_messages(Conversation *conversation) {
    Assembly0 *assembly0 = conversation->assembly0;
    Assembly1 *assembly1 = conversation->assembly1;
    conversation->assembly0 = NULL;
    conversation->assembly1 = NULL;
    if (assembly0 != NULL) { free_assembly0(assembly0); }
    if (assembly1 != NULL) { free_assembly1(assembly1); }
}

int visit_messages(const Conversation *conversation, visitproc visit, void *arg) {
    if (conversation->assembly0 != NULL) { VISIT_WITH(visit_assembly0(conversation->assembly0, visit, arg)); }
    if (conversation->assembly1 != NULL) { VISIT_WITH(visit_assembly1(conversation->assembly1, visit, arg)); }
    return 0;
}

/* An error in the assembly of a connection makes no more messages of it; false when it ends the ingest. */
static bool give_up(Conversation *conversation, const Event *event) {
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace != NULL) { PyException_SetTraceback(error, trace); }
    drop_messages(conversation);
    conversation->is_given_up = true;
    PyObject *done = PyObject_CallMethod(
        conversation->shared->host, "give_up", "OLiKLL", error, (long long)conversation->connection->number,
        event == NULL ? -1 : event->direction, (unsigned long long)(event == NULL ? 0 : event->size),
        (long long)(event == NULL ? 0 : event->ns), (long long)(event == NULL ? 0 : event->offset));
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    Py_XDECREF(done);
    return done != NULL;
}

static bool add_event(Conversation *conversation, const Event *event) {
    if (conversation->is_given_up) { return true; }
    bool is_added = conversation->family == 0 ? add_event0(conversation->assembly0, event)
                                              : add_event1(conversation->assembly1, event);
    return is_added || give_up(conversation, event);
}

bool finish_messages(Conversation *conversation) {
    Assembly0 *assembly0 = conversation->assembly0;
    Assembly1 *assembly1 = conversation->assembly1;
    conversation->assembly0 = NULL;
    conversation->assembly1 = NULL;
    if (assembly0 != NULL && !finish_assembly0(assembly0)) { return give_up(conversation, NULL); }
    if (assembly1 != NULL && !finish_assembly1(assembly1)) { return give_up(conversation, NULL); }
    return true;
}

/* Facts about the connection are Python's, which gets the row. */
static bool tell_facts(Conversation *conversation, int direction, const RowLayout *layout, PyObject *row) {
    return is_called(PyObject_CallMethod(conversation->host, "take_facts", "isO", direction,
                                         (const char *)layout->name_text.at, row));
}

static Event event_of(int direction, const Frame *frame, int64_t frame_no, EventKind kind) {
    return (Event){.kind = kind,
                   .frame_no = frame_no,
                   .direction = direction,
                   .channel = frame->channel,
                   .key = UINT32_MAX,
                   .payload = frame->payload,
                   .size = frame->size - OVERHEAD0,
                   .offset = frame->offset,
                   .ns = frame->place.ns};
}

/* `maker` is NULL for a content header, which has a row of the table frames only. */
static bool take_undecodable(const RowMaker *maker, Conversation *conversation, const Frame *frame,
                             const Event *event) {
    FrameKind kind;
    PyObject *answer;
    bool is_done = describe_undecodable(conversation, event->direction, frame, &kind, &answer)
                   && put_frame(conversation, frame, event, &kind)
                   && (maker == NULL || put(maker, conversation, frame, event, &kind, NULL));
    Py_XDECREF(answer);
    return is_done && add_event(conversation, event);
}

/* --- 0-x --- */

/* Asks the package's own reader for a row; `*tuple` is what the row refers to. NOT_PLAIN: it cannot be decoded. */
static Result ask_row(Shared *shared, const RowLayout *layout, const Input *payload, Row *row, PyObject **tuple) {
    *tuple = ask_reader(layout->reader, payload);
    if (*tuple == NULL) { return forget_error() ? NOT_PLAIN : FAILED; }
    return done_or_failed(row_of_tuple(*tuple, &shared->arena, row));
}

static Result read_method(Conversation *conversation, const RowLayout *layout, const Input *payload, Row *row,
                          PyObject **tuple) {
    Shared *shared = conversation->shared;
    Result result = NOT_PLAIN;
    if (!layout->tells_facts) {
        result = read_method_row(package_of(conversation), layout, *payload, &shared->arena, row);
    }
    return result == NOT_PLAIN ? ask_row(shared, layout, payload, row, tuple) : result;
}

static bool take_method(Conversation *conversation, int direction, const Frame *frame, int64_t frame_no) {
    const Package *package = package_of(conversation);
    Event event = event_of(direction, frame, frame_no, METHOD_EVENT);
    Row row;
    PyObject *tuple = NULL;
    Result result = NOT_PLAIN;
    if (input_has(&frame->payload, 4)) {
        event.key = get_32(frame->payload.at);
        event.layout = map_get(&package->methods, event.key);
    }
    if (event.layout != NULL) { result = read_method(conversation, event.layout, &frame->payload, &row, &tuple); }
    const RowMaker *maker = &conversation->shared->methods;
    if (result == NOT_PLAIN) { return take_undecodable(maker, conversation, frame, &event); }
    event.row = &row;
    FrameKind kind = {.name = event.layout->name, .key = event.key, .error = -1};
    bool is_done = result == DONE && put(maker, conversation, frame, &event, &kind, &row)
                   && put_frame(conversation, frame, &event, &kind);
    bool is_fact = event.layout->tells_facts && frame->channel == 0 && !conversation->is_given_up;
    if (is_done && is_fact) { is_done = tell_facts(conversation, direction, event.layout, tuple); }
    is_done = is_done && add_event(conversation, &event);
    Py_XDECREF(tuple);
    return is_done;
}

/* The class and the size of the body of a content header whose properties cannot be read, and nothing else, as
   `amqp_traffic.decode.amqp0.decoder.bare_header_row` does; false when these are cut off. */
static bool read_bare_header(Input payload, Row *row) {
    enum { HEAD = 12, VALUES = 17 };
    const uint8_t *head = take(&payload, HEAD);
    if (head == NULL) { return false; }
    for (row->count = 0; row->count < VALUES; row->count++) { row->values[row->count] = no_value(); }
    row->values[0] = number_value(get_16(head));
    if (get_64(head + 4) <= INT64_MAX) { row->values[1] = number_value((int64_t)get_64(head + 4)); }
    return true;
}

static bool take_header(Conversation *conversation, int direction, const Frame *frame, int64_t frame_no) {
    Shared *shared = conversation->shared;
    const Package *package = package_of(conversation);
    Event event = event_of(direction, frame, frame_no, HEADER_EVENT);
    Row row;
    PyObject *tuple = NULL;
    const RowLayout *layout =
        input_has(&frame->payload, 2) ? map_get(&package->headers, get_16(frame->payload.at)) : NULL;
    Result result = layout == NULL ? NOT_PLAIN : read_header_row(package, layout, frame->payload, &shared->arena, &row);
    if (layout != NULL && result == NOT_PLAIN) { result = ask_row(shared, layout, &frame->payload, &row, &tuple); }
    if (result == NOT_PLAIN) {
        if (read_bare_header(frame->payload, &row)) { event.row = &row; }
        return take_undecodable(NULL, conversation, frame, &event);
    }
    event.row = &row;
    FrameKind kind = {
        .name = shared->names.content_header, .key = layout == NULL ? -1 : (int64_t)layout->key << 16, .error = -1};
    bool is_done = result == DONE && put_frame(conversation, frame, &event, &kind) && add_event(conversation, &event);
    Py_XDECREF(tuple);
    return is_done;
}

static bool take_frame0(Conversation *conversation, int direction, const Frame *frame, int64_t frame_no) {
    const FrameNames *names = &conversation->shared->names;
    if (frame->type == METHOD_FRAME) { return take_method(conversation, direction, frame, frame_no); }
    if (frame->type == HEADER_FRAME) { return take_header(conversation, direction, frame, frame_no); }
    FrameKind kind = {.name = names->content_body, .key = -1, .error = -1};
    if (frame->type != BODY_FRAME) {
        kind.name = frame->type == PROTOCOL_HEADER_TYPE ? names->protocol_header : names->others[frame->type & 0xFF];
    }
    Event event = event_of(direction, frame, frame_no, BODY_EVENT);
    return put_frame(conversation, frame, &event, &kind)
           && (frame->type != BODY_FRAME || add_event(conversation, &event));
}

/* --- 1.0 --- */

/* A performative as it was read. */
typedef struct {
    const RowLayout *layout; /* NULL when it is not known */
    Row row;
    Input rest;
    PyObject *answer; /* what the row refers to, or NULL */
} Performative;

/* (key, row, where it ends) from Python, which reads what is not plain. */
static Result ask_performative(Conversation *conversation, const Frame *frame, Performative *found) {
    Shared *shared = conversation->shared;
    unsigned int key;
    Py_ssize_t end;
    PyObject *row;
    found->answer =
        PyObject_CallMethod(shared->host, "read_performative", "ny#i", (Py_ssize_t)conversation->package,
                            (const char *)frame->payload.at, (Py_ssize_t)input_size(&frame->payload), (int)frame->type);
    if (found->answer == NULL) { return forget_error() ? NOT_PLAIN : FAILED; }
    if (!PyArg_ParseTuple(found->answer, "IO!n", &key, &PyTuple_Type, &row, &end)) { return FAILED; }
    found->layout = map_get(&package_of(conversation)->methods, key);
    if (found->layout == NULL || end < 0 || (size_t)end > input_size(&frame->payload)) {
        PyErr_Format(PyExc_ValueError, "there is no performative %u that ends at %zd", key, end);
        return FAILED;
    }
    found->rest = (Input){frame->payload.at + end, frame->payload.end};
    return done_or_failed(row_of_tuple(row, &shared->arena, &found->row));
}

static Result read_performative(Conversation *conversation, const Frame *frame, Performative *found) {
    Shared *shared = conversation->shared;
    const Package *package = package_of(conversation);
    const uint8_t *at = frame->payload.at;
    bool is_short = input_has(&frame->payload, 3) && at[0] == 0 && at[1] == SHORT_DESCRIPTOR;
    *found = (Performative){.layout = NULL};
    if (is_short) { found->layout = map_get(&package->methods, (uint64_t)frame->type << 8 | at[2]); }
    if (found->layout != NULL && !found->layout->tells_facts) {
        Result result =
            read_performative_row(package, found->layout, frame->payload, &shared->arena, &found->row, &found->rest);
        if (result == FAILED) { return result; }
        if (result == DONE && (frame->type != SASL_FRAME || input_size(&found->rest) == 0)) { return result; }
    }
    return ask_performative(conversation, frame, found);
}

static bool take_frame1(Conversation *conversation, int direction, const Frame *frame, int64_t frame_no) {
    Shared *shared = conversation->shared;
    bool is_header = frame->type == PROTOCOL_HEADER_TYPE;
    Event event = event_of(direction, frame, frame_no, PERFORMATIVE_EVENT);
    FrameKind kind = {.name = is_header ? shared->names.protocol_header : shared->names.empty, .key = -1, .error = -1};
    if (is_header || (frame->type == 0 && input_size(&frame->payload) == 0)) {
        return put_frame(conversation, frame, &event, &kind);
    }
    Performative found;
    Result result = read_performative(conversation, frame, &found);
    if (result == NOT_PLAIN) {
        event.size = input_size(&frame->payload);
        return take_undecodable(&shared->performatives, conversation, frame, &event);
    }
    bool is_done = result == DONE;
    if (is_done) {
        event.layout = found.layout;
        event.row = &found.row;
        event.payload = found.rest;
        event.size = input_size(&found.rest);
        kind.name = found.layout->name;
        is_done = put_frame(conversation, frame, &event, &kind)
                  && put(&shared->performatives, conversation, frame, &event, &kind, &found.row);
        if (is_done && found.answer != NULL && found.layout->tells_facts && !conversation->is_given_up) {
            is_done = tell_facts(conversation, direction, found.layout, PyTuple_GetItem(found.answer, 1));
        }
        is_done = is_done && add_event(conversation, &event);
    }
    Py_XDECREF(found.answer);
    return is_done;
}

/* --- All --- */

/* Chooses the assembly by the family of the first package, and tells it of another one. */
static bool use_package(Conversation *conversation) {
    Shared *shared = conversation->shared;
    const Package *package = package_of(conversation);
    int64_t number = conversation->connection->number;
    if (!conversation->has_begun) {
        conversation->has_begun = true;
        conversation->family = package->family;
        if (package->family == 0) { conversation->assembly0 = new_assembly0(&shared->sink, number); }
        else { conversation->assembly1 = new_assembly1(&shared->sink, package, number); }
        if (conversation->assembly0 == NULL && conversation->assembly1 == NULL) { return false; }
    }
    if (conversation->family != package->family) {
        PyErr_SetString(PyExc_RuntimeError, "a connection has changed its family");
        return false;
    }
    if (conversation->assembly0 != NULL) { read_by0(conversation->assembly0, package); }
    return true;
}

static bool note_channel(Conversation *conversation, const Frame *frame) {
    uint32_t number = (uint32_t)frame->channel + 1;
    if (number == conversation->last_channel) { return true; }
    conversation->last_channel = number;
    return map_get(&conversation->channels, number) != NULL
           || map_put(&conversation->channels, number, (void *)(uintptr_t)number);
}

bool take_frames(Conversation *conversation, int direction, const Frame *frames, size_t count) {
    Shared *shared = conversation->shared;
    if (!use_package(conversation)) { return false; }
    for (size_t index = 0; index < count; index++) {
        const Frame *frame = &frames[index];
        if (!take_step(&shared->steps) || !note_channel(conversation, frame)) { return false; }
        int64_t frame_no = conversation->frames++;
        bool is_taken = conversation->family == 0 ? take_frame0(conversation, direction, frame, frame_no)
                                                  : take_frame1(conversation, direction, frame, frame_no);
        if (!is_taken) { return false; }
        clear_arena(&shared->arena);
    }
    return true;
}
