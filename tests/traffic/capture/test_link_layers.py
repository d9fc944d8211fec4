"""From a packet of any kind to its TCP segment, or to the reason why there is none."""

from __future__ import annotations

from struct import pack

import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import Segment

from .. import capture_builder

PAYLOAD = capture_builder.octets(37)
CLIENT6, SERVER6 = ("2001:db8::1", 40000), ("2001:db8::2", 5672)
V4 = capture_builder.Tcp(4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK)
V6 = capture_builder.Tcp(
    4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK, CLIENT6, SERVER6
)


def segments(octets: bytes, link_type: int = 1, original: int | None = None) -> list[Segment]:
    file = capture_builder.pcap([capture_builder.Captured(octets, original=original)], link_type=link_type)
    capture = recognise_capture(file)
    found = list(read_segments(capture))
    capture.ledger.check()
    assert bool(found) != bool(capture.quarantine.totals)
    return found


def reason(octets: bytes, link_type: int = 1, original: int | None = None) -> Reason:
    capture = recognise_capture(
        capture_builder.pcap([capture_builder.Captured(octets, original=original)], link_type=link_type)
    )
    assert list(read_segments(capture)) == []
    ((found, total),) = capture.quarantine.totals.items()
    assert total.count == 1
    return found


def expected(packet: capture_builder.Tcp) -> Segment:
    flow = packet.octets()[12:20] if packet is V4 else packet.octets()[8:40]
    flow += pack(">HH", 40000, 5672)
    return (
        flow,
        4_000_000_000,
        77,
        capture_builder.PSH | capture_builder.ACK,
        PAYLOAD,
        0,
        1,
        24,
        capture_builder.START_NS,
    )


