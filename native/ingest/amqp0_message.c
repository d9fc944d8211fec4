#include "amqp0_message.h"

#include "../src/values.h"
#include "memory.h"

/* --- The sink */

/* In the order of the values in `put_message0`, without arguments of the method. */
#define COMMON_COLUMNS                                                                                               \
    "connection", "dir", "frame_no", "stream_off", "channel", "kind", "queue_inferred", "no_ack", "body_size",       \
        "body_seen", "body_frames", "body_sha256", "body_head", "first_ns", "last_ns", "settle", "settle_ns",        \
        "confirm", "confirm_ns", "complete", "source", "lossy_types", "content_type", "content_encoding", "headers", \
        "delivery_mode", "priority", "correlation_id", "reply_to", "expiration", "message_id", "timestamp", "type",  \
        "user_id", "app_id", "cluster_id", "misfits"
enum { HEADER_VALUES = 15, COMMON_COUNT = 22 + HEADER_VALUES, MOST_ARGUMENTS = 5 }; /* the properties and the misfits */

/* Arguments are the last columns of a method before its misfits, in every version. */
static const char *const PUBLISH_COLUMNS[] = {COMMON_COLUMNS, "exchange", "routing_key", "mandatory", "immediate"};
static const char *const DELIVER_COLUMNS[] = {COMMON_COLUMNS, "consumer_tag", "delivery_tag",
                                              "redelivered",  "exchange",     "routing_key"};
static const char *const GET_OK_COLUMNS[] = {COMMON_COLUMNS, "delivery_tag", "redelivered",
                                             "exchange",     "routing_key",  "message_count"};
static const char *const RETURN_COLUMNS[] = {COMMON_COLUMNS, "reply_code", "reply_text", "exchange", "routing_key"};

bool make_sink0(Sink *sink) {
    return pick_columns(&sink->publish_rows, sink->messages, PUBLISH_COLUMNS, COMMON_COUNT + 4)
           && pick_columns(&sink->deliver_rows, sink->messages, DELIVER_COLUMNS, COMMON_COUNT + 5)
           && pick_columns(&sink->get_ok_rows, sink->messages, GET_OK_COLUMNS, COMMON_COUNT + 5)
           && pick_columns(&sink->return_rows, sink->messages, RETURN_COLUMNS, COMMON_COUNT + 4);
}

/* --- The message */

Message0 *new_message0(const Event *method, MessageKind kind) {
    Message0 *message = zeros(1, sizeof(Message0));
    if (message == NULL) { return NULL; }
    message->kind = kind;
    message->direction = method->direction;
    message->channel = method->channel;
    message->frame_no = method->frame_no;
    message->offset = method->offset;
    message->first_ns = message->last_ns = method->ns;
    message->source.no_ack = NO_ACK_UNKNOWN;
    message->is_open = true;
    if (method->row == NULL || (message->method = pack_row(method->row)) != NULL) { return message; }
    PyMem_Free(message);
    return NULL;
}

void free_message0(Message0 *message) {
    PyMem_Free(message->method);
    PyMem_Free(message->header);
    drop_queue_name(message->source.queue);
    Py_XDECREF(message->pieces);
    Py_XDECREF(message->kept);
    PyMem_Free(message);
}

int visit_message0(const Message0 *message, visitproc visit, void *arg) {
    Py_VISIT(message->pieces);
    Py_VISIT(message->kept);
    return 0;
}

/* --- The content */

enum { HEADER_CLASS, HEADER_BODY_SIZE, HEADER_PROPERTIES };

bool add_header0(const Sink *sink, Message0 *message, const Event *header) {
    message->last_ns = header->ns;
    message->has_header = true;
    message->size = -1;
    if (header->row == NULL) { return true; }
    const Value *class_id = &header->row->values[HEADER_CLASS], *size = &header->row->values[HEADER_BODY_SIZE];
    if (size->kind == NUMBER) { message->size = size->number; }
    /* Content headers of other classes have other properties. */
    if (class_id->kind != NUMBER || class_id->number != sink->keys.basic_class) { return true; }
    message->header = pack_row(header->row);
    return message->header != NULL;
}

enum { MOST_KEPT = 1 << 24 }; /* octets of a body; see `amqp_traffic.decode.body_retention` */

