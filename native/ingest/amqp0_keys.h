/* Keys of maps for what a peer may choose. They are mixed with a secret, so that nobody can choose many that fall together. */
#ifndef AMQP_NATIVE_INGEST_AMQP0_KEYS_H
#define AMQP_NATIVE_INGEST_AMQP0_KEYS_H

#include "assembly.h"

/* For each state, different words give different keys. */
static inline uint64_t mix_key(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    state = (state ^ state >> 32) * 0xD6E8FEB86659FD93u;
    return state ^ state >> 32;
}

static inline uint64_t key_of_run(uint64_t secret, Input run) {
    uint64_t key = secret ^ input_size(&run);
    for (; input_size(&run) >= 8; run.at += 8) key = mix_key(key, get_64(run.at));
    uint64_t rest = 0;
    while (run.at < run.end) rest = rest << 8 | *run.at++;
    return mix_key(key, rest);
}

#endif
