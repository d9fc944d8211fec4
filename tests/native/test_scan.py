"""The scan of captures in C finds what Python finds: segments, ledger, quarantine, counts of buckets."""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.capture.files import Buffer, CaptureError, open_capture
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.segments import read_segments

from tests.traffic import capture_builder
from tests.traffic.capture import tunnels
from tests.traffic.capture_builder import Captured, Tcp, enhanced_packet
from tests.traffic.synth.made_captures import make

native = pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
bucket_reading = pytest.importorskip(
    "amqp_traffic.ingest.sharing.buckets", reason="needs pyarrow: the extra traffic"
)

SAMPLE = int(os.environ.get("NATIVE_CASES", "200"))
BEFORE = 41  # packets of earlier files
DAMAGES: list[dict[str, Any]] = [
    {},
    {"drop": 0.03, "reorder": 0.05, "reorder_within": 4},
    {"snaplen": 96},
    {"garbage": 3, "flip": 0.05},
    {"truncate": True, "duplicate": 0.1, "overlap": 0.1},
]
V4, V6 = Tcp(7, b"payload"), Tcp(7, b"payload", source=("2001:db8::1", 40000), target=("2001:db8::2", 5672))


def found(octets: Buffer, shares: int) -> tuple[Any, ...]:
    """All that a reader learns of a file: of all flows, or of one share of several."""
    try:
        capture = recognise_capture(octets)
    except CaptureError as error:
        return (str(error),)
    buckets = bucket_reading.BucketReading(lambda bucket: bucket % max(shares, 1) == 0)
    segments = list(read_segments(capture, BEFORE, buckets.is_wanted if shares else None))
    assert (type(buckets.is_wanted) is native.FlowBuckets) == (not os.environ.get("AMQP_PURE"))
    return segments, capture.ledger, capture.quarantine, buckets.sums(), buckets.octets