static bool keep_piece(Message0 *message, const Input *octets) {
    if (message->seen > MOST_KEPT) { return true; }
    if (message->pieces == NULL) { message->pieces = PyList_New(0); }
    if (message->pieces == NULL) { return false; }
    PyObject *piece = new_bytes(octets);
    bool is_done = piece != NULL && PyList_Append(message->pieces, piece) == 0;
    Py_XDECREF(piece);
    return is_done;
}

bool add_body0(const Sink *sink, Message0 *message, const Event *body) {
    if (sink->keeps_bodies && !keep_piece(message, &body->payload)) { return false; }
    message->frames++;
    message->last_ns = body->ns;
    message->seen += body->size;
    return true;
}

static bool is_complete(const Message0 *message) {
    return message->has_header && message->size >= 0 && message->seen == (uint64_t)message->size;
}

bool end_content0(const Sink *sink, Message0 *message) {
    bool is_empty = message->has_header && message->size == 0;
    if (!sink->keeps_bodies || (message->pieces == NULL && !is_empty)) { return true; }
    PyObject *pieces = message->pieces == NULL ? PyList_New(0) : message->pieces;
    message->pieces = NULL;
    if (pieces == NULL) { return false; }
    message->kept = PyObject_CallMethod(sink->host, "keep_body", "NKO", pieces, (unsigned long long)message->seen,
                                        is_complete(message) ? Py_True : Py_False);
    return message->kept != NULL;
}

/* --- The row */

static Value flag_value(int flag) { return flag < 0 ? no_value() : number_value(flag); }

static Value queue_value(const QueueName *queue) {
    return queue == NULL ? no_value() : run_value(TEXT, (Input){queue->octets, queue->octets + queue->size});
}

static Value outcome_value(Outcome outcome) {
    static const char *const names[] = {NULL, "none", "not-followed", "ack", "nack", "reject"};
    return outcome == NOT_EXPECTED ? no_value() : text_value(names[outcome]);
}

static Value outcome_ns(Outcome outcome, int64_t ns) { return outcome > FORGOTTEN ? number_value(ns) : no_value(); }

/* The digest or the beginning of the body. */
static bool value_of_kept(PyObject *kept, Py_ssize_t index, Value *value) {
    PyObject *bytes = kept == NULL ? Py_None : PyTuple_GetItem(kept, index);
    *value = no_value();
    if (bytes == NULL || bytes == Py_None) { return bytes != NULL; }
    value->kind = OCTETS;
    return run_of_bytes(bytes, &value->octets);
}

bool put_message0(const Setting0 *setting, const Message0 *message) {
    static const char *const kinds[] = {"publish", "deliver", "get-ok", "return"};
    const Sink *sink = setting->sink;
    const RowMaker *makers[] = {&sink->publish_rows, &sink->deliver_rows, &sink->get_ok_rows, &sink->return_rows};
    size_t arguments = makers[message->kind]->count - COMMON_COUNT;
    Value digest, beginning;
    if (!take_step(sink->steps) || !value_of_kept(message->kept, 0, &digest)
        || !value_of_kept(message->kept, 1, &beginning)) {
        return false;
    }
    Value values[COMMON_COUNT + MOST_ARGUMENTS] = {
        number_value(setting->connection),
        number_value(message->direction),
        number_value(message->frame_no),
        number_value(message->offset),
        number_value(message->channel),
        text_value(kinds[message->kind]),
        queue_value(message->source.queue),
        flag_value(message->source.no_ack),
        message->has_header && message->size != -1 ? number_value(message->size) : no_value(),
        number_value((int64_t)message->seen),
        number_value(message->frames),
        digest,
        beginning,
        number_value(message->first_ns),
        number_value(message->last_ns),
        outcome_value(message->settle),
        outcome_ns(message->settle, message->settle_ns),
        outcome_value(message->confirm),
        outcome_ns(message->confirm, message->confirm_ns),
        number_value(is_complete(message)),
        text_value("wire"),
        number_value(false),
    };
    const PackedRow *method = message->method;
    unpack_values(message->header, HEADER_PROPERTIES, HEADER_VALUES, &values[COMMON_COUNT - HEADER_VALUES]);
    unpack_values(method, method == NULL ? 0 : method->count - 1 - arguments, arguments, &values[COMMON_COUNT]);
    return put_row(makers[message->kind], values);
}
