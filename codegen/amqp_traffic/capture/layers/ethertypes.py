"""What an ethertype announces.

The numbers are those of IEEE 802 (https://www.iana.org/assignments/ieee-802-numbers); each reader names its source. It begins
behind the ethertype.
"""

from __future__ import annotations

from ..files import Buffer
from ..quarantine import Reason
from .steps import Layer, Span, Step, Tunnel, by_number, number, skipping

IPV4, IPV6 = 0x0800, 0x86DD
VLAN = (0x8100, 0x88A8, 0x9100, 0x9200)  # IEEE 802.1Q, its second tag, and what came before the standard
_LONGEST_802_3 = 1500  # up to here it is a length, and LLC follows

_PPPOE_HEADER = 6
_MACSEC_ENCRYPTED, _MACSEC_CHANGED, _MACSEC_HAS_CHANNEL = 0x08, 0x04, 0x20
# B.A.T.M.A.N. advanced, versions 14 and 15: packet type to the octets before the Ethernet frame.
_BATMAN = {14: {3: 10, 4: 14, 17: 18}, 15: {0x01: 14, 0x40: 10, 0x42: 18}}


def _macsec(buffer: Buffer, span: Span) -> Step | Reason:
    """IEEE 802.1AE, where it protects integrity alone."""
    control = buffer[span.position]
    if control & (_MACSEC_ENCRYPTED | _MACSEC_CHANGED):
        return Reason.NON_TCP
    return Layer.ETHERTYPE, span.after(14 if control & _MACSEC_HAS_CHANNEL else 6)


