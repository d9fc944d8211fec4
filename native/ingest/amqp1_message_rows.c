#include "amqp1_deliveries.h"

#include "../src/variant.h"
#include "memory.h"

/* --- The sink */

/* In the order of the values in `put_values`. */
/* clang-format off */
static const char *const COLUMNS[] = {
    "connection", "dir", "frame_no", "stream_off", "channel", "kind", "no_ack",
    "content_type", "content_encoding", "headers", "priority", "correlation_id", "reply_to", "message_id", "timestamp", "user_id",
    "link_name", "handle", "address", "delivery_id", "delivery_tag_bytes", "message_format",
    "durable", "ttl", "first_acquirer", "delivery_count", "to", "subject",
    "absolute_expiry_time", "group_id", "group_sequence", "reply_to_group_id", "message_id_value",
    "correlation_id_value", "delivery_annotations", "message_annotations", "footer", "state", "misfits",
    "body_kind", "body_size", "body_seen", "body_frames", "body_sha256", "body_head",
    "first_ns", "last_ns", "settle", "settle_ns", "complete", "source", "lossy_types",
};
/* clang-format on */
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

bool make_sink1(Sink *sink) {
    if (!pick_columns(&sink->transfer_rows, sink->messages, COLUMNS, COLUMN_COUNT)) { return false; }
    sink->shared1 = zeros(1, sizeof(struct Sink1));
    if (sink->shared1 != NULL) { sink->shared1->arena.secrets = sink->secrets; }
    return sink->shared1 != NULL;
}

void free_sink1(Sink *sink) {
    if (sink->shared1 == NULL) { return; }
    forget_states(sink->shared1);
    release_arena(&sink->shared1->arena);
    PyMem_Free(sink->shared1);
    sink->shared1 = NULL;
}

int visit_sink1(const Sink *sink, visitproc visit, void *arg) {
    return sink->shared1 == NULL ? 0 : visit_states(sink->shared1, visit, arg);
}

/* --- The row */

/* The sections before the body, in the order of `MessageSections`. */
/* clang-format off */
enum {
    HEAD_DURABLE, HEAD_PRIORITY, HEAD_TTL, HEAD_FIRST_ACQUIRER, HEAD_DELIVERY_COUNT, HEAD_DELIVERY_ANNOTATIONS,
    HEAD_MESSAGE_ANNOTATIONS, HEAD_MESSAGE_ID, HEAD_USER_ID, HEAD_TO, HEAD_SUBJECT, HEAD_REPLY_TO, HEAD_CORRELATION_ID,
    HEAD_CONTENT_TYPE, HEAD_CONTENT_ENCODING, HEAD_ABSOLUTE_EXPIRY_TIME, HEAD_CREATION_TIME, HEAD_GROUP_ID, HEAD_GROUP_SEQUENCE,
    HEAD_REPLY_TO_GROUP_ID, HEAD_MISFITS, HEAD_APPLICATION_PROPERTIES, HEAD_VALUES
};
/* clang-format on */

/* The texts of a row. Python makes some, which are kept until the row is written: of four ids and addresses, and the
   user. */
typedef struct {
    Value state, address, user, message_id, to, reply_to, correlation_id;
    PyObject *made[5];
    size_t count;
    char numbers[4][24];
    size_t number_count;
} RowTexts;

/* The value of a str, None or NULL. */
static bool value_of_text(PyObject *text, Arena *arena, Value *value) {
    *value = no_value();
    if (text == NULL || text == Py_None) { return true; }
    value->kind = TEXT;
    return run_of_text(text, arena, &value->octets);
}

/* Takes what Python has made; NULL is an exception. */
static bool keep_text(const Sink *sink, RowTexts *texts, PyObject *made, Value *value) {
    if (made == NULL) { return false; }
    texts->made[texts->count++] = made;
    return value_of_text(made, &sink->shared1->arena, value);
}

/* The text of a number in a VARIANT of 64 bits, whose octets are little-endian. */
static void make_number(RowTexts *texts, const uint8_t *octets, Value *text) {
    uint64_t number = 0;
    for (int index = 7; index >= 0; index--) { number = number << 8 | octets[index]; }
    char *digits = texts->numbers[texts->number_count++];
    snprintf(digits, sizeof texts->numbers[0], "%lld", (long long)number);
    *text = text_value(digits);
}

/* An address or a message id as text; nothing for binary, which has a column of its own. */
static bool make_text(const Sink *sink, RowTexts *texts, const Value *variant, Value *text) {
    *text = no_value();
    if (variant->kind == NOTHING) { return true; }
    const Input *octets = &variant->octets;
    bool is_short_string = input_size(octets) > 0 && (*octets->at & 3) == 1; /* its first octet has the length, too */
    if (input_size(octets) == 9 && *octets->at == VARIANT_INT64) {
        make_number(texts, octets->at + 1, text);
        return true;
    }
    if (!is_short_string) { return keep_text(sink, texts, ask_host(sink, "text_of", variant), text); }
    *text = run_value(TEXT, (Input){octets->at + 1, octets->end});
    return true;
}

static bool make_user(const Sink *sink, RowTexts *texts, const Value *user) {
    const Input *octets = &user->octets;
    texts->user = user->kind == NOTHING ? no_value() : run_value(TEXT, *octets);
    if (user->kind == NOTHING || is_ascii(octets)) { return true; }
    PyObject *text =
        PyObject_CallMethod(sink->host, "decode_text", "y#", (const char *)octets->at, (Py_ssize_t)input_size(octets));
    return keep_text(sink, texts, text, &texts->user);
}

