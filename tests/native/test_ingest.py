"""The ingest in C gives the rows, ledgers and quarantine of the ingest in Python, whatever a capture holds."""

from __future__ import annotations

import gc
import itertools
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from struct import pack
from typing import Any

import pytest

pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

import amqp_0_9_1_rabbitmq as amqp
import amqp_1_0 as amqp1
import amqp_native_ingest as native
from amqp_traffic.capture import file_octets
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import OnTable, ReadSettings
from amqp_traffic.ingest.native.host import NativeHost
from amqp_traffic.ingest.native.tables import NativeTables
from amqp_traffic.ingest.tables.file_reading import SegmentBatch
from amqp_traffic.lake.writer import Writer
from amqp_traffic.streams.tls.key_log import NO_KEYS, KeyLog

from tests.fuzz.captures import draw_capture
from tests.fuzz.native_ingest import check_native
from tests.traffic.capture_builder import Conversation, captured, pcap
from tests.traffic.ingest.bounded_captures import crowd, many_channels, many_sessions
from tests.traffic.ingest.lake_tables import Ingested, assert_same, ingested
from tests.traffic.ingest.ledger_checks import check_ledgers
from tests.traffic.ingest.test_engines_agree import CLEAN, DAMAGED
from tests.traffic.ingest.test_wrapped_connections import WRAPS
from tests.traffic.pcap_records import records, with_records
from tests.traffic.synth.made_captures import make
from tests.traffic.wrapped_captures import Wrap, wrapped

from .test_memory import memory

CASES = int(os.environ.get("NATIVE_CASES", "200"))
ROUNDS = 3000 if os.environ.get("TEST_ALL") else 60
MOST_GROWTH = 32 << 20
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
ORDERS = {**CLEAN, **DAMAGED}
MIXED: dict[str, Any] = {"mix": {"0-9-1-rabbitmq": 2, "1.0": 1}, "connections": 6, "size": 100_000}
FRAMES = amqp.frames


