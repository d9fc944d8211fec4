#include "amqp1_sessions.h"

#include "memory.h"

enum { MOST_LINKS = 4096 }; /* by direction */
enum { MOST_DELIVERIES = 65536 };

/* --- Sessions. One that has a channel of one end only is awaited by the other end. */

Session *awaited_session(const Sessions *sessions, int direction, uint16_t channel) {
    Session *session = session_at(sessions, direction, channel);
    return session != NULL && session->channels[1 - direction] < 0 ? session : NULL;
}

bool bind_session(Sessions *sessions, Session *session, int direction, uint16_t channel) {
    if (!map_put(&sessions->channels[direction], channel, session)) { return false; }
    session->channels[direction] = channel;
    return true;
}

Session *open_session(Sessions *sessions, int direction, uint16_t channel) {
    Session *session = zeros(1, sizeof(Session));
    if (session == NULL) { return NULL; }
    session->number = ++sessions->count;
    session->secret = sessions->secret;
    session->channels[0] = session->channels[1] = -1;
    APPEND_ITEM(sessions, session, earlier, later);
    return bind_session(sessions, session, direction, channel) ? session : NULL;
}

void drop_session(Sessions *sessions, Session *session) {
    for (int direction = 0; direction < 2; direction++) {
        int32_t channel = session->channels[direction];
        if (channel >= 0) { map_take(&sessions->channels[direction], (uint64_t)channel); }
        free_map(&session->ends[direction].by_handle);
    }
    REMOVE_ITEM(sessions, session, earlier, later);
    free_map(&session->names);
    PyMem_Free(session);
}

void free_sessions(Sessions *sessions) {
    while (sessions->first != NULL) { drop_session(sessions, sessions->first); }
    for (int direction = 0; direction < 2; direction++) { free_map(&sessions->channels[direction]); }
}

/* --- Links by name */

uint64_t hash_of_link(uint64_t secret, const LinkKey *key) {
    return mix_key(key->has_name ? key_of_run(secret, key->name) : secret, (uint64_t)key->sender);
}

bool is_same_link(const LinkKey *one, const LinkKey *other) {
    if (one->sender != other->sender || one->has_name != other->has_name) { return false; }
    return !one->has_name || equal_runs(&one->name, &other->name);
}

static Link *find_by_name(const Session *session, const LinkKey *key) {
    Link *link = map_get(&session->names, hash_of_link(session->secret, key));
    while (link != NULL && !is_same_link(&link->key, key)) { link = (Link *)link->chained.next; }
    return link;
}

static bool add_name(Session *session, Link *link) {
    link->is_known = chain_put(&session->names, &link->chained);
    return link->is_known;
}

static void remove_name(Session *session, Link *link) {
    if (!link->is_known) { return; }
    chain_take(&session->names, &link->chained);
    link->is_known = false;
}

/* --- Links by handle */

static Link *new_link(const Session *session, const LinkKey *key) {
    size_t size = key->has_name ? input_size(&key->name) : 0;
    Link *link = zeros(1, sizeof(Link) + size);
    if (link == NULL) { return NULL; }
    if (size > 0) { memcpy(link->name_octets, key->name.at, size); }
    link->key = (LinkKey){key->has_name, {link->name_octets, link->name_octets + size}, key->sender};
    link->handles[0] = link->handles[1] = -1;
    link->chained.key = hash_of_link(session->secret, key);
    return link;
}

/* It may have lost its handle to another link. */
static bool has_handle(const Session *session, int direction, const Link *link) {
    int64_t handle = link->handles[direction];
    return handle >= 0 && link_at(session, direction, (uint32_t)handle) == link;
}

/* Gives a handle to a link. `*before` gets the one that had it, or NULL. */
static bool take_handle(Session *session, int direction, uint32_t handle, Link *link, Link **before) {
    LinkEnd *end = &session->ends[direction];
    Link *former = link_at(session, direction, handle);
    if (!map_put(&end->by_handle, handle, link)) { return false; }
    if (former != NULL) { REMOVE_ITEM(end, former, earlier[direction], later[direction]); }
    link->handles[direction] = handle;
    link->missed[direction] = session->missed[direction];
    APPEND_ITEM(end, link, earlier[direction], later[direction]);
    *before = former;
    return true;
}

bool attach_link(Session *session, int direction, const LinkKey *key, uint32_t handle, Attached *attached) {
    *attached = (Attached){find_by_name(session, key), NULL, NULL};
    Link *fresh = NULL;
    if (attached->link == NULL || attached->link->handles[direction] >= 0) {
        fresh = new_link(session, key);
        if (fresh == NULL) { return false; }
        attached->same_name = attached->link;
        attached->link = fresh;
        if (attached->same_name != NULL) { remove_name(session, attached->same_name); }
    }
    if ((fresh == NULL || add_name(session, fresh))
        && take_handle(session, direction, handle, attached->link, &attached->same_handle)) {
        return true;
    }
    if (fresh != NULL) { drop_link(session, fresh); }
    return false;
}

Link *adopt_link(Session *session, int direction, uint32_t handle) {
    Link *before, *link = new_link(session, &(LinkKey){.has_name = false, .sender = direction});
    if (link == NULL || take_handle(session, direction, handle, link, &before)) { return link; }
    drop_link(session, link);
    return NULL;
}

