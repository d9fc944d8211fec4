/* Streams by flow: looked up for every packet of a capture.

   A map by a key of 64 bits that is mixed from the flow (`keys.h`); streams of equal keys are chained. */
#ifndef AMQP_NATIVE_INGEST_STREAM_MAP_H
#define AMQP_NATIVE_INGEST_STREAM_MAP_H

#include "streams.h"

typedef struct {
    Map by_key;
    uint64_t secret;
} StreamMap;

/* False with an exception. */
bool start_stream_map(StreamMap *map);
/* The stream that segments of a flow belong to; NULL when there is none. */
Stream *find_stream(const StreamMap *map, const uint8_t *flow, size_t size);
/* Puts a stream before another one of the same flow; false with an exception. */
bool add_stream(StreamMap *map, Stream *stream);
/* The stream has to be there. */
void remove_stream(StreamMap *map, Stream *stream);
void free_stream_map(StreamMap *map);

#endif
