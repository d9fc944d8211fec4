#include "records.h"

enum { LONGEST_PACKET = 262144, SECOND = 1000000000 }; /* libpcap and Wireshark neither read nor write longer packets */
enum { RECORD_HEADER = 16, ENHANCED_PACKET = 6, BEFORE_PACKET = 28, AROUND_PACKET = 32 };

static uint32_t number_at(const Records *records, const uint8_t *at) {
    if (!records->is_little) return get_32(at);
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static size_t read_pcap(const Records *records, size_t position, Packet *packet) {
    const uint8_t *head = records->octets + position;
    if (records->size - position < RECORD_HEADER) return 0;
    uint32_t fraction = number_at(records, head + 4);
    size_t captured = number_at(records, head + 8);
    if (captured == 0 || captured > LONGEST_PACKET || fraction >= SECOND / records->unit) return 0;
    if (captured > records->size - position - RECORD_HEADER) return 0;
    packet->octets = head + RECORD_HEADER;
    packet->captured = captured;
    packet->original = number_at(records, head + 12);
    packet->link_type = records->link_type;
    packet->ns = (int64_t)number_at(records, head) * SECOND + (int64_t)fraction * records->unit;
    return position + RECORD_HEADER + captured;
}

/* An enhanced packet block. Where options follow the packet, its length stands again at its end. */
static size_t read_pcapng(const Records *records, size_t position, Packet *packet) {
    const uint8_t *head = records->octets + position;
    if (records->size - position < AROUND_PACKET || number_at(records, head) != ENHANCED_PACKET) return 0;
    size_t length = number_at(records, head + 4);
    size_t number = number_at(records, head + 8);
    size_t captured = number_at(records, head + 20);
    size_t without_options = (captured + 3 + AROUND_PACKET) & ~(size_t)3;
    if (captured > LONGEST_PACKET || length < without_options || length > records->size - position) return 0;
    if (length > without_options && (length % 4 != 0 || number_at(records, head + length - 4) != length)) return 0;
    if (number >= records->interface_count) return 0;
    int64_t scale = records->interfaces[number].scale;
    uint64_t units = (uint64_t)number_at(records, head + 12) << 32 | number_at(records, head + 16);
    if (scale == 0 || units > (uint64_t)(INT64_MAX / scale)) return 0;
    packet->octets = head + BEFORE_PACKET;
    packet->captured = captured;
    packet->original = number_at(records, head + 24);
    packet->link_type = records->interfaces[number].link_type;
    packet->ns = (int64_t)units * scale;
    return position + length;
}

size_t read_record(const Records *records, size_t position, Packet *packet) {
    packet->record = position;
    return records->unit != 0 ? read_pcap(records, position, packet) : read_pcapng(records, position, packet);
}
