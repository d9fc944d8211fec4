#include "amqp1_message.h"

#include "../src/amqp1_codes.h"
#include "../src/utf8.h"
#include "amqp1_sessions.h"
#include "row_readers.h"

/* --- The sink */

/* In the order of the values in `put_values`. */
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
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

bool make_sink1(Sink *sink) {
    if (!pick_columns(&sink->transfer_rows, sink->messages, COLUMNS, COLUMN_COUNT)) return false;
    sink->shared1 = PyMem_Calloc(1, sizeof(struct Sink1));
    if (sink->shared1 == NULL) PyErr_NoMemory();
    return sink->shared1 != NULL;
}

void free_sink1(Sink *sink) {
    if (sink->shared1 == NULL) return;
    forget_states(sink->shared1);
    release_arena(&sink->shared1->arena);
    PyMem_Free(sink->shared1);
    sink->shared1 = NULL;
}

/* --- The content */

/* The codes of the sections of a body: part 3, sections 3.2.6 to 3.2.8. */
enum { DATA_SECTION = 0x75, SEQUENCE_SECTION, VALUE_SECTION };

/* Takes the head of a value that is not described, and tells its size without the head; false where it is not plain. */
static bool take_head(Input *body, uint64_t *size) {
    static const uint8_t widths[] = {0, 1, 2, 4, 8, 16}; /* by the first digit, from 4 on: part 1, section 1.2 */
    const uint8_t *code = take(body, 1);
    if (code == NULL || *code < NULL_CODE) return false;
    if (*code < VBIN8) {
        *size = widths[(*code >> 4) - 4];
        return true;
    }
    bool is_wide = (*code >> 4 & 1) != 0;
    const uint8_t *length = take(body, is_wide ? 4 : 1);
    if (length != NULL) *size = is_wide ? get_32(length) : *length;
    return length != NULL;
}

/* Reads the usual body, or its beginning: one section, or nothing. False for any other. */
static bool read_body(Content1 *content, Input body, bool has_more) {
    static const char *const kinds[] = {"data", "amqp-sequence", "amqp-value"};
    if (input_size(&body) == 0) return !has_more;
    const uint8_t *head = take(&body, 3), *value = body.at;
    if (head == NULL || head[0] != DESCRIBED || head[1] != SMALLULONG || head[2] < DATA_SECTION || head[2] > VALUE_SECTION) return false;
    bool is_data = head[2] == DATA_SECTION;
    uint64_t size;
    if (is_data && input_has(&body, 1) && *body.at != VBIN8 && *body.at != VBIN32) return false;
    if (!take_head(&body, &size) || input_size(&body) > size || (!has_more && input_size(&body) != size)) return false;
    content->kind = kinds[head[2] - DATA_SECTION];
    content->size = (uint64_t)(body.end - (is_data ? body.at : value));
    content->left = size - input_size(&body);
    return true;
}

/* Keeps the first transfer, in case that another one does not fit. */
static bool keep_first(Content1 *content, const Input *payload) {
    content->first_size = input_size(payload);
    content->first = PyMem_Malloc(content->first_size + 1);
    if (content->first == NULL) PyErr_NoMemory();
    if (content->first != NULL) memcpy(content->first, payload->at, content->first_size);
    return content->first != NULL;
}

/* Reads the first transfer of the usual message. */
static RowResult read_usual(const Sink *sink, const Package *package, Content1 *content, Input payload, bool has_more) {
    Row row;
    Input body;
    RowResult result = read_sections_row(package, payload, &sink->shared1->arena, &row, &body);
    if (result == READ_ROW && !read_body(content, body, has_more)) result = NOT_PLAIN_ROW;
    if (result == READ_ROW) {
        content->head = copy_row(&row);
        content->is_complete = content->head != NULL && (!has_more || keep_first(content, &payload));
        if (!content->is_complete) result = READ_FAILED;
    }
    clear_arena(&sink->shared1->arena);
    return result;
}

