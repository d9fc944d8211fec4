/* Performatives to messages and exchanges; the counterpart of `amqp_traffic.messages.amqp1.assembly` and `.messages`.

   Theory of operation. Frames may be missing from the capture, so what does not fit is not an error. Once a row cannot
   be written, the assembly has failed: nothing is written any more, and everything is still freed as it ends. */
#include "amqp1_requests.h"
#include "memory.h"

#include <assert.h>

struct Assembly1 {
    Sink *sink;
    const Package *package;
    int64_t connection;
    bool has_failed;
    bool opened[2]; /* by direction: frames were captured from the first one on */
    ConnectionRequests requests;
    Sessions sessions;
    int64_t events; /* so far */
    HeldItems held;
};

/* The columns that matter here, as those of transfers; see `amqp_traffic.dialogue.amqp1.performatives`. */
enum { BEGIN_REMOTE_CHANNEL };
enum { ATTACH_NAME, ATTACH_HANDLE, ATTACH_ROLE, ATTACH_SOURCE = 5, ATTACH_TARGET };
enum { DISPOSITION_ROLE, DISPOSITION_FIRST, DISPOSITION_LAST, DISPOSITION_SETTLED, DISPOSITION_STATE };
enum { DETACH_HANDLE };

/* --- The ends of deliveries, links and sessions */

static Deliveries *deliveries_of(Session *session, const Delivery *delivery) {
    return &session->deliveries[delivery->link->key.sender];
}

/* Frees a delivery that is over, after its row is written. */
static void finish_delivery(Assembly1 *assembly, Delivery *delivery) {
    if (!assembly->has_failed) { assembly->has_failed = !put_message(assembly->sink, assembly->connection, delivery); }
    free_delivery(delivery);
}

static void end_delivery(Assembly1 *assembly, Delivery *delivery, bool is_whole) {
    delivery->link->delivery = NULL;
    delivery->message.is_open = false;
    if (!assembly->has_failed) {
        assembly->has_failed = !end_message(&delivery->message, is_whole, delivery->link->is_secret);
    }
    if (!delivery->message.is_awaited) { finish_delivery(assembly, delivery); }
}

/* Stops waiting for a delivery: one end has settled it, or no more frames follow. With the outcome `NOT_FOLLOWED` it is
   not known how it is settled; so for the functions below. */
static void give_up(Assembly1 *assembly, Session *session, Delivery *delivery, const char *outcome) {
    delivery->message.is_forgotten = outcome == NOT_FOLLOWED;
    forget_delivery(deliveries_of(session, delivery), delivery);
    if (!delivery->message.is_open) { finish_delivery(assembly, delivery); }
}

static void end_link(Assembly1 *assembly, Session *session, Link *link, const char *outcome) {
    if (link->delivery != NULL) { end_delivery(assembly, link->delivery, false); }
    while (link->unsettled.last != NULL) { give_up(assembly, session, link->unsettled.last, outcome); }
    drop_link(session, link);
}

static void end_surplus(Assembly1 *assembly, Session *session, int direction) {
    Link *link = surplus_link(session, direction);
    if (link != NULL) { end_link(assembly, session, link, NOT_FOLLOWED); }
}

static void end_session(Assembly1 *assembly, Session *session, const char *outcome) {
    for (int direction = 0; direction < 2; direction++) {
        while (session->ends[direction].first != NULL) {
            end_link(assembly, session, session->ends[direction].first, outcome);
        }
    }
    drop_session(&assembly->sessions, session);
}

/* --- The connection */

static bool take_open(Assembly1 *assembly, const Event *event) {
    assembly->opened[event->direction] = true;
    return pair_request(&assembly->requests, &(RequestKey){.kind = OPEN_REQUEST}, event);
}

static bool take_close(Assembly1 *assembly, const Event *event) {
    return close_requests(&assembly->requests, event, 0)
           && pair_request(&assembly->requests, &(RequestKey){.kind = CLOSE_REQUEST}, event);
}

static bool take_sasl_init(Assembly1 *assembly, const Event *event) {
    return add_request(&assembly->requests, &(RequestKey){.kind = SASL_REQUEST}, event);
}

static bool take_sasl_outcome(Assembly1 *assembly, const Event *event) {
    return answer_request(&assembly->requests, &(RequestKey){.kind = SASL_REQUEST}, event, false);
}

/* --- Sessions */

/* The session of a performative; a new one if its begin was not captured. */
static Session *session_of(Assembly1 *assembly, const Event *event) {
    Sessions *sessions = &assembly->sessions;
    Session *session = session_at(sessions, event->direction, event->channel);
    if (session != NULL) { return session; }
    session = awaited_session(sessions, 1 - event->direction, event->channel);
    if (session == NULL) { return open_session(sessions, event->direction, event->channel); }
    return bind_session(sessions, session, event->direction, event->channel) ? session : NULL;
}

