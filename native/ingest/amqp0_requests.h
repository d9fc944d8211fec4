/* Open requests of a 0-x channel, and which of them a reply answers; the counterpart of
   `amqp_traffic.dialogue.amqp0.requests` and of `amqp_traffic.messages.amqp0.requests`, which writes their rows.

   Theory of operation. Replies come in the order of the requests; a reply to another than the oldest request is out of
   order. A request is in doubt if it was passed over or its reply may be lost. A reply goes to a request that is not in
   doubt first, and requests in doubt do not make a reply out of order. Requests of a side wait in a line for each
   method, so that the oldest one of a method is found at once. All that are in doubt are older than all that are
   not. */
#ifndef AMQP_NATIVE_INGEST_AMQP0_REQUESTS_H
#define AMQP_NATIVE_INGEST_AMQP0_REQUESTS_H

#include "amqp0_message.h"

typedef struct Request0 {
    Sent asked;
    uint64_t number; /* rises */
    bool has_row;    /* it could be decoded */
    Source source;   /* of basic.consume and basic.get */
    struct Request0 *later;
} Request0;

typedef struct Line Line;

typedef struct {
    Line *lines;
    size_t count;
} Side;

typedef struct {
    uint64_t asked;
    Side sides[2];
} Requests0;

static inline bool is_named(const RowLayout *method, const char *name) {
    Input text = text_value(name).octets;
    return equal_runs(&method->name_text, &text);
}

/* The values of a row without the access ticket, the first field in 0-8 and 0-9, so that all versions begin alike. */
static inline const Value *without_ticket(const Row *row) { return row->values + (row->values[0].kind == NUMBER); }
/* Reads the arguments of basic.consume or basic.get. If it fails, no queue is known. */
bool read_source(const Value *queue, const Value *no_ack, Source *source);

/* Adds a request, which `layout` tells about. */
void ask_request0(Setting0 *setting, Requests0 *requests, const Event *event);
/* Takes a possible reply. With `is_certain` its request would have been captured: without a request it is out of order.
   `*answered` gets the request that it answers, for `free_request0`; NULL: there is none. */
bool answer_request0(Setting0 *setting, Requests0 *requests, const Event *event, bool is_certain, Request0 **answered);
void free_request0(Request0 *request);

/* Closes the requests of the other side: this side closes the channel or the connection, as `name` says. */
void close_requests0(Setting0 *setting, Requests0 *requests, const Event *event, const char *name);
/* Puts the requests of a side in doubt: replies to them may be missing. */
void lose_replies0(Requests0 *requests, int side);
/* Whether either side waits for a reply to a method of this name. */
bool awaits_reply0(const Requests0 *requests, const char *name);
/* Writes the rows of all open requests; no more replies follow. */
void end_requests0(Setting0 *setting, Requests0 *requests, const char *outcome);

#endif
