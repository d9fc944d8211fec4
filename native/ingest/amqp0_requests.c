#include "amqp0_requests.h"

#include "memory.h"

enum { MOST_OPEN = 4096 }; /* requests of a channel and a side */

/* --- Lines */

typedef struct {
    Request0 *first, *last;
} Queue;

enum { CERTAIN, IN_DOUBT };

struct Line {
    const RowLayout *method;
    const Package *package; /* of the method, and so of its replies */
    Queue queues[2];        /* those in doubt are older */
    Line *next;
};

static void push(Queue *queue, Request0 *request) {
    request->later = NULL;
    *(queue->first == NULL ? &queue->first : &queue->last->later) = request;
    queue->last = request;
}

static Request0 *pop(Queue *queue) {
    Request0 *first = queue->first;
    if (first != NULL) { queue->first = first->later; }
    return first;
}

/* Moves the requests before a number to the end of another queue. */
static void move_requests(Queue *from, Queue *to, uint64_t number) {
    while (from->first != NULL && from->first->number < number) { push(to, pop(from)); }
}

/* Moves all requests to the end of another queue. */
static void append(Queue *to, Queue *from) {
    if (from->first == NULL) { return; }
    *(to->first == NULL ? &to->first : &to->last->later) = from->first;
    to->last = from->last;
    from->first = NULL;
}

static Line *line_of(Side *side, const RowLayout *method, const Package *package) {
    Line *line = side->lines;
    while (line != NULL && line->method != method) { line = line->next; }
    if (line != NULL) { return line; }
    line = zeros(1, sizeof(Line));
    if (line == NULL) { return NULL; }
    line->method = method;
    line->package = package;
    line->next = side->lines;
    side->lines = line;
    return line;
}

/* The line with the oldest request, in doubt or not, that a method may answer, or of all (NULL); NULL when there is
   none. */
static Line *oldest_line(const Side *side, int doubt, const uint32_t *reply) {
    Line *oldest = NULL;
    for (Line *line = side->lines; line != NULL; line = line->next) {
        const Request0 *first = line->queues[doubt].first;
        if (first == NULL || (reply != NULL && !is_reply_to(line->method, *reply))) { continue; }
        if (oldest == NULL || first->number < oldest->queues[doubt].first->number) { oldest = line; }
    }
    return oldest;
}

/* --- Requests */

bool read_source(const Value *queue, const Value *no_ack, Source *source) {
    *source = (Source){NULL, no_ack->kind == NOTHING ? NO_ACK_UNKNOWN : no_ack->number != 0};
    if (queue->kind == NOTHING || input_size(&queue->octets) == 0) { return true; }
    source->queue = new_queue_name(queue);
    return source->queue != NULL;
}

/* Reads what basic.consume and basic.get tell about the messages that follow. */
static bool read_request(const MethodKeys *keys, const Event *event, Request0 *request) {
    const Row *row = event->row;
    request->source.no_ack = NO_ACK_UNKNOWN;
    request->has_row = row != NULL;
    if (row == NULL) { return true; }
    const Value *values = without_ticket(row);
    if (event->key == keys->basic_consume) { return read_source(&values[0], &values[3], &request->source); }
    if (is_reply_to(event->layout, keys->basic_get_ok)) {
        return read_source(&values[0], &values[1], &request->source);
    }
    return true;
}

static Request0 *new_request(const Setting0 *setting, Requests0 *requests, const Event *event) {
    Request0 *request = zeros(1, sizeof(Request0));
    if (request == NULL) { return NULL; }
    request->asked = sent_by(event, event->layout->name_text);
    request->number = requests->asked++;
    if (read_request(&setting->sink->keys, event, request)) { return request; }
    PyMem_Free(request);
    return NULL;
}

void free_request0(Request0 *request) {
    drop_queue_name(request->source.queue);
    PyMem_Free(request);
}

static void put(Setting0 *setting, const Request0 *request, const char *outcome, const Sent *reply) {
    if (!setting->has_failed) {
        setting->has_failed = !put_exchange(setting->sink, setting->connection, &request->asked, outcome, reply);
    }
}

/* Writes the rows of all requests of a queue, and frees them. */
static void put_out(Setting0 *setting, Side *side, Queue *queue, const char *outcome, const Sent *reply) {
    for (Request0 *request = pop(queue); request != NULL; request = pop(queue)) {
        side->count--;
        put(setting, request, outcome, reply);
        free_request0(request);
    }
}

