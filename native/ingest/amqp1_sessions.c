#include "amqp1_sessions.h"

enum { MOST_LINKS = 4096 }; /* by direction */

/* --- Sessions. One that has a channel of one end only is awaited by the other end. */

Session *awaited_session(const Sessions *sessions, int direction, uint16_t channel) {
    Session *session = session_at(sessions, direction, channel);
    return session != NULL && session->channels[1 - direction] < 0 ? session : NULL;
}

bool bind_session(Sessions *sessions, Session *session, int direction, uint16_t channel) {
    if (!map_put(&sessions->channels[direction], channel, session)) return false;
    session->channels[direction] = channel;
    return true;
}

Session *open_session(Sessions *sessions, int direction, uint16_t channel) {
    Session *session = PyMem_Calloc(1, sizeof(Session));
    if (session == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    session->number = ++sessions->count;
    session->secret = sessions->secret;
    session->channels[0] = session->channels[1] = -1;
    session->earlier = sessions->last;
    *(sessions->last == NULL ? &sessions->first : &sessions->last->later) = session;
    sessions->last = session;
    return bind_session(sessions, session, direction, channel) ? session : NULL;
}

void drop_session(Sessions *sessions, Session *session) {
    for (int direction = 0; direction < 2; direction++) {
        int32_t channel = session->channels[direction];
        if (channel >= 0) map_take(&sessions->channels[direction], (uint64_t)channel);
        free_map(&session->ends[direction].by_handle);
        free_map(&session->deliveries[direction].known);
    }
    *(session->earlier == NULL ? &sessions->first : &session->earlier->later) = session->later;
    *(session->later == NULL ? &sessions->last : &session->later->earlier) = session->earlier;
    free_map(&session->names);
    PyMem_Free(session);
}

void free_sessions(Sessions *sessions) {
    while (sessions->first != NULL) drop_session(sessions, sessions->first);
    for (int direction = 0; direction < 2; direction++) free_map(&sessions->channels[direction]);
}

/* --- Links by name */

uint64_t hash_of_link(uint64_t secret, const LinkKey *key) {
    return mix_key(key->has_name ? key_of_run(secret, key->name) : secret, (uint64_t)key->sender);
}

bool is_same_link(const LinkKey *one, const LinkKey *other) {
    if (one->sender != other->sender || one->has_name != other->has_name) return false;
    return !one->has_name || equal_runs(&one->name, &other->name);
}

static Link *find_by_name(const Session *session, const LinkKey *key) {
    Link *link = map_get(&session->names, hash_of_link(session->secret, key));
    while (link != NULL && !is_same_link(&link->key, key)) link = (Link *)link->chained.next;
    return link;
}

static bool add_name(Session *session, Link *link) {
    link->is_known = chain_put(&session->names, &link->chained);
    return link->is_known;
}

static void remove_name(Session *session, Link *link) {
    if (!link->is_known) return;
    chain_take(&session->names, &link->chained);
    link->is_known = false;
}

/* --- Links by handle */

static Link *new_link(const Session *session, const LinkKey *key) {
    size_t size = key->has_name ? input_size(&key->name) : 0;
    Link *link = PyMem_Calloc(1, sizeof(Link) + size);
    if (link == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (size > 0) memcpy(link->name_octets, key->name.at, size);
    link->key = (LinkKey){key->has_name, {link->name_octets, link->name_octets + size}, key->sender};
    link->handles[0] = link->handles[1] = -1;
    link->chained.key = hash_of_link(session->secret, key);
    return link;
}

static void leave_list(LinkEnd *end, int direction, Link *link) {
    Link *earlier = link->earlier[direction], *later = link->later[direction];
    *(earlier == NULL ? &end->first : &earlier->later[direction]) = later;
    *(later == NULL ? &end->last : &later->earlier[direction]) = earlier;
}

/* Gives a handle to a link. `*before` gets the one that had it, or NULL. */
static bool take_handle(Session *session, int direction, uint32_t handle, Link *link, Link **before) {
    LinkEnd *end = &session->ends[direction];
    Link *former = link_at(session, direction, handle);
    if (!map_put(&end->by_handle, handle, link)) return false;
    if (former != NULL) leave_list(end, direction, former);
    link->handles[direction] = handle;
    link->earlier[direction] = end->last;
    *(end->last == NULL ? &end->first : &end->last->later[direction]) = link;
    end->last = link;
    *before = former;
    return true;
}

bool attach_link(Session *session, int direction, const LinkKey *key, uint32_t handle, Attached *attached) {
    *attached = (Attached){find_by_name(session, key), NULL, NULL};
    Link *fresh = NULL;
    if (attached->link == NULL || attached->link->handles[direction] >= 0) {
        fresh = new_link(session, key);
        if (fresh == NULL) return false;
        attached->same_name = attached->link;
        attached->link = fresh;
        if (attached->same_name != NULL) remove_name(session, attached->same_name);
    }
    if ((fresh == NULL || add_name(session, fresh)) &&
        take_handle(session, direction, handle, attached->link, &attached->same_handle))
        return true;
    if (fresh != NULL) drop_link(session, fresh);
    return false;
}

Link *adopt_link(Session *session, int direction, uint32_t handle) {
    Link *before, *link = new_link(session, &(LinkKey){.has_name = false, .sender = direction});
    if (link == NULL || take_handle(session, direction, handle, link, &before)) return link;
    drop_link(session, link);
    return NULL;
}

Link *surplus_link(const Session *session, int direction) {
    const LinkEnd *end = &session->ends[direction];
    return end->by_handle.count > MOST_LINKS ? end->first : NULL;
}

void drop_link(Session *session, Link *link) {
    for (int direction = 0; direction < 2; direction++) {
        int64_t handle = link->handles[direction];
        if (handle < 0 || link_at(session, direction, (uint32_t)handle) != link) continue;
        map_take(&session->ends[direction].by_handle, (uint64_t)handle);
        leave_list(&session->ends[direction], direction, link);
    }
    remove_name(session, link);
    Py_XDECREF(link->address);
    PyMem_Free(link);
}
