/* Capture files to packets: the plain records of pcap and blocks of pcapng.

   Theory of operation. A reader goes from record to record, and stops where Python has to look: at damage, at a block that is
   not an enhanced packet, at a packet that is not plain. Python (`amqp_traffic.capture.pcap`, `.pcapng`) reads that one record
   and calls again with the position after it.

   pcap: https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcap.html, pcapng: draft-ietf-opsawg-pcapng. */
#ifndef AMQP_NATIVE_RECORDS_H
#define AMQP_NATIVE_RECORDS_H

#include "packets.h"

/* An interface of pcapng; `scale` nanoseconds are a unit of its time, 0 when that is no whole number. */
typedef struct {
    uint32_t link_type;
    int64_t scale;
} Interface;

/* The octets of a file, and how its records are written. */
typedef struct {
    const uint8_t *octets;
    size_t size;
    bool is_little;               /* the byte order of numbers */
    uint32_t unit;                /* pcap: nanoseconds in a unit of fractions of a second; 0 for pcapng */
    uint32_t link_type;           /* pcap */
    const Interface *interfaces;  /* pcapng */
    size_t interface_count;
} Records;

/* Reads the packet whose record begins at a position, and returns where the record ends; 0 when it is not a plain one. */
size_t read_record(const Records *records, size_t position, Packet *packet);

#endif
