/* From a packet to its TCP segment: link layer, IP and TCP headers.

   Link types: https://www.tcpdump.org/linktypes.html. IPv4: RFC 791. IPv6 and its extension headers: RFC 8200. TCP: RFC
   9293. What is damaged or rare is left to Python (`amqp_traffic.capture.packets`), which also tells why a packet has
   no segment. */
#ifndef AMQP_NATIVE_PACKETS_H
#define AMQP_NATIVE_PACKETS_H

#include "../src/octets.h"

enum { LONGEST_FLOW = 36 };

/* A packet as its record has it. */
typedef struct {
    const uint8_t *octets;
    size_t captured;
    size_t original;
    uint32_t link_type;
    uint64_t record; /* where its record begins in the file */
    int64_t ns;
} Packet;

/* A TCP segment. `missing` octets of its payload were not captured. */
typedef struct {
    uint8_t flow[LONGEST_FLOW]; /* addresses and ports, as in `amqp_traffic.capture.stream_data.Segment` */
    uint8_t flow_size;
    uint8_t flags;
    uint32_t sequence;
    uint32_t acknowledgment;
    Input payload;
    size_t missing;
} Segment;

typedef enum {
    SEGMENT,    /* the packet has a TCP segment */
    NO_SEGMENT, /* it is of another protocol */
    ODD_PACKET  /* Python has to look at it */
} Content;

/* What a number of two octets leads to, if to another packet: in an octet for each number, made by
   `amqp_traffic.capture.layers.walk.tunnel_flags`. */
enum { TUNNEL_PORT = 1, TUNNEL_ETHERTYPE = 2, TUNNEL_PROTOCOL = 4 };

/* Packets in tunnels are odd; `tunnels` may be NULL, then there are none. */
Content find_segment(const Packet *packet, const uint8_t *tunnels, Segment *segment);

#endif
