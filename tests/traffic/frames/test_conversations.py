"""Synthetic captures with labels: all frames that are there are found, and no others."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.frames.formats import PROTOCOL_HEADER, FrameSpan
from amqp_traffic.frames.frame_reader import Conversations
from amqp_traffic.streams.connection import CapturedConnection
from amqp_traffic.streams.connections import ConnectionTracker
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.mix import DEFAULT_MIX, package_of
from amqp_traffic.synth.order import CaptureOrder, FileShape
from amqp_traffic.synth.setting import password_of
from amqp_traffic.synth.synthesis import synthesise

AMQP = {kind: share for kind, share in DEFAULT_MIX.items() if package_of(kind)}


@dataclass
class Comparison:
    """What is in a capture, beside what was found in it.

    Attributes:
        conversations: All of them.
        quarantine: What was left out.
        octets: The capture.
        frames: The frames, by connection and direction.
        missed: Frames that are there and were not found, by kind of connection.
        false: What was found and was never sent.
        intact: How many frames are there.
        found: How many were found, damaged ones included.
        protocols: What connections of each kind were taken for.
        orders: The packets of the frames of each connection, one after the other.
    """

    conversations: list[tuple[CapturedConnection, FramedConversation]]
    quarantine: Quarantine
    octets: bytes
    frames: dict[tuple[int, int], list[FrameSpan]] = field(default_factory=dict)
    missed: Counter[str] = field(default_factory=Counter)
    false: list[Any] = field(default_factory=list)
    intact: int = 0
    found: int = 0
    protocols: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)
    orders: dict[int, list[int]] = field(default_factory=dict)

    @property
    def recall(self) -> float:
        return 1 - self.missed.total() / self.intact


@dataclass
class Framed:
    """What came out of a capture.

    Attributes:
        calls: Conversation, direction and frames, in the order of the calls.
        ended: All connections.
        quarantine: What was left out.
    """

    calls: list[tuple[FramedConversation, Direction, list[FrameSpan]]] = field(default_factory=list)
    ended: list[tuple[CapturedConnection, FramedConversation]] = field(default_factory=list)
    quarantine: Quarantine = field(default_factory=Quarantine)


def read_frames(octets: bytes) -> Framed:
    """Read a capture; ledgers are checked on the way."""
    framed = Framed()
    conversations = Conversations(
        lambda *call: framed.calls.append(call),
        lambda *ended: framed.ended.append(ended),
        quarantine=framed.quarantine,
    )
    connections = ConnectionTracker(
        conversations.on_pieces, conversations.on_end, quarantine=framed.quarantine
    )
    connections.read(read_segments(recognise_capture(octets, framed.quarantine)))
    connections.flush()
    return framed


def compare(**order: Any) -> Comparison:
    """Make a capture, read it, compare."""
    file, book = io.BytesIO(), io.StringIO()
    synthesise(CaptureOrder(**order), file, book)
    framed = read_frames(file.getvalue())
    result = Comparison(framed.ended, framed.quarantine, file.getvalue())
    for conversation, direction, frames in framed.calls:
        result.frames.setdefault((conversation.number, direction), []).extend(frames)
        result.orders.setdefault(conversation.number, []).extend(frame.packet_no for frame in frames)
    _judge(result, [json.loads(line) for line in book.getvalue().splitlines()])
    return result


def _judge(result: Comparison, labels: list[dict[str, Any]]) -> None:
    made = [label for label in labels if label["label"] == "connection"]
    truth: dict[tuple[int, int], dict[tuple[int, int], dict[str, Any]]] = {}
    for label in labels:
        if label["label"] in ("frame", "header"):
            spans = truth.setdefault((label["connection"], label["direction"]), {})
            spans[label["offset"], label["size"]] = label
    for connection, conversation in result.conversations:
        same = [label for label in made if tuple(label["client"]) == connection.client]
        label = min(same, key=lambda label: _distance(label, connection, 0))  # ports are used again
        kind, number = label["kind"], label["connection"]
        protocol = conversation.protocol
        names = (protocol.name, protocol.package, protocol.by) if protocol else ("", "", "")
        result.protocols.setdefault(kind, set()).add(names)
        for direction in Direction:
            # Offsets count from what was captured first; those of labels from what was sent first.
            begin = _distance(label, connection, direction)
            sent = truth.pop((number, direction), {})
            found = {
                (frame.offset + begin, frame.size): frame
                for frame in result.frames.get((connection.number, direction), [])
            }
            result.found += len(found)
            for place, frame in found.items():
                there = sent.get(place)
                if there is None or (there["intact"] and not _is_alike(there, frame)):
                    result.false.append((kind, number, direction, place, frame))
            for place, there in sent.items():
                result.intact += there["intact"]
                result.missed[kind] += there["intact"] and place not in found
    assert not any(there["intact"] for spans in truth.values() for there in spans.values())


def _distance(label: dict[str, Any], connection: CapturedConnection, direction: int) -> int:
    """How far into a stream its first octet is that was captured."""
    return (connection.streams[direction].first_sequence - label["sequences"][direction] - 1) % 2**32


def _is_alike(there: dict[str, Any], frame: FrameSpan) -> bool:
    if there["label"] == "header":
        return frame.type == PROTOCOL_HEADER
    return (there["type"], there["channel"]) == (frame.type, frame.channel)


PROTOCOLS = {
    "0-9-1-rabbitmq": ("0-9-1", "amqp_0_9_1_rabbitmq", "header"),
    # The synthetic broker says that it is RabbitMQ.
    "0-9": ("0-9", "amqp_0_9_1_rabbitmq", "header"),
    "0-8": ("0-8", "amqp_0_8_rabbitmq", "header"),
    "0-8-as-9-1": ("0-8", "amqp_0_8_rabbitmq", "header"),
    "1.0": ("1.0", "amqp_1_0_rabbitmq", "header"),
    "1.0-bare": ("1.0", "amqp_1_0_rabbitmq", "header"),
    "tls": ("tls", "", "shape"),
    "http": ("http", "", "shape"),
    "0-10": ("0-10", "", "header"),
    "silent": ("", "", ""),
}


def test_a_whole_capture_of_all_protocols():
    result = compare(seed=1, size=2_000_000)
    assert result.recall == 1 and not result.false and result.intact > 1500
    for kind, protocol in PROTOCOLS.items():
        assert result.protocols[kind] == {protocol}, kind
    # The synthetic broker of this kind does say RabbitMQ, but does not know its methods.
    assert {name for name, _, _ in result.protocols["0-9-1"]} == {"0-9-1"}
    assert {reason.value for reason in result.quarantine.totals} <= {
        "tls",
        "not-amqp",
        "no-data",
        "unsupported-version",
        "tail-incomplete",
    }
    tls = next(it.protocol for _, it in result.conversations if it.protocol and it.protocol.name == "tls")
    assert tls.detail == "TLS 1.2, broker.example"


def test_frames_of_many_kinds_of_files_are_the_same():
    shapes = [FileShape(), FileShape("pcapng", "big", "ns", "sll2")]
    one, other = (compare(seed=2, size=300_000, file=shape) for shape in shapes)
    assert one.found == other.found == one.intact > 100 and not (one.false or other.false)


@pytest.mark.parametrize("contents", ["text", "random", "capture"])
@pytest.mark.parametrize("seed", [3, 4])
def test_one_packet_in_a_hundred_lost(contents, seed):
    result = compare(seed=seed, size=3_000_000, contents=contents, damage=Damage(drop=0.01))
    assert result.recall >= 0.995
    assert not result.false


def test_one_packet_in_a_hundred_lost_where_bodies_are_frames():
    """What may be in a body is not believed, so a little more is missed."""
    result = compare(seed=5, size=3_000_000, contents="frames", damage=Damage(drop=0.01))
    assert result.recall >= 0.95
    assert not result.false


@pytest.mark.parametrize("drop", [0.001, 0.05])
def test_fewer_and_more_packets_lost(drop):
    result = compare(seed=6, size=2_000_000, damage=Damage(drop=drop))
    assert result.recall >= 0.99
    assert not result.false


def test_out_of_order_twice_and_lost():
    damage = Damage(drop=0.01, reorder=0.02, duplicate=0.01, overlap=0.01, conflict=0.005)
    result = compare(seed=7, size=2_000_000, damage=damage)
    assert result.recall >= 0.995
    assert not result.false


def test_a_capture_that_begins_in_the_middle():
    result = compare(seed=8, size=2_000_000, damage=Damage(skip=400), mix=AMQP)
    assert result.recall >= 0.995
    assert not result.false
    by = {names[2] for found in result.protocols.values() for names in found}
    assert by & {"assumed", "shape", "methods"}


def test_a_capture_without_the_ends_of_packets():
    result = compare(seed=9, size=1_000_000, file=FileShape(snaplen=256))
    assert result.recall >= 0.98
    assert not result.false


def test_damaged_octets():
    result = compare(seed=10, size=2_000_000, damage=Damage(flip=0.002, garbage=3, truncate=True))
    assert result.recall >= 0.99
    assert not result.false


def test_passwords_are_nowhere():
    result = compare(seed=11, size=400_000, connections=40)
    logins = [conversation.login for _, conversation in result.conversations if conversation.login]
    users = {login.user for login in logins if login.user}
    assert len(users) > 10
    said = b"".join(frame.payload for frames in result.frames.values() for frame in frames)
    told = repr((logins, result.quarantine, result.frames)).encode()
    passwords = {password_of(user).encode() for user in users}
    assert sum(password in result.octets for password in passwords) > 10  # others are in two packets
    assert not any(password in said or password in told for password in passwords)
