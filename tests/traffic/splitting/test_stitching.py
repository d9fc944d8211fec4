"""Captures read in splits and put together are as those read in one pass: frames, their order, ledgers, quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import FileShape
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .. import capture_builder
from ..capture_builder import ACK, FIN, PSH, RST, SYN, Conversation
from .split_engine import Stitching, assert_equal, make, read_splits, read_whole, ring, splits_at

pytestmark = pytest.mark.slow  # whole captures or sites, several times each

COUNTS = [1, 2, 7, 64]
# Nothing is wrong with these, so that nearly all must be stitched.
CLEAN: dict[str, dict[str, Any]] = {
    "mix": {"size": 1_000_000},
    "many": {"size": 1_500_000, "connections": 40},
    "hot": {"size": 1_000_000, "connections": 1, "mix": {"0-9-1-rabbitmq": 1}, "body_size": 1000},
    "hot 1.0": {"size": 1_000_000, "connections": 1, "mix": {"1.0": 1}, "body_size": 1000},
    "large bodies": {"size": 3_000_000, "connections": 4, "body_size": 400_000},
    "large segments": {"size": 3_000_000, "mss": 60_000},
    "pcapng": {"size": 700_000, "file": FileShape("pcapng", "big", "ns", "sll2")},
    "simple packets": {"size": 700_000, "file": FileShape("pcapng", packet_block="simple")},
    "IPv6": {"size": 700_000, "ip": "both"},
    "another port": {"size": 700_000, "server_port": 25672},
    "wrong order": {"size": 700_000, "damage": Damage(reorder=0.01)},
    "garbage and cut": {"size": 1_000_000, "damage": Damage(garbage=3, truncate=True)},
}
# What can not be judged without the beginning of a connection is left to one pass.
OTHERS: dict[str, dict[str, Any]] = {
    "captures in bodies": {"size": 800_000, "contents": "capture"},
    "frames in bodies": {"size": 800_000, "contents": "frames"},
    "dropped": {"size": 700_000, "damage": Damage(drop=0.01)},
    "twice": {"size": 700_000, "damage": Damage(duplicate=0.01)},
    "overlap": {"size": 700_000, "damage": Damage(overlap=0.01, conflict=0.01, duplicate=0.01)},
    "flipped": {"size": 700_000, "damage": Damage(flip=0.01)},
    "cut packets": {"size": 800_000, "file": FileShape(snaplen=256)},
    "in the middle": {"size": 700_000, "damage": Damage(skip=400)},
}
KINDS = CLEAN | OTHERS


def check(files: Sequence[bytes], splits: Any, **options: bool) -> Stitching:
    """Both ways of reading give the same."""
    stitching = read_splits(files, splits, **options)
    assert_equal(stitching.whole, read_whole(files))
    return stitching


@pytest.mark.parametrize("kind", KINDS)
def test_splits_equal_one_pass(kind: str) -> None:
    file = make(seed=1, **KINDS[kind])
    for count in COUNTS:
        stitching = check([file], count)
        if kind in CLEAN and count < 64:
            assert stitching.spanning >= 0.9 * (stitching.spanning + len(stitching.plan.unverified))
            assert count == 1 or stitching.spanning


@pytest.mark.parametrize("kind", ["mix", "hot", "wrong order", "dropped", "twice", "in the middle"])
def test_a_ring_of_files_is_one_capture(kind: str) -> None:
    file = make(seed=2, **{**KINDS[kind], "size": 300_000})
    packets = read_whole([file]).packets
    files = ring(file, [packets // 5, packets // 2, packets // 2 + 1])
    assert len(files) == 4
    for count in (1, 3):
        check(files, count)


def test_that_nearly_all_of_an_ordinary_capture_is_stitched() -> None:
    """More than 95 of 100 connections that are in more than one split."""
    spanning = unverified = 0
    for seed in range(2):
        file = make(seed=seed, size=3_000_000, connections=40)
        for count in (2, 8):
            stitching = read_splits([file], count)
            spanning += stitching.spanning
            unverified += len(stitching.plan.unverified)
    assert spanning > 60
    assert unverified < 0.05 * spanning


def test_without_a_survey() -> None:
    """Then versions that are not the most frequent are left to one pass; TLS and 1.0 are not."""
    file = make(
        seed=3, size=1_000_000, mix={"0-8": 1, "tls": 1, "1.0": 1, "0-9-1-rabbitmq": 1}, connections=8
    )
    with_survey, without = check([file], 3), check([file], 3, with_survey=False)
    assert not with_survey.plan.unverified
    assert len(without.plan.unverified) == 2, without.plan.unverified


def test_numbers_are_those_of_one_pass() -> None:
    file = make(seed=4, size=1_000_000)
    plan = read_splits([file], 4).plan
    assert not plan.unverified
    assert [it.record.number for it in plan.connections] == list(range(1, len(plan.connections) + 1))
    whole = read_whole([file]).connections
    numbers = [reading.record.number for reading in whole.values() if reading.record]
    starts = [reading.record.start_ns for reading in whole.values() if reading.record]
    assert [it.record.start_ns for it in plan.connections] == [
        start for _, start in sorted(zip(numbers, starts, strict=True))
    ]


# --- Connections made by hand, and a split before each packet ---

HEADER = b"AMQP\0\0\x09\1"
HEARTBEAT = b"\x08\0\0\0\0\0\0\xce"
ACKED = amqp.encode_frame(1, amqp.methods.BasicAck(delivery_tag=1))
BIG = bytes(range(256)) * 5


def publish(body: bytes = b"body") -> bytes:
    properties = amqp.content.BasicProperties()
    return amqp.encode_message(
        1, amqp.methods.BasicPublish(exchange="", routing_key="q"), properties, body, max_frame_size=4096
    )


OPENING = (
    (0, HEADER),
    (
        1,
        amqp.encode_frame(
            0,
            amqp.methods.ConnectionStart(
                version_major=0,
                version_minor=9,
                server_properties={"product": "RabbitMQ"},
                mechanisms=b"PLAIN",
                locales=b"en_US",
            ),
        ),
    ),
    (
        0,
        amqp.encode_frame(
            0,
            amqp.methods.ConnectionStartOk(
                client_properties={}, mechanism="PLAIN", response=b"\0guest\0guest", locale="en_US"
            ),
        ),
    ),
    (1, amqp.encode_frame(0, amqp.methods.ConnectionTune(channel_max=9, frame_max=4096, heartbeat=60))),
    (0, amqp.encode_frame(0, amqp.methods.ConnectionTuneOk(channel_max=9, frame_max=4096, heartbeat=60))),
)


def opened(**options: Any) -> Conversation:
    conversation = Conversation(**options).open()
    for direction, data in OPENING:
        conversation.send(direction, data, 200)
    return conversation


def talk(conversation: Conversation, times: int = 10) -> Conversation:
    for _ in range(times):
        conversation.send(0, publish() + publish(BIG), 300).send(1, ACKED)
    return conversation


def split_everywhere(packets: list[capture_builder.Tcp], step: int = 1) -> list[Stitching]:
    file = capture_builder.pcap(capture_builder.captured(packets))
    found = []
    for at in range(1, len(packets), step):
        found.append(check([file], lambda file, at=at: splits_at(file, [at])))
        check([file], lambda file, at=at: splits_at(file, [at, at + 3, at + 40]))
    return found


def test_a_connection_split_at_each_packet() -> None:
    found = split_everywhere(talk(opened()).close().packets)
    assert not any(it.plan.unverified for it in found)


def test_heartbeats_only() -> None:
    conversation = opened()
    for number in range(40):
        conversation.send(number % 2, HEARTBEAT)
    found = split_everywhere(conversation.packets)
    assert not any(it.plan.unverified for it in found)


def test_a_direction_that_is_silent() -> None:
    """Its acknowledgments tell where it is."""
    found = split_everywhere(opened().send(0, publish(BIG) * 10, 500).packets)
    assert not any(it.plan.unverified for it in found)


def test_a_connection_that_is_idle_for_some_splits() -> None:
    """Others have all packets of two splits; this one goes on afterwards."""
    idle, other = talk(opened(), 3), opened(client=("10.0.0.9", 999))
    before = len(idle.packets)
    others = [it for part in (talk(other, 20),) for it in part.packets]
    file = capture_builder.pcap(
        capture_builder.captured(idle.packets[:before] + others + talk(idle, 3).close().packets[before:])
    )
    first, last = before + 10, before + len(others) - 10
    stitching = check([file], lambda file: splits_at(file, [first, (first + last) // 2, last]))
    assert not stitching.plan.unverified
    assert stitching.spanning == 2


def test_ports_used_again() -> None:
    first, second = talk(opened(), 3), talk(opened(sequences=[900_000, 1]), 3).close()
    for closed in (True, False):
        packets = first.close().packets if closed else list(first.packets)
        found = split_everywhere(packets + second.packets, 3)
        assert all(len(it.plan.connections) == 2 for it in found if not it.plan.unverified)
        assert sum(bool(it.plan.unverified) for it in found) <= 2


def test_a_syn_that_comes_again() -> None:
    """A split that does not know the first one takes it for that of another connection; this is found out."""
    conversation = talk(opened(), 3)
    packets = [*conversation.packets, conversation.packets[0], conversation.packets[1]]
    before = len(conversation.packets)
    packets += talk(conversation, 3).packets[before:]
    found = split_everywhere(packets, 3)
    assert "a connection was taken for two" in {why for it in found for why in it.plan.unverified.values()}


def test_that_something_is_agreed_on_in_the_middle() -> None:
    """Who did not see the beginning does not know whether this matters."""
    for direction, data in OPENING:
        conversation = talk(opened(), 3).send(direction, data, 200)
        middle = len(conversation.packets) - 30
        file = capture_builder.pcap(capture_builder.captured(talk(conversation, 3).packets))
        why = check([file], lambda file, at=middle: splits_at(file, [at])).plan.unverified  # type: ignore[misc]
        if data != OPENING[3][1]:  # connection.tune only proposes
            assert list(why.values()) == ["something was agreed on"]


def test_keep_alives_resets_and_strays() -> None:
    conversation = talk(opened(), 2)
    for direction in (0, 1):
        conversation.sequences[direction] -= 1
        conversation.packet(direction)
        conversation.packet(direction, b"\0")
    talk(conversation, 2).packet(1, b"", RST)
    conversation.packet(0, b"late", PSH | ACK)
    conversation.packet(0, b"", FIN | ACK)
    split_everywhere(conversation.packets, 2)


def test_tls_is_stitched_although_no_frame_is_found() -> None:
    record = b"\x17\x03\x03\x04\x00" + bytes(Random(1).randrange(256) for _ in range(1024))
    hello = b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03"
    conversation = Conversation().open().send(0, hello).send(1, record)
    for number in range(80):
        conversation.send(number % 2, record, 1400)
    file = capture_builder.pcap(capture_builder.captured(conversation.packets))
    stitching = check([file], 2)
    assert stitching.spanning == 1
    assert stitching.plan.connections[0].record.protocol.name == "tls"


def test_more_than_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amqp_traffic.splitting.fragments.MOST_HELD", 2000)
    conversation = talk(opened(), 20)
    file = capture_builder.pcap(capture_builder.captured(conversation.packets))
    garbage = Conversation(("10.0.0.9", 999)).send(0, capture_builder.octets(9000), 1000)
    both = capture_builder.pcap(capture_builder.captured(conversation.packets + garbage.packets))
    assert not check([file], 2).plan.unverified
    why = check([both], lambda file: splits_at(file, [len(conversation.packets) - 4])).plan.unverified
    assert list(why.values()) == ["too much came before a frame was found"]


def test_connections_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes long after the end is of no connection, in one pass and in splits."""
    monkeypatch.setattr("amqp_traffic.streams.connections._LINGER_PACKETS", 20)
    one = talk(opened(), 2).close()
    late = [one.packets[-3], one.packets[-2], one.packets[10]]
    other = talk(opened(client=("10.0.0.9", 999)), 4)
    packets = one.packets[:-1] + other.packets[:40] + late + other.packets[40:] + late
    packets += [Conversation(("10.0.0.8", 1)).packet(0, flags=SYN), *talk(other, 4).packets[-60:], *late]
    split_everywhere(packets, 3)


