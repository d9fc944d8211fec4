/* What stands for a number: a hash table with open addressing. A key occurs once; it has no order. Keys for what a peer
   may choose are mixed with a secret, so that nobody can choose many that fall together. */
#ifndef AMQP_NATIVE_INGEST_MAP_H
#define AMQP_NATIVE_INGEST_MAP_H

#include "../src/octets.h"

typedef struct {
    uint64_t key;
    void *item; /* NULL: the place is free */
} MapPlace;

typedef struct {
    MapPlace *places;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} Map;

void *map_get(const Map *map, uint64_t key);
/* Puts an item, not NULL, in the place of another one of the same key. */
bool map_put(Map *map, uint64_t key, void *item);
/* Removes what has the key, and returns it. */
void *map_take(Map *map, uint64_t key);
/* Any item from a place on; NULL after the last. `*place` begins with 0; nothing may be put or taken meanwhile. */
void *map_next(const Map *map, size_t *place);
void free_map(Map *map);

/* One of several items that may have the same key, as its first member. Under the key in the map is the newest of
   them. */
typedef struct Chained {
    uint64_t key;
    struct Chained *next;
} Chained;

/* Puts an item before the others of its key. */
bool chain_put(Map *map, Chained *item);
/* Removes an item, which has to be there. */
void chain_take(Map *map, Chained *item);

/* --- Keys --- */

/* Eight octets of `os.urandom`. Python's hashes would be no secret where PYTHONHASHSEED is known, as in the workers of
   Spark. */
bool make_secret(uint64_t *secret);

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
    for (; input_size(&run) > 8; run.at += 8) { key = mix_key(key, get_64(run.at)); }
    if (size >= 8) { return mix_key(key, get_64(run.end - 8)); }
    while (run.at < run.end) { rest = rest << 8 | *run.at++; }
    return mix_key(key, rest);
}

#endif