/* Makes room for a request. */
static void pass_over_oldest(Setting0 *setting, Side *side) {
    int doubt = IN_DOUBT;
    Line *line = oldest_line(side, doubt, NULL);
    if (line == NULL) { line = oldest_line(side, doubt = CERTAIN, NULL); }
    Request0 *oldest = pop(&line->queues[doubt]);
    side->count--;
    put(setting, oldest, "unanswered", NULL);
    free_request0(oldest);
}

void ask_request0(Setting0 *setting, Requests0 *requests, const Event *event) {
    Side *side = &requests->sides[event->direction];
    Line *line = line_of(side, event->layout, setting->package);
    Request0 *request = line == NULL ? NULL : new_request(setting, requests, event);
    if (request == NULL) {
        setting->has_failed = true;
        return;
    }
    if (side->count >= MOST_OPEN) { pass_over_oldest(setting, side); }
    push(&line->queues[CERTAIN], request);
    side->count++;
}

bool answer_request0(Setting0 *setting, Requests0 *requests, const Event *event, bool is_certain, Request0 **answered) {
    Side *side = &requests->sides[1 - event->direction];
    int doubt = CERTAIN;
    Line *line = oldest_line(side, doubt, &event->key);
    if (line == NULL) { line = oldest_line(side, doubt = IN_DOUBT, &event->key); }
    if (line == NULL) {
        *answered = NULL;
        if (!is_certain || setting->has_failed) { return true; }
        Sent reply = sent_by(event, event->layout->name_text);
        return put_unasked(setting->sink, setting->connection, &reply);
    }
    bool is_in_turn = doubt == IN_DOUBT || line == oldest_line(side, CERTAIN, NULL);
    const RowLayout *method =
        map_get(&line->package->methods, event->key); /* a package has all replies of its methods */
    Request0 *request = pop(&line->queues[doubt]);
    Sent reply = sent_by(event, method->name_text);
    side->count--;
    put(setting, request, is_in_turn ? "ok" : "out-of-order", &reply);
    if (!is_in_turn) {
        for (line = side->lines; line != NULL; line = line->next) {
            move_requests(&line->queues[CERTAIN], &line->queues[IN_DOUBT], request->number);
        }
    }
    *answered = request;
    return !setting->has_failed;
}

void close_requests0(Setting0 *setting, Requests0 *requests, const Event *event, const char *name) {
    Side *side = &requests->sides[1 - event->direction];
    Sent reply = sent_by(event, text_value(name).octets);
    for (Line *line = side->lines; line != NULL; line = line->next) {
        if (is_named(line->method, name)) { /* still answered, if both sides close */
            append(&line->queues[IN_DOUBT], &line->queues[CERTAIN]);
            append(&line->queues[CERTAIN], &line->queues[IN_DOUBT]);
            continue;
        }
        put_out(setting, side, &line->queues[IN_DOUBT], "closed", &reply);
        put_out(setting, side, &line->queues[CERTAIN], "closed", &reply);
    }
}

void lose_replies0(Requests0 *requests, int side) {
    for (Line *line = requests->sides[side].lines; line != NULL; line = line->next) {
        append(&line->queues[IN_DOUBT], &line->queues[CERTAIN]);
    }
}

bool awaits_reply0(const Requests0 *requests, const char *name) {
    for (int side = 0; side < 2; side++) {
        for (const Line *line = requests->sides[side].lines; line != NULL; line = line->next) {
            bool is_empty = line->queues[CERTAIN].first == NULL && line->queues[IN_DOUBT].first == NULL;
            if (!is_empty && is_named(line->method, name)) { return true; }
        }
    }
    return false;
}

void end_requests0(Setting0 *setting, Requests0 *requests, const char *outcome) {
    for (int direction = 0; direction < 2; direction++) {
        Side *side = &requests->sides[direction];
        while (side->lines != NULL) {
            Line *line = side->lines;
            put_out(setting, side, &line->queues[IN_DOUBT], outcome, NULL);
            put_out(setting, side, &line->queues[CERTAIN], outcome, NULL);
            side->lines = line->next;
            PyMem_Free(line);
        }
    }
}
