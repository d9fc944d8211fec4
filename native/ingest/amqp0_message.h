/* A 0-x message: its method and content, and how it was settled; the counterpart of
   `amqp_traffic.messages.amqp0.message`.

   Theory of operation. A message is held by its channel while more of its content may come (`is_open`), and by
   `Outstanding` while it may be settled or confirmed (`is_awaited`). When neither holds it, its row is written and it
   is freed. */
#ifndef AMQP_NATIVE_INGEST_AMQP0_MESSAGE_H
#define AMQP_NATIVE_INGEST_AMQP0_MESSAGE_H

#include "amqp0_consumers.h"

/* The connection of a channel, and where its rows go. Once something has failed, an exception is set and nothing is
   written any more; everything is still freed as the assembly ends. */
typedef struct {
    Sink *sink;
    int64_t connection;
    const Package *package; /* of the frames from here on; NULL before the first */
    bool has_failed;
} Setting0;

typedef enum { PUBLISH, DELIVER, GET_OK, RETURN } MessageKind;
typedef enum { NOT_EXPECTED, NONE, FORGOTTEN, ACK, NACK, REJECT } Outcome;

typedef struct Message0 {
    MessageKind kind;
    int direction; /* of its method, as are the next four */
    uint16_t channel;
    int64_t frame_no, offset, first_ns;
    PackedRow *method; /* NULL when it cannot be decoded */
    PackedRow *header; /* of the content header; NULL without a readable one of class basic */
    bool has_header;   /* the content header came */
    int64_t size;      /* octets of the body; -1 when the content header is unreadable */
    uint64_t seen;     /* octets of the body so far */
    int64_t frames;    /* body frames so far */
    int64_t last_ns;   /* of the last frame */
    Source source;
    PyObject *pieces; /* a list of the octets of the body so far, if they are wanted; or NULL */
    PyObject *kept;   /* (digest, beginning), or NULL */
    bool is_open, is_awaited;
    Outcome settle, confirm;
    int64_t settle_ns, confirm_ns;
    int64_t number; /* in `Outstanding`, as are the next two */
    struct Message0 *earlier, *later;
} Message0;

/* A new message that begins with its method. */
Message0 *new_message0(const Event *method, MessageKind kind);
void free_message0(Message0 *message);
int visit_message0(const Message0 *message, visitproc visit, void *arg);

bool add_header0(const Sink *sink, Message0 *message, const Event *header);
bool add_body0(const Sink *sink, Message0 *message, const Event *body);
/* No more content comes. */
bool end_content0(const Sink *sink, Message0 *message);

/* Writes the row. */
bool put_message0(const Setting0 *setting, const Message0 *message);

/* Unsettled messages of a channel, by delivery tag or confirm number; the counterpart of
   `amqp_traffic.dialogue.amqp0.settlement.Outstanding`, in amqp0_settlement.c.

   Numbers rise, but confirms may be counted anew while old messages still wait. So the messages are in a list, in the
   order in which their numbers first came, and a map finds them. Their count is bounded: a new one may displace the
   oldest. */
typedef struct {
    uint64_t secret;
    Map by_number; /* by mixed numbers */
    Message0 *first, *last;
    int64_t highest; /* number so far; 0 before the first */
} Outstanding;

/* Adds a message. `*displaced` gets one that nobody can settle any more: of the same number, or the oldest if there is
   no room; or NULL. */
bool add_outstanding(Outstanding *outstanding, int64_t number, Message0 *message, Message0 **displaced);
/* These remove messages and return the first of them, NULL without any; `later` leads to the others. */
Message0 *take_outstanding(Outstanding *outstanding, int64_t number,
                           bool is_multiple); /* is multiple: up to this; 0: all */
Message0 *take_all_outstanding(Outstanding *outstanding);

#endif
