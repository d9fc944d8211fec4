/* What Python tells about the VARIANTs of 1.0. The same few delivery states occur over and over: the last ones are
   remembered. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_STATES_H
#define AMQP_NATIVE_INGEST_AMQP1_STATES_H

#include "assembly.h"

typedef enum { NO_OUTCOME, MEANS_ACK, MEANS_NACK, MEANS_REJECT } Meaning;

/* A delivery state: its name, a str or NULL, and what it means for the message. */
typedef struct {
    PyObject *name;
    Meaning meaning;
} DeliveryState;

enum { MOST_STATES = 16 };

typedef struct {
    size_t value_size, size;
    uint8_t *octets; /* the value and the metadata of the variant */
    DeliveryState state;
} KnownState;

/* What messages of all connections share. */
struct Sink1 {
    Arena arena; /* to read sections */
    KnownState states[MOST_STATES];
    size_t next; /* the one to be replaced */
};

/* What the host's method returns about a variant. */
PyObject *ask_host(const Sink *sink, const char *method, const Value *variant);
/* The caller gives the name back with `Py_XDECREF`. */
bool read_state(const Sink *sink, const Value *variant, DeliveryState *state);
void forget_states(struct Sink1 *shared);
int visit_states(const struct Sink1 *shared, visitproc visit, void *arg);

#endif
