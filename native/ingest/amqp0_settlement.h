/* Unsettled messages of a 0-x channel, by delivery tag or confirm number; the counterpart of
   `amqp_traffic.dialogue.amqp0.settlement.Outstanding`.

   Numbers rise, but confirms may be counted anew while old messages still wait. So the messages are in a list, in the order in
   which their numbers first came, and a map finds them. Their count is bounded: a new one may displace the oldest. */
#ifndef AMQP_NATIVE_INGEST_AMQP0_SETTLEMENT_H
#define AMQP_NATIVE_INGEST_AMQP0_SETTLEMENT_H

#include "amqp0_message.h"

typedef struct {
    uint64_t secret;
    Map by_number; /* by mixed numbers */
    Message0 *first, *last;
    int64_t highest; /* number so far; 0 before the first */
} Outstanding;

/* Adds a message. `*displaced` gets one that nobody can settle any more: of the same number, or the oldest if there is no room;
   or NULL. False with an exception. */
bool add_outstanding(Outstanding *outstanding, int64_t number, Message0 *message, Message0 **displaced);
/* These remove messages and return the first of them, NULL without any; `later` leads to the others. */
Message0 *take_outstanding(Outstanding *outstanding, int64_t number, bool is_multiple); /* is multiple: up to this; 0: all */
Message0 *take_all_outstanding(Outstanding *outstanding);

#endif
