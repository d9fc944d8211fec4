"""A packet of IP in every tunnel that is read."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from struct import pack

Wrap = Callable[[bytes], bytes]

_OUTER = ip_address("192.0.2.10").packed + ip_address("192.0.2.20").packed
_OUTER6 = ip_address("2001:db8:1::1").packed + ip_address("2001:db8:1::2").packed
_ADDRESSES = bytes.fromhex("001b21000001001b21000002")


def ethertype_of(packet: bytes) -> int:
    return 0x0800 if packet[0] >> 4 == 4 else 0x86DD


def ethernet(ethertype: int, content: bytes) -> bytes:
    return _ADDRESSES + pack(">H", ethertype) + content


def frame(packet: bytes) -> bytes:
    """The packet in a frame of Ethernet."""
    return ethernet(ethertype_of(packet), packet)


def ipv4(protocol: int, content: bytes) -> bytes:
    return frame(pack(">BxHxxxxBBxx", 0x45, 20 + len(content), 64, protocol) + _OUTER + content)


def ipv6(protocol: int, content: bytes) -> bytes:
    return frame(pack(">B3xHBB", 0x60, len(content), protocol, 64) + _OUTER6 + content)


def udp(port: int, content: bytes, source: int = 50_000) -> bytes:
    return ipv4(17, pack(">HHHH", source, port, 8 + len(content), 0) + content)


def gre(protocol: int, content: bytes, flags: int = 0, fields: bytes = b"") -> bytes:
    return ipv4(47, pack(">HH", flags, protocol) + fields + content)


def ppp(packet: bytes) -> bytes:
    return (b"\x00\x21" if packet[0] >> 4 == 4 else b"\x00\x57") + packet


def mpls(packet: bytes) -> bytes:
    return pack(">II", 16 << 12 | 64, 17 << 12 | 1 << 8 | 64) + packet


def nsh(protocol: int, content: bytes) -> bytes:
    return pack(">HBBIIIII", 63 << 6 | 6, 1, protocol, 1 << 8 | 255, 0, 0, 0, 0) + content


def version_of(packet: bytes) -> int:
    """1 for IPv4, 2 for IPv6, as NSH and VXLAN-GPE have it."""
    return 1 if packet[0] >> 4 == 4 else 2


def llc(packet: bytes) -> bytes:
    return b"\xaa\xaa\x03\x00\x00\x00" + pack(">H", ethertype_of(packet)) + packet


def wlan(packet: bytes, control: int = 0x08, flags: int = 0x01, more: bytes = b"") -> bytes:
    return bytes([control, flags, 0, 0]) + bytes(18) + b"\x10\x00" + more + llc(packet)


def ayiya(packet: bytes) -> bytes:
    head = bytes([0x40 | 1, 0x52, 0x11, 41 if packet[0] >> 4 == 6 else 4]) + bytes(4)
    return head + bytes(16) + bytes(20) + packet


def geneve(ethertype: int, content: bytes, options: bytes = b"") -> bytes:
    return udp(6081, pack(">BBHI", len(options) // 4, 0, ethertype, 5 << 8) + options + content)


def _roofnet(kind: int, links: int = 0) -> Wrap:
    return lambda it: ethernet(
        kind, pack(">BBBBIHH", 2, 1, links, 0, 0, 0, len(it)) + bytes(12 + 20 * links) + it
    )


def _llc_in_udp(port: int) -> Wrap:
    return lambda it: udp(port, llc(it))


VXLAN = pack(">II", 0x08 << 24, 7 << 8)

BY_UDP: dict[str, Wrap] = {
    "VXLAN": lambda it: udp(4789, VXLAN + frame(it)),
    "VXLAN, port of Linux": lambda it: udp(8472, VXLAN + frame(it)),
    "VXLAN, an answer": lambda it: udp(50_001, VXLAN + frame(it), source=4789),
    "VXLAN over IPv6": lambda it: ipv6(
        17, pack(">HHHH", 50_000, 4789, 16 + len(frame(it)), 0) + VXLAN + frame(it)
    ),
    "VXLAN-GPE, Ethernet": lambda it: udp(4790, pack(">BHBI", 0x0C, 0, 3, 7 << 8) + frame(it)),
    "VXLAN-GPE, IP": lambda it: udp(4790, pack(">BHBI", 0x0C, 0, version_of(it), 7 << 8) + it),
    "VXLAN-GPE, NSH": lambda it: udp(4790, pack(">BHBI", 0x0C, 0, 4, 7 << 8) + nsh(3, frame(it))),
    "GENEVE, Ethernet": lambda it: geneve(0x6558, frame(it), bytes.fromhex("0102000101020304")),
    "GENEVE, IP": lambda it: geneve(ethertype_of(it), it),
    "GTP": lambda it: udp(2152, pack(">BBHI", 0x30, 0xFF, len(it), 1) + it),
    "GTP, extended": lambda it: udp(
        2152, pack(">BBHI", 0x36, 0xFF, len(it) + 8, 1) + b"\x00\x07\x00\x85" + b"\x01\x10\x05\x00" + it
    ),
    "GRE in UDP": lambda it: udp(4754, pack(">HH", 0, ethertype_of(it)) + it),
    "L2TP": lambda it: udp(1701, pack(">HHH", 2, 5, 6) + b"\xff\x03" + ppp(it)),
    "L2TP, more fields": lambda it: udp(1701, pack(">HHHHHH", 0x4802, 14 + len(it), 5, 6, 1, 2) + ppp(it)),
    "L2TP, offset": lambda it: udp(1701, pack(">HHHH", 0x0202, 5, 6, 2) + bytes(2) + ppp(it)),
    "L2TP 3 in UDP": lambda it: udp(1701, pack(">HHI", 3, 0, 9) + frame(it)),
    "MPLS in UDP": lambda it: udp(6635, mpls(it)),
    "LISP": lambda it: udp(4341, bytes.fromhex("8000000000000001") + it),
    "CAPWAP, 802.3": lambda it: udp(5247, bytes.fromhex("0010000000000000") + frame(it)),
    "CAPWAP, 802.11": lambda it: udp(5247, bytes.fromhex("0010030000000000") + wlan(it)),
    "CAPWAP, 802.11, as Cisco has it": lambda it: udp(
        5247, bytes.fromhex("0010030000000000") + b"\x01\x08" + wlan(it)[2:]
    ),
    "mobile IP": lambda it: udp(434, b"\x04" + bytes([4 if it[0] >> 4 == 4 else 41]) + b"\x00\x00" + it),
    "load balancing": lambda it: udp(3343, bytes.fromhex("020000000001020000000002") + frame(it)[12:]),
    "TIPC in UDP": lambda it: udp(6118, pack(">I", 0x0100_0000 | 32 + len(it)) + bytes(28) + it),
    **{f"LLC in UDP, {port}": _llc_in_udp(port) for port in range(12_000, 12_005)},
    "LWAPP, Ethernet": lambda it: udp(12_220, frame(it)),
    "LWAPP": lambda it: udp(12_222, bytes(6) + wlan(it)),
    "MINT": lambda it: udp(24_576, bytes(12) + b"\x00\x01" + bytes(4) + frame(it)),
    "MINT, other port": lambda it: udp(24_577, bytes(12) + b"\x00\x02" + bytes(12) + frame(it)),
    "TZSP": lambda it: udp(37_008, b"\x01\x00\x00\x01" + b"\x00\x0a\x01\xc8\x01" + frame(it)),
    "TZSP, 802.11": lambda it: udp(37_008, b"\x01\x00\x00\x12\x01" + wlan(it)),
    "AYIYA": lambda it: udp(5072, ayiya(it)),
    "AMT": lambda it: udp(2268, b"\x06\x00" + it),
    "Juniper's mirror": lambda it: udp(30_030, pack(">II", 0x0A000001, 5) + it),
    "B.A.T.M.A.N. gateway": lambda it: udp(4306, b"\x01" + it),
}
# Only IPv6 is in it.
IN_IPV6: dict[str, Wrap] = {
    "Teredo": lambda it: udp(3544, it),
    "Teredo, origin": lambda it: udp(3544, b"\x00\x00\x12\x34\xf0\xf0\xf0\xf0" + it),
    "Teredo, authentication": lambda it: udp(3544, b"\x00\x01\x00\x00" + bytes(9) + it),
    "6LoWPAN": lambda it: ethernet(0xA0ED, b"\x41" + it),
}
BY_PROTOCOL: dict[str, Wrap] = {
    "IP in IP": lambda it: ipv4(4 if it[0] >> 4 == 4 else 41, it),
    "IP in IP, of old": lambda it: ipv4(94, it),
    "IP in IPv6": lambda it: ipv6(4 if it[0] >> 4 == 4 else 41, it),
    "EtherIP": lambda it: ipv4(97, b"\x30\x00" + frame(it)),
    "L2TP 3": lambda it: ipv4(115, pack(">I", 9) + frame(it)),
    "L2TP 3, cookie": lambda it: ipv4(115, pack(">IQ", 9, 0x0102030405060708) + frame(it)),
    "L2TP 3, IP": lambda it: ipv4(115, pack(">II", 9, 0x40000000) + it),
    "source routing": lambda it: ipv4(48, bytes([4 if it[0] >> 4 == 4 else 41, 0x80, 0, 1]) + it),
    "source routing, options": lambda it: ipv4(
        48, bytes([4 if it[0] >> 4 == 4 else 41, 0, 0, 4]) + b"\x00\x02\x00\x00" + it
    ),
    "MPLS in IP": lambda it: ipv4(137, mpls(it)),
    "Ethernet in IPv6": lambda it: ipv6(143, frame(it)),
    "authenticated": lambda it: ipv4(
        51, pack(">BBHIIIII", 4 if it[0] >> 4 == 4 else 41, 4, 0, 1, 2, 3, 4, 5) + it
    ),
    "GRE in IPv6": lambda it: ipv6(47, pack(">HH", 0, ethertype_of(it)) + it),
}
BY_GRE: dict[str, Wrap] = {
    "GRE": lambda it: gre(ethertype_of(it), it),
    "GRE, all fields": lambda it: gre(ethertype_of(it), it, 0xB000, bytes(12)),
    "GRE, Ethernet": lambda it: gre(0x6558, frame(it), 0x2000, pack(">I", 7 << 8)),
    "GRE, bridged": lambda it: gre(0x6400, frame(it)),
    "ERSPAN I": lambda it: gre(0x88BE, frame(it)),
    "ERSPAN II": lambda it: gre(0x88BE, frame(it), 0x1000, pack(">I", 1) + pack(">II", 0x1001_1801, 3)),
    "ERSPAN III": lambda it: gre(0x22EB, frame(it), 0x1000, pack(">I", 1) + pack(">III", 0x2001_1801, 5, 0)),
    "ERSPAN III, more": lambda it: gre(
        0x22EB, frame(it), 0x1000, pack(">I", 1) + pack(">IIIQ", 0x2001_1801, 5, 1, 0)
    ),
    "GRE, MPLS": lambda it: gre(0x8847, mpls(it)),
    "GRE, PPP": lambda it: gre(0x880B, b"\xff\x03" + ppp(it), 0x3081, pack(">HHII", len(it) + 4, 1, 2, 3)),
    "GRE, NSH": lambda it: gre(0x894F, nsh(version_of(it), it)),
    "GRE, 802.11": lambda it: gre(0x8200, wlan(it)),
    "GRE, Frame Relay": lambda it: gre(
        0x6559, b"\x18\x41\x03" + (b"\xcc" if it[0] >> 4 == 4 else b"\x8e") + it
    ),
    "GRE, metadata": lambda it: gre(
        0x8909, pack(">H", ethertype_of(it)) + bytes.fromhex("010100010005") + it
    ),
}
# Only IPv4 is in it.
IN_IPV4: dict[str, Wrap] = {
    "WCCP": lambda it: gre(0x883E, b"\x00\x00\x00\x00" + it),
    "WCCP without a header": lambda it: gre(0x883E, it),
    **{f"roofnet, {kind:04x}": _roofnet(kind) for kind in (0x0641, 0x0643, 0x0644, 0x0645)},
    "roofnet, links": _roofnet(0x0641, links=2),
}
BY_ETHERTYPE: dict[str, Wrap] = {
    "802.1Q": lambda it: ethernet(0x8100, pack(">HH", 5, ethertype_of(it)) + it),
    "802.1ad": lambda it: ethernet(0x88A8, pack(">HHHH", 5, 0x8100, 6, ethertype_of(it)) + it),
    "802.1ah": lambda it: ethernet(0x88E7, pack(">I", 5) + frame(it)),
    "LLC": lambda it: ethernet(len(llc(it)), llc(it)),
    "LLC, jumbo": lambda it: ethernet(0x8870, llc(it)),
    "MPLS": lambda it: ethernet(0x8847, mpls(it)),
    "MPLS, pseudowire": lambda it: ethernet(0x8847, mpls(bytes(4) + frame(it))),
    "MPLS, pseudowire without a control word": lambda it: ethernet(0x8847, mpls(frame(it))),
    "MPLS, multicast": lambda it: ethernet(0x8848, mpls(it)),
    "PPPoE": lambda it: ethernet(0x8864, pack(">BBHH", 0x11, 0, 5, len(it) + 2) + ppp(it)),
    "PPPoE, bridged": lambda it: ethernet(
        0x8864, pack(">BBHH", 0x11, 0, 5, len(frame(it)) + 4) + b"\x00\x31\x00\x01" + frame(it)
    ),
    "TRILL": lambda it: ethernet(0x22F3, pack(">HHH", 5, 1, 2) + frame(it)),
    "TRILL, options": lambda it: ethernet(0x22F3, pack(">HHHI", 1 << 6 | 5, 1, 2, 0) + frame(it)),
    "B.A.T.M.A.N. 15, unicast": lambda it: ethernet(0x4305, bytes([0x40, 15, 50, 1]) + bytes(6) + frame(it)),
    "B.A.T.M.A.N. 15, broadcast": lambda it: ethernet(
        0x4305, bytes([0x01, 15, 50, 0]) + bytes(10) + frame(it)
    ),
    "B.A.T.M.A.N. 14, unicast": lambda it: ethernet(0x4305, bytes([3, 14, 50, 1]) + bytes(6) + frame(it)),
    "Ethernet in Ethernet": lambda it: ethernet(0x6558, frame(it)),
    "NSH": lambda it: ethernet(0x894F, nsh(version_of(it), it)),
    "NSH, Ethernet": lambda it: ethernet(0x894F, nsh(3, frame(it))),
    "NSH in NSH": lambda it: ethernet(0x894F, nsh(4, nsh(version_of(it), it))),
    "metadata": lambda it: ethernet(
        0x8909, bytes.fromhex("010100010005") + pack(">H", ethertype_of(it)) + it
    ),
    "VN-tag": lambda it: ethernet(0x8926, pack(">IH", 0x00010002, ethertype_of(it)) + it),
    "802.1BR": lambda it: ethernet(0x893F, bytes(6) + pack(">H", ethertype_of(it)) + it),
    "HSR": lambda it: ethernet(0x892F, pack(">HHH", 0x1000 | len(it) + 6, 5, ethertype_of(it)) + it),
    "802.1CB": lambda it: ethernet(0xF1C1, pack(">HHH", 0, 5, ethertype_of(it)) + it),
    "MACsec, integrity alone": lambda it: ethernet(
        0x88E5, pack(">BBI", 0, 0, 1) + pack(">H", ethertype_of(it)) + it + bytes(16)
    ),
    "MACsec, channel": lambda it: ethernet(
        0x88E5, pack(">BBIQ", 0x20, 0, 1, 7) + pack(">H", ethertype_of(it)) + it + bytes(16)
    ),
}

BY_ETHERTYPE |= {
    "Gigamon": lambda it: ethernet(0x22E5, b"\x05" + bytes(4) + pack(">H", ethertype_of(it)) + it),
    "Centrino": lambda it: ethernet(0x2452, wlan(it)),
    "SNA": lambda it: ethernet(0x80D5, pack(">HB", len(llc(it)), 0) + llc(it)),
    "LWAPP in Ethernet": lambda it: ethernet(0x88BB, bytes(6) + wlan(it)),
    "LWAPP in Ethernet, of old": lambda it: ethernet(0xBBBB, bytes(6) + wlan(it)),
    "TIPC": lambda it: ethernet(0x88CA, pack(">I", 0x0100_0000 | 32 + len(it)) + bytes(28) + it),
    "VMware": lambda it: ethernet(0x88DE, bytes(22) + pack(">H", ethertype_of(it)) + it),
    "Harmonic": lambda it: ethernet(0x8988, bytes(6) + pack(">H", ethertype_of(it)) + it),
    "RTnet": lambda it: ethernet(0x9021, pack(">HBB", ethertype_of(it), 2, 1) + it),
    "Arista": lambda it: ethernet(0xD28B, b"\x00\x02" + pack(">H", ethertype_of(it)) + it),
    "Arista, time": lambda it: ethernet(
        0xD28B, b"\x00\x01\x00\x10" + bytes(8) + pack(">H", ethertype_of(it)) + it
    ),
    "Arista, shorter time": lambda it: ethernet(
        0xD28B, b"\x00\x01\x00\x20" + bytes(6) + pack(">H", ethertype_of(it)) + it
    ),
    "Extreme Networks": lambda it: ethernet(0xE555, bytes(38) + frame(it)),
}

TUNNELS: dict[str, Wrap] = {**BY_UDP, **BY_PROTOCOL, **BY_GRE, **BY_ETHERTYPE}
STACKS: dict[str, Wrap] = {
    "VXLAN in VXLAN": lambda it: udp(4789, VXLAN + udp(4789, VXLAN + frame(it))),
    "GRE in VXLAN in 802.1Q": lambda it: ethernet(
        0x8100, b"\x00\x05\x08\x00" + udp(4789, VXLAN + gre(ethertype_of(it), it))[14:]
    ),
    "MPLS in PPPoE in GENEVE": lambda it: geneve(
        0x6558, ethernet(0x8864, pack(">BBHH", 0x11, 0, 5, len(mpls(it)) + 2) + b"\x02\x81" + mpls(it))
    ),
    "IP in IP in ERSPAN": lambda it: gre(0x88BE, ipv4(4 if it[0] >> 4 == 4 else 41, it)),
}


def nflog(order: str = "little") -> Wrap:
    def wrap(packet: bytes) -> bytes:
        def field(kind: int, value: bytes) -> bytes:
            head = (len(value) + 4).to_bytes(2, order) + kind.to_bytes(2, order)  # type: ignore[arg-type]
            return head + value + bytes(-len(value) % 4)

        family = 2 if packet[0] >> 4 == 4 else 10
        fields = field(1, b"\x08\x00\x03\x00") + field(10, b"AMQP\x00") + field(9, packet)
        return bytes([family, 0, 0, 5]) + fields

    return wrap


def radiotap(padded: bool = False) -> Wrap:
    def wrap(packet: bytes) -> bytes:
        head = b"\x00\x00" + pack("<HIQBx", 18, 0x3, 5, 0x20 if padded else 0)
        return head + wlan(packet, 0x88, more=b"\x00\x00" + (b"\x00\x00" if padded else b""))

    return wrap


LINKS: dict[str, tuple[int, Wrap]] = {
    "nflog": (239, nflog()),
    "nflog, big-endian": (239, nflog("big")),
    "802.11": (105, wlan),
    "802.11, QoS": (105, lambda it: wlan(it, 0x88, more=b"\x00\x00")),
    "802.11, QoS, HT": (105, lambda it: wlan(it, 0x88, 0x81, b"\x00\x00" + bytes(4))),
    "802.11, four addresses": (105, lambda it: wlan(it, 0x08, 0x03, bytes(6))),
    "radiotap": (127, radiotap()),
    "radiotap, padded": (127, radiotap(padded=True)),
    "Prism": (119, lambda it: pack("<II", 0x41, 144) + bytes(136) + wlan(it)),
    "AVS": (163, lambda it: pack(">II", 0x80211001, 64) + bytes(56) + wlan(it)),
    "PPI": (192, lambda it: pack("<BBHI", 0, 0, 8, 105) + wlan(it)),
    "PPP": (9, lambda it: b"\xff\x03" + ppp(it)),
    "PPP, serial": (50, lambda it: b"\xff\x03" + ppp(it)),
}
