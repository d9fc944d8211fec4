#include "stream_map.h"

#include "keys.h"

static uint64_t key_of(const StreamMap *map, const uint8_t *flow, size_t size) {
    return key_of_run(map->secret, (Input){flow, flow + size});
}

bool start_stream_map(StreamMap *map) {
    *map = (StreamMap){0};
    return make_secret(&map->secret);
}

Stream *find_stream(const StreamMap *map, const uint8_t *flow, size_t size) {
    Stream *stream = map_get(&map->by_key, key_of(map, flow, size));
    while (stream != NULL && (stream->flow_size != size || memcmp(stream->flow, flow, size) != 0))
        stream = (Stream *)stream->chained.next;
    return stream;
}

bool add_stream(StreamMap *map, Stream *stream) {
    stream->chained.key = key_of(map, stream->flow, stream->flow_size);
    return chain_put(&map->by_key, &stream->chained);
}

void remove_stream(StreamMap *map, Stream *stream) { chain_take(&map->by_key, &stream->chained); }

void free_stream_map(StreamMap *map) { free_map(&map->by_key); }