static bool feed_reader(const Sink *sink, Content1 *content, const Input *payload, bool has_more, bool is_opaque) {
    if (content->reader == NULL) content->reader = PyObject_CallMethod(sink->host, "new_content", NULL);
    if (content->reader == NULL) return false;
    PyObject *octets = bytes_of(payload);
    PyObject *done = is_opaque ? PyObject_CallMethod(content->reader, "feed_opaque", "N", octets)
                               : PyObject_CallMethod(content->reader, "feed", "NO", octets, has_more ? Py_True : Py_False);
    Py_XDECREF(done);
    return done != NULL;
}

/* Feeds the transfers so far, to let Python go on. */
static bool feed_again(const Sink *sink, Content1 *content) {
    static const uint8_t zeros[1 << 12];
    Input first = {content->first, content->first + content->first_size};
    if (!feed_reader(sink, content, &first, true, false)) return false;
    for (uint64_t left = content->more_size; left > 0;) {
        size_t size = left < sizeof zeros ? (size_t)left : sizeof zeros;
        if (!feed_reader(sink, content, &(Input){zeros, zeros + size}, true, false)) return false;
        left -= size;
    }
    PyMem_Free(content->head);
    PyMem_Free(content->first);
    content->head = NULL;
    content->first = NULL;
    return true;
}

/* Takes another transfer of the usual message; false when it is none. */
static bool read_more(Content1 *content, const Input *payload) {
    size_t size = input_size(payload);
    if (size > content->left) return false;
    content->left -= size;
    content->size += size;
    content->more_size += size;
    return true;
}

/* A row with the values of a tuple from a place on; NULL with an exception. */
static Row *row_from(PyObject *tuple, Py_ssize_t from) {
    Row row;
    Arena arena = {NULL, 0, 0};
    PyObject *values = PyTuple_GetSlice(tuple, from, PyTuple_Size(tuple));
    Row *copy = values != NULL && row_of_tuple(values, &arena, &row) ? copy_row(&row) : NULL;
    Py_XDECREF(values);
    release_arena(&arena);
    return copy;
}

/* What the reader found. */
enum { FOUND_KIND, FOUND_SIZE, FOUND_FOOTER, FOUND_COMPLETE, FOUND_LIMIT, FOUND_DIGEST, FOUND_BEGINNING, FOUND_VALUES };

static bool end_reader(Content1 *content, bool is_whole) {
    PyObject *done = PyObject_CallMethod(content->reader, "end", "O", is_whole ? Py_True : Py_False);
    PyObject *head, *found = done == NULL ? NULL : PyObject_CallMethod(content->reader, "result", NULL);
    bool is_done = found != NULL && (head = PyTuple_GetItem(found, 0)) != NULL;
    if (is_done) {
        content->found = row_from(found, 1);
        content->head = head == Py_None || content->found == NULL ? NULL : row_from(head, 0);
        is_done = content->found != NULL && (head == Py_None || content->head != NULL);
    }
    Py_XDECREF(done);
    Py_XDECREF(found);
    Py_CLEAR(content->reader);
    return is_done;
}

/* --- The message */

void start_message(Message1 *message, const Event *event) {
    *message = (Message1){
        .frame_no = event->frame_no, .offset = event->offset, .first_ns = event->ns, .last_ns = event->ns,
        .direction = event->direction, .channel = event->channel,
        .handle = (uint32_t)event->row->values[TRANSFER_HANDLE].number, .is_open = true,
    };
}

static bool read_transfer_state(const Sink *sink, Message1 *message, const Value *variant) {
    DeliveryState state;
    if (!read_state(sink, variant, &state)) return false;
    Py_XDECREF(message->state);
    message->state = state.name;
    return true;
}

bool add_transfer(const Sink *sink, const Package *package, Message1 *message, const Event *event, bool is_opaque) {
    const Value *values = event->row->values;
    Content1 *content = &message->content;
    message->last_ns = event->ns;
    if (values[TRANSFER_STATE].kind != NOTHING && !read_transfer_state(sink, message, &values[TRANSFER_STATE])) return false;
    message->is_aborted = is_true(&values[TRANSFER_ABORTED]);
    if (message->is_aborted) return true; /* it carries nothing of the message */
    bool has_more = is_true(&values[TRANSFER_MORE]);
    if (content->first != NULL) {
        if (read_more(content, &event->payload)) return true;
        if (!feed_again(sink, content)) return false;
    } else if (content->reader == NULL && !is_opaque && !sink->keeps_bodies) {
        RowResult result = read_usual(sink, package, content, event->payload, has_more);
        if (result != NOT_PLAIN_ROW) return result == READ_ROW;
    }
    return feed_reader(sink, content, &event->payload, has_more, is_opaque);
}

