#include "amqp0_channel.h"
#include "memory.h"

#include <stddef.h>

static const Value NOT_KNOWN = {.kind = NOTHING};

/* Notes whether something failed. */
static void check(Setting0 *setting, bool is_done) { setting->has_failed = setting->has_failed || !is_done; }

/* --- The ends of messages */

/* Writes the row of a message that is over, and frees it. */
static void finish_if_over(Setting0 *setting, Message0 *message) {
    if (message->is_open || message->is_awaited) { return; }
    if (!setting->has_failed) { check(setting, put_message0(setting, message)); }
    free_message0(message);
}

/* It is not known how a message is settled or confirmed. */
static void follow_no_longer(Message0 *message) {
    if (message->settle == NONE) { message->settle = FORGOTTEN; }
    if (message->confirm == NONE) { message->confirm = FORGOTTEN; }
}

/* Stops waiting for messages, linked by `later`, to be settled or confirmed; `outcome` is NULL or that of
   `end_channel0`. */
static void give_up(Setting0 *setting, Message0 *messages, const char *outcome) {
    for (Message0 *message = messages, *later; message != NULL; message = later) {
        later = message->later;
        message->is_awaited = false;
        if (outcome == NOT_FOLLOWED) { follow_no_longer(message); }
        finish_if_over(setting, message);
    }
}

static void end_deliveries(Channel0 *channel, const char *outcome) {
    channel->deliveries.highest = 0;
    give_up(channel->setting, take_all_outstanding(&channel->deliveries), outcome);
}

static void end_confirms(Channel0 *channel, const char *outcome) {
    channel->confirm_number = -1;
    give_up(channel->setting, take_all_outstanding(&channel->published), outcome);
}

static void add_awaited(Channel0 *channel, Outstanding *outstanding, int64_t number, Message0 *message) {
    Message0 *displaced;
    check(channel->setting, add_outstanding(outstanding, number, message, &displaced));
    bool is_for_room = displaced != NULL && displaced->number != number;
    give_up(channel->setting, displaced, is_for_room ? NOT_FOLLOWED : NULL);
}

/* --- Content */

void end_open_content0(Channel0 *channel, int direction) {
    Setting0 *setting = channel->setting;
    Message0 *message = channel->open[direction];
    if (message == NULL) { return; }
    channel->open[direction] = NULL;
    message->is_open = false;
    if (!setting->has_failed) { check(setting, end_content0(setting->sink, message)); }
    finish_if_over(setting, message);
}

/* Ignores a content header whose method was not captured. A second one ends the message. */
void take_header0(Channel0 *channel, const Event *event) {
    Message0 *message = channel->open[event->direction];
    if (message == NULL) { return; }
    bool is_second = message->has_header;
    if (!is_second) { check(channel->setting, add_header0(channel->setting->sink, message, event)); }
    if (is_second || message->size == 0) { end_open_content0(channel, event->direction); }
}

/* Ignores a body whose content header was not captured. */
void take_body0(Channel0 *channel, const Event *event) {
    Message0 *message = channel->open[event->direction];
    if (message == NULL || !message->has_header) { return; }
    check(channel->setting, add_body0(channel->setting->sink, message, event));
    if (message->size >= 0 && message->seen >= (uint64_t)message->size) {
        end_open_content0(channel, event->direction);
    }
}

/* NULL when it failed. */
static Message0 *begin_content(Channel0 *channel, const Event *event, MessageKind kind) {
    Message0 *message = new_message0(event, kind);
    check(channel->setting, message != NULL);
    channel->open[event->direction] = message;
    return message;
}

/* --- Requests */

/* The request that a method answers, for `free_request0`; or NULL. */
static Request0 *answer(Channel0 *channel, const Event *event) {
    Request0 *asked;
    bool is_certain = event->layout != NULL && channel->begins;
    check(channel->setting, answer_request0(channel->setting, &channel->requests, event, is_certain, &asked));
    return asked;
}

static void take_answer(Channel0 *channel, const Event *event) {
    Request0 *asked = answer(channel, event);
    if (asked != NULL) { free_request0(asked); }
}

void take_other0(Channel0 *channel, const Event *event) {
    if (event->layout == NULL) { return; }
    if (event->layout->is_reply) { take_answer(channel, event); }
    if (wants_reply(event->layout, event->row)) { ask_request0(channel->setting, &channel->requests, event); }
}

/* --- Messages */

static void take_publish(Channel0 *channel, const Event *event) {
    Message0 *message = begin_content(channel, event, PUBLISH);
    if (message == NULL || channel->confirm_number < 0) { return; }
    message->confirm = NONE;
    add_awaited(channel, &channel->published, ++channel->confirm_number, message);
}

/* Waits for the settlement of a delivery, which may come before its last frame was captured. */
static void await(Channel0 *channel, Message0 *message, const Value *tag) {
    message->settle = NONE;
    if (message->source.no_ack == true || tag->kind == NOTHING) { return; }
    /* The channel was closed and opened again, or the server redelivers after basic.recover. */
    if (tag->number <= channel->deliveries.highest) { end_deliveries(channel, NULL); }
    add_awaited(channel, &channel->deliveries, tag->number, message);
}

