#include "amqp1_states.h"

enum { LONGEST_STATE = 1024 };

PyObject *ask_host(const Sink *sink, const char *method, const Value *variant) {
    return PyObject_CallMethod(sink->host, method, "NN", bytes_of(&variant->octets), bytes_of(&variant->metadata));
}

static Meaning meaning_of(PyObject *text) {
    if (!PyUnicode_Check(text)) return NO_OUTCOME;
    if (PyUnicode_CompareWithASCIIString(text, "ack") == 0) return MEANS_ACK;
    if (PyUnicode_CompareWithASCIIString(text, "nack") == 0) return MEANS_NACK;
    return PyUnicode_CompareWithASCIIString(text, "reject") == 0 ? MEANS_REJECT : NO_OUTCOME;
}

static bool ask_state(const Sink *sink, const Value *variant, DeliveryState *state) {
    PyObject *name, *meaning, *told = ask_host(sink, "read_state", variant);
    if (told == NULL || !PyArg_ParseTuple(told, "OO", &name, &meaning)) {
        Py_XDECREF(told);
        return false;
    }
    *state = (DeliveryState){PyUnicode_Check(name) ? name : NULL, meaning_of(meaning)};
    Py_XINCREF(state->name);
    Py_DECREF(told);
    return true;
}

static void forget_state(KnownState *known) {
    PyMem_Free(known->octets);
    Py_XDECREF(known->state.name);
    *known = (KnownState){0};
}

static bool is_of(const KnownState *known, const Value *variant) {
    size_t value_size = input_size(&variant->octets), size = value_size + input_size(&variant->metadata);
    if (known->octets == NULL || known->size != size || known->value_size != value_size) return false;
    return memcmp(known->octets, variant->octets.at, value_size) == 0 &&
           memcmp(known->octets + value_size, variant->metadata.at, size - value_size) == 0;
}

/* Keeps a state in the place of an older one. */
static bool keep_state(struct Sink1 *shared, const Value *variant, const DeliveryState *state) {
    KnownState kept = {.value_size = input_size(&variant->octets), .state = *state};
    kept.size = kept.value_size + input_size(&variant->metadata);
    if (kept.size > LONGEST_STATE) return true;
    kept.octets = PyMem_Malloc(kept.size);
    if (kept.octets == NULL) {
        PyErr_NoMemory();
        return false;
    }
    memcpy(kept.octets, variant->octets.at, kept.value_size);
    memcpy(kept.octets + kept.value_size, variant->metadata.at, kept.size - kept.value_size);
    Py_XINCREF(state->name);
    forget_state(&shared->states[shared->next]);
    shared->states[shared->next] = kept;
    shared->next = (shared->next + 1) % MOST_STATES;
    return true;
}

bool read_state(const Sink *sink, const Value *variant, DeliveryState *state) {
    *state = (DeliveryState){NULL, NO_OUTCOME};
    if (variant->kind == NOTHING) return true;
    for (size_t index = 0; index < MOST_STATES; index++) {
        const KnownState *known = &sink->shared1->states[index];
        if (!is_of(known, variant)) continue;
        *state = known->state;
        Py_XINCREF(state->name);
        return true;
    }
    if (!ask_state(sink, variant, state)) return false;
    if (keep_state(sink->shared1, variant, state)) return true;
    Py_CLEAR(state->name);
    return false;
}

void forget_states(struct Sink1 *shared) {
    for (size_t index = 0; index < MOST_STATES; index++) forget_state(&shared->states[index]);
}