/* The session that an end begins, or whose begin it answers. */
static Session *begin_session(Sessions *sessions, const Event *event, const Value *remote) {
    int direction = event->direction;
    uint16_t remote_channel = (uint16_t)remote->number;
    if (remote->kind == NOTHING) { return open_session(sessions, direction, event->channel); }
    Session *session = awaited_session(sessions, 1 - direction, remote_channel);
    if (session != NULL) { return bind_session(sessions, session, direction, event->channel) ? session : NULL; }
    session = open_session(sessions, direction, event->channel); /* the begin of the other end was not captured */
    if (session == NULL || session_at(sessions, 1 - direction, remote_channel) != NULL) { return session; }
    return bind_session(sessions, session, 1 - direction, remote_channel) ? session : NULL;
}

static bool take_begin(Assembly1 *assembly, const Event *event) {
    const Value *remote = &event->row->values[BEGIN_REMOTE_CHANNEL];
    Session *former = session_at(&assembly->sessions, event->direction, event->channel);
    if (former != NULL) { end_session(assembly, former, NULL); /* its end was not captured */ }
    if (assembly->has_failed) { return false; }
    Session *session = begin_session(&assembly->sessions, event, remote);
    if (session == NULL) { return false; }
    RequestKey key = {.kind = BEGIN_REQUEST, .session = session->number};
    if (remote->kind == NOTHING) { return add_request(&assembly->requests, &key, event); }
    return answer_request(&assembly->requests, &key, event, assembly->opened[1 - event->direction]);
}

static bool take_end(Assembly1 *assembly, const Event *event) {
    Session *session = session_of(assembly, event);
    if (session == NULL) { return false; }
    RequestKey key = {.kind = END_REQUEST, .session = session->number};
    session->ended[event->direction] = true;
    if (!close_requests(&assembly->requests, event, session->number)) { return false; }
    if (!pair_request(&assembly->requests, &key, event)) { return false; }
    if (session->ended[0] && session->ended[1]) { end_session(assembly, session, NULL); }
    return true;
}

/* --- Links */

/* Learns the address from the attach of an end. The broker's word counts over the client's: for a dynamic node, only
   the broker knows the address. */
static bool learn_address(const Sink *sink, Link *link, const Event *event) {
    const Value *terminus = &event->row->values[link->key.sender == FROM_CLIENT ? ATTACH_TARGET : ATTACH_SOURCE];
    if (terminus->kind == NOTHING || link->is_certain) { return true; }
    PyObject *address = ask_host(sink, "address_of", terminus);
    if (address == NULL) { return false; }
    if (address == Py_None) {
        Py_DECREF(address);
        return true;
    }
    set_reference(&link->address, address);
    link->is_certain = event->direction != FROM_CLIENT;
    return true;
}

/* Learns whether one of its nodes makes the bodies of all messages secret, whichever end says so. The names of such
   nodes begin with $ (specs/secrets.toml). */
static bool learn_secret(const Sink *sink, Link *link, const Event *event) {
    for (int place = ATTACH_SOURCE; place <= ATTACH_TARGET && !link->is_secret; place++) {
        const Value *terminus = &event->row->values[place];
        if (terminus->kind == NOTHING || memchr(terminus->octets.at, '$', input_size(&terminus->octets)) == NULL) {
            continue;
        }
        PyObject *answer = ask_host(sink, "is_secret_node", terminus);
        if (answer == NULL) { return false; }
        link->is_secret = answer == Py_True;
        Py_DECREF(answer);
    }
    return true;
}

static bool pair_link(Assembly1 *assembly, const Session *session, RequestKind kind, const Link *link,
                      const Event *event) {
    RequestKey key = {kind, session->number, link->key};
    return pair_request(&assembly->requests, &key, event);
}

static bool take_attach(Assembly1 *assembly, const Event *event) {
    const Value *values = event->row->values, *name = &values[ATTACH_NAME];
    int direction = event->direction;
    Session *session = session_of(assembly, event);
    LinkKey key = {name->kind != NOTHING, name->octets, is_true(&values[ATTACH_ROLE]) ? 1 - direction : direction};
    Attached attached;
    if (session == NULL) { return false; }
    if (!attach_link(session, direction, &key, (uint32_t)values[ATTACH_HANDLE].number, &attached)) { return false; }
    if (attached.same_name != NULL) { end_link(assembly, session, attached.same_name, NULL); }
    if (attached.same_handle != NULL && attached.same_handle != attached.same_name) {
        end_link(assembly, session, attached.same_handle, NULL);
    }
    end_surplus(assembly, session, direction);
    if (assembly->has_failed || !learn_address(assembly->sink, attached.link, event)) { return false; }
    if (!learn_secret(assembly->sink, attached.link, event)) { return false; }
    return pair_link(assembly, session, ATTACH_REQUEST, attached.link, event);
}

