"""A capture may have the packets of both sides in another order than they were sent: what that seems to be is not an error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit import frame_order
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.connection_frames import AuditFrame
from amqp_traffic.audit.frame_order import with_doubts
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.rule import AuditSeverity
from amqp_traffic.ingest.inputs import CaptureInput
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest, local_engine
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.tasks.runner import InProcess

from ..messages.method_script import client, publish, server
from ..pcap_records import records, with_records
from ..synth.made_captures import make
from . import cases_conversation
from .audited_methods import (
    BYE,
    OPEN,
    RST,
    audit_capture,
    capture_of,
    ended,
    handshake,
    packets_of,
    ready,
    rules_in,
)
from .correct_connection import busy, errors, file_of
from .damaged_captures import Imperfection, errors_in, legal_traffic, with_other_clock

_KINDS = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0")
_SHARE = 0.15  # of all packets change places with the next one


def test_neighbours_that_changed_places_are_no_errors() -> None:
    packets = busy()
    for place in range(len(packets) - 1):
        (first_ns, first), (second_ns, second) = packets[place : place + 2]
        swapped = [*packets[:place], (first_ns, second), (second_ns, first), *packets[place + 2 :]]
        assert errors(file_of(swapped)) == [], place


@cache
def _one_connection(kind: str, seed: int) -> bytes:
    return make(seed=seed, size=20_000, mix={kind: 1}, connections=1).capture


def _swapped(octets: bytes, chance: Random) -> bytes:
    packets = list(records(octets))
    place = 0
    while place < len(packets) - 1:
        if chance.random() < _SHARE:
            packets[place : place + 2] = packets[place + 1], packets[place]
            place += 1
        place += 1
    return with_records(octets, packets)


@pytest.mark.parametrize("kind", _KINDS)
@examples(18)
@given(seed=st.integers(0, 2), number=st.integers(0, 5))
def test_many_that_changed_places_are_no_errors(kind: str, seed: int, number: int) -> None:
    octets = _one_connection(kind, seed)
    assert errors(octets) == []
    assert errors(_swapped(octets, Random(number))) == []


def _named(capture: bytes) -> dict[tuple[str, str, int | None], int]:
    """How often each rule is broken, by client and channel; of any severity."""
    return {(item.rule_id, item.client, item.channel): item.occurrences for item in audit_capture(capture)}


@pytest.mark.parametrize("seed", range(1, 5))
def test_packets_that_came_late_and_twice_change_no_finding(seed: int) -> None:
    capture = legal_traffic(seed)
    assert _named(Imperfection(reorder=0.1).of(capture, seed)) == _named(capture)


@pytest.mark.parametrize("microseconds", [-100_000, -3000, -900, -100, 500, 20_000])
def test_clocks_that_differ_are_no_errors(microseconds: int) -> None:
    """Each side was captured by a port with a clock of its own."""
    for seed in (1, 2):
        assert errors_in(with_other_clock(legal_traffic(seed), microseconds)) == set()
    assert errors_in(with_other_clock(file_of(busy()), microseconds)) == set()


def _doubtful(*frames: tuple[int, int, int]) -> set[int]:
    """The packets of the frames whose order is not certain, from packet, direction and time of each."""
    made = [AuditFrame(packet, direction, 0, 0, packet, 0, ns, 1, 1, 12) for packet, direction, ns in frames]
    doubtful: set[int] = set()
    assert list(with_doubts(made, doubtful)) == made
    return doubtful


def test_the_order_of_two_packets_is_not_certain() -> None:
    assert _doubtful((1, 1, 20), (2, 0, 10), (3, 1, 30)) == {1, 2}
    assert _doubtful((1, 1, 20), (2, 1, 30), (3, 0, 25)) == {2, 3}
    # That of one side is: by its sequence numbers.
    assert _doubtful((1, 0, 20), (2, 0, 10)) == set()
    # A large frame is complete late, but its packet is not late.
    assert _doubtful((2, 1, 20), (1, 0, 10)) == set()


def test_packets_without_a_time_are_not_doubted() -> None:
    assert _doubtful((1, 1, 0), (2, 0, 0), (3, 1, 0)) == set()


def test_doubts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_order, "_MOST_DOUBTS", 2000)
    monkeypatch.setattr(frame_order, "_MOST_HELD_FRAMES", 200)
    doubtful: set[int] = set()
    frames = (AuditFrame(no, no % 2, 0, 0, no, 0, 50 * (no % 2), 1, 1, 12) for no in range(6000))
    assert sum(1 for _ in with_doubts(frames, doubtful)) == 6000
    assert 100 < len(doubtful) < 3000


def test_a_channel_is_followed_again_once_it_is_opened() -> None:
    """The first reply bears the time before its request; what the second one lacks is certain."""
    declared = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
    closed = [client("channel.close", reply_code=200, reply_text="", class_id=0, method_id=0)]
    steps = [declared, 1, *closed, server("channel.close-ok"), *OPEN, 1, declared]
    packets = packets_of(ready(steps))
    places = [place for place, (_, octets) in enumerate(packets) if declared[1] in octets]
    assert [_replies(packets), _replies(_earlier(packets, places[0]))] == [2, 1]


@pytest.mark.parametrize(
    "late", [b"\0\x14\0\x0a\0\xce", b"\0\x0a\0\x28"], ids=["its own", "of the connection"]
)
def test_a_channel_whose_opening_came_late_is_not_followed(late: bytes) -> None:
    """Deliveries on it came before, in the file; so did its own opening, if it waited for that of the connection."""
    packets = packets_of(cases_conversation.CASES["ack-settled-tag"].wrong)
    opening, delivered = (
        next(place for place, (_, octets) in enumerate(packets) if part in octets)
        for part in (late, b"body\xce")  # connection.open or channel.open; the end of the delivery
    )
    packets.insert(delivered, packets.pop(opening))
    found = audit_capture(file_of(packets))
    assert [item.rule_id for item in found if item.severity == "error"] == []


def _earlier(packets: Sequence[tuple[int, bytes]], place: int) -> list[tuple[int, bytes]]:
    """A packet bears a time before that of the three packets before it."""
    return [
        (packets[place - 3][0] - 1 if number == place else ns, octets)
        for number, (ns, octets) in enumerate(packets)
    ]


def _replies(packets: Sequence[tuple[int, bytes]]) -> int:
    found = audit_capture(file_of(packets))
    return sum(item.occurrences for item in found if item.rule_id == "reply-without-request")


def test_rules_across_messages_are_not_fooled_either(tmp_path: Path) -> None:
    """A capture for each place where two packets may have changed places; the connection lives on for a while."""
    declare, bind = client("queue.declare", queue="q", durable=True), client(
        "queue.bind", queue="q", exchange="e"
    )
    declared = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
    packets = packets_of(ready([[declare, declared, bind, server("queue.bind-ok")] for _ in range(3)], 20))
    files = [tmp_path / f"{place}.pcap" for place in range(len(packets) - 1)]
    for place, file in enumerate(files):
        (first_ns, first), (second_ns, second) = packets[place : place + 2]
        swapped = [*packets[:place], (first_ns, second), (second_ns, first), *packets[place + 2 :]]
        file.write_bytes(file_of(swapped))
    lake = create_lake(str(tmp_path / "lake"))
    inputs = [CaptureInput(file.stem, (file,)) for file in files]
    list(ingest(lake, inputs, local_engine(ReadSettings()), lambda octets: None))
    found = [item for item in audit_lake(lake, InProcess()) if item.severity != "info"]
    assert [(item.capture_id, item.rule_id, item.evidence) for item in found] == []


def test_what_the_next_packet_does_not_explain_is_told() -> None:
    """The answer to an error is no reason to doubt it; nor is what has nothing to do with it."""
    wrong = client("basic.ack", delivery_tag=9)
    close = server("channel.close", reply_code=406, reply_text="", class_id=60, method_id=80)
    assert "ack-unknown-tag" in rules_in(ended(wrong, close, client("channel.close-ok"), RST))
    answers = [server("basic.qos-ok")]
    assert "ack-unknown-tag" in rules_in(ended(client("basic.qos", prefetch_count=1), wrong, answers, RST))


def test_a_packet_may_have_many_frames() -> None:
    """All of which wait for one packet of the other side."""
    many = (0, b"".join(octets for _, octets in [client("queue.declare", queue="q"), *publish() * 500]))
    declared = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
    steps = [*handshake(), client("channel.open"), many, server("channel.open-ok"), declared, *BYE]
    assert [rule for rule in rules_in(steps) if RULES[rule].severity == AuditSeverity.ERROR] == []


def test_what_is_held_back_is_bounded() -> None:
    """So is how often it is looked at again: each is told, though no packet of the other side comes."""
    wrong = [client("basic.ack", delivery_tag=number) for number in range(9, 9009)]
    capture = capture_of(ended(wrong, publish(b"x"), RST))
    found = [item for item in audit_capture(capture) if item.rule_id == "ack-unknown-tag"]
    assert [item.occurrences for item in found] == [9000]
