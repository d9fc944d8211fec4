/* The sessions of a connection, and their links (part 2, sections 2.5 and 2.6), as far as messages depend on them.

   The counterpart of `amqp_traffic.dialogue.amqp1.session`. Each end numbers channels and links for itself, so a
   session is found by direction and channel, a link by direction and handle. A session is in `Sessions` until it is
   dropped, which also frees it; a link belongs to the ends that have a handle for it. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_SESSIONS_H
#define AMQP_NATIVE_INGEST_AMQP1_SESSIONS_H

#include "amqp1_deliveries.h"
#include "map.h"

uint64_t hash_of_link(uint64_t secret, const LinkKey *key);
bool is_same_link(const LinkKey *one, const LinkKey *other);

/* The links of an end. */
typedef struct {
    Map by_handle;
    Link *first, *last;
} LinkEnd;

typedef struct Session {
    int64_t number;      /* in the connection, from 1 */
    int32_t channels[2]; /* by direction; -1 while unknown */
    bool ended[2];
    uint64_t missed[2]; /* by direction: performatives that cannot be read */
    LinkEnd ends[2];
    Map names;                /* its links by hashes of their keys */
    uint64_t secret;          /* of these */
    Deliveries deliveries[2]; /* by their direction: each sender of a session has its own numbers */
    struct Session *earlier, *later;
} Session;

typedef struct {
    uint64_t secret; /* of the hashes of links */
    int64_t count;
    Map channels[2];
    Session *first, *last;
} Sessions;

static inline Session *session_at(const Sessions *sessions, int direction, uint16_t channel) {
    return map_get(&sessions->channels[direction], channel);
}

/* The session that an end has begun on a channel and the other end has not answered. */
Session *awaited_session(const Sessions *sessions, int direction, uint16_t channel);
/* A new session that one end has begun on a channel, which must be free. */
Session *open_session(Sessions *sessions, int direction, uint16_t channel);
/* Puts a session on a channel of the other end, which must be free. */
bool bind_session(Sessions *sessions, Session *session, int direction, uint16_t channel);
/* Removes and frees a session without links. */
void drop_session(Sessions *sessions, Session *session);
void free_sessions(Sessions *sessions);
int visit_sessions(const Sessions *sessions, visitproc visit, void *arg);

static inline Link *link_at(const Session *session, int direction, uint32_t handle) {
    return map_get(&session->ends[direction].by_handle, handle);
}

/* The links that an attach refers to: its own, which may be new; and those that it replaces, or NULL, which the caller
   drops. */
typedef struct {
    Link *link, *same_name, *same_handle;
} Attached;

bool attach_link(Session *session, int direction, const LinkKey *key, uint32_t handle, Attached *attached);
/* A new link for a handle whose attach was not captured. */
Link *adopt_link(Session *session, int direction, uint32_t handle);
/* A delivery begins on a link. */
void begin_on_link(const Session *session, Link *link, Delivery *delivery);
/* A performative could not be read since then that may have been a transfer of the delivery under way. */
bool may_miss_transfer(const Session *session, const Link *link);
/* The oldest link of an end if there are too many, else NULL. */
Link *surplus_link(const Session *session, int direction);
/* Removes and frees a link without deliveries. */
void drop_link(Session *session, Link *link);

#endif
