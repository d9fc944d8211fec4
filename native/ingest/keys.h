/* Keys of maps for what a peer may choose. They are mixed with a secret, so that nobody can choose many that fall together. */
#ifndef AMQP_NATIVE_INGEST_KEYS_H
#define AMQP_NATIVE_INGEST_KEYS_H

#include "map.h"

/* Python's hash of octets begins with a secret of the process. False with an exception. */
static inline bool make_secret(uint64_t *secret) {
    PyObject *octets = PyBytes_FromString("keys of maps");
    if (octets == NULL) return false;
    *secret = (uint64_t)PyObject_Hash(octets);
    Py_DECREF(octets);
    return true;
}

/* For each state, different words give different keys. */
static inline uint64_t mix_key(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    state = (state ^ state >> 32) * 0xD6E8FEB86659FD93u;
    return state ^ state >> 32;
}

/* Eight octets at a time; the last ones may overlap. */
static inline uint64_t key_of_run(uint64_t secret, Input run) {
    size_t size = input_size(&run);
    uint64_t key = secret ^ size, rest = 0;
    for (; input_size(&run) > 8; run.at += 8) key = mix_key(key, get_64(run.at));
    if (size >= 8) return mix_key(key, get_64(run.end - 8));
    while (run.at < run.end) rest = rest << 8 | *run.at++;
    return mix_key(key, rest);
}

#endif
