/* Requests of 1.0 and their replies; the counterpart of `amqp_traffic.messages.amqp1.requests`.

   Both ends send open, begin, attach, detach, end and close. The first one is the request. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_REQUESTS_H
#define AMQP_NATIVE_INGEST_AMQP1_REQUESTS_H

#include "amqp1_sessions.h"

typedef enum {
    OPEN_REQUEST,
    CLOSE_REQUEST,
    SASL_REQUEST,
    BEGIN_REQUEST,
    END_REQUEST,
    ATTACH_REQUEST,
    DETACH_REQUEST
} RequestKind;

/* A performative, and what distinguishes it from others of that kind. */
typedef struct {
    RequestKind kind;
    int64_t session; /* its number; 0 when it is not about one */
    LinkKey link;    /* no octets set when it is not about one */
} RequestKey;

typedef struct Request Request;

/* Requests in the order in which they came. */
typedef struct {
    Request *first, *last; /* the oldest, the newest */
} RequestList;

/* The open requests of both ends of a connection; their count is bounded. */
typedef struct {
    Sink *sink;
    int64_t connection;
    Map open; /* by hashes of their keys */
    size_t count;
    RequestList all, of_end[2]; /* by direction */
    Map of_session[2];          /* by direction and number of a session: lists, so that an end looks at no others */
} ConnectionRequests;

/* Takes a performative that the other end answers with the same one. */
bool pair_request(ConnectionRequests *requests, const RequestKey *key, const Event *event);
/* Adds a request. An open one with the same key has no reply. */
bool add_request(ConnectionRequests *requests, const RequestKey *key, const Event *event);
/* Takes a reply. With `is_certain` the request would have been captured: a reply without one is out of order. */
bool answer_request(ConnectionRequests *requests, const RequestKey *key, const Event *event, bool is_certain);
/* Closes the requests of the other end, of a session or of all (0): this end sends a close or an end. */
bool close_requests(ConnectionRequests *requests, const Event *event, int64_t session);
/* Writes the rows of requests without a reply; no reply to them follows. */
bool finish_requests(ConnectionRequests *requests, const char *outcome);
void free_requests(ConnectionRequests *requests);

#endif
