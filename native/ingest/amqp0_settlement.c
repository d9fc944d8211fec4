#include "amqp0_message.h"

#include "memory.h"

enum { MOST_OUTSTANDING = 65536 };

static uint64_t key_of(const Outstanding *outstanding, int64_t number) {
    return mix_key(outstanding->secret, (uint64_t)number);
}

/* Puts a message in the place of one with the same number. */
static void replace(Outstanding *outstanding, Message0 *former, Message0 *message) {
    message->earlier = former->earlier;
    message->later = former->later;
    *(message->earlier == NULL ? &outstanding->first : &message->earlier->later) = message;
    *(message->later == NULL ? &outstanding->last : &message->later->earlier) = message;
    former->earlier = former->later = NULL;
}

static void leave_list(Outstanding *outstanding, Message0 *message) {
    map_take(&outstanding->by_number, key_of(outstanding, message->number));
    REMOVE_ITEM(outstanding, message, earlier, later);
    message->earlier = message->later = NULL;
}

bool add_outstanding(Outstanding *outstanding, int64_t number, Message0 *message, Message0 **displaced) {
    uint64_t key = key_of(outstanding, number);
    Message0 *former = map_get(&outstanding->by_number, key);
    *displaced = former;
    if (!map_put(&outstanding->by_number, key, message)) {
        *displaced = NULL;
        return false;
    }
    message->number = number;
    message->is_awaited = true;
    if (number > outstanding->highest) { outstanding->highest = number; }
    if (former != NULL) {
        replace(outstanding, former, message);
        return true;
    }
    APPEND_ITEM(outstanding, message, earlier, later);
    if (outstanding->by_number.count <= MOST_OUTSTANDING) { return true; }
    *displaced = outstanding->first;
    leave_list(outstanding, *displaced);
    return true;
}

static Message0 *take_first(Outstanding *outstanding, int64_t number) {
    Message0 *first = outstanding->first, *last = NULL, *rest = first;
    while (rest != NULL && rest->number <= number) {
        map_take(&outstanding->by_number, key_of(outstanding, rest->number));
        last = rest;
        rest = rest->later;
    }
    if (last == NULL) { return NULL; }
    last->later = NULL;
    outstanding->first = rest;
    *(rest == NULL ? &outstanding->last : &rest->earlier) = NULL;
    return first;
}

Message0 *take_outstanding(Outstanding *outstanding, int64_t number, bool is_multiple) {
    if (is_multiple) { return number == 0 ? take_all_outstanding(outstanding) : take_first(outstanding, number); }
    Message0 *message = map_get(&outstanding->by_number, key_of(outstanding, number));
    if (message != NULL) { leave_list(outstanding, message); }
    return message;
}

Message0 *take_all_outstanding(Outstanding *outstanding) {
    Message0 *first = outstanding->first;
    outstanding->first = outstanding->last = NULL;
    free_map(&outstanding->by_number);
    return first;
}