class Both:
    """Ingests files in C and in Python."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._monkeypatch = monkeypatch

    def __call__(self, *files: bytes, **how: Any) -> Ingested:
        """What both give; the names of the files are those of a ring."""
        paths = [self._folder / f"a_{number:05}_20261121180000.pcap" for number, _ in enumerate(files, 1)]
        for path, octets in zip(paths, files, strict=True):
            path.write_bytes(octets)
        bodies = parse_body_retention(how.pop("bodies", "none"))
        key_log = how.pop("key_log", NO_KEYS)
        how = {"settings": ReadSettings(bodies=bodies, key_log=key_log), **how}
        self._monkeypatch.setenv("AMQP_PURE", "")
        found = ingested(paths, self._folder / "lake", **how)
        check_ledgers(found)
        self._monkeypatch.setenv("AMQP_PURE", "1")
        assert_same(found, ingested(paths, self._folder / "lake", **how))
        return found


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    made: list[object] = []
    make_core = native.Ingest

    def noted(*arguments: Any) -> Any:
        made.append(arguments)
        return make_core(*arguments)

    monkeypatch.setattr(native, "Ingest", noted)
    yield Both(tmp_path, monkeypatch)
    assert made, "nothing was read in C"


@pytest.mark.parametrize("name", ORDERS)
def test_synthetic_captures(name: str, both: Both) -> None:
    found = both(make(**{"seed": 21, "size": 150_000, **ORDERS[name]}).capture)
    assert found["frames"] and found["messages"]


@pytest.mark.parametrize("skip", [1, 2, 5, 20, 50, 100, 200])
def test_captures_that_begin_anywhere(skip: int, both: Both) -> None:
    assert both(make(seed=26, **MIXED, skip=skip).capture)["frames"]


@pytest.mark.parametrize("name", WRAPS)
@pytest.mark.parametrize("drop", [0.0, 0.01])
def test_wrapped_connections(name: str, drop: float, both: Both) -> None:
    capture = wrapped(make(seed=27, **MIXED).capture, WRAPS[name], 300)
    chance = random.Random(1)
    kept = (record for record in records(capture) if chance.random() >= drop)
    assert both(with_records(capture, kept))["frames"]


@pytest.mark.parametrize("drop", [0.0, 0.01])
@pytest.mark.parametrize("has_keys", [True, False])
def test_tls(has_keys: bool, drop: float, both: Both, tmp_path: Path) -> None:
    pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")
    from tests.traffic.made_tls import MadeTls, made_wrap

    lines: list[str] = []
    seeds = itertools.count()

    def make_wrap() -> Wrap:
        seed = next(seeds)
        return made_wrap(MadeTls(*(("1.3", 0x1301), ("1.2", 0xC027))[seed % 2], seed, key_log=lines), True)

    capture = wrapped(make(seed=27, **MIXED).capture, make_wrap, 300)
    keys = tmp_path / "keys"
    keys.write_text("".join(f"{line}\n" for line in lines))
    chance = random.Random(1)
    kept = with_records(capture, (record for record in records(capture) if chance.random() >= drop))
    found = both(kept, key_log=KeyLog(keys) if has_keys else NO_KEYS)
    assert bool(found["frames"]) is has_keys
    assert any(row["tls_cipher"] for row in found["connections"])


@pytest.mark.parametrize("bodies", ["head:10", "all"])
@pytest.mark.parametrize("damage", [{}, {"drop": 0.01}], ids=str)
def test_bodies(bodies: str, damage: dict[str, Any], both: Both) -> None:
    found = both(make(seed=22, **MIXED, **damage).capture, bodies=bodies)
    assert any(row["body_head"] for row in found["messages"])


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("shares", [2, 7])
def test_shares(shares: int, shuffle: bool, both: Both) -> None:
    both(make(seed=23, **MIXED, drop=0.005).capture, shares=shares, shuffle=shuffle)


@pytest.mark.parametrize("count", [2, 5])
def test_files_of_a_ring(count: int, both: Both) -> None:
    """Octets of an earlier file may come again after it was closed."""
    capture = make(seed=24, **MIXED, duplicate=0.1, overlap=0.05, reorder=0.1).capture
    every = list(records(capture))
    size = len(every) // count + 1
    files = [with_records(capture, every[at : at + size]) for at in range(0, len(every), size)]
    found = both(*files, one_capture=True)
    assert {row["file_no"] for row in found["frames"]} == set(range(count))


def test_octets_that_come_again_when_others_took_their_place(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory holds little of a file; what segments are compared with is remembered all the same."""
    for name in ("_AHEAD", "_MOST_BEHIND", "_BLOCK"):
        monkeypatch.setattr(file_octets, name, 4096)
    found = both(make(seed=25, size=1_500_000, duplicate=0.3, overlap=0.1, reorder=0.1).capture)
    assert found["frames"]


@pytest.mark.parametrize("make_capture", [crowd, many_channels, many_sessions])
def test_bounds_of_memory(make_capture: Callable[[], bytes], both: Both) -> None:
    found = both(make_capture())
    assert [row["reason"] for row in found["quarantine"]].count("not-followed")


def test_mutated_captures() -> None:
    """See ``tests/fuzz/test_captures.py`` for 10,000 of them."""
    generator = random.Random("mutated captures")
    for _ in range(CASES):
        assert check_native(None, draw_capture("", generator), {})


# --- What is not plain


def table(*entries: bytes) -> bytes:
    octets = b"".join(entries)
    return pack(">I", len(octets)) + octets


def entry(key: bytes, value: bytes) -> bytes:
    return bytes([len(key)]) + key + value


def text(octets: bytes) -> bytes:
    return b"S" + pack(">I", len(octets)) + octets


def nested(levels: int) -> bytes:
    value = b"V"
    for _ in range(levels):
        value = b"F" + table(entry(b"k", value))
    return value


TABLES = {
    "empty": table(),
    "plain": table(entry(b"a", text(b"b")), entry(b"i", b"I\0\0\0\7")),
    "deep": table(entry(b"a", nested(12))),
    "too deep": table(entry(b"a", nested(70))),
    "wide": table(*(entry(b"k%d" % number, b"t\1") for number in range(100))),
    "texts that are none": table(entry(b"a", text(b"\xff\xfe")), entry(b"\xe9", text(b"x"))),
    "sign of a tag": table(entry(b"$type", text(b"x"))),
    "twice": table(entry(b"a", b"t\0"), entry(b"a", b"t\1")),
    "far times": table(entry(b"a", b"T" + b"\x7f" + bytes(7))),
    "odd decimals": table(entry(b"a", b"D\xff\xff\xff\xff\xff"), entry(b"b", b"D\2\0\0\0\5")),
    "array": table(entry(b"a", b"A" + pack(">I", 4) + b"t\1b\3")),
    "unknown letter": table(entry(b"a", b"Z")),
    "cut": table(entry(b"a", text(b"bcd")))[:-2],
}
HEADERS, TIMESTAMP = 1 << 13, 1 << 6  # flags of properties (0-9-1, 4.2.6.1)