/* A direct reply of RabbitMQ, see `amqp_traffic.dialogue.amqp0.channel.is_direct_reply`. */
static bool is_direct_reply(const Row *row) {
    static const char KEY[] = "amq.rabbitmq.reply-to.";
    enum { EXCHANGE = 3, ROUTING_KEY = 4, KEY_SIZE = sizeof KEY - 1 };
    const Value *exchange = &row->values[EXCHANGE], *key = &row->values[ROUTING_KEY];
    return exchange->kind == TEXT && input_size(&exchange->octets) == 0 && key->kind == TEXT
           && input_has(&key->octets, KEY_SIZE) && memcmp(key->octets.at, KEY, KEY_SIZE) == 0;
}

static void take_deliver(Channel0 *channel, const Event *event) {
    const Row *row = event->row;
    Message0 *message = begin_content(channel, event, DELIVER);
    if (message == NULL) { return; }
    const Source *source = row == NULL ? NULL : find_consumer(&channel->consumers, &row->values[0]);
    if (source != NULL) { message->source = (Source){share_queue_name(source->queue), source->no_ack}; }
    if (row != NULL && is_direct_reply(row)) { message->source.no_ack = true; }
    await(channel, message, row == NULL ? &NOT_KNOWN : &row->values[1]);
}

static void take_get_ok(Channel0 *channel, const Event *event) {
    Message0 *message = begin_content(channel, event, GET_OK);
    Request0 *asked = answer(channel, event);
    if (message != NULL && asked != NULL && asked->has_row) {
        const QueueName *queue = asked->source.queue;
        message->source =
            (Source){share_queue_name(queue == NULL ? channel->queue : asked->source.queue), asked->source.no_ack};
    }
    if (asked != NULL) { free_request0(asked); }
    if (message != NULL) { await(channel, message, event->row == NULL ? &NOT_KNOWN : &event->row->values[0]); }
}

static void take_return(Channel0 *channel, const Event *event) { begin_content(channel, event, RETURN); }

/* Takes basic.ack or basic.nack, from either side, or basic.reject. */
static void settle(Channel0 *channel, const Event *event, Outcome outcome) {
    if (event->row == NULL || event->row->values[0].kind == NOTHING) { return; }
    const Value *values = event->row->values;
    bool is_confirm = event->direction == FROM_SERVER, is_multiple = outcome != REJECT && values[1].number != 0;
    Outstanding *outstanding = is_confirm ? &channel->published : &channel->deliveries;
    Message0 *messages = take_outstanding(outstanding, values[0].number, is_multiple);
    for (Message0 *message = messages; message != NULL; message = message->later) {
        *(is_confirm ? &message->confirm : &message->settle) = outcome;
        *(is_confirm ? &message->confirm_ns : &message->settle_ns) = event->ns;
    }
    give_up(channel->setting, messages, NULL);
}

static void take_ack(Channel0 *channel, const Event *event) { settle(channel, event, ACK); }
static void take_nack(Channel0 *channel, const Event *event) { settle(channel, event, NACK); }
static void take_reject(Channel0 *channel, const Event *event) { settle(channel, event, REJECT); }

/* The server sends unsettled messages again, as new deliveries. */
static void take_recover(Channel0 *channel, const Event *event) {
    end_deliveries(channel, NULL);
    take_other0(channel, event);
}

static void take_select(Channel0 *channel, const Event *event) {
    if (channel->confirm_number < 0) { channel->confirm_number = 0; }
    take_other0(channel, event);
}

/* --- Queues and consumers */

/* Names the queue declared last; NULL is unknown. */
static void name_queue(Channel0 *channel, QueueName *queue) {
    drop_queue_name(channel->queue);
    channel->queue = queue;
}

static void take_declare_ok(Channel0 *channel, const Event *event) {
    take_answer(channel, event);
    if (event->row == NULL) { return; }
    const Value *queue = &event->row->values[0];
    name_queue(channel, queue->kind == NOTHING ? NULL : new_queue_name(queue));
    check(channel->setting, queue->kind == NOTHING || channel->queue != NULL);
}

/* Without a reply, its queue is the last one declared. */
static void take_declare(Channel0 *channel, const Event *event) {
    take_other0(channel, event);
    if (event->row == NULL || event->layout == NULL || wants_reply(event->layout, event->row)) { return; }
    Source source;
    check(channel->setting, read_source(without_ticket(event->row), &NOT_KNOWN, &source));
    name_queue(channel, source.queue);
}

static void begin_source(Channel0 *channel, const Value *tag, const Source *source) {
    QueueName *queue = source->queue == NULL ? channel->queue : source->queue;
    check(channel->setting, begin_consumer(&channel->consumers, tag, queue, source->no_ack));
}

/* A consumer with a tag begins at once. */
static void take_consume(Channel0 *channel, const Event *event) {
    take_other0(channel, event);
    if (event->row == NULL) { return; }
    const Value *values = without_ticket(event->row);
    Source source;
    check(channel->setting, read_source(&values[0], &values[3], &source));
    begin_source(channel, &values[1], &source);
    drop_queue_name(source.queue);
}

