/* A link, and the deliveries of a session in one direction that may still be settled, by number (part 2,
   section 2.6.12).

   Theory of operation. A delivery is held by its link while transfers may come, and by `Deliveries` while it may be
   settled; these are `is_open` and `is_awaited` of its message. When both end, its row is written and it is freed. A
   delivery that may be settled is also in a list of its link, which outlives it. What dispositions tell about many of
   them waits in `numbers` until it is asked for. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_DELIVERIES_H
#define AMQP_NATIVE_INGEST_AMQP1_DELIVERIES_H

#include "amqp1_message.h"
#include "map.h"

/* What distinguishes the links between two ends. A link has no name when its attach was not captured. */
typedef struct {
    bool has_name;
    Input name;
    int sender; /* the direction of deliveries */
} LinkKey;

typedef struct Delivery {
    Spot spot; /* its number, and what was told since `hear_delivery`; first, so that an item is a delivery */
    struct Link *link;
    Value tag, message_format; /* as in its first transfer */
    int64_t transfers;
    bool is_settled; /* a transfer says that the sender has settled it */
    Message1 message;
    struct Delivery *earlier, *later;           /* of `Deliveries`, in the order in which they came */
    struct Delivery *link_earlier, *link_later; /* of the list of the link */
    uint8_t tag_octets[];
} Delivery;

typedef struct Link {
    Chained chained;    /* by a hash of its key */
    LinkKey key;        /* the name is a copy */
    int64_t handles[2]; /* by direction; -1 until that end has attached it */
    bool detached[2];
    Delivery *delivery; /* the one under way, or NULL */
    uint64_t missed[2]; /* by direction: `missed` of the session when it began, or when that end attached the link */
    struct {
        Delivery *first, *last;
    } unsettled;
    PyObject *address;                  /* str: the node at the broker's end; or NULL */
    bool is_secret;                     /* the bodies of its messages are */
    bool is_certain;                    /* the broker has said so */
    bool is_known;                      /* it is found by its name */
    struct Link *earlier[2], *later[2]; /* by direction, in the order in which they got their handles */
    uint8_t name_octets[];
} Link;

typedef struct {
    Numbers numbers;
    size_t count;
    Delivery *first, *last; /* the oldest, the newest */
} Deliveries;

/* A new delivery that begins with a transfer. */
Delivery *new_delivery(Link *link, const Event *transfer);
void free_delivery(Delivery *delivery);
/* Writes the row of a delivery that is over; see amqp1_message_rows.c. */
bool put_message(const Sink *sink, int64_t connection, const Delivery *delivery);

/* What has to go before a delivery with this number comes: the one that has it, or the oldest if there is no room; or
   NULL. */
Delivery *displaced_by(const Deliveries *deliveries, uint32_t number);
/* Adds a delivery whose number is free. */
bool add_delivery(Deliveries *deliveries, Delivery *delivery);
void forget_delivery(Deliveries *deliveries, Delivery *delivery);
int visit_deliveries(const Deliveries *deliveries, visitproc visit, void *arg);
/* Lets its message know what dispositions have told about it so far. */
void hear_delivery(const Deliveries *deliveries, Delivery *delivery);
/* The first of the known deliveries with numbers of a range, or NULL. */
static inline Delivery *first_delivery(const Deliveries *deliveries, NumberRange range) {
    return (Delivery *)first_spot(&deliveries->numbers, range);
}

#endif