def header(flags: int, properties: bytes, weight: int = 0) -> bytes:
    payload = pack(">HHQH", 60, weight, 3, flags) + properties
    return b"\2\0\1" + pack(">I", len(payload)) + payload + b"\xce"


def raw_method(payload: bytes, channel: int = 1) -> bytes:
    return pack(">BHI", 1, channel, len(payload)) + payload + b"\xce"


def client_says(*parts: bytes, frame_max: int = 0) -> bytes:
    """A capture in which a client opens a channel and says this."""
    methods = amqp.methods
    opening = [
        methods.ConnectionStartOk({"product": "x"}, "PLAIN", b"\0me\0secret", "en"),
        methods.ConnectionTuneOk(9, frame_max, 0),
    ]
    octets = amqp.PROTOCOL_HEADER + b"".join(raw_method(item.encode(), 0) for item in opening)
    start = methods.ConnectionStart(0, 9, {"product": "RabbitMQ", "capabilities": {"basic.nack": True}})
    conversation = Conversation().open().send(0, amqp.PROTOCOL_HEADER).send(1, FRAMES.encode_frame(0, start))
    conversation = conversation.send(0, octets[8:]).send(0, FRAMES.encode_frame(1, methods.ChannelOpen()))
    return pcap(captured(conversation.send(0, b"".join(parts)).close().packets))


def publish(content_header: bytes) -> bytes:
    method = FRAMES.encode_frame(1, amqp.methods.BasicPublish(exchange="e", routing_key="r"))
    return method + content_header + b"\3\0\1\0\0\0\3abc\xce"


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str, both: Both) -> None:
    """In the headers of a message and in the arguments of a method."""
    octets = TABLES[name]
    declare = amqp.methods.QueueDeclare("q").encode()[:-4] + octets
    found = both(client_says(publish(header(HEADERS, octets)), raw_method(declare), publish(header(0, b""))))
    assert len(found["messages"]) == 2
    assert bool(found["quarantine"]) == (name in ("too deep", "unknown letter", "cut"))


METHODS = {
    "reserved": amqp.methods.QueueDelete("q").encode()[:4] + b"\0\7\1q\0",
    "spare bits": amqp.methods.QueueDelete("q").encode()[:-1] + b"\xf8",
    "text that is none": amqp.methods.QueueDelete("q").encode().replace(b"\1q", b"\1\xff"),
    "left over": amqp.methods.QueueDelete("q").encode() + b"x",
    "cut": amqp.methods.QueueDelete("q").encode()[:-1],
    "large tag": amqp.methods.BasicAck(1 << 63).encode(),
    "unknown": b"\0\x3c\7\7",
    "too short": b"\0\x3c",
    "of a connection": b"\0\x0a\0\x0b",
}


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str, both: Both) -> None:
    found = both(client_says(raw_method(METHODS[name]), publish(header(0, b""))))
    assert len(found["messages"]) == 1


@pytest.mark.parametrize("weight", [0, 7])
@pytest.mark.parametrize("flags", [TIMESTAMP, TIMESTAMP | 1, 2])
def test_headers(flags: int, weight: int, both: Both) -> None:
    octets = b"\xff" * 8 if flags & TIMESTAMP else b""
    assert both(client_says(publish(header(flags, octets, weight))))["frames"]


ODD_HEADERS = {
    "a correlation id of octets": header(1 << 10, b"\4\x9c\xe1\0\xff"),
    "flags without a meaning": header(2, b""),
    "a second word of flags": header(1, b"\0\0"),
    "a weight": header(0, b"", 7),
    "a deep table": header(HEADERS, table(entry(b"k", nested(80)))),
    "a letter that nobody knows": header(HEADERS, table(entry(b"k", b"Z"))),
    "cut properties": header(HEADERS, b""),
    "another class": b"\2\0\1" + pack(">IHHQHB", 14, 90, 0, 3, 0, 0xCE),
    "above frame-max": header(HEADERS, table(entry(b"a", text(b"x" * 200_000)))),
    "above frame-max, and deep": header(
        HEADERS, table(entry(b"a", text(b"x" * 9000)), entry(b"k", nested(80)))
    ),
}