static void take_consume_ok(Channel0 *channel, const Event *event) {
    Request0 *asked = answer(channel, event);
    if (asked == NULL) { return; }
    if (asked->has_row && event->row != NULL) { begin_source(channel, &event->row->values[0], &asked->source); }
    free_request0(asked);
}

static void take_cancel_ok(Channel0 *channel, const Event *event) {
    take_answer(channel, event);
    if (event->row != NULL) { end_consumer(&channel->consumers, &event->row->values[0]); }
}

/* --- Beginning and end */

Channel0 *new_channel0(Setting0 *setting, uint16_t number) {
    Channel0 *channel = zeros(1, sizeof(Channel0));
    if (channel == NULL) { return NULL; }
    channel->setting = setting;
    channel->number = number;
    channel->confirm_number = -1;
    channel->deliveries.secret = channel->published.secret = channel->consumers.secret = setting->sink->secret;
    return channel;
}

size_t held_by_channel0(const Channel0 *channel) {
    size_t messages = channel->deliveries.by_number.count + channel->published.by_number.count;
    return messages + channel->requests.sides[0].count + channel->requests.sides[1].count + channel->consumers.count;
}

void end_channel0(Channel0 *channel, const char *outcome) {
    for (int direction = 0; direction < 2; direction++) { end_open_content0(channel, direction); }
    end_deliveries(channel, outcome);
    end_confirms(channel, outcome);
    end_requests0(channel->setting, &channel->requests, outcome);
    clear_consumers(&channel->consumers);
    name_queue(channel, NULL);
    channel->begins = false;
}

void free_channel0(Channel0 *channel) { PyMem_Free(channel); }

static int visit_outstanding(const Outstanding *outstanding, visitproc visit, void *arg) {
    for (const Message0 *message = outstanding->first; message != NULL; message = message->later) {
        VISIT_WITH(visit_message0(message, visit, arg));
    }
    return 0;
}

/* An open message may be awaited, too. */
int visit_channel0(const Channel0 *channel, visitproc visit, void *arg) {
    for (int direction = 0; direction < 2; direction++) {
        const Message0 *message = channel->open[direction];
        if (message != NULL && !message->is_awaited) { VISIT_WITH(visit_message0(message, visit, arg)); }
    }
    VISIT_WITH(visit_outstanding(&channel->deliveries, visit, arg));
    return visit_outstanding(&channel->published, visit, arg);
}

/* It ends all earlier state. */
static void take_open(Channel0 *channel, const Event *event) {
    end_channel0(channel, "closed");
    channel->begins = true;
    take_other0(channel, event);
}

void take_close0(Channel0 *channel, const Event *event, const char *name) {
    close_requests0(channel->setting, &channel->requests, event, name);
    end_deliveries(channel, NULL);
    if (event->direction == FROM_SERVER) { end_confirms(channel, NULL); }
}

void lose_frames0(Channel0 *channel, int direction) {
    channel->begins = false;
    end_open_content0(channel, direction);
    lose_replies0(&channel->requests, 1 - direction);
    if (direction == FROM_CLIENT) { channel->confirm_number = -1; /* the numbers of messages are unknown */ }
}

/* --- Methods by key, the frequent ones first */

/* clang-format off */
static const struct {
    size_t key; /* where it is in MethodKeys */
    void (*take)(Channel0 *channel, const Event *event);
} MEANINGS[] = {
    {offsetof(MethodKeys, basic_publish), take_publish},      {offsetof(MethodKeys, basic_deliver), take_deliver},
    {offsetof(MethodKeys, basic_ack), take_ack},              {offsetof(MethodKeys, basic_get_ok), take_get_ok},
    {offsetof(MethodKeys, basic_return), take_return},        {offsetof(MethodKeys, basic_reject), take_reject},
    {offsetof(MethodKeys, basic_nack), take_nack},            {offsetof(MethodKeys, queue_declare), take_declare},
    {offsetof(MethodKeys, queue_declare_ok), take_declare_ok}, {offsetof(MethodKeys, basic_consume), take_consume},
    {offsetof(MethodKeys, basic_consume_ok), take_consume_ok}, {offsetof(MethodKeys, basic_cancel_ok), take_cancel_ok},
    {offsetof(MethodKeys, basic_recover_async), take_recover}, {offsetof(MethodKeys, basic_recover), take_recover},
    {offsetof(MethodKeys, confirm_select), take_select},      {offsetof(MethodKeys, channel_open), take_open},
};
/* clang-format on */

bool take_meaning0(Channel0 *channel, const Event *event) {
    const char *keys = (const char *)&channel->setting->sink->keys;
    for (size_t index = 0; index < sizeof MEANINGS / sizeof *MEANINGS; index++) {
        if (event->key != *(const uint32_t *)(keys + MEANINGS[index].key)) { continue; }
        MEANINGS[index].take(channel, event);
        return true;
    }
    return false;
}
