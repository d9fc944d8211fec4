#include "amqp0_consumers.h"

#include "memory.h"

enum { MOST_CONSUMERS = 65536 };

/* --- Names */

QueueName *new_queue_name(const Value *text) {
    size_t size = input_size(&text->octets);
    QueueName *name = new_memory(sizeof(QueueName) + size);
    if (name == NULL) { return NULL; }
    name->references = 1;
    name->size = size;
    if (size > 0) { memcpy(name->octets, text->octets.at, size); }
    return name;
}

void drop_queue_name(QueueName *name) {
    if (name != NULL && --name->references == 0) { PyMem_Free(name); }
}

/* --- Consumers */

struct Consumer {
    Chained chained; /* by its tag */
    Source source;
    Consumer *earlier, *later; /* in the order in which they began */
    size_t tag_size;
    uint8_t tag[];
};

static bool has_tag(const Consumer *consumer, const Input *tag) {
    return consumer->tag_size == input_size(tag) && memcmp(consumer->tag, tag->at, consumer->tag_size) == 0;
}

static Consumer *find(const Consumers *consumers, const Value *tag) {
    if (consumers->count == 0 || tag->kind == NOTHING || input_size(&tag->octets) == 0) { return NULL; }
    Consumer *consumer = map_get(&consumers->by_key, key_of_run(consumers->secret, tag->octets));
    while (consumer != NULL && !has_tag(consumer, &tag->octets)) { consumer = (Consumer *)consumer->chained.next; }
    return consumer;
}

const Source *find_consumer(const Consumers *consumers, const Value *tag) {
    const Consumer *consumer = find(consumers, tag);
    return consumer == NULL ? NULL : &consumer->source;
}

static void drop(Consumers *consumers, Consumer *consumer) {
    chain_take(&consumers->by_key, &consumer->chained);
    REMOVE_ITEM(consumers, consumer, earlier, later);
    consumers->count--;
    drop_queue_name(consumer->source.queue);
    PyMem_Free(consumer);
}

static Consumer *new_consumer(uint64_t secret, const Input *tag) {
    size_t size = input_size(tag);
    Consumer *consumer = zeros(1, sizeof(Consumer) + size);
    if (consumer == NULL) { return NULL; }
    consumer->chained.key = key_of_run(secret, *tag);
    consumer->tag_size = size;
    memcpy(consumer->tag, tag->at, size);
    return consumer;
}

static bool put_in(Consumers *consumers, Consumer *consumer) {
    if (!chain_put(&consumers->by_key, &consumer->chained)) { return false; }
    APPEND_ITEM(consumers, consumer, earlier, later);
    consumers->count++;
    return true;
}

bool begin_consumer(Consumers *consumers, const Value *tag, QueueName *queue, int no_ack) {
    if (tag->kind == NOTHING || input_size(&tag->octets) == 0) { return true; /* the server will name it */ }
    end_consumer(consumers, tag);
    Consumer *consumer = new_consumer(consumers->secret, &tag->octets);
    if (consumer == NULL) { return false; }
    if (!put_in(consumers, consumer)) {
        PyMem_Free(consumer);
        return false;
    }
    consumer->source = (Source){share_queue_name(queue), no_ack};
    if (consumers->count > MOST_CONSUMERS) { drop(consumers, consumers->first); }
    return true;
}

void end_consumer(Consumers *consumers, const Value *tag) {
    Consumer *consumer = find(consumers, tag);
    if (consumer != NULL) { drop(consumers, consumer); }
}

void clear_consumers(Consumers *consumers) {
    while (consumers->first != NULL) { drop(consumers, consumers->first); }
    free_map(&consumers->by_key);
}