@pytest.mark.parametrize("packet", [V4, V6], ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("link_type", capture_builder.LINK_LAYERS)
def test_link_types(link_type: int, packet: capture_builder.Tcp) -> None:
    octets = capture_builder.LINK_LAYERS[link_type](packet.octets())
    assert segments(octets, link_type) == [expected(packet)]


@pytest.mark.parametrize("packet", [V4, V6], ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("tags", [(0x8100,), (0x88A8, 0x8100), (0x8100, 0x8100), (0x9100, 0x8100)])
def test_vlans(tags: tuple[int, ...], packet: capture_builder.Tcp) -> None:
    assert segments(capture_builder.ethernet(packet.octets(), *tags)) == [expected(packet)]


def test_vlan_in_linux_cooked() -> None:
    tagged = pack(">HHH8sHHH", 0, 1, 6, b"\x02" * 8, 0x8100, 5, 0x0800) + V4.octets()
    assert segments(tagged, 113) == [expected(V4)]
    tagged = pack(">HHIHBB8sHH", 0x8100, 0, 1, 1, 0, 6, b"\x02" * 8, 5, 0x0800) + V4.octets()
    assert segments(tagged, 276) == [expected(V4)]


def test_mpls_and_pppoe() -> None:
    ethernet = b"\x02" * 12
    labels = pack(">HII", 0x8847, 16 << 12 | 64, 17 << 12 | 1 << 8 | 64)
    assert segments(ethernet + labels + V6.octets()) == [expected(V6)]
    session = pack(">HBBHHH", 0x8864, 0x11, 0, 1, len(V4.octets()) + 2, 0x0021)
    assert segments(ethernet + session + V4.octets()) == [expected(V4)]


@pytest.mark.parametrize("padding", [1, 6, 40])
def test_padding_is_no_data(padding: int) -> None:
    assert segments(capture_builder.ethernet(V4.octets(), padding=padding)) == [expected(V4)]
    assert segments(capture_builder.ethernet(V6.octets(), padding=padding)) == [expected(V6)]


def test_options() -> None:
    """TCP's shift the data; IPv4's shift everything."""
    for options in (b"\x01" * 12, b"\x01" * 40):
        packet = capture_builder.Tcp(
            4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK, options=options
        )
        assert segments(capture_builder.ethernet(packet.octets())) == [expected(V4)]
        packet = capture_builder.Tcp(
            4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK, ip_options=options
        )
        assert segments(capture_builder.ethernet(packet.octets())) == [expected(V4)]


def test_length_left_to_the_network_card() -> None:
    """Segmentation offload: the capture has the packet before its length was filled in."""
    packet = capture_builder.Tcp(
        4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK, ip_length=0
    )
    assert segments(capture_builder.ethernet(packet.octets())) == [expected(V4)]
    packet = capture_builder.Tcp(
        4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK, CLIENT6, SERVER6, ip_length=0
    )
    assert segments(capture_builder.ethernet(packet.octets())) == [expected(V6)]


EXTENSION = b"\x00" + bytes(6)  # after the number of the next header: 8 octets in all
LONG_EXTENSION = b"\x02" + bytes(22)


@pytest.mark.parametrize(
    "extensions",
    [
        ((0, EXTENSION),),
        ((60, LONG_EXTENSION),),
        ((0, EXTENSION), (43, LONG_EXTENSION), (60, EXTENSION)),
        ((44, EXTENSION),),  # a fragment that is the whole packet
        ((51, b"\x04" + bytes(22)),),  # authentication: in units of 4
        ((135, EXTENSION), (139, EXTENSION), (140, EXTENSION)),
    ],
)
def test_ipv6_extension_headers(extensions: tuple[tuple[int, bytes], ...]) -> None:
    packet = capture_builder.Tcp(
        4_000_000_000,
        PAYLOAD,
        77,
        capture_builder.PSH | capture_builder.ACK,
        CLIENT6,
        SERVER6,
        extensions=extensions,
    )
    assert segments(capture_builder.ethernet(packet.octets())) == [expected(V6)]


def test_fragments() -> None:
    for fragment in (0x2000, 0x2001, 0x0001, 0x1FFF):
        packet = capture_builder.Tcp(1, PAYLOAD, fragment=fragment)
        assert reason(capture_builder.ethernet(packet.octets())) is Reason.IP_FRAGMENT
    for offset in (b"\x00\x01", b"\x00\x08", b"\xff\xf8"):
        extensions = ((44, b"\x00" + offset + bytes(4)),)
        packet = capture_builder.Tcp(1, PAYLOAD, source=CLIENT6, target=SERVER6, extensions=extensions)
        assert reason(capture_builder.ethernet(packet.octets())) is Reason.IP_FRAGMENT
    do_not_fragment = capture_builder.Tcp(
        4_000_000_000, PAYLOAD, 77, capture_builder.PSH | capture_builder.ACK, fragment=0x4000
    )
    assert segments(capture_builder.ethernet(do_not_fragment.octets())) == [expected(V4)]


def test_other_protocols() -> None:
    udp = bytearray(V4.octets())
    udp[9] = 17
    udp6 = bytearray(V6.octets())
    udp6[6] = 17
    arp = b"\x00\x01\x08\x00" + bytes(24)
    for packet in (bytes(udp), bytes(udp6), arp):
        assert reason(capture_builder.ethernet(packet)) is Reason.NON_TCP
        assert reason(capture_builder.linux_cooked(packet), 113) is Reason.NON_TCP
        assert reason(capture_builder.linux_cooked_2(packet), 276) is Reason.NON_TCP
    for packet in (bytes(udp), bytes(udp6)):
        assert reason(packet, 101) is Reason.NON_TCP
    assert reason(b"\x02" * 12 + b"\x81") is Reason.NON_TCP


def test_unknown_link_type() -> None:
    assert reason(V4.octets(), 147) is Reason.UNKNOWN_LINK_TYPE
    capture = recognise_capture(capture_builder.pcap(capture_builder.captured([V4, V4]), link_type=147))
    assert list(read_segments(capture)) == []
    assert [(it.packet_no, it.detail) for it in capture.quarantine.rows] == [
        (1, "link type 147"),
        (2, "link type 147"),
    ]


@pytest.mark.parametrize("packet", [V4, V6], ids=["IPv4", "IPv6"])
def test_cut_by_the_snaplen(packet: capture_builder.Tcp) -> None:
    whole = capture_builder.ethernet(packet.octets())
    headers = len(whole) - len(PAYLOAD)
    for size in range(15, len(whole)):
        if size < headers:
            assert reason(whole[:size], original=len(whole)) is Reason.SNAPLEN_CUT, size
        else:
            ((*_, data, missing, _, _, _),) = segments(whole[:size], original=len(whole))
            assert (data, missing) == (PAYLOAD[: size - headers], len(whole) - size)


def test_cut_within_tcp_options() -> None:
    whole = capture_builder.ethernet(capture_builder.Tcp(1, PAYLOAD, options=b"\x01" * 12).octets())
    ((*_, data, missing, _, _, _),) = segments(whole[:60], original=len(whole))
    assert (data, missing) == (b"", len(PAYLOAD))


def test_bad_packets() -> None:
    def damaged(packet: capture_builder.Tcp, at: int, value: int) -> bytes:
        octets = bytearray(packet.octets())
        octets[at] = value
        return capture_builder.ethernet(bytes(octets))

    assert reason(damaged(V4, 0, 0x44)) is Reason.BAD_PACKET  # an IPv4 header of 16 octets
    assert reason(damaged(V4, 32, 0x40)) is Reason.BAD_PACKET  # a TCP header of 16 octets
    assert reason(damaged(V4, 32, 0xF0)) is Reason.BAD_PACKET  # one that is longer than the packet
    assert reason(damaged(V4, 3, 39)) is Reason.BAD_PACKET  # a packet without room for TCP
    assert reason(damaged(V4, 0, 0x55)) is Reason.NON_TCP  # IP version 5
    assert reason(capture_builder.ethernet(V4.octets()[:30])) is Reason.BAD_PACKET


def test_exported_pdus_follow_each_other() -> None:
    there = [capture_builder.Tcp(0, capture_builder.octets(50, at)) for at in range(3)]
    back = [
        capture_builder.Tcp(
            0,
            capture_builder.octets(60, at + 9),
            source=capture_builder.SERVER,
            target=capture_builder.CLIENT,
        )
        for at in range(2)
    ]
    packets = [capture_builder.Captured(capture_builder.exported_pdu(it)) for it in (*there, *back)]
    reading = capture_builder.read(capture_builder.pcap(packets, link_type=252))
    assert reading.stream(0) == b"".join(it.payload for it in there)
    assert reading.stream(1) == b"".join(it.payload for it in back)
    assert (reading.connections[0].client, reading.connections[0].server) == (
        capture_builder.CLIENT,
        capture_builder.SERVER,
    )
    assert reading.quarantine.totals == {}


def test_exported_pdu_without_ports() -> None:
    assert reason(pack(">HH4sHH", 20, 4, b"\x0a\0\0\1", 0, 0) + b"data", 252) is Reason.BAD_PACKET
    assert reason(pack(">HH", 20, 4000), 252) is Reason.BAD_PACKET
