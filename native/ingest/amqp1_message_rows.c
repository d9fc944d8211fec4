#include "amqp1_deliveries.h"

#include "../src/variant.h"
#include "memory.h"

/* --- Texts, which live as long as the arena keeps them */

/* The value of a str, None or NULL. */
static bool value_of_text(PyObject *text, Arena *arena, Value *value) {
    *value = no_value();
    if (text == NULL || text == Py_None) { return true; }
    value->kind = TEXT;
    return run_of_text(text, arena, &value->octets);
}

/* Copies what Python has made; NULL is an exception. */
static bool take_text(PyObject *made, Arena *arena, Value *text) {
    bool is_done = made != NULL && value_of_text(made, arena, text);
    if (is_done && text->kind == TEXT) {
        size_t size = input_size(&text->octets);
        uint8_t *at = arena_room(arena, size);
        is_done = at != NULL;
        if (is_done) { memcpy(at, text->octets.at, size); }
        text->octets = (Input){at, at + size};
    }
    Py_XDECREF(made);
    return is_done;
}

/* The text of a number in a VARIANT of 64 bits, whose octets are little-endian. */
static bool make_number(Arena *arena, const uint8_t *octets, Value *text) {
    enum { MOST_DIGITS = 24 };
    uint64_t number = 0;
    for (int index = 7; index >= 0; index--) { number = number << 8 | octets[index]; }
    char *digits = (char *)arena_room(arena, MOST_DIGITS);
    if (digits == NULL) { return false; }
    snprintf(digits, MOST_DIGITS, "%lld", (long long)number);
    *text = text_value(digits);
    return true;
}

/* Octets, an address or a message id as text; nothing for an id that is binary, which has a column of its own. */
static bool make_text(const Sink *sink, const Value *value, Value *text) {
    Arena *arena = &sink->shared1->arena;
    const Input *octets = &value->octets;
    *text = *value;
    if (value->kind != OCTETS && value->kind != VARIANT) { return true; }
    if (value->kind == OCTETS && is_ascii(octets)) {
        text->kind = TEXT;
        return true;
    }
    if (value->kind == OCTETS) {
        return take_text(PyObject_CallMethod(sink->host, "decode_text", "y#", (const char *)octets->at,
                                             (Py_ssize_t)input_size(octets)),
                         arena, text);
    }
    bool is_short_string = input_size(octets) > 0 && (*octets->at & 3) == 1; /* its first octet has the length, too */
    if (input_size(octets) == 9 && *octets->at == VARIANT_INT64) { return make_number(arena, octets->at + 1, text); }
    if (!is_short_string) { return take_text(ask_host(sink, "text_of", value), arena, text); }
    *text = run_value(TEXT, (Input){octets->at + 1, octets->end});
    return true;
}

/* --- The row */

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

static const char *const SETTLED[] = {"none", "ack", "nack", "reject"};

/* clang-format off */
#define OWN_VALUES(VALUE) \
    VALUE("connection", number_value(connection)) \
    VALUE("direction", number_value(message->direction)) \
    VALUE("frame_no", number_value(message->frame_no)) \
    VALUE("offset", number_value(message->offset)) \
    VALUE("channel", number_value(message->channel)) \
    VALUE("ns", number_value(message->first_ns)) \
    VALUE("kind", text_value("transfer")) \
    VALUE("handle", number_value(message->handle)) \
    VALUE("is_settled", number_value(delivery->is_settled)) \
    VALUE("link.name", link->key.has_name ? run_value(TEXT, link->key.name) : no_value()) \
    VALUE("link.address", address) \
    VALUE("delivery_id", number_value(delivery->spot.first)) \
    VALUE("tag", delivery->tag) \
    VALUE("message_format", delivery->message_format) \
    VALUE("transfers", number_value(delivery->transfers)) \
    VALUE("state", message->is_aborted ? text_value("aborted") : state) \
    VALUE("misfits", is_true(&found[FOUND_LIMIT]) ? beyond_limit() : head[SECTION_MISFITS]) \
    VALUE("content.kind", found[FOUND_KIND]) \
    VALUE("content.size", found[FOUND_SIZE]) \
    VALUE("content.footer", found[FOUND_FOOTER]) \
    VALUE("content.is_complete", found[FOUND_COMPLETE]) \
    VALUE("body_size", is_true(&found[FOUND_COMPLETE]) ? found[FOUND_SIZE] : no_value()) \
    VALUE("sha256", found[FOUND_DIGEST]) \
    VALUE("beginning", found[FOUND_BEGINNING]) \
    VALUE("last_ns", number_value(message->last_ns)) \
    VALUE("settle", text_value(is_not_followed ? NOT_FOLLOWED : SETTLED[message->settle])) \
    VALUE("settle_ns", message->has_settle_ns ? number_value(message->settle_ns) : no_value()) \
    VALUE("source", text_value("wire")) \
    VALUE("lossy_types", number_value(false))
/* clang-format on */
static const char *const OWN[] = {OWN_VALUES(NAME_OF)};

/* Behind the own values stand those of the sections, and the same as texts, if a column wants them. */
enum { SECTIONS = COUNT_OF(OWN), TEXTS_OF_SECTIONS = SECTIONS + SECTION_VALUES };
static const Origin ORIGINS[] = {
    {"own", 0, SECTIONS, OWN},
    {"section", SECTIONS, SECTION_VALUES, NULL},
    {"text", TEXTS_OF_SECTIONS, SECTION_VALUES, NULL},
    {.name = NULL},
};

bool make_sink1(Sink *sink, PyObject *recipes) {
    if (!read_recipe(&sink->transfer_rows, sink->messages, recipes, "transfer", ORIGINS)) { return false; }
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

static bool make_texts(const Sink *sink, Value *values) {
    const RowMaker *maker = &sink->transfer_rows;
    for (size_t index = 0; index < maker->count; index++) {
        size_t place = maker->places[index];
        if (place < TEXTS_OF_SECTIONS) { continue; }
        if (!make_text(sink, &values[place - SECTION_VALUES], &values[place])) { return false; }
    }
    return true;
}

bool put_message(const Sink *sink, int64_t connection, const Delivery *delivery) {
    const Message1 *message = &delivery->message;
    const Content1 *content = &message->content;
    const Link *link = delivery->link;
    bool is_not_followed = message->settle == NO_OUTCOME && message->is_forgotten;
    Value head[SECTION_VALUES], found[FOUND_VALUES], state, address;
    unpack_values(content->head, 0, SECTION_VALUES, head);
    if (content->found == NULL) { find_usual(content, found); }
    else { unpack_values(content->found, 0, FOUND_VALUES, found); }
    if (!take_step(sink->steps) || !value_of_text(message->state, &sink->shared1->arena, &state)
        || !value_of_text(link->address, &sink->shared1->arena, &address)) {
        return false;
    }
    Value values[TEXTS_OF_SECTIONS + SECTION_VALUES] = {OWN_VALUES(VALUE_OF)};
    memcpy(&values[SECTIONS], head, sizeof head);
    bool is_put = make_texts(sink, values) && put_row(&sink->transfer_rows, values);
    clear_arena(&sink->shared1->arena);
    return is_put;
}
