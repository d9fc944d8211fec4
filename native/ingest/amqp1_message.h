/* A message of 1.0: the joined transfers of a delivery, and its outcome. See `amqp_traffic.messages.amqp1.message`.

   Theory of operation. The usual message has plain sections before its body, and one section of it, in one transfer or
   more, or no body: that is read here. Every other content, and all where digests or beginnings of bodies are wanted,
   is fed to an object of Python, which tells at the end what it found. When a content turns out to be another one after
   its first transfer, that one is fed again, and zeros for what followed it: nobody wants these octets. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_MESSAGE_H
#define AMQP_NATIVE_INGEST_AMQP1_MESSAGE_H

#include "amqp1_numbers.h"

/* The columns of a `transfer`; see `amqp_traffic.dialogue.amqp1.performatives`. */
enum {
    TRANSFER_HANDLE,
    TRANSFER_DELIVERY_ID,
    TRANSFER_TAG,
    TRANSFER_FORMAT,
    TRANSFER_SETTLED,
    TRANSFER_MORE,
    TRANSFER_STATE = 7,
    TRANSFER_ABORTED = 9
};

static inline bool is_true(const Value *value) { return value->kind == NUMBER && value->number != 0; }

typedef struct {
    PyObject *reader; /* of Python, while transfers may come; or NULL */
    PackedRow *found; /* what the reader found: kind, size, footer, is complete, is beyond a limit, digest, beginning;
                         or NULL */
    PackedRow *head;  /* the sections before the body; or NULL */
    bool is_complete;
    const char *kind; /* of the body; NULL without one */
    uint64_t size;    /* octets of the body so far: the content of a data section, or an encoded value */
    uint64_t left;    /* octets of the section that are still to come */
    uint8_t *first;   /* the first transfer, while others may come; or NULL */
    size_t first_size;
    uint64_t more_size; /* octets of the transfers after it */
} Content1;

typedef struct {
    int64_t frame_no, offset, first_ns, last_ns;
    int direction; /* of its first transfer, as are channel and handle */
    uint16_t channel;
    uint32_t handle;
    bool is_open;    /* more transfers may come: its link has it under way */
    bool is_awaited; /* it may still be settled: it is one of `Deliveries` */
    bool is_aborted;
    bool is_forgotten; /* it is not known how it is settled, unless an outcome was told */
    PyObject *state;   /* the name of the last delivery state, or NULL */
    Meaning settle;
    bool has_settle_ns;
    int64_t settle_ns;
    Content1 content;
} Message1;

/* Begins the message with its first transfer, which is still to be added. */
void start_message(Message1 *message, const Event *event);
bool add_transfer(const Sink *sink, const Package *package, Message1 *message, const Event *event, bool is_opaque);
/* `is_whole`: the last transfer was captured, and none may be missing; `is_secret`: by its link, the body is. */
bool end_message(Message1 *message, bool is_whole, bool is_secret);
/* Takes what dispositions tell. */
void tell_message(Message1 *message, const Told *told);
/* One end has settled the delivery, which counts where no outcome was told before. */
void settle_message(Message1 *message, int64_t ns);
void release_message(Message1 *message);
int visit_message(const Message1 *message, visitproc visit, void *arg);

/* What the reader found. */
enum { FOUND_KIND, FOUND_SIZE, FOUND_FOOTER, FOUND_COMPLETE, FOUND_LIMIT, FOUND_DIGEST, FOUND_BEGINNING, FOUND_VALUES };

#endif
