#include "packets.h"

enum {
    ETHERNET = 1,
    LINUX_COOKED = 113,
    LINUX_COOKED_2 = 276,
    BSD_NULL = 0,
    BSD_LOOP = 108,
    RAW_IPV4 = 228,
    RAW_IPV6 = 229
};
enum { IPV4 = 0x0800, IPV6 = 0x86DD, VLAN = 0x8100, SERVICE_VLAN = 0x88A8, OLD_VLAN = 0x9100, OTHER_OLD_VLAN = 0x9200 };
enum { PPPOE_SESSION = 0x8864, PPP_IPV4 = 0x0021, PPP_IPV6 = 0x0057, MPLS = 0x8847 };
enum { TCP = 6, UDP = 17, HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, AUTHENTICATION = 51, DESTINATION = 60 };
enum { MOBILITY = 135, HOST_IDENTITY = 139, SHIM6 = 140 };
enum { LONGEST_802_3 = 1500 }; /* up to here an ethertype is a length */
enum { IPV4_SIZE = 20, IPV6_SIZE = 40, TCP_SIZE = 20, LEAST_EXTENSION = 8 };
enum { MORE_OR_OFFSET = 0x3FFF, MORE_OR_OFFSET_6 = 0xFFF9 }; /* more fragments, or not the first */

static bool is_vlan(uint16_t ethertype) {
    return ethertype == VLAN || ethertype == SERVICE_VLAN || ethertype == OLD_VLAN || ethertype == OTHER_OLD_VLAN;
}

/* What is not TCP itself may be a tunnel. */
static Content of_number(const uint8_t *tunnels, uint16_t number, uint8_t flag) {
    return tunnels != NULL && tunnels[number] & flag ? ODD_PACKET : NO_SEGMENT;
}

/* A header of IEEE 802.2 that another ethertype or IP follows. */
static bool is_llc(const Input *in) {
    return input_has(in, 2) && in->at[0] == in->at[1] && (in->at[0] == 0xAA || in->at[0] == 0x06);
}

/* After the last MPLS label, which does not tell the protocol of the packet. */
static Content skip_labels(Input *in) {
    const uint8_t *label;
    while ((label = take(in, 4)) != NULL) {
        if (label[2] & 1) { return SEGMENT; }
    }
    return NO_SEGMENT;
}

/* After an ethertype of IP, VLAN, PPPoE or MPLS. */
static Content skip_ethertypes(const uint8_t *tunnels, Input *in) {
    const uint8_t *at;
    while ((at = take(in, 2)) != NULL) {
        uint16_t ethertype = get_16(at);
        if (ethertype == IPV4 || ethertype == IPV6) { return SEGMENT; }
        if (ethertype == MPLS) { return skip_labels(in); }
        if (ethertype == PPPOE_SESSION) {
            const uint8_t *session = take(in, 8);
            if (session == NULL) { return ODD_PACKET; }
            uint16_t protocol = get_16(session + 6);
            return protocol == PPP_IPV4 || protocol == PPP_IPV6 ? SEGMENT : ODD_PACKET;
        }
        if (ethertype <= LONGEST_802_3) { return is_llc(in) ? ODD_PACKET : NO_SEGMENT; }
        if (!is_vlan(ethertype)) { return of_number(tunnels, ethertype, TUNNEL_ETHERTYPE); }
        if (take(in, 2) == NULL) { return NO_SEGMENT; }
    }
    return NO_SEGMENT;
}

/* Moves to the IP packet; SEGMENT when there is one. */
static Content skip_link_layer(uint32_t link_type, const uint8_t *tunnels, Input *in) {
    const uint8_t *head;
    switch (link_type) {
    case ETHERNET: return take(in, 12) == NULL ? NO_SEGMENT : skip_ethertypes(tunnels, in);
    case LINUX_COOKED: return take(in, 14) == NULL ? NO_SEGMENT : skip_ethertypes(tunnels, in);
    case LINUX_COOKED_2:
        head = take(in, 20);
        if (head == NULL) { return ODD_PACKET; }
        if (is_vlan(get_16(head))) { return take(in, 2) == NULL ? NO_SEGMENT : skip_ethertypes(tunnels, in); }
        return get_16(head) == IPV4 || get_16(head) == IPV6 ? SEGMENT : NO_SEGMENT;
    case BSD_NULL:
    case BSD_LOOP: return take(in, 4) == NULL ? ODD_PACKET : SEGMENT;
    case 12:
    case 14:
    case 101: /* raw IP; 12 and 14 are those of BSD and OpenBSD */
    case RAW_IPV4:
    case RAW_IPV6: return SEGMENT;
    default: return ODD_PACKET;
    }
}

