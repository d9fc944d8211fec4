#include "amqp1_message.h"

#include "../src/amqp1_codes.h"
#include "memory.h"

/* --- The content */

/* The codes of the sections of a body: part 3, sections 3.2.6 to 3.2.8. */
enum { DATA_SECTION = 0x75, SEQUENCE_SECTION, VALUE_SECTION };

/* Takes the head of a value that is not described, and tells its size without the head; false where it is not plain. */
static bool take_head(Input *body, uint64_t *size) {
    static const uint8_t widths[] = {0, 1, 2, 4, 8, 16}; /* by the first digit, from 4 on: part 1, section 1.2 */
    const uint8_t *code = take(body, 1);
    if (code == NULL || *code < NULL_CODE) { return false; }
    if (*code < VBIN8) {
        *size = widths[(*code >> 4) - 4];
        return true;
    }
    bool is_wide = (*code >> 4 & 1) != 0;
    const uint8_t *length = take(body, is_wide ? 4 : 1);
    if (length != NULL) { *size = is_wide ? get_32(length) : *length; }
    return length != NULL;
}

/* Reads the usual body, or its beginning: one section, or nothing. False for any other. */
static bool read_body(Content1 *content, Input body, bool has_more) {
    static const char *const kinds[] = {"data", "amqp-sequence", "amqp-value"};
    if (input_size(&body) == 0) { return !has_more; }
    const uint8_t *head = take(&body, 3), *value = body.at;
    if (head == NULL || head[0] != DESCRIBED || head[1] != SMALLULONG || head[2] < DATA_SECTION
        || head[2] > VALUE_SECTION) {
        return false;
    }
    bool is_data = head[2] == DATA_SECTION;
    uint64_t size;
    if (is_data && input_has(&body, 1) && *body.at != VBIN8 && *body.at != VBIN32) { return false; }
    if (!take_head(&body, &size) || input_size(&body) > size || (!has_more && input_size(&body) != size)) {
        return false;
    }
    content->kind = kinds[head[2] - DATA_SECTION];
    content->size = (uint64_t)(body.end - (is_data ? body.at : value));
    content->left = size - input_size(&body);
    return true;
}

/* Keeps the first transfer, in case that another one does not fit. */
static bool keep_first(Content1 *content, const Input *payload) {
    content->first_size = input_size(payload);
    content->first = new_memory(content->first_size);
    if (content->first != NULL) { memcpy(content->first, payload->at, content->first_size); }
    return content->first != NULL;
}

/* Reads the first transfer of the usual message. */
static Result read_usual(const Sink *sink, const Package *package, Content1 *content, Input payload, bool has_more) {
    Row row;
    Input body;
    Result result = read_sections_row(package, payload, &sink->shared1->arena, &row, &body);
    if (result == DONE && !read_body(content, body, has_more)) { result = NOT_PLAIN; }
    if (result == DONE) {
        content->head = pack_row(&row);
        content->is_complete = content->head != NULL && (!has_more || keep_first(content, &payload));
        if (!content->is_complete) { result = FAILED; }
    }
    clear_arena(&sink->shared1->arena);
    return result;
}

static bool feed_reader(const Sink *sink, Content1 *content, const Input *payload, bool has_more, bool is_opaque) {
    if (content->reader == NULL) { content->reader = PyObject_CallMethod(sink->host, "new_content", NULL); }
    if (content->reader == NULL) { return false; }
    const char *octets = (const char *)payload->at;
    Py_ssize_t size = (Py_ssize_t)input_size(payload);
    PyObject *done =
        is_opaque ? PyObject_CallMethod(content->reader, "feed_opaque", "y#", octets, size)
                  : PyObject_CallMethod(content->reader, "feed", "y#O", octets, size, has_more ? Py_True : Py_False);
    Py_XDECREF(done);
    return done != NULL;
}

