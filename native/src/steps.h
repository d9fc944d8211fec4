/* Work is counted in steps, so that Ctrl-C and SIGTERM are noticed soon, whatever a capture holds: a packet may have
   thousands of frames, a frame may end thousands of deliveries. */
#ifndef AMQP_NATIVE_STEPS_H
#define AMQP_NATIVE_STEPS_H

#include "octets.h"

enum { BETWEEN_SIGNALS = 1 << 10 };

typedef struct {
    uint32_t count;
} Steps;

/* Counts a step; false with an exception, if a signal has raised one. */
static inline bool take_step(Steps *steps) {
    return ++steps->count % BETWEEN_SIGNALS != 0 || PyErr_CheckSignals() == 0;
}

#endif
