"""pcap and pcapng: every way to write the same packets gives the same packets."""

from __future__ import annotations

from itertools import product
from struct import pack

import pytest
from amqp_traffic.capture.files import CaptureError
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Reason

from .. import capture_builder

ORDERS = ("<", ">")
PACKETS = [
    capture_builder.Captured(capture_builder.octets(size), capture_builder.START_NS + number * 1_234_567_000)
    for number, size in enumerate((60, 61, 62, 63, 1514))
]


def packets_of(file: bytes) -> list[tuple[bytes, int, int, int]]:
    """Octets, original length, time, link type. The ledger of the file must hold."""
    capture = recognise_capture(file)
    found = [
        (bytes(file[data : data + captured]), original, ns, link_type)
        for _, data, captured, original, ns, link_type in capture.packets()
    ]
    capture.ledger.check()
    assert capture.quarantine.totals == {}
    return found


def expected(packets: list[capture_builder.Captured], link_type: int = 1, ns: int | None = None) -> list:
    return [(it.octets, it.length, it.ns if ns is None else ns, link_type) for it in packets]


@pytest.mark.parametrize(("order", "nano"), [*product(ORDERS, (False, True))])
def test_pcap(order: str, nano: bool) -> None:
    assert packets_of(capture_builder.pcap(PACKETS, order, nano, 113)) == expected(PACKETS, 113)


def test_pcap_keeps_nanoseconds() -> None:
    odd = [capture_builder.Captured(b"x" * 60, capture_builder.START_NS + 123_456_789)]
    assert packets_of(capture_builder.pcap(odd, nano=True)) == expected(odd)
    assert packets_of(capture_builder.pcap(odd)) == expected(odd, ns=capture_builder.START_NS + 123_456_000)


def test_pcap_link_type_without_frame_check_length() -> None:
    file = bytearray(capture_builder.pcap(PACKETS, link_type=1))
    file[23] = 0x54  # two words of frame check sequence
    assert packets_of(bytes(file)) == expected(PACKETS)


@pytest.mark.parametrize("order", ORDERS)
def test_original_length(order: str) -> None:
    cut = [packet.cut(40) for packet in PACKETS]
    assert packets_of(capture_builder.pcap(cut, order)) == expected(cut)
    assert packets_of(capture_builder.pcapng(cut, order)) == expected(cut)


@pytest.mark.parametrize("order", ORDERS)
def test_records_begin_where_they_are_said_to(order: str) -> None:
    for file, size in (
        (capture_builder.pcap(PACKETS, order), 16),
        (capture_builder.pcapng(PACKETS, order), 28),
    ):
        for record, data, captured, *_ in recognise_capture(file).packets():
            assert data - record == size
            assert int.from_bytes(file[data - 8 : data - 4], "little" if order == "<" else "big") == captured


@pytest.mark.parametrize("order", ORDERS)
def test_pcapng(order: str) -> None:
    assert packets_of(capture_builder.pcapng(PACKETS, order, 276)) == expected(PACKETS, 276)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("resolution", "units_per_second"),
    [(6, 10**6), (9, 10**9), (3, 10**3), (0, 1), (10, 10**10), (0x80 | 10, 1 << 10), (0x80 | 20, 1 << 20)],
)
def test_time_resolution(order: str, resolution: int, units_per_second: int) -> None:
    seconds = capture_builder.START_NS // 10**9
    units = seconds * units_per_second + units_per_second // 2
    file = capture_builder.section(order) + capture_builder.interface(1, order, resolution=resolution)
    file += capture_builder.enhanced(PACKETS[0], order, units)
    ns = units * 10**9 // units_per_second
    assert packets_of(file) == expected(PACKETS[:1], ns=ns)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("offset", [3600, -3600])
def test_time_offset(order: str, offset: int) -> None:
    file = (
        capture_builder.section(order)
        + capture_builder.interface(1, order, offset=offset)
        + capture_builder.enhanced(PACKETS[0], order)
    )
    assert packets_of(file) == expected(PACKETS[:1], ns=PACKETS[0].ns + offset * 10**9)


@pytest.mark.parametrize("resolution", [6, 9])
def test_a_time_that_64_bits_cannot_hold_is_none(resolution: int) -> None:
    head = capture_builder.section("<") + capture_builder.interface(1, "<", resolution=resolution)
    file = head + capture_builder.enhanced(PACKETS[0], "<", (1 << 64) - 1)
    assert packets_of(file) == expected(PACKETS[:1], ns=0)