static bool take_detach(Assembly1 *assembly, const Event *event) {
    Session *session = session_of(assembly, event);
    if (session == NULL) { return false; }
    Link *link = link_at(session, event->direction, (uint32_t)event->row->values[DETACH_HANDLE].number);
    if (link == NULL) { return true; }
    link->detached[event->direction] = true;
    bool has_name = link->key.has_name;
    if (has_name && !pair_link(assembly, session, DETACH_REQUEST, link, event)) { return false; }
    /* One end is enough for a link whose attach was not captured. */
    if (!has_name || (link->detached[0] && link->detached[1])) { end_link(assembly, session, link, NULL); }
    return true;
}

/* --- Deliveries */

/* The link of a transfer; a new one if it was attached before the capture began. */
static Link *link_of(Assembly1 *assembly, Session *session, const Event *event) {
    uint32_t handle = (uint32_t)event->row->values[TRANSFER_HANDLE].number;
    Link *link = link_at(session, event->direction, handle);
    if (link != NULL) { return link; }
    link = adopt_link(session, event->direction, handle);
    if (link != NULL) { end_surplus(assembly, session, event->direction); }
    return link;
}

/* The delivery that a transfer begins or belongs to. `*delivery` is NULL when its first transfer was not captured. */
static bool find_delivery(Assembly1 *assembly, const Session *session, Link *link, const Event *event,
                          Delivery **delivery) {
    const Value *number = &event->row->values[TRANSFER_DELIVERY_ID];
    *delivery = link->delivery;
    if (number->kind == NOTHING) { return true; }
    if (*delivery != NULL) {
        if ((*delivery)->spot.first == (uint32_t)number->number) { return true; }
        end_delivery(assembly, *delivery, false);
    }
    *delivery = new_delivery(link, event);
    begin_on_link(session, link, *delivery);
    return *delivery != NULL;
}

/* Waits for the settlement of a delivery that has just begun. */
static bool await(Assembly1 *assembly, Session *session, Delivery *delivery) {
    Deliveries *deliveries = deliveries_of(session, delivery);
    Delivery *displaced = displaced_by(deliveries, delivery->spot.first);
    bool is_for_room = displaced != NULL && displaced->spot.first != delivery->spot.first;
    if (displaced != NULL) { give_up(assembly, session, displaced, is_for_room ? NOT_FOLLOWED : NULL); }
    return add_delivery(deliveries, delivery);
}

static bool take_transfer(Assembly1 *assembly, const Event *event) {
    const Value *values = event->row->values;
    Session *session = session_of(assembly, event);
    Link *link = session == NULL ? NULL : link_of(assembly, session, event);
    Delivery *delivery;
    if (link == NULL || !find_delivery(assembly, session, link, event, &delivery)) { return false; }
    if (delivery == NULL) { return true; }
    Message1 *message = &delivery->message;
    bool is_opaque = delivery->message_format.kind == NUMBER && delivery->message_format.number != 0;
    bool is_aborted = is_true(&values[TRANSFER_ABORTED]);
    delivery->transfers++;
    delivery->is_settled = delivery->is_settled || is_true(&values[TRANSFER_SETTLED]);
    if (message->is_awaited
        && values[TRANSFER_STATE].kind != NOTHING) { /* its state counts after what was told before */
        hear_delivery(deliveries_of(session, delivery), delivery);
    }
    if (assembly->has_failed || !add_transfer(assembly->sink, assembly->package, message, event, is_opaque)) {
        return false;
    }
    if (delivery->is_settled || is_aborted) {
        if (message->is_awaited) { give_up(assembly, session, delivery, NULL); }
    }
    else if (delivery->transfers == 1 && !await(assembly, session, delivery)) { return false; }
    if (!is_true(&values[TRANSFER_MORE]) || is_aborted) {
        end_delivery(assembly, delivery, !may_miss_transfer(session, link));
    }
    return true;
}

