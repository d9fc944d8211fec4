#include "amqp1_deliveries.h"

#include "amqp1_sessions.h"

enum { MOST_DELIVERIES = 65536 };

Delivery *new_delivery(Link *link, const Event *transfer) {
    const Value *values = transfer->row->values, *tag = &values[TRANSFER_TAG];
    size_t tag_size = tag->kind == NOTHING ? 0 : input_size(&tag->octets);
    Delivery *delivery = PyMem_Calloc(1, sizeof(Delivery) + tag_size);
    if (delivery == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    delivery->link = link;
    delivery->number = (uint32_t)values[TRANSFER_DELIVERY_ID].number;
    delivery->message_format = values[TRANSFER_FORMAT];
    delivery->tag = *tag;
    if (tag->kind != NOTHING) {
        if (tag_size > 0) memcpy(delivery->tag_octets, tag->octets.at, tag_size);
        delivery->tag.octets = (Input){delivery->tag_octets, delivery->tag_octets + tag_size};
    }
    start_message(&delivery->message, transfer);
    return delivery;
}

void free_delivery(Delivery *delivery) {
    release_message(&delivery->message);
    PyMem_Free(delivery);
}

Delivery *displaced_by(const Deliveries *deliveries, uint32_t number) {
    Delivery *displaced = map_get(&deliveries->known, number);
    return displaced == NULL && deliveries->known.count >= MOST_DELIVERIES ? deliveries->first : displaced;
}

bool add_delivery(Deliveries *deliveries, Delivery *delivery) {
    Link *link = delivery->link;
    if (!map_put(&deliveries->known, delivery->number, delivery)) return false;
    delivery->earlier = deliveries->last;
    *(deliveries->last == NULL ? &deliveries->first : &deliveries->last->later) = delivery;
    deliveries->last = delivery;
    delivery->link_later = link->unsettled;
    if (link->unsettled != NULL) link->unsettled->link_earlier = delivery;
    link->unsettled = delivery;
    delivery->message.is_awaited = true;
    return true;
}

void forget_delivery(Deliveries *deliveries, Delivery *delivery) {
    map_take(&deliveries->known, delivery->number);
    *(delivery->earlier == NULL ? &deliveries->first : &delivery->earlier->later) = delivery->later;
    *(delivery->later == NULL ? &deliveries->last : &delivery->later->earlier) = delivery->earlier;
    *(delivery->link_earlier == NULL ? &delivery->link->unsettled : &delivery->link_earlier->link_later) = delivery->link_later;
    if (delivery->link_later != NULL) delivery->link_later->link_earlier = delivery->link_earlier;
    delivery->message.is_awaited = false;
}

/* How far a number is after another one; negative if it is before (RFC 1982). */
static int64_t ahead(uint32_t number, uint32_t of) {
    uint32_t distance = number - of;
    return distance > INT32_MAX ? (int64_t)distance - UINT32_MAX - 1 : distance;
}

DeliveryRange range_of(const Deliveries *deliveries, uint32_t first, uint32_t last) {
    int64_t count = ahead(last, first) + 1;
    bool is_wide = count > (int64_t)deliveries->known.count + 1;
    return (DeliveryRange){deliveries, first, count, is_wide ? -1 : 0, deliveries->first};
}

Delivery *next_in_range(DeliveryRange *range) {
    Delivery *found = NULL;
    if (range->step >= 0) {
        while (found == NULL && range->step < range->count)
            found = map_get(&range->deliveries->known, (uint32_t)(range->first + range->step++));
        return found;
    }
    while (found == NULL && range->next != NULL) {
        int64_t distance = ahead(range->next->number, range->first);
        if (distance >= 0 && distance < range->count) found = range->next;
        range->next = range->next->later;
    }
    return found;
}