bool end_message(Message1 *message, bool is_whole) {
    is_whole = is_whole && !message->is_damaged && !message->is_aborted;
    if (message->content.reader != NULL) return end_reader(&message->content, is_whole);
    message->content.is_complete = message->content.is_complete && is_whole && message->content.left == 0;
    return true;
}

void tell_message(Message1 *message, const DeliveryState *state, int64_t ns, bool is_settled) {
    if (state->name != NULL) {
        Py_INCREF(state->name);
        Py_XDECREF(message->state);
        message->state = state->name;
    }
    bool is_new = state->meaning != NO_OUTCOME && state->meaning != message->settle;
    if (is_new) message->settle = state->meaning; /* the first disposition with this outcome counts */
    if (is_new || (is_settled && !message->has_settle_ns)) {
        message->settle_ns = ns;
        message->has_settle_ns = true;
    }
}

void release_message(Message1 *message) {
    Py_XDECREF(message->state);
    Py_XDECREF(message->content.reader);
    PyMem_Free(message->content.head);
    PyMem_Free(message->content.first);
    PyMem_Free(message->content.found);
}

/* --- The row */

/* The sections before the body, in the order of `MessageSections`. */
enum {
    HEAD_DURABLE, HEAD_PRIORITY, HEAD_TTL, HEAD_FIRST_ACQUIRER, HEAD_DELIVERY_COUNT, HEAD_DELIVERY_ANNOTATIONS,
    HEAD_MESSAGE_ANNOTATIONS, HEAD_MESSAGE_ID, HEAD_USER_ID, HEAD_TO, HEAD_SUBJECT, HEAD_REPLY_TO, HEAD_CORRELATION_ID,
    HEAD_CONTENT_TYPE, HEAD_CONTENT_ENCODING, HEAD_ABSOLUTE_EXPIRY_TIME, HEAD_CREATION_TIME, HEAD_GROUP_ID, HEAD_GROUP_SEQUENCE,
    HEAD_REPLY_TO_GROUP_ID, HEAD_MISFITS, HEAD_APPLICATION_PROPERTIES, HEAD_VALUES
};

/* The texts of a row. Python makes some, which are kept until the row is written: of four ids and addresses, and the user. */
typedef struct {
    Value state, address, user, message_id, to, reply_to, correlation_id;
    PyObject *made[5];
    size_t count;
    char numbers[4][24];
    size_t number_count;
} RowTexts;

/* The value of a str, None or NULL. */
static bool value_of_text(PyObject *text, Value *value) {
    *value = no_value();
    if (text == NULL || text == Py_None) return true;
    Py_ssize_t size;
    const char *octets = PyUnicode_AsUTF8AndSize(text, &size);
    if (octets == NULL) return false;
    *value = run_value(TEXT, (Input){(const uint8_t *)octets, (const uint8_t *)octets + size});
    return true;
}

/* Takes what Python has made; NULL with an exception. */
static bool keep_text(RowTexts *texts, PyObject *made, Value *value) {
    if (made == NULL) return false;
    texts->made[texts->count++] = made;
    return value_of_text(made, value);
}

/* The text of a number in a VARIANT of 64 bits, whose octets are little-endian. */
static void make_number(RowTexts *texts, const uint8_t *octets, Value *text) {
    uint64_t number = 0;
    for (int index = 7; index >= 0; index--) number = number << 8 | octets[index];
    char *digits = texts->numbers[texts->number_count++];
    snprintf(digits, sizeof texts->numbers[0], "%lld", (long long)number);
    *text = text_value(digits);
}

/* An address or a message id as text; nothing for binary, which has a column of its own. */
static bool make_text(const Sink *sink, RowTexts *texts, const Value *variant, Value *text) {
    *text = no_value();
    if (variant->kind == NOTHING) return true;
    const Input *octets = &variant->octets;
    bool is_short_string = input_size(octets) > 0 && (*octets->at & 3) == 1; /* its first octet has the length, too */
    if (input_size(octets) == 9 && *octets->at == VARIANT_INT64) {
        make_number(texts, octets->at + 1, text);
        return true;
    }
    if (!is_short_string) return keep_text(texts, ask_host(sink, "text_of", variant), text);
    *text = run_value(TEXT, (Input){octets->at + 1, octets->end});
    return true;
}