@pytest.mark.parametrize("name", ODD_HEADERS)
def test_headers_of_real_brokers(name: str, both: Both) -> None:
    """Each message is complete, and the frames are in the order of their packets."""
    second = FRAMES.encode_frame(2, amqp.methods.ChannelOpen())
    found = both(client_says(publish(ODD_HEADERS[name]), second, publish(header(0, b"")), frame_max=4096))
    assert [(row["body_size"], row["complete"]) for row in found["messages"]] == [(3, True)] * 2
    rows = sorted(found["frames"], key=lambda row: row["frame_no"])
    assert [row["pkt_no"] for row in rows] == sorted(row["pkt_no"] for row in rows)
    assert len(rows) == 12
    assert {row["reason"] for row in found["quarantine"]} <= {
        "our-limit",
        "table-tag",
        "args-truncated",
        "unknown-method",
    }


@pytest.mark.parametrize(
    "noise", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\3\1\0\5hello", b"AMQP\1\1\0\n", b"AMQP", b"\0" * 40]
)
def test_other_protocols(noise: bytes, both: Both) -> None:
    packets = Conversation().open().send(0, noise).send(1, noise[::-1]).close().packets
    assert both(pcap(captured(packets)))["connections"]


# Payloads that are no message, or not all of one; the last is complete.
PAYLOADS = [
    bytes.fromhex(octets)
    for octets in (
        "005375a1",  # cut off
        "005373c0070140a105ff61626364",  # not UTF-8
        "005399a00178",  # no section
        "00a306782e793a7a00a00178",
        "005377" + "c00301" * 70 + "40",  # too deep
        "005375a00178005371c10602a301645501",  # annotations behind the body
        "ff" * 300,
        "005375a00178",
    )
]


def test_messages_of_1_0_that_cannot_be_read_cost_no_other_frame(both: Both) -> None:
    performatives = amqp1.performatives
    says: list[Any] = [
        performatives.Open("c"),
        performatives.Begin(next_outgoing_id=0, incoming_window=9, outgoing_window=9),
        performatives.Attach("l", 0, performatives.Role.SENDER, initial_delivery_count=0),
    ]
    octets = [amqp1.PROTOCOL_HEADERS["amqp"], *(amqp1.encode_frame(0, say) for say in says)]
    for number, payload in enumerate(PAYLOADS):
        transfer = performatives.Transfer(0, number, b"%d" % number, 0, settled=True)
        octets += amqp1.split_transfer(transfer, payload, max_frame_size=512)
    conversation = Conversation().open().send(0, b"".join(octets), size=400).close()
    found = both(pcap(captured(conversation.packets)))
    assert len(found["messages"]) == len(PAYLOADS)
    assert [row["complete"] for row in found["messages"]] == [False] * (len(PAYLOADS) - 1) + [True]
    assert [row["delivery_id"] for row in found["messages"]] == list(range(len(PAYLOADS)))
    assert len(found["frames"]) == 1 + len(says) + len(PAYLOADS)
    assert {row["reason"] for row in found["quarantine"]} <= {"no-data"}  # of the side that says nothing


# --- Errors, memory


def test_an_error_of_the_host_costs_connections_their_messages_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=25, **MIXED).capture)
    expected = ingested([path], tmp_path / "lake")
    calls: list[int] = []

    def fail(*_: Any) -> None:
        calls.append(1)
        raise RuntimeError("a password, perhaps")

    monkeypatch.setattr(NativeHost, "read_state", fail)
    found = ingested([path], tmp_path / "lake")
    check_ledgers(found)
    assert calls
    rows = [row for row in found["quarantine"] if "RuntimeError" in (row["detail"] or "")]
    victims = {row["conn_id"] for row in rows}
    assert len(rows) == len(victims) and "password" not in repr(rows)
    for name in ("frames", "methods", "performatives", "messages"):
        mine, theirs = (
            sorted(repr(row) for row in item[name] if row["conn_id"] not in victims)
            for item in (found, expected)
        )
        assert mine == theirs
    assert len(found["frames"]) == len(expected["frames"])