void begin_on_link(const Session *session, Link *link, Delivery *delivery) {
    link->delivery = delivery;
    memcpy(link->missed, session->missed, sizeof link->missed);
}

bool may_miss_transfer(const Session *session, const Link *link) {
    for (int direction = 0; direction < 2; direction++) {
        if (link->handles[direction] >= 0 && session->missed[direction] > link->missed[direction]) { return true; }
    }
    return false;
}

Link *surplus_link(const Session *session, int direction) {
    const LinkEnd *end = &session->ends[direction];
    return end->by_handle.count > MOST_LINKS ? end->first : NULL;
}

void drop_link(Session *session, Link *link) {
    for (int direction = 0; direction < 2; direction++) {
        LinkEnd *end = &session->ends[direction];
        if (!has_handle(session, direction, link)) { continue; }
        map_take(&end->by_handle, (uint64_t)link->handles[direction]);
        REMOVE_ITEM(end, link, earlier[direction], later[direction]);
    }
    remove_name(session, link);
    Py_XDECREF(link->address);
    PyMem_Free(link);
}

/* --- Deliveries */

Delivery *new_delivery(Link *link, const Event *transfer) {
    const Value *values = transfer->row->values, *tag = &values[TRANSFER_TAG];
    size_t tag_size = tag->kind == NOTHING ? 0 : input_size(&tag->octets);
    Delivery *delivery = zeros(1, sizeof(Delivery) + tag_size);
    if (delivery == NULL) { return NULL; }
    delivery->link = link;
    delivery->spot.first = delivery->spot.last = (uint32_t)values[TRANSFER_DELIVERY_ID].number;
    delivery->message_format = values[TRANSFER_FORMAT];
    delivery->tag = *tag;
    if (tag->kind != NOTHING) {
        if (tag_size > 0) { memcpy(delivery->tag_octets, tag->octets.at, tag_size); }
        delivery->tag.octets = (Input){delivery->tag_octets, delivery->tag_octets + tag_size};
    }
    start_message(&delivery->message, transfer);
    return delivery;
}

void free_delivery(Delivery *delivery) {
    drop_told(&delivery->spot.told);
    release_message(&delivery->message);
    PyMem_Free(delivery);
}

Delivery *displaced_by(const Deliveries *deliveries, uint32_t number) {
    Delivery *displaced = (Delivery *)spot_at(&deliveries->numbers, number);
    return displaced == NULL && deliveries->count >= MOST_DELIVERIES ? deliveries->first : displaced;
}

bool add_delivery(Deliveries *deliveries, Delivery *delivery) {
    Link *link = delivery->link;
    if (!add_spot(&deliveries->numbers, &delivery->spot)) { return false; }
    deliveries->count++;
    APPEND_ITEM(deliveries, delivery, earlier, later);
    APPEND_ITEM(&link->unsettled, delivery, link_earlier, link_later);
    delivery->message.is_awaited = true;
    return true;
}

void forget_delivery(Deliveries *deliveries, Delivery *delivery) {
    hear_delivery(deliveries, delivery);
    take_spot(&deliveries->numbers, &delivery->spot);
    deliveries->count--;
    REMOVE_ITEM(deliveries, delivery, earlier, later);
    REMOVE_ITEM(&delivery->link->unsettled, delivery, link_earlier, link_later);
    delivery->message.is_awaited = false;
}

void hear_delivery(const Deliveries *deliveries, Delivery *delivery) {
    tell_spot(&deliveries->numbers, &delivery->spot);
    tell_message(&delivery->message, &delivery->spot.told);
    drop_told(&delivery->spot.told);
}

/* --- Garbage */

int visit_deliveries(const Deliveries *deliveries, visitproc visit, void *arg) {
    for (const Delivery *delivery = deliveries->first; delivery != NULL; delivery = delivery->later) {
        VISIT_WITH(visit_message(&delivery->message, visit, arg));
    }
    return visit_spots(deliveries->numbers.root, visit, arg);
}

/* A delivery under way may be one of those that may be settled, too. */
static int visit_link(const Link *link, visitproc visit, void *arg) {
    const Delivery *delivery = link->delivery;
    Py_VISIT(link->address);
    return delivery == NULL || delivery->message.is_awaited ? 0 : visit_message(&delivery->message, visit, arg);
}

static int visit_session(const Session *session, visitproc visit, void *arg) {
    for (int direction = 0; direction < 2; direction++) {
        VISIT_WITH(visit_deliveries(&session->deliveries[direction], visit, arg));
        for (const Link *link = session->ends[direction].first; link != NULL; link = link->later[direction]) {
            bool is_visited = direction == 1 && has_handle(session, 0, link);
            if (!is_visited) { VISIT_WITH(visit_link(link, visit, arg)); }
        }
    }
    return 0;
}

int visit_sessions(const Sessions *sessions, visitproc visit, void *arg) {
    for (const Session *session = sessions->first; session != NULL; session = session->later) {
        VISIT_WITH(visit_session(session, visit, arg));
    }
    return 0;
}
