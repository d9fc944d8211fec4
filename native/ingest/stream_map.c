#include "stream_map.h"

static uint64_t mix(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    state = (state ^ state >> 32) * 0xD6E8FEB86659FD93u;
    return state ^ state >> 32;
}

/* Eight octets at a time; the last ones may overlap. */
static uint64_t key_of(uint64_t secret, const uint8_t *flow, size_t size) {
    uint64_t key = secret ^ size;
    for (size_t at = 0; at + 8 < size; at += 8) key = mix(key, get_64(flow + at));
    return mix(key, get_64(flow + size - 8));
}

/* Python's hash of octets begins with a secret of the process. */
bool start_stream_map(StreamMap *map) {
    *map = (StreamMap){0};
    PyObject *octets = PyBytes_FromString("streams by flow");
    if (octets == NULL) return false;
    map->secret = (uint64_t)PyObject_Hash(octets);
    Py_DECREF(octets);
    return true;
}

Stream *find_stream(const StreamMap *map, const uint8_t *flow, size_t size) {
    Stream *stream = map_get(&map->by_key, key_of(map->secret, flow, size));
    while (stream != NULL && (stream->flow_size != size || memcmp(stream->flow, flow, size) != 0)) stream = stream->next;
    return stream;
}

bool add_stream(StreamMap *map, Stream *stream) {
    stream->key = key_of(map->secret, stream->flow, stream->flow_size);
    stream->next = map_get(&map->by_key, stream->key);
    return map_put(&map->by_key, stream->key, stream);
}

void remove_stream(StreamMap *map, Stream *stream) {
    Stream *first = map_take(&map->by_key, stream->key), **link = &first;
    while (*link != stream) link = &(*link)->next;
    *link = stream->next;
    if (first != NULL) map_put(&map->by_key, stream->key, first); /* there is room: it is in the place of another one */
}

void free_stream_map(StreamMap *map) { free_map(&map->by_key); }