def _trill(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 6325, section 3.3: the length of options is in units of four octets."""
    options = (number(buffer, span.position) >> 6 & 0x1F) * 4
    return Layer.ETHERNET, span.after(6 + options)


def _batman(buffer: Buffer, span: Span) -> Step | Reason:
    kind, version = buffer[span.position], buffer[span.position + 1]
    size = _BATMAN.get(version, {}).get(kind)
    return Reason.NON_TCP if size is None else (Layer.ETHERNET, span.after(size))


def _roofnet(buffer: Buffer, span: Span) -> Step | Reason:
    """Mesh networks by MIT: with a field of 20 octets for each link on the way."""
    return Layer.IP, span.after(24 + 20 * buffer[span.position + 2])


def _after_length(buffer: Buffer, span: Span) -> Step | Reason:
    """The header of Gigamon begins with its length."""
    return Layer.ETHERTYPE, span.after(buffer[span.position])


_AVSP_TIMESTAMP = 1
_AVSP_SIZES = {0x10: 8, 0x110: 8, 0x20: 6, 0x120: 6}


def _avsp(buffer: Buffer, span: Span) -> Step | Reason:
    """The header of Arista: a kind, and a time for one of them."""
    if number(buffer, span.position) != _AVSP_TIMESTAMP:
        return Layer.ETHERTYPE, span.after(2)
    size = _AVSP_SIZES.get(number(buffer, span.position + 2))
    return Reason.NON_TCP if size is None else (Layer.ETHERTYPE, span.after(4 + size))


def _rtmac(buffer: Buffer, span: Span) -> Step | Reason:
    """RTnet: a type, which may be an ethertype, version and flags."""
    return by_ethertype(number(buffer, span.position), buffer, span.after(4))


def read_tipc(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a message of TIPC, the size of whose header is in units of four octets, as far as IP can be in it."""
    size = (number(buffer, span.position, 4) >> 21 & 0xF) * 4
    return (Layer.IP, span.after(min(size, 40))) if size >= 32 else Reason.NON_TCP


_LWAPP_CONTROL = 0x04


def read_lwapp(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a header of LWAPP (RFC 5412, section 3.1) before data."""
    return Reason.NON_TCP if buffer[span.position] & _LWAPP_CONTROL else (Layer.WLAN, span.after(6))


def _lowpan(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 4944, section 5.1: IPv6 that is not compressed."""
    return (Layer.IP, span.after(1)) if buffer[span.position] == 0x41 else Reason.NON_TCP


_IP = skipping(0, Layer.IP)
_MPLS = skipping(0, Layer.MPLS)
_ETHERNET = skipping(0, Layer.ETHERNET)
_FOUR_OCTETS = skipping(4, Layer.ETHERTYPE)

TUNNELS: dict[int, Tunnel] = {
    **dict.fromkeys((0x0641, 0x0643, 0x0644, 0x0645), _roofnet),
    IPV4: _IP,
    IPV6: _IP,
    **dict.fromkeys(VLAN, skipping(2, Layer.ETHERTYPE)),
    0x22E5: _after_length,
    0x22F3: _trill,
    0x2452: skipping(0, Layer.WLAN),  # captures on Centrino
    0x4305: _batman,
    0x6558: _ETHERNET,  # transparent Ethernet bridging
    0x80D5: skipping(3, Layer.LLC),  # SNA: a length, and a pad
    0x8847: _MPLS,
    0x8848: _MPLS,
    0x8864: skipping(_PPPOE_HEADER, Layer.PPP),  # RFC 2516
    0x8870: skipping(0, Layer.LLC),  # jumbo frames
    0x88BB: read_lwapp,
    0x88CA: read_tipc,
    0x88DE: skipping(22, Layer.ETHERTYPE),  # Lab Manager of VMware
    0x88E5: _macsec,
    0x88E7: skipping(4, Layer.ETHERNET),  # IEEE 802.1ah
    0x8909: skipping(6, Layer.ETHERTYPE),  # metadata of Cisco
    0x8926: _FOUR_OCTETS,  # VN-tag
    0x892F: _FOUR_OCTETS,  # HSR, IEC 62439-3
    0x893F: skipping(6, Layer.ETHERTYPE),  # IEEE 802.1BR
    0x894F: skipping(0, Layer.NSH),
    0x8988: skipping(6, Layer.ETHERTYPE),  # Bypass of Harmonic
    0x9021: _rtmac,
    0xA0ED: _lowpan,
    0xBBBB: read_lwapp,
    0xD28B: _avsp,
    0xE555: skipping(38, Layer.ETHERNET),  # between switches of Extreme Networks
    0xF1C1: _FOUR_OCTETS,  # IEEE 802.1CB
}


def by_ethertype(ethertype: int, buffer: Buffer, span: Span) -> Step | Reason:
    """Return what follows an ethertype; the span begins behind it."""
    if ethertype <= _LONGEST_802_3:
        return Layer.LLC, span
    tunnel = TUNNELS.get(ethertype)
    return Reason.NON_TCP if tunnel is None else tunnel(buffer, span)


def read_ethertype(buffer: Buffer, span: Span) -> Step | Reason:
    """Read an ethertype."""
    if not span.has(2):
        return Reason.NON_TCP
    return by_ethertype(number(buffer, span.position), buffer, span.after(2))


def read_ethernet(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a frame of Ethernet: two addresses, and an ethertype or a length."""
    return Layer.ETHERTYPE, span.after(12)


_SNAP = b"\xaa\xaa\x03"
_IP_SERVICE = b"\x06\x06\x03"


def read_llc(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a header of IEEE 802.2, with a protocol of SNAP or IP."""
    head = bytes(buffer[span.position : span.position + 3])
    if head == _IP_SERVICE:
        return Layer.IP, span.after(3)
    return (Layer.ETHERTYPE, span.after(6)) if head == _SNAP else Reason.NON_TCP


def read_mpls(buffer: Buffer, span: Span) -> Step | Reason:
    """Read labels (RFC 3032), which do not tell what follows: IP, or a pseudowire of Ethernet (RFC 4448, 4385)."""
    while span.has(4):
        is_last = buffer[span.position + 2] & 1
        span = span.after(4)
        if is_last and span.has(1):
            if buffer[span.position] >> 4 in (4, 6):
                return Layer.IP, span
            # With or without a control word, which begins like many addresses.
            has_control = number(buffer, span.position + 16) in TUNNELS
            return Layer.ETHERNET, span.after(4 if has_control else 0)
    return Reason.NON_TCP


_NSH_PROTOCOLS = {1: Layer.IP, 2: Layer.IP, 3: Layer.ETHERNET, 4: Layer.NSH, 5: Layer.MPLS}


def read_nsh(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a network service header (RFC 8300, section 2.2); its length is in units of four octets."""
    if not span.has(8):
        return span.cut
    size = (buffer[span.position + 1] & 0x3F) * 4
    return by_number(buffer[span.position + 3], _NSH_PROTOCOLS, span.after(max(size, 8)))