/* Reads the TCP header. The packet is `length` octets long from here on, captured or not. */
static Content read_segment(Input *in, size_t length, Segment *segment) {
    const uint8_t *head = in->at;
    if (length < TCP_SIZE || take(in, TCP_SIZE) == NULL) { return ODD_PACKET; }
    size_t size = (size_t)(head[12] >> 4) * 4;
    if (size < TCP_SIZE || size > length) { return ODD_PACKET; }
    memcpy(segment->flow + segment->flow_size, head, 4);
    segment->flow_size += 4;
    segment->sequence = get_32(head + 4);
    segment->acknowledgment = get_32(head + 8);
    segment->flags = head[13];
    size_t expected = length - size;
    if (take(in, size - TCP_SIZE) == NULL) { in->at = in->end; /* the capture ends within the options */ }
    size_t there = input_size(in) < expected ? input_size(in) : expected;
    segment->payload = (Input){in->at, in->at + there};
    segment->missing = expected - there;
    return SEGMENT;
}

static void take_addresses(Segment *segment, const uint8_t *addresses, uint8_t size) {
    memcpy(segment->flow, addresses, size);
    segment->flow_size = size;
}

/* After the headers of IP, at a protocol that is not TCP. */
static Content other_protocol(const uint8_t *tunnels, uint8_t protocol, const Input *in) {
    if (protocol != UDP) { return of_number(tunnels, protocol, TUNNEL_PROTOCOL); }
    if (!input_has(in, 4)) { return ODD_PACKET; }
    Content target = of_number(tunnels, get_16(in->at + 2), TUNNEL_PORT);
    return target == ODD_PACKET ? target : of_number(tunnels, get_16(in->at), TUNNEL_PORT);
}

/* `original` octets of the packet were on the wire, from its beginning on. */
static Content read_ipv4(const uint8_t *tunnels, Input *in, size_t original, Segment *segment) {
    const uint8_t *head = in->at;
    if (!input_has(in, IPV4_SIZE)) { return ODD_PACKET; }
    size_t size = (size_t)(head[0] & 0xF) * 4;
    if (head[9] == AUTHENTICATION) { return ODD_PACKET; }
    if (head[9] != TCP) {
        if (head[9] == UDP && get_16(head + 6) & MORE_OR_OFFSET) { return NO_SEGMENT; }
        return take(in, size) == NULL ? ODD_PACKET : other_protocol(tunnels, head[9], in);
    }
    size_t total = get_16(head + 2);
    if (total == 0) { total = original; /* the network card fills it in after the capture (segmentation offload) */ }
    if (get_16(head + 6) & MORE_OR_OFFSET || size < IPV4_SIZE || size > total || take(in, size) == NULL) {
        return ODD_PACKET;
    }
    take_addresses(segment, head + 12, 8);
    return read_segment(in, total - size, segment);
}

static Content read_ipv6(const uint8_t *tunnels, Input *in, size_t original, Segment *segment) {
    const uint8_t *head = take(in, IPV6_SIZE);
    if (head == NULL) { return ODD_PACKET; }
    size_t length = get_16(head + 4);
    uint8_t following = head[6];
    if (length == 0) { length = original - IPV6_SIZE; /* a jumbogram, or filled in after the capture */ }
    while (following != TCP) {
        const uint8_t *extension = in->at;
        bool is_known = following == HOP_BY_HOP || following == ROUTING || following == FRAGMENT
                        || following == AUTHENTICATION || following == DESTINATION || following == MOBILITY
                        || following == HOST_IDENTITY || following == SHIM6;
        if (!is_known) { return other_protocol(tunnels, following, in); }
        if (!input_has(in, LEAST_EXTENSION)) { return ODD_PACKET; }
        if (following == FRAGMENT && get_16(extension + 2) & MORE_OR_OFFSET_6) { return ODD_PACKET; }
        size_t unit = following == AUTHENTICATION ? 4 : 8;
        size_t size = following == FRAGMENT ? LEAST_EXTENSION : extension[1] * unit + LEAST_EXTENSION;
        following = extension[0];
        if (size > length || take(in, size) == NULL) { return ODD_PACKET; }
        length -= size;
    }
    take_addresses(segment, head + 8, 32);
    return read_segment(in, length, segment);
}

Content find_segment(const Packet *packet, const uint8_t *tunnels, Segment *segment) {
    Input in = {packet->octets, packet->octets + packet->captured};
    Content content = skip_link_layer(packet->link_type, tunnels, &in);
    if (content != SEGMENT) { return content; }
    if (in.at == in.end) { return ODD_PACKET; }
    size_t longest = packet->original > packet->captured ? packet->original : packet->captured;
    size_t original = longest - (size_t)(in.at - packet->octets);
    switch (in.at[0] >> 4) {
    case 4: return read_ipv4(tunnels, &in, original, segment);
    case 6: return read_ipv6(tunnels, &in, original, segment);
    default: return ODD_PACKET; /* a pseudowire of MPLS, perhaps */
    }
}