static bool make_texts(const Sink *sink, const Delivery *delivery, const Value *head, RowTexts *texts) {
    Arena *arena = &sink->shared1->arena;
    return value_of_text(delivery->message.state, arena, &texts->state)
           && value_of_text(delivery->link->address, arena, &texts->address)
           && make_user(sink, texts, &head[HEAD_USER_ID])
           && make_text(sink, texts, &head[HEAD_MESSAGE_ID], &texts->message_id)
           && make_text(sink, texts, &head[HEAD_TO], &texts->to)
           && make_text(sink, texts, &head[HEAD_REPLY_TO], &texts->reply_to)
           && make_text(sink, texts, &head[HEAD_CORRELATION_ID], &texts->correlation_id);
}

/* What the reader of Python finds for the usual content, too. */
static void find_usual(const Content1 *content, Value *found) {
    found[FOUND_KIND] = content->kind == NULL ? no_value() : text_value(content->kind);
    found[FOUND_SIZE] = number_value((int64_t)content->size);
    found[FOUND_FOOTER] = found[FOUND_DIGEST] = found[FOUND_BEGINNING] = no_value();
    found[FOUND_COMPLETE] = number_value(content->is_complete);
    found[FOUND_LIMIT] = number_value(false);
}

/* The VARIANT {"our-limit": true}. */
static Value beyond_limit(void) {
    static const uint8_t value[] = {0x02, 0x01, 0x00, 0x00, 0x01, 0x04}, metadata[] = "\x11\x01\x00\x09our-limit";
    Input octets = {value, value + sizeof value}, names = {metadata, metadata + sizeof metadata - 1};
    return (Value){.kind = VARIANT, .octets = octets, .metadata = names};
}

static bool put_values(const Sink *sink, int64_t connection, const Delivery *delivery, const Value *head,
                       const Value *found, const RowTexts *texts) {
    static const char *const settled[] = {"none", "ack", "nack", "reject"};
    const Message1 *message = &delivery->message;
    const LinkKey *link = &delivery->link->key;
    Value values[COLUMN_COUNT] = {
        number_value(connection),
        number_value(message->direction),
        number_value(message->frame_no),
        number_value(message->offset),
        number_value(message->channel),
        text_value("transfer"),
        number_value(delivery->is_settled),
        head[HEAD_CONTENT_TYPE],
        head[HEAD_CONTENT_ENCODING],
        head[HEAD_APPLICATION_PROPERTIES],
        head[HEAD_PRIORITY],
        texts->correlation_id,
        texts->reply_to,
        texts->message_id,
        head[HEAD_CREATION_TIME],
        texts->user,
        link->has_name ? run_value(TEXT, link->name) : no_value(),
        number_value(message->handle),
        texts->address,
        number_value(delivery->spot.first),
        delivery->tag,
        delivery->message_format,
        head[HEAD_DURABLE],
        head[HEAD_TTL],
        head[HEAD_FIRST_ACQUIRER],
        head[HEAD_DELIVERY_COUNT],
        texts->to,
        head[HEAD_SUBJECT],
        head[HEAD_ABSOLUTE_EXPIRY_TIME],
        head[HEAD_GROUP_ID],
        head[HEAD_GROUP_SEQUENCE],
        head[HEAD_REPLY_TO_GROUP_ID],
        head[HEAD_MESSAGE_ID],
        head[HEAD_CORRELATION_ID],
        head[HEAD_DELIVERY_ANNOTATIONS],
        head[HEAD_MESSAGE_ANNOTATIONS],
        found[FOUND_FOOTER],
        message->is_aborted ? text_value("aborted") : texts->state,
        is_true(&found[FOUND_LIMIT]) ? beyond_limit() : head[HEAD_MISFITS],
        found[FOUND_KIND],
        is_true(&found[FOUND_COMPLETE]) ? found[FOUND_SIZE] : no_value(),
        found[FOUND_SIZE],
        number_value(delivery->transfers),
        found[FOUND_DIGEST],
        found[FOUND_BEGINNING],
        number_value(message->first_ns),
        number_value(message->last_ns),
        text_value(message->settle == NO_OUTCOME && message->is_forgotten ? NOT_FOLLOWED : settled[message->settle]),
        message->has_settle_ns ? number_value(message->settle_ns) : no_value(),
        found[FOUND_COMPLETE],
        text_value("wire"),
        number_value(false),
    };
    return put_row(&sink->transfer_rows, values);
}

bool put_message(const Sink *sink, int64_t connection, const Delivery *delivery) {
    const Content1 *content = &delivery->message.content;
    Value head[HEAD_VALUES], found[FOUND_VALUES];
    unpack_values(content->head, 0, HEAD_VALUES, head);
    if (content->found == NULL) { find_usual(content, found); }
    else { unpack_values(content->found, 0, FOUND_VALUES, found); }
    RowTexts texts = {.count = 0};
    bool is_done = take_step(sink->steps) && make_texts(sink, delivery, head, &texts)
                   && put_values(sink, connection, delivery, head, found, &texts);
    while (texts.count > 0) { Py_DECREF(texts.made[--texts.count]); }
    return is_done;
}
