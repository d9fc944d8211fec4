/* The consumers of a 0-x channel by tag; the counterpart of `amqp_traffic.dialogue.amqp0.channel.Consumers`.

   Their count is bounded: a new one may displace the oldest. Here is also what tells where messages come from: the name
   of a queue, which all its messages share, and whether they need no acknowledgement. */
#ifndef AMQP_NATIVE_INGEST_AMQP0_CONSUMERS_H
#define AMQP_NATIVE_INGEST_AMQP0_CONSUMERS_H

#include "assembly.h"
#include "map.h"

typedef struct {
    size_t references, size;
    uint8_t octets[];
} QueueName;

/* A name from a text. */
QueueName *new_queue_name(const Value *text);
static inline QueueName *share_queue_name(QueueName *name) {
    if (name != NULL) { name->references++; }
    return name;
}
void drop_queue_name(QueueName *name); /* NULL is none */

enum { NO_ACK_UNKNOWN = -1 };

/* The request of basic.consume or basic.get. */
typedef struct {
    QueueName *queue; /* NULL: unknown, or in a request empty, which stands for the queue declared last */
    int no_ack;       /* 0, 1 or NO_ACK_UNKNOWN */
} Source;

typedef struct Consumer Consumer;

typedef struct {
    uint64_t secret;
    Map by_key; /* the first of those whose tags have a key */
    size_t count;
    Consumer *first, *last; /* the oldest, the newest */
} Consumers;

const Source *find_consumer(const Consumers *consumers, const Value *tag);
/* Adds a consumer in the place of one with the same tag. */
bool begin_consumer(Consumers *consumers, const Value *tag, QueueName *queue, int no_ack);
void end_consumer(Consumers *consumers, const Value *tag);
void clear_consumers(Consumers *consumers);

#endif
