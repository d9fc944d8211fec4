#include "amqp0_message.h"

#include "../src/values.h"
#include "memory.h"

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

enum { HEADER_CLASS, HEADER_BODY_SIZE };

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

static const char *const KINDS[] = {"publish", "deliver", "get-ok", "return"};

/* clang-format off */
#define OWN_VALUES(VALUE) \
    VALUE("connection", number_value(setting->connection)) \
    VALUE("direction", number_value(message->direction)) \
    VALUE("frame_no", number_value(message->frame_no)) \
    VALUE("offset", number_value(message->offset)) \
    VALUE("channel", number_value(message->channel)) \
    VALUE("ns", number_value(message->first_ns)) \
    VALUE("kind", text_value(KINDS[message->kind])) \
    VALUE("queue", queue_value(message->source.queue)) \
    VALUE("no_ack", flag_value(message->source.no_ack)) \
    VALUE("body_size", message->has_header && message->size != -1 ? number_value(message->size) : no_value()) \
    VALUE("seen", number_value((int64_t)message->seen)) \
    VALUE("frames", number_value(message->frames)) \
    VALUE("sha256", digest) \
    VALUE("beginning", beginning) \
    VALUE("last_ns", number_value(message->last_ns)) \
    VALUE("settle", outcome_value(message->settle)) \
    VALUE("settle_ns", outcome_ns(message->settle, message->settle_ns)) \
    VALUE("confirm", outcome_value(message->confirm)) \
    VALUE("confirm_ns", outcome_ns(message->confirm, message->confirm_ns)) \
    VALUE("is_complete", number_value(is_complete(message))) \
    VALUE("source", text_value("wire")) \
    VALUE("lossy_types", number_value(false))
/* clang-format on */
static const char *const OWN[] = {OWN_VALUES(NAME_OF)};

/* Behind the own values stand those of the content header, and at the end those of the method. */
enum { OWN_COUNT = COUNT_OF(OWN), MOST_HEADER = 24, MOST_ARGUMENTS = 8, ARGUMENTS_END = OWN_COUNT + 32 };
static const Origin ORIGINS[] = {
    {"own", 0, OWN_COUNT, OWN},
    {"header", OWN_COUNT, MOST_HEADER, NULL},
    {"argument", ARGUMENTS_END - MOST_ARGUMENTS, MOST_ARGUMENTS, NULL},
    {.name = NULL},
};

bool make_sink0(Sink *sink, PyObject *recipes) {
    for (size_t kind = 0; kind < COUNT_OF(KINDS); kind++) {
        if (!read_recipe(&sink->message_rows[kind], sink->messages, recipes, KINDS[kind], ORIGINS)) { return false; }
    }
    return true;
}

bool put_message0(const Setting0 *setting, const Message0 *message) {
    const Sink *sink = setting->sink;
    const PackedRow *method = message->method;
    Value digest, beginning;
    if (!take_step(sink->steps) || !value_of_kept(message->kept, 0, &digest)
        || !value_of_kept(message->kept, 1, &beginning)) {
        return false;
    }
    Value values[ARGUMENTS_END] = {OWN_VALUES(VALUE_OF)};
    size_t count = method == NULL || method->count > MOST_ARGUMENTS ? 0 : method->count;
    unpack_values(message->header, 0, MOST_HEADER, &values[OWN_COUNT]);
    unpack_values(method, 0, count, &values[ARGUMENTS_END - count]);
    return put_row(&sink->message_rows[message->kind], values);
}
