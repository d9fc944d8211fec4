/* Which flows of a capture are wanted: connections are shared out by bucket, so both directions of one are together.

   The bucket of a flow is that of `amqp_traffic.capture.flow_buckets.bucket_of`: a checksum of both endpoints. */
#ifndef AMQP_NATIVE_FLOWS_H
#define AMQP_NATIVE_FLOWS_H

#include "packets.h"

enum { BUCKETS = 1024 };

/* The same for both directions. */
uint32_t bucket_of(const uint8_t *flow, size_t flow_size);

/* The bucket of a flow that was met lately. */
enum { KNOWN_FLOWS = 256 };

typedef struct {
    uint8_t flow[LONGEST_FLOW];
    uint8_t flow_size; /* 0: none */
    uint16_t bucket;
} KnownFlow;

typedef struct {
    PyObject_HEAD KnownFlow known[KNOWN_FLOWS];
    bool wanted[BUCKETS];
    uint64_t segments[BUCKETS];
    uint64_t octets[BUCKETS];
} FlowBuckets;

/* Counts a segment with so many captured octets of payload, and tells whether its flow is wanted. */
bool count_segment(FlowBuckets *buckets, const uint8_t *flow, size_t flow_size, uint64_t octets);

#endif