static bool make_user(const Sink *sink, RowTexts *texts, const Value *user) {
    texts->user = user->kind == NOTHING ? no_value() : run_value(TEXT, user->octets);
    if (user->kind == NOTHING || is_ascii(&user->octets)) return true;
    return keep_text(texts, PyObject_CallMethod(sink->host, "decode_text", "N", bytes_of(&user->octets)), &texts->user);
}

static bool make_texts(const Sink *sink, const Delivery *delivery, const Value *head, RowTexts *texts) {
    return value_of_text(delivery->message.state, &texts->state) && value_of_text(delivery->link->address, &texts->address) &&
           make_user(sink, texts, &head[HEAD_USER_ID]) &&
           make_text(sink, texts, &head[HEAD_MESSAGE_ID], &texts->message_id) &&
           make_text(sink, texts, &head[HEAD_TO], &texts->to) &&
           make_text(sink, texts, &head[HEAD_REPLY_TO], &texts->reply_to) &&
           make_text(sink, texts, &head[HEAD_CORRELATION_ID], &texts->correlation_id);
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
        number_value(connection), number_value(message->direction), number_value(message->frame_no),
        number_value(message->offset), number_value(message->channel), text_value("transfer"), number_value(delivery->is_settled),
        head[HEAD_CONTENT_TYPE], head[HEAD_CONTENT_ENCODING], head[HEAD_APPLICATION_PROPERTIES], head[HEAD_PRIORITY],
        texts->correlation_id, texts->reply_to, texts->message_id, head[HEAD_CREATION_TIME], texts->user,
        link->has_name ? run_value(TEXT, link->name) : no_value(), number_value(message->handle), texts->address,
        number_value(delivery->number), delivery->tag, delivery->message_format,
        head[HEAD_DURABLE], head[HEAD_TTL], head[HEAD_FIRST_ACQUIRER], head[HEAD_DELIVERY_COUNT], texts->to, head[HEAD_SUBJECT],
        head[HEAD_ABSOLUTE_EXPIRY_TIME], head[HEAD_GROUP_ID], head[HEAD_GROUP_SEQUENCE], head[HEAD_REPLY_TO_GROUP_ID],
        head[HEAD_MESSAGE_ID], head[HEAD_CORRELATION_ID], head[HEAD_DELIVERY_ANNOTATIONS], head[HEAD_MESSAGE_ANNOTATIONS],
        found[FOUND_FOOTER], message->is_aborted ? text_value("aborted") : texts->state,
        is_true(&found[FOUND_LIMIT]) ? beyond_limit() : head[HEAD_MISFITS],
        found[FOUND_KIND], is_true(&found[FOUND_COMPLETE]) ? found[FOUND_SIZE] : no_value(), found[FOUND_SIZE],
        number_value(delivery->transfers), found[FOUND_DIGEST], found[FOUND_BEGINNING],
        number_value(message->first_ns), number_value(message->last_ns), text_value(settled[message->settle]),
        message->has_settle_ns ? number_value(message->settle_ns) : no_value(), found[FOUND_COMPLETE],
        text_value("wire"), number_value(false),
    };
    return put_row(&sink->transfer_rows, values);
}

bool put_message(const Sink *sink, int64_t connection, const Delivery *delivery) {
    static const Value no_sections[HEAD_VALUES] = {{.kind = NOTHING}};
    const Content1 *content = &delivery->message.content;
    const Value *head = content->head == NULL ? no_sections : content->head->values;
    Value usual[FOUND_VALUES];
    if (content->found == NULL) find_usual(content, usual);
    const Value *found = content->found == NULL ? usual : content->found->values;
    RowTexts texts = {.count = 0};
    bool is_done = make_texts(sink, delivery, head, &texts) && put_values(sink, connection, delivery, head, found, &texts);
    while (texts.count > 0) Py_DECREF(texts.made[--texts.count]);
    return is_done;
}