static bool take_disposition(Assembly1 *assembly, const Event *event) {
    const Value *values = event->row->values, *first = &values[DISPOSITION_FIRST], *last = &values[DISPOSITION_LAST];
    bool is_settled = is_true(&values[DISPOSITION_SETTLED]);
    Session *session = session_of(assembly, event);
    DeliveryState state;
    if (session == NULL || !read_state(assembly->sink, &values[DISPOSITION_STATE], &state)) { return false; }
    int sender = is_true(&values[DISPOSITION_ROLE]) ? 1 - event->direction : event->direction;
    Deliveries *deliveries = &session->deliveries[sender];
    NumberRange range = {(uint32_t)first->number, (uint32_t)(last->kind == NOTHING ? first : last)->number};
    Told told = {.name = state.name, .meaning = state.meaning, .since = event->ns};
    tell_range(&deliveries->numbers, range, &told);
    drop_told(&told);
    for (Delivery *delivery; is_settled && (delivery = first_delivery(deliveries, range)) != NULL;) {
        hear_delivery(deliveries, delivery);
        settle_message(&delivery->message, event->ns);
        give_up(assembly, session, delivery, NULL);
    }
    return true;
}

/* Notes an unreadable performative, which may have been a transfer of any delivery under way. */
static void miss(Assembly1 *assembly, const Event *event) {
    Session *session = session_at(&assembly->sessions, event->direction, event->channel);
    if (session != NULL) { session->missed[event->direction]++; }
}

/* --- The assembly */

typedef struct {
    const char *name;
    size_t size;
    bool (*take)(Assembly1 *assembly, const Event *event);
} Taker;

/* The frequent ones first. Others do not matter here. */
static const Taker TAKERS[] = {
    {"transfer", 8, take_transfer},   {"disposition", 11, take_disposition},
    {"attach", 6, take_attach},       {"detach", 6, take_detach},
    {"begin", 5, take_begin},         {"end", 3, take_end},
    {"open", 4, take_open},           {"close", 5, take_close},
    {"sasl-init", 9, take_sasl_init}, {"sasl-outcome", 12, take_sasl_outcome},
};

/* Ends all sessions and requests. */
static bool end_all(Assembly1 *assembly, const char *outcome) {
    while (assembly->sessions.first != NULL) { end_session(assembly, assembly->sessions.first, outcome); }
    clear_held(&assembly->held, assembly->sink);
    return !assembly->has_failed && finish_requests(&assembly->requests, outcome);
}

/* Counts what is held before an event, and forgets it if it is too much. */
static bool look(Assembly1 *assembly, const Event *event) {
    size_t count = assembly->requests.count;
    for (const Session *session = assembly->sessions.first; session != NULL; session = session->later) {
        for (int direction = 0; direction < 2; direction++) {
            count +=
                CHANNEL_WEIGHT / 2 + session->deliveries[direction].count + session->ends[direction].by_handle.count;
        }
    }
    if (!is_too_much(&assembly->held, assembly->sink, count, assembly->events)) { return true; }
    assembly->opened[0] = assembly->opened[1] = false;
    return end_all(assembly, NOT_FOLLOWED) && note_forgotten(assembly->sink, assembly->connection, event);
}

bool add_event1(Assembly1 *assembly, const Event *event) {
    if (assembly->events >= assembly->held.next_look && !look(assembly, event)) {
        assembly->has_failed = true;
        return false;
    }
    assembly->events++;
    if (event->row == NULL) {
        miss(assembly, event);
        return true;
    }
    assert(event->kind == PERFORMATIVE_EVENT && event->layout != NULL); /* as each performative that can be read */
    const Input *name = &event->layout->name_text;
    for (size_t index = 0; index < sizeof TAKERS / sizeof TAKERS[0]; index++) {
        const Taker *taker = &TAKERS[index];
        if (taker->size != input_size(name) || memcmp(taker->name, name->at, taker->size) != 0) { continue; }
        assembly->has_failed = !taker->take(assembly, event) || assembly->has_failed;
        break;
    }
    return !assembly->has_failed;
}

Assembly1 *new_assembly1(Sink *sink, const Package *package, int64_t connection) {
    Assembly1 *assembly = zeros(1, sizeof(Assembly1));
    if (assembly == NULL) { return NULL; }
    assembly->sink = assembly->requests.sink = sink;
    assembly->sessions.secret = sink->secret;
    assembly->package = package;
    start_held(&assembly->held);
    assembly->connection = assembly->requests.connection = connection;
    return assembly;
}

bool finish_assembly1(Assembly1 *assembly) {
    bool is_done = end_all(assembly, "unanswered");
    free_sessions(&assembly->sessions);
    free_requests(&assembly->requests);
    PyMem_Free(assembly);
    return is_done;
}

void free_assembly1(Assembly1 *assembly) {
    assembly->has_failed = true; /* so that no row is written */
    finish_assembly1(assembly);
}

int visit_assembly1(const Assembly1 *assembly, visitproc visit, void *arg) {
    return visit_sessions(&assembly->sessions, visit, arg);
}