@pytest.mark.parametrize("order", ORDERS)
def test_packet_blocks(order: str) -> None:
    head = capture_builder.section(order) + capture_builder.interface(1, order)
    comment = capture_builder.option(1, b"seen", order) + capture_builder.option(0, b"", order)
    assert packets_of(head + capture_builder.enhanced(PACKETS[1], order, options=comment)) == expected(
        PACKETS[1:2]
    )
    assert packets_of(head + capture_builder.obsolete(PACKETS[2], order)) == expected(PACKETS[2:3])
    assert packets_of(head + capture_builder.simple(PACKETS[3], order)) == expected(PACKETS[3:4], ns=0)


@pytest.mark.parametrize("order", ORDERS)
def test_simple_packet_is_as_long_as_the_snaplen(order: str) -> None:
    head = capture_builder.section(order) + capture_builder.interface(1, order, snaplen=61)
    cut = PACKETS[4].cut(61)
    assert packets_of(head + capture_builder.simple(cut, order)) == expected([cut], ns=0)


@pytest.mark.parametrize("order", ORDERS)
def test_other_blocks_are_headers(order: str) -> None:
    others = [
        capture_builder.block(kind, capture_builder.octets(30), order)
        for kind in (4, 5, 9, 10, 0xBAD, 0x40000BAD, 77)
    ]
    file = capture_builder.section(order) + capture_builder.interface(1, order)
    for packet, other in zip(PACKETS * 2, others, strict=False):
        file += other + capture_builder.enhanced(packet, order)
    assert packets_of(file) == expected((PACKETS * 2)[: len(others)])


@pytest.mark.parametrize(("first", "second"), [*product(ORDERS, ORDERS)])
def test_sections(first: str, second: str) -> None:
    """Each has a byte order and interfaces of its own."""
    file = capture_builder.pcapng(PACKETS, first, 1) + capture_builder.pcapng(PACKETS, second, 113)
    assert packets_of(file) == expected(PACKETS) + expected(PACKETS, 113)


@pytest.mark.parametrize("order", ORDERS)
def test_interfaces(order: str) -> None:
    units = {0: 1000, 1: 1}
    mixed = [
        capture_builder.Captured(
            capture_builder.octets(60 + number),
            capture_builder.START_NS + number * 1000,
            interface=number % 2,
        )
        for number in range(8)
    ]
    file = (
        capture_builder.section(order)
        + capture_builder.interface(1, order)
        + capture_builder.interface(276, order, resolution=9)
    )
    for packet in mixed:
        file += capture_builder.enhanced(packet, order, packet.ns // units[packet.interface])
    link_types = {0: 1, 1: 276}
    assert packets_of(file) == [(it.octets, it.length, it.ns, link_types[it.interface]) for it in mixed]


def test_interface_options_that_are_cut() -> None:
    """An option that says it is longer than its block ends the options, not the reading."""
    content = pack("<HHI", 1, 0, 0) + capture_builder.option(9, b"\x09") + pack("<HH", 14, 400)
    file = (
        capture_builder.section()
        + capture_builder.block(1, content)
        + capture_builder.enhanced(PACKETS[0], units=PACKETS[0].ns)
    )
    assert packets_of(file) == expected(PACKETS[:1])


def test_packet_of_unknown_interface_is_left_out() -> None:
    lost = capture_builder.enhanced(capture_builder.Captured(capture_builder.octets(60), interface=1))
    file = (
        capture_builder.section() + capture_builder.interface() + lost + capture_builder.enhanced(PACKETS[0])
    )
    reading = capture_builder.read(file)
    assert reading.ledger is not None
    assert (reading.ledger.packets, reading.ledger.skipped) == (1, len(lost))
    (row,) = [it for it in reading.quarantine.rows if it.reason is Reason.FILE_CORRUPT]
    assert (row.length, row.packet_offset) == (
        len(lost),
        len(capture_builder.section() + capture_builder.interface()),
    )


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"", "the file is empty"),
        (b"<?xml version", "neither pcap nor pcapng: the file begins with 3c 3f 78 6d 6c 20 76 65;"),
        (capture_builder.pcap([])[:20], "neither pcap nor pcapng"),
        (capture_builder.section()[:8] + bytes(20), "neither pcap nor pcapng"),
    ],
)
def test_no_capture(file: bytes, message: str) -> None:
    with pytest.raises(CaptureError, match=message):
        recognise_capture(file)