/* Feeds the transfers so far, to let Python go on. */
static bool feed_again(const Sink *sink, Content1 *content) {
    static const uint8_t zeros[1 << 12];
    Input first = {content->first, content->first + content->first_size};
    if (!feed_reader(sink, content, &first, true, false)) { return false; }
    for (uint64_t left = content->more_size; left > 0;) {
        size_t size = left < sizeof zeros ? (size_t)left : sizeof zeros;
        if (!feed_reader(sink, content, &(Input){zeros, zeros + size}, true, false)) { return false; }
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
    if (size > content->left) { return false; }
    content->left -= size;
    content->size += size;
    content->more_size += size;
    return true;
}

/* A row with the values of a tuple from a place on. */
static PackedRow *row_from(PyObject *tuple, Py_ssize_t from) {
    Row row;
    Arena arena = {0};
    PyObject *values = PyTuple_GetSlice(tuple, from, PyTuple_Size(tuple));
    PackedRow *copy = values != NULL && row_of_tuple(values, &arena, &row) ? pack_row(&row) : NULL;
    Py_XDECREF(values);
    release_arena(&arena);
    return copy;
}

static bool end_reader(Content1 *content, bool is_whole, bool is_secret) {
    PyObject *done = PyObject_CallMethod(content->reader, "end", "OO", is_whole ? Py_True : Py_False,
                                         is_secret ? Py_True : Py_False);
    PyObject *head = NULL, *found = done == NULL ? NULL : PyObject_CallMethod(content->reader, "result", NULL);
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
        .frame_no = event->frame_no,
        .offset = event->offset,
        .first_ns = event->ns,
        .last_ns = event->ns,
        .direction = event->direction,
        .channel = event->channel,
        .handle = (uint32_t)event->row->values[TRANSFER_HANDLE].number,
        .is_open = true,
    };
}

static bool read_transfer_state(const Sink *sink, Message1 *message, const Value *variant) {
    DeliveryState state;
    if (!read_state(sink, variant, &state)) { return false; }
    set_reference(&message->state, state.name);
    return true;
}

bool add_transfer(const Sink *sink, const Package *package, Message1 *message, const Event *event, bool is_opaque) {
    const Value *values = event->row->values;
    Content1 *content = &message->content;
    message->last_ns = event->ns;
    if (values[TRANSFER_STATE].kind != NOTHING && !read_transfer_state(sink, message, &values[TRANSFER_STATE])) {
        return false;
    }
    message->is_aborted = is_true(&values[TRANSFER_ABORTED]);
    if (message->is_aborted) { return true; /* it carries nothing of the message */ }
    bool has_more = is_true(&values[TRANSFER_MORE]);
    if (content->first != NULL) {
        if (read_more(content, &event->payload)) { return true; }
        if (!feed_again(sink, content)) { return false; }
    }
    else if (content->reader == NULL && !is_opaque && !sink->keeps_bodies) {
        Result result = read_usual(sink, package, content, event->payload, has_more);
        if (result != NOT_PLAIN) { return result == DONE; }
    }
    return feed_reader(sink, content, &event->payload, has_more, is_opaque);
}

bool end_message(Message1 *message, bool is_whole, bool is_secret) {
    is_whole = is_whole && !message->is_aborted;
    if (message->content.reader != NULL) { return end_reader(&message->content, is_whole, is_secret); }
    message->content.is_complete = message->content.is_complete && is_whole && message->content.left == 0;
    return true;
}

void tell_message(Message1 *message, const Told *told) {
    if (told->name != NULL) { set_reference(&message->state, Py_NewRef(told->name)); }
    bool is_new = told->meaning != NO_OUTCOME && (told->meaning != message->settle || told->had_other);
    if (!is_new) { return; /* the first disposition with this outcome counts */ }
    message->settle = told->meaning;
    message->settle_ns = told->since;
    message->has_settle_ns = true;
}

void settle_message(Message1 *message, int64_t ns) {
    if (!message->has_settle_ns) { message->settle_ns = ns; }
    message->has_settle_ns = true;
}

void release_message(Message1 *message) {
    Py_XDECREF(message->state);
    Py_XDECREF(message->content.reader);
    PyMem_Free(message->content.head);
    PyMem_Free(message->content.first);
    PyMem_Free(message->content.found);
}

int visit_message(const Message1 *message, visitproc visit, void *arg) {
    Py_VISIT(message->state);
    Py_VISIT(message->content.reader);
    return 0;
}