def assert_same(octets: Buffer, shares: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    monkeypatch.setenv("AMQP_PURE", "")
    ours = found(octets, shares)
    monkeypatch.setenv("AMQP_PURE", "1")
    assert ours == found(octets, shares)
    return ours


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
@pytest.mark.parametrize("damage", DAMAGES, ids=str)
@pytest.mark.parametrize("shares", [0, 1, 3])
def test_synthetic(form: str, damage: dict[str, Any], shares: int, monkeypatch: pytest.MonkeyPatch) -> None:
    octets = make(seed=3, size=200_000, connections=9, form=form, **damage).capture
    segments, ledger, *_ = assert_same(octets, shares, monkeypatch)
    assert segments
    assert ledger.packets >= 100
    assert bool(ledger.unwanted) == (shares == 3)


def packets() -> dict[int, list[bytes]]:
    """Packets of each link type, with what may stand before TCP; and some without TCP."""
    extensions = ((0, bytes(7)), (60, b"\x01" + bytes(14)), (51, b"\x04" + bytes(22)), (44, bytes(7)))
    odd = [
        Tcp(1, b"data", options=bytes(12)),
        Tcp(1, b"data", ip_options=bytes(8)),
        Tcp(1, b"data", fragment=0x2000),
        Tcp(1, b"data", fragment=0x4000),
        Tcp(1, b"data", ip_length=0),
        Tcp(1, b"data", ip_length=30),
        Tcp(1, b"data", ip_length=4000),
        *(
            Tcp(1, b"data", source=V6.source, target=V6.target, extensions=(extension,))
            for extension in extensions
        ),
        Tcp(1, b"data", source=V6.source, target=V6.target, extensions=extensions),
        Tcp(1, b"data", source=V6.source, target=V6.target, ip_length=0),
        Tcp(1, b"data", source=V6.source, target=V6.target, ip_length=21),
    ]
    every = [packet.octets() for packet in (V4, V6, *odd)]
    every += [every[0][:9] + b"\x11" + every[0][10:], every[1][:6] + b"\x11" + every[1][7:]]
    found = {link_type: list(map(wrap, every)) for link_type, wrap in WRAPPERS.items()}
    tagged = [capture_builder.ethernet(every[0], *tags) for tags in ([0x8100], [0x88A8, 0x8100], [0x9100])]
    head = capture_builder.ethernet(every[0])[:12]
    tagged += [
        head + b"\x88\x64" + bytes(6) + protocol + every[0]
        for protocol in (b"\0\x21", b"\0\x57", b"\xc0\x21")
    ]
    tagged += [
        head + b"\x88\x47" + labels + every[0] for labels in (b"\0\0\1\0", b"\0\0\0\0\0\0\1\0", bytes(8))
    ]
    tagged += [
        head + b"\x88\x64",
        head + b"\x08\x06" + bytes(28),
        capture_builder.ethernet(every[0], padding=9),
    ]
    found[1] += tagged
    found[1] += [
        wrap(packet) for wrap in {**tunnels.TUNNELS, **tunnels.STACKS}.values() for packet in every[:1]
    ]
    for link_type, wrap in tunnels.LINKS.values():
        found.setdefault(link_type, []).append(wrap(every[0]))
    found[101] += [b"\x10", b"\x10" + bytes(60)]
    return found


WRAPPERS = {
    **capture_builder.LINK_LAYERS,
    252: lambda octets: octets,  # exported PDUs
    147: lambda octets: octets,  # unknown
    40_000: lambda octets: octets,
}
PACKETS = packets()


@pytest.mark.parametrize("link_type", PACKETS)
def test_packets_cut_anywhere(link_type: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each packet all beginnings, as captures with a snaplen have them; and of the others, by a damaged length."""
    cut = [
        Captured(octets[:size], original=original)
        for octets in PACKETS[link_type]
        for size in range(1, len(octets) + 1)
        for original in (len(octets), size, 0)
    ]
    assert_same(capture_builder.pcap(cut, link_type=link_type), 0, monkeypatch)


def test_sections_and_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte orders, units of time that are no whole nanoseconds, an offset, many interfaces, times that no number holds."""
    packet, raw = PACKETS[1][0], V4.octets()
    times = [(None, None), (9, None), (0x8A, None), (12, None), (6, 3600), (0, None), (0xFF, None)]
    blocks = b""
    for order in "<>":
        blocks += capture_builder.section(order)
        comment = capture_builder.option(1, b"a comment", order) + bytes(4)
        blocks += b"".join(
            capture_builder.interface(1, order, 0, resolution, offset) for resolution, offset in times
        )
        for number in range(len(times) + 2):
            for units in (0, 1, 1_700_000_000_000_000, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
                blocks += enhanced_packet(units, packet, len(packet), order, number)
                blocks += enhanced_packet(units, packet, len(packet), order, number, comment)
        blocks += capture_builder.interface(101, order) * 90
        for number in range(100):
            blocks += enhanced_packet(5, raw, len(raw), order, number)
        blocks += capture_builder.simple_packet(packet, len(packet), order)
    segments, *_ = assert_same(blocks, 0, monkeypatch)
    assert len(segments) > 150


def mutated(octets: bytes, chance: random.Random) -> bytes:
    """Some edits, most of them of lengths and types."""
    data = bytearray(octets)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        edit = chance.randrange(5)
        if edit == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif edit == 1:
            data[at : at + 4] = chance.choice(
                (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x06\0\0\0")
            )
        elif edit == 2:
            data[at:at] = chance.randbytes(chance.randint(1, 40))
        elif edit == 3:
            del data[at : at + chance.randint(1, 40)]
        else:
            start = chance.randrange(len(data))
            data[at:at] = data[start : start + chance.randint(1, 200)]
    return bytes(data)


def test_mutated(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [
        make(seed=5, size=6_000, connections=3, form=form, body_size=300).capture
        for form in ("pcap", "pcapng")
    ]
    sources += [
        capture_builder.pcap(list(map(Captured, items)), link_type=link_type)
        for link_type, items in PACKETS.items()
    ]
    comment = capture_builder.option(1, b"a comment") + bytes(4)
    commented = b"".join(enhanced_packet(5, item, len(item), options=comment) for item in PACKETS[1])
    sources.append(capture_builder.section() + capture_builder.interface() + commented)
    chance = random.Random(f"scan {SAMPLE}")
    for number in range(10 * SAMPLE):
        assert_same(mutated(chance.choice(sources), chance), number % 3, monkeypatch)


def test_a_mapped_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=3, size=50_000).capture)
    with open_capture(path) as file:
        segments, *_ = assert_same(file.buffer, 0, monkeypatch)
        capture = recognise_capture(file.buffer)
        buffer: Any = file.buffer
    assert segments
    monkeypatch.setenv("AMQP_PURE", "")
    assert buffer.closed
    with pytest.raises(ValueError, match="closed"):
        list(read_segments(capture))


def test_a_long_scan_is_interrupted() -> None:
    """No packet is wanted in all of the file, so nothing comes back to Python meanwhile."""
    count = 2_000_000
    octets = capture_builder.pcap([Captured(b"?")])
    head, record = octets[:24], octets[24:]

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    scan, octets = native.Scan(None, 0, 512), head + record * count
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            scan.read_pcap(octets, 24, True, 1000, 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert scan.sums()[0] < count


def test_wrong_calls() -> None:
    scan = native.Scan(None, 0, 512)
    calls: list[tuple[type[Exception], Any]] = [
        (TypeError, lambda: native.Scan(3, 0, 512)),
        (TypeError, lambda: native.Scan(None)),
        (TypeError, lambda: native.Scan(None, 0, 512, None, 5)),
        (ValueError, lambda: native.Scan(None, 0, 512, None, bytes(5))),
        (TypeError, lambda: native.FlowBuckets(1024)),
        (ValueError, lambda: native.FlowBuckets(b"1")),
        (ValueError, lambda: native.FlowBuckets(bytes(1024))(b"flow", 1)),
        (ValueError, lambda: scan.read_pcap(b"", 1, True, 1, 1)),
        (ValueError, lambda: scan.read_pcap(b"", -1, True, 1, 1)),
        (ValueError, lambda: scan.read_pcap(b"", 0, True, 0, 1)),
        (TypeError, lambda: scan.read_pcap("", 0, True, 1, 1)),
        (TypeError, lambda: scan.read_pcapng(b"", 0, True, [])),
        (TypeError, lambda: scan.read_pcapng(b"", 0, True, (1,))),
        (TypeError, lambda: scan.read_pcapng(b"", 0, True, (("a", 1),))),
    ]
    for error, call in calls:
        with pytest.raises(error):
            call()
    assert scan.take() == [] and scan.sums() == (0, 0, 0, 0, 0, 0, [])


def test_a_file_is_let_go_of() -> None:
    """However a call ends: octets that are held cannot be resized."""
    scan = native.Scan(None, 0, 1 << 20)
    pcap = bytearray(make(seed=3, size=20_000).capture)
    pcapng = bytearray(make(seed=3, size=20_000, form="pcapng").capture)
    first = int.from_bytes(
        pcapng[4:8], "little"
    )  # the size of the first block; the second describes an interface
    first += int.from_bytes(pcapng[first + 4 : first + 8], "little")
    calls: list[tuple[bytearray, Any]] = [
        (pcap, lambda: scan.read_pcap(pcap, 24, True, 1000, 1)),
        (pcap, lambda: scan.read_pcap(pcap, len(pcap) + 1, True, 1000, 1)),
        (pcapng, lambda: scan.read_pcapng(pcapng, first, True, ((1, 1000),))),
        (pcapng, lambda: scan.read_pcapng(pcapng, -1, True, ())),
        (pcapng, lambda: scan.read_pcapng(pcapng, first, True, (("a", 1),))),
    ]
    ends = []
    for octets, call in calls:
        try:
            ends.append(call()[0] > 1000)
        except (TypeError, ValueError) as error:
            ends.append(type(error))
        octets.append(0)
    assert ends == [True, ValueError, True, ValueError, TypeError]


def test_nothing_is_left_behind() -> None:
    octets = make(seed=3, size=100_000, form="pcapng", garbage=3).capture

    def work() -> None:
        for shares in (0, 3):
            found(octets, shares)

    work()
    before = sys.getallocatedblocks()
    for _ in range(20):
        work()
    assert sys.getallocatedblocks() - before < 500
