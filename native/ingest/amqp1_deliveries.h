/* The deliveries of a session in one direction that may still be settled, by number (part 2, section 2.6.12).

   Theory of operation. A delivery is held by its link while transfers may come, and by `Deliveries` while it may be settled;
   these are `is_open` and `is_awaited` of its message. When both end, its row is written and it is freed. A delivery that may be
   settled is also in a list of its link, which outlives it. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_DELIVERIES_H
#define AMQP_NATIVE_INGEST_AMQP1_DELIVERIES_H

#include "amqp1_message.h"

struct Link;

typedef struct Delivery {
    struct Link *link;
    uint32_t number;
    Value tag, message_format; /* as in its first transfer */
    int64_t transfers;
    bool is_settled; /* a transfer says that the sender has settled it */
    Message1 message;
    struct Delivery *earlier, *later;           /* of `Deliveries`, in the order in which they came */
    struct Delivery *link_earlier, *link_later; /* of the list of the link */
    uint8_t tag_octets[];
} Delivery;

typedef struct {
    Map known;
    Delivery *first, *last;
} Deliveries;

/* A new delivery that begins with a transfer; NULL with an exception. */
Delivery *new_delivery(struct Link *link, const Event *transfer);
void free_delivery(Delivery *delivery);

/* What has to go before a delivery with this number comes: the one that has it, or the oldest if there is no room; or NULL. */
Delivery *displaced_by(const Deliveries *deliveries, uint32_t number);
/* Adds a delivery whose number is free. */
bool add_delivery(Deliveries *deliveries, Delivery *delivery);
void forget_delivery(Deliveries *deliveries, Delivery *delivery);

/* The known deliveries of a range of numbers. The one that was just given may be forgotten. */
typedef struct {
    const Deliveries *deliveries;
    uint32_t first;
    int64_t count;  /* numbers of the range */
    int64_t step;   /* numbers looked up so far; -1: the deliveries are looked through */
    Delivery *next;
} DeliveryRange;

DeliveryRange range_of(const Deliveries *deliveries, uint32_t first, uint32_t last);
Delivery *next_in_range(DeliveryRange *range);

#endif
