/* What stands for a number: a hash table with open addressing. A key occurs once; it has no order. */
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

/* NULL when there is none. */
void *map_get(const Map *map, uint64_t key);
/* Puts an item, not NULL, in the place of another one of the same key; false with an exception. */
bool map_put(Map *map, uint64_t key, void *item);
/* Removes what has the key, and returns it; NULL when there is none. */
void *map_take(Map *map, uint64_t key);
/* Any item from a place on; NULL after the last. `*place` begins with 0; nothing may be put or taken meanwhile. */
void *map_next(const Map *map, size_t *place);
void free_map(Map *map);

/* One of several items that may have the same key, as its first member. Under the key in the map is the newest of them. */
typedef struct Chained {
    uint64_t key;
    struct Chained *next;
} Chained;

/* Puts an item before the others of its key; false with an exception. */
bool chain_put(Map *map, Chained *item);
/* Removes an item, which has to be there. */
void chain_take(Map *map, Chained *item);

#endif
