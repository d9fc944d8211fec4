/* Frames to messages, requests with replies: one assembly for each connection, of either family.

   The counterpart of `amqp_traffic.messages`: the same rows of the tables `messages` and `exchanges`. */
#ifndef AMQP_NATIVE_INGEST_ASSEMBLY_H
#define AMQP_NATIVE_INGEST_ASSEMBLY_H

#include "../src/steps.h"
#include "columns.h"
#include "row_layouts.h"

/* What happens on a connection; see `amqp_traffic.decode.events.Event`. */
typedef enum { METHOD_EVENT, HEADER_EVENT, BODY_EVENT, PERFORMATIVE_EVENT } EventKind;

typedef struct {
    EventKind kind;
    int64_t frame_no;
    int direction;
    uint16_t channel;
    uint32_t key;            /* of a method: class id << 16 | method id; UINT32_MAX when it is too short to tell */
    const RowLayout *layout; /* of a method or performative; NULL when it is not known, or a header or body */
    const Row *row;          /* NULL when it cannot be decoded */
    Input payload;           /* BODY_EVENT: the octets; PERFORMATIVE_EVENT: what follows the performative */
    uint64_t size;           /* the size of the payload of the frame; of a performative, of what follows it */
    int64_t offset;
    int64_t ns;
} Event;

/* The keys of the methods of 0-x that mean something, by the names of their generated classes; from Python. */
typedef struct {
    uint32_t channel_open, channel_close, channel_close_ok;
    uint32_t queue_declare, queue_declare_ok;
    uint32_t basic_consume, basic_consume_ok, basic_cancel_ok;
    uint32_t basic_publish, basic_return, basic_deliver, basic_get_ok;
    uint32_t basic_ack, basic_reject, basic_nack, basic_recover_async, basic_recover;
    uint32_t confirm_select;
    uint32_t connection_class, basic_class; /* class ids */
} MethodKeys;

/* Where the rows of all connections go, and what Python does for them. */
typedef struct {
    Table *messages, *exchanges;
    RowMaker message_rows[4]; /* of 0-x, by `MessageKind` */
    RowMaker transfer_rows;   /* of 1.0 */
    RowMaker exchange_rows;
    MethodKeys keys;
    uint64_t secret;         /* of keys of maps, see map.h */
    Steps *steps;            /* of the ingest: frames, rows of messages and exchanges, pieces, connections */
    PyObject *host;          /* `amqp_traffic.ingest.native.host.NativeHost` */
    size_t held;             /* what all connections hold */
    struct Secrets *secrets; /* what rows must not hold */
    bool keeps_bodies;       /* digest or beginning of bodies are wanted */
    struct Sink1 *shared1;   /* what messages of 1.0 share, see amqp1_states.h */
} Sink;

/* Reads the recipes of rows, see columns.h; the tables must be made. */
bool make_sink(Sink *sink, PyObject *recipes); /* calls the two below */
bool make_sink0(Sink *sink, PyObject *recipes);
bool make_sink1(Sink *sink, PyObject *recipes);
/* Frees what `make_sink1` made; it may have failed, or not been called for a sink of zeros. */
void free_sink1(Sink *sink);
int visit_sink1(const Sink *sink, visitproc visit, void *arg);

/* A request or a reply. */
typedef struct {
    Input name; /* lives as long as the packages */
    int64_t frame_no;
    int direction;
    uint16_t channel;
    int64_t offset;
    int64_t ns;
} Sent;

static inline Sent sent_by(const Event *event, Input name) {
    return (Sent){name, event->frame_no, event->direction, event->channel, event->offset, event->ns};
}

/* Rows of the table `exchanges`, see `amqp_traffic.messages.output.Sink`; `outcome` is ok, closed, unanswered,
   out-of-order or not-followed. */
bool put_exchange(Sink *sink, int64_t connection, const Sent *request, const char *outcome, const Sent *reply);
bool put_unasked(Sink *sink, int64_t connection, const Sent *reply);

/* --- What connections hold until a later frame: unsettled messages, open requests, consumers, links, channels. The
   counterpart of `amqp_traffic.messages.held`: a connection that holds too much forgets all of it, and goes on as if it
   were captured from there on. */

/* How much a channel or a session counts; everything else counts once. */
enum { CHANNEL_WEIGHT = 16 };

/* The outcome of a request, and the settlement and the confirm of a message, that were forgotten. */
extern const char NOT_FOLLOWED[];

/* What a connection holds. It is counted now and then. */
typedef struct {
    size_t count;
    int64_t next_look; /* the number of events from which on it is to be counted */
} HeldItems;

void start_held(HeldItems *held);
/* Takes the count after so many events. Whether it has to be forgotten. */
bool is_too_much(HeldItems *held, Sink *sink, size_t count, int64_t events);
/* Nothing is held any more. */
void clear_held(HeldItems *held, Sink *sink);
/* Notes that a connection forgets what it held before an event. */
bool note_forgotten(const Sink *sink, int64_t connection, const Event *event);

/* --- The assemblies */

/* 0-x: `facts` is told of methods of class connection by the caller, not here. */
typedef struct Assembly0 Assembly0;
Assembly0 *new_assembly0(Sink *sink, int64_t connection);
/* The package of the layouts from here on. */
void read_by0(Assembly0 *assembly, const Package *package);
bool add_event0(Assembly0 *assembly, const Event *event);
/* Writes the rows of what is still open, and frees the assembly. */
bool finish_assembly0(Assembly0 *assembly);
void free_assembly0(Assembly0 *assembly);
int visit_assembly0(const Assembly0 *assembly, visitproc visit, void *arg);

/* 1.0: facts are told of `open` and `close` by the caller, not here. The package is that of the first layouts:
   sections are the same in all of the family. */
typedef struct Assembly1 Assembly1;
Assembly1 *new_assembly1(Sink *sink, const Package *package, int64_t connection);
/* After a failure, nothing more may be added. */
bool add_event1(Assembly1 *assembly, const Event *event);
bool finish_assembly1(Assembly1 *assembly); /* frees it, as above */
void free_assembly1(Assembly1 *assembly);
int visit_assembly1(const Assembly1 *assembly, visitproc visit, void *arg);

#endif