@pytest.mark.parametrize("error", [MemoryError, OSError, KeyboardInterrupt])
def test_other_errors_end_the_ingest(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=25, **MIXED).capture)
    for name in ("begin", "describe", "end", "read_state"):

        def fail(*_: Any) -> None:
            raise error

        with monkeypatch.context() as context, pytest.raises(error):
            context.setattr(NativeHost, name, fail)
            ingested([path], tmp_path / "lake")


def decoder(on_table: OnTable = lambda *_: None) -> NativeTables:
    return NativeTables("capture", ReadSettings(), on_table, OrderedQuarantine())


def test_wrong_calls() -> None:
    core = decoder().core
    calls: list[Callable[[], object]] = [
        native.Ingest,
        lambda: native.Ingest(1, 2, 3),
        lambda: native.Scan(None, 0, 512, 7),
        lambda: core.add([1]),
        lambda: core.add([(b"flow", 0, 0, 0, b"", 0, 0, 0, 0)]),
        lambda: core.add(7),
    ]
    for call in calls:
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            call()
    with pytest.raises(RuntimeError, match="failed before"):
        core.finish()


def test_rows_are_handed_on_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many frames a packet has: here 7,500 heartbeats. The last frame cannot be decoded, which no table before has."""
    heartbeats = b"\x08\0\0\0\0\0\0\xce" * 7500
    conversation = Conversation().open().send(0, amqp.PROTOCOL_HEADER)
    for _ in range(60):
        conversation.send(0, heartbeats, size=len(heartbeats))
    conversation.send(0, raw_method(METHODS["unknown"]))
    path, sizes = tmp_path / "a.pcap", []
    path.write_bytes(pcap(captured(conversation.close().packets)))
    write = Writer.write

    def noted(writer: Writer, table: str, date: str, rows: Any) -> None:
        sizes.append(rows.num_rows)
        write(writer, table, date, rows)

    monkeypatch.setattr(Writer, "write", noted)
    found = ingested([path], tmp_path / "lake")
    assert len(found["frames"]) == 60 * 7500 + 2
    assert [row["err"] for row in found["frames"] if row["err"]] == ["unknown-method"]
    assert max(sizes) < 65_536 + 64 * 7500


def test_memory_is_flat() -> None:
    """The same hour again and again, as of a broker that is captured for a day: more than a million packets in `make test-all`."""
    capture = recognise_capture(make(seed=27, size=300_000, reorder=0.02, duplicate=0.02).capture)
    hour = list(read_segments(capture))
    packets, spoken = hour[-1][6], hour[-1][8] - hour[0][8] + 10**9
    rows: dict[str, list[int]] = {}
    tables = decoder(lambda table, _, found: rows.setdefault(table, []).append(found.num_rows))

    def elsewhere(flow: bytes, number: int) -> bytes:
        """Other addresses each time; they come again when their last connections are forgotten."""
        one, other = flow[1] ^ number % 256, flow[5] ^ number % 256
        return flow[:1] + bytes([one]) + flow[2:5] + bytes([other]) + flow[6:]

    def work(first: int, count: int) -> None:
        for number in range(first, first + count):
            again = [
                (elsewhere(flow, number), *rest, packet_no + number * packets, at, ns + number * spoken)
                for flow, *rest, packet_no, at, ns in hour
            ]
            tables.read(SegmentBatch(0, 0, again))  # type: ignore[arg-type]

    work(0, 150)
    before = memory()
    work(150, ROUNDS)
    assert SANITIZED or memory() - before < MOST_GROWTH
    tables.finish()
    assert sum(rows["frames"]) > ROUNDS * 1000


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither after a whole capture nor when an ingest ends in its middle."""
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=26, **MIXED, drop=0.01).capture)

    def fail(*_: Any) -> None:
        raise OSError

    def work() -> None:
        ingested([path], tmp_path / "lake")
        with monkeypatch.context() as context, pytest.raises(OSError):
            context.setattr(NativeHost, "end", fail)
            ingested([path], tmp_path / "lake")
        gc.collect()

    for _ in range(3):
        work()
    before = sys.getallocatedblocks()
    for _ in range(10):
        work()
    assert SANITIZED or sys.getallocatedblocks() - before < 2000
