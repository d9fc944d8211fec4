#include "amqp1_states.h"

#include "memory.h"

enum { LONGEST_STATE = 1024 };

PyObject *ask_host(const Sink *sink, const char *method, const Value *variant) {
    const Input *octets = &variant->octets, *metadata = &variant->metadata;
    return PyObject_CallMethod(sink->host, method, "y#y#", (const char *)octets->at, (Py_ssize_t)input_size(octets),
                               (const char *)metadata->at, (Py_ssize_t)input_size(metadata));
}

static Meaning meaning_of(PyObject *text) {
    if (!PyUnicode_Check(text)) { return NO_OUTCOME; }
    if (PyUnicode_CompareWithASCIIString(text, "ack") == 0) { return MEANS_ACK; }
    if (PyUnicode_CompareWithASCIIString(text, "nack") == 0) { return MEANS_NACK; }
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

/* Puts a state, or none, in the place of another one. */
static void replace_state(KnownState *known, KnownState state) {
    KnownState former = *known;
    *known = state;
    PyMem_Free(former.octets);
    Py_XDECREF(former.state.name);
}

static bool is_of(const KnownState *known, const Value *variant) {
    size_t value_size = input_size(&variant->octets), size = value_size + input_size(&variant->metadata);
    if (known->octets == NULL || known->size != size || known->value_size != value_size) { return false; }
    return memcmp(known->octets, variant->octets.at, value_size) == 0
           && memcmp(known->octets + value_size, variant->metadata.at, size - value_size) == 0;
}

/* Keeps a state in the place of an older one. */
static bool keep_state(struct Sink1 *shared, const Value *variant, const DeliveryState *state) {
    KnownState kept = {.value_size = input_size(&variant->octets), .state = *state};
    kept.size = kept.value_size + input_size(&variant->metadata);
    if (kept.size > LONGEST_STATE) { return true; }
    kept.octets = new_memory(kept.size);
    if (kept.octets == NULL) { return false; }
    memcpy(kept.octets, variant->octets.at, kept.value_size);
    memcpy(kept.octets + kept.value_size, variant->metadata.at, kept.size - kept.value_size);
    Py_XINCREF(state->name);
    replace_state(&shared->states[shared->next], kept);
    shared->next = (shared->next + 1) % MOST_STATES;
    return true;
}

bool read_state(const Sink *sink, const Value *variant, DeliveryState *state) {
    *state = (DeliveryState){NULL, NO_OUTCOME};
    if (variant->kind == NOTHING) { return true; }
    for (size_t index = 0; index < MOST_STATES; index++) {
        const KnownState *known = &sink->shared1->states[index];
        if (!is_of(known, variant)) { continue; }
        *state = known->state;
        Py_XINCREF(state->name);
        return true;
    }
    if (!ask_state(sink, variant, state)) { return false; }
    if (keep_state(sink->shared1, variant, state)) { return true; }
    Py_CLEAR(state->name);
    return false;
}

void forget_states(struct Sink1 *shared) {
    for (size_t index = 0; index < MOST_STATES; index++) { replace_state(&shared->states[index], (KnownState){0}); }
}

int visit_states(const struct Sink1 *shared, visitproc visit, void *arg) {
    for (size_t index = 0; index < MOST_STATES; index++) { Py_VISIT(shared->states[index].state.name); }
    return 0;
}
