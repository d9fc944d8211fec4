#include "map.h"

#include "memory.h"

enum { FIRST_CAPACITY = 8 };

/* Multiplication by the golden ratio spreads numbers that follow each other. These bits of the product depend on all of
   a number of 32 bits. Peers choose numbers, but not where memory is; those of more bits are mixed with a secret before. */
static size_t home_of(const Map *map, uint64_t key) {
    uint64_t mixed = (key ^ (uint64_t)(uintptr_t)map->places >> 4) * 0x9E3779B97F4A7C15u;
    return (size_t)(mixed >> 32) & (map->capacity - 1);
}

static MapPlace *find(const Map *map, uint64_t key) {
    size_t at = home_of(map, key);
    while (map->places[at].item != NULL && map->places[at].key != key) { at = (at + 1) & (map->capacity - 1); }
    return &map->places[at];
}

void *map_get(const Map *map, uint64_t key) { return map->count == 0 ? NULL : find(map, key)->item; }

static bool grow(Map *map) {
    Map grown = {NULL, map->capacity == 0 ? FIRST_CAPACITY : 2 * map->capacity, map->count};
    grown.places = zeros(grown.capacity, sizeof(MapPlace));
    if (grown.places == NULL) { return false; }
    for (size_t at = 0; at < map->capacity; at++) {
        if (map->places[at].item != NULL) { *find(&grown, map->places[at].key) = map->places[at]; }
    }
    PyMem_Free(map->places);
    *map = grown;
    return true;
}

bool map_put(Map *map, uint64_t key, void *item) {
    if (2 * map->count >= map->capacity && !grow(map)) { return false; }
    MapPlace *place = find(map, key);
    if (place->item == NULL) { map->count++; }
    *place = (MapPlace){key, item};
    return true;
}

/* Closes the hole: whatever stands behind it and belongs there or before moves up. */
static void close_hole(Map *map, size_t hole) {
    size_t mask = map->capacity - 1;
    for (size_t at = (hole + 1) & mask; map->places[at].item != NULL; at = (at + 1) & mask) {
        size_t home = home_of(map, map->places[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->places[hole] = map->places[at];
            hole = at;
        }
    }
    map->places[hole].item = NULL;
}

void *map_take(Map *map, uint64_t key) {
    MapPlace *place = map->count == 0 ? NULL : find(map, key);
    void *item = place == NULL ? NULL : place->item;
    if (item == NULL) { return NULL; }
    map->count--;
    close_hole(map, (size_t)(place - map->places));
    return item;
}

void *map_next(const Map *map, size_t *place) {
    while (*place < map->capacity) {
        void *item = map->places[(*place)++].item;
        if (item != NULL) { return item; }
    }
    return NULL;
}

bool chain_put(Map *map, Chained *item) {
    item->next = map_get(map, item->key);
    return map_put(map, item->key, item);
}

void chain_take(Map *map, Chained *item) {
    Chained *first = map_take(map, item->key), **link = &first;
    while (*link != item) { link = &(*link)->next; }
    *link = item->next;
    if (first != NULL) { map_put(map, item->key, first); /* cannot fail: its place has just become free */ }
}

void free_map(Map *map) {
    PyMem_Free(map->places);
    *map = (Map){NULL, 0, 0};
}

bool make_secret(uint64_t *secret) {
    PyObject *module = PyImport_ImportModule("os");
    PyObject *octets = module == NULL ? NULL : PyObject_CallMethod(module, "urandom", "i", (int)sizeof *secret);
    const char *at;
    Py_ssize_t size;
    bool is_made = octets != NULL && PyArg_Parse(octets, "y#", &at, &size);
    if (is_made && size != sizeof *secret) {
        is_made = PyErr_Format(PyExc_ValueError, "os.urandom gave %zd octets", size) != NULL;
    }
    if (is_made) { memcpy(secret, at, sizeof *secret); }
    Py_XDECREF(module);
    Py_XDECREF(octets);
    return is_made;
}