# --- Anything ---


def _rate(most: float) -> st.SearchStrategy[float]:
    return st.one_of(st.just(0.0), st.floats(0, most))


damages = st.builds(
    Damage,
    skip=st.one_of(st.just(0), st.integers(0, 300)),
    drop=_rate(0.02),
    duplicate=_rate(0.02),
    reorder=_rate(0.02),
    overlap=_rate(0.02),
    flip=_rate(0.01),
    conflict=_rate(0.01),
)


@examples(30)
@given(
    seed=st.integers(0, 1 << 20),
    damage=damages,
    contents=st.sampled_from(["text", "random", "capture", "frames"]),
    connections=st.integers(1, 12),
    form=st.sampled_from(["pcap", "pcapng"]),
    places=st.lists(st.floats(0, 1), min_size=1, max_size=8),
    with_survey=st.booleans(),
)
def test_any_capture_split_anywhere(
    seed: int,
    damage: Damage,
    contents: str,
    connections: int,
    form: str,
    places: list[float],
    with_survey: bool,
) -> None:
    file = make(
        seed=seed,
        size=60_000,
        connections=connections,
        contents=contents,
        damage=damage,
        file=FileShape(form),
    )
    packets = read_whole([file]).packets
    points = [int(place * packets) for place in places]
    check([file], lambda file: splits_at(file, points), with_survey=with_survey)
    if form == "pcap":
        check(ring(file, points[:2]), lambda file: splits_at(file, points), with_survey=with_survey)
