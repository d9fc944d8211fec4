"""Conversations of 0-x written down step by step, and what assembling makes of them.

A step is a direction and the octets of a frame, or how many octets are lost. The octets go the whole way: through
framing and decoding. Step number n was captured at n microseconds; steps are counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_package
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.decode.body_retention import NO_BODIES, BodyRetention
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.decode.events import Event, named_event
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.messages.output import ConnectionFacts
from amqp_traffic.schemas import EXCHANGES, MESSAGES

from ..stream_builder import cut0

Step: TypeAlias = "tuple[int, bytes | int]"

RABBITMQ, OLD = "amqp_0_9_1_rabbitmq", "amqp_0_8"
HEADERS = {
    RABBITMQ: b"AMQP\x00\x00\x09\x01",
    "amqp_0_9": b"AMQP\x01\x01\x00\x09",
    OLD: b"AMQP\x01\x01\x08\x00",
}
MICROSECOND = 1000


def header(package: str = RABBITMQ) -> Step:
    """The protocol header."""
    return 0, HEADERS[package]


def say(direction: int, name: str, channel: int = 1, package: str = RABBITMQ, **fields: Any) -> Step:
    """A method."""
    amqp = load_package(package)
    (method,) = [method for method in amqp.methods.METHODS.values() if name == method.NAME]
    return direction, amqp.encode_frame(channel, method(**fields))


def client(name: str, channel: int = 1, package: str = RABBITMQ, **fields: Any) -> Step:
    """A method from the client."""
    return say(0, name, channel, package, **fields)


def server(name: str, channel: int = 1, package: str = RABBITMQ, **fields: Any) -> Step:
    """A method from the server."""
    return say(1, name, channel, package, **fields)


def content(
    direction: int,
    name: str,
    body: bytes = b"body",
    channel: int = 1,
    package: str = RABBITMQ,
    properties: dict[str, Any] | None = None,
    frame_max: int = 4096,
    class_name: str = "BasicProperties",
    **fields: Any,
) -> list[Step]:
    """A method with its content, frame by frame."""
    amqp = load_package(package)
    (method,) = [method for method in amqp.methods.METHODS.values() if name == method.NAME]
    made = getattr(amqp.content, class_name)(**properties or {})
    octets = amqp.encode_message(channel, method(**fields), made, body, max_frame_size=frame_max)
    return [(direction, frame) for frame in cut0(octets)]


def publish(body: bytes = b"body", channel: int = 1, **fields: Any) -> list[Step]:
    """A message from the client."""
    return content(0, "basic.publish", body, channel, **{"exchange": "e", "routing_key": "k", **fields})


def deliver(tag: int, body: bytes = b"body", channel: int = 1, **fields: Any) -> list[Step]:
    """A message from the server."""
    fields = {"consumer_tag": "c", "exchange": "e", "routing_key": "k", "delivery_tag": tag, **fields}
    return content(1, "basic.deliver", body, channel, **fields)


def get_ok(tag: int, **fields: Any) -> list[Step]:
    """A message from the server that was asked for."""
    fields = {"exchange": "e", "routing_key": "k", "message_count": 3, "delivery_tag": tag, **fields}
    return content(1, "basic.get-ok", **fields)


def heartbeat(direction: int) -> Step:
    """A heartbeat."""
    amqp = load_package(RABBITMQ)
    return direction, amqp.encode_frame(0, amqp.Heartbeat())


OPEN = [header(), client("channel.open"), server("channel.open-ok")]
CONFIRM = [*OPEN, client("confirm.select"), server("confirm.select-ok")]


def opened(channel: int) -> list[Step]:
    """Opens another channel."""
    return [client("channel.open", channel), server("channel.open-ok", channel)]


def events_of(
    steps: Iterable[Step], number: int = 0, bodies: bool = False, from_start: bool = True
) -> list[Event]:
    """What decoding makes of a connection with that number."""
    decoding = Decoding(Quarantine(), bodies=bodies)
    conversation = FramedConversation(number, decoding.on_frames, decoding._quarantine, from_start=from_start)
    offsets = [0, 0]
    for step, (direction, octets) in enumerate(steps):
        data, gap = (b"", octets) if isinstance(octets, int) else (octets, 0)
        piece = StreamPiece(data, offsets[direction], gap, step + 1, 0, step * MICROSECOND)
        conversation.feed(Direction(direction), piece)
        offsets[direction] += len(data) + gap
    conversation.finish((offsets[0], offsets[1]))
    return list(map(named_event, decoding.take().events))


@dataclass
class Rows:
    """What assembling makes of events."""

    messages: list[dict[str, Any]]
    exchanges: list[dict[str, Any]]
    facts: ConnectionFacts

    def pick(self, *names: str) -> list[Any]:
        """These columns of the messages, in the order in which they began; a single one without tuples."""
        rows = sorted(self.messages, key=lambda row: row["frame_no"])
        return [row[names[0]] if len(names) == 1 else tuple(row[name] for name in names) for row in rows]

    def pairs(self) -> list[tuple[str | None, str | None, str]]:
        """Names of requests and replies, and outcomes."""
        return [(row["name"], row["reply_name"], row["outcome"]) for row in self.exchanges]


def named(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Rows as dicts."""
    names = [name for name, _ in columns]
    return [dict(zip(names, row, strict=True)) for row in rows]


def assemble(events: Iterable[Event], bodies: BodyRetention = NO_BODIES) -> Rows:
    """The rows of connection 0."""
    assemblies = Assemblies(bodies=bodies)
    assemblies.add(events)
    facts = assemblies.finish(0)
    messages, exchanges = assemblies.take()
    return Rows(named(MESSAGES, messages), named(EXCHANGES, exchanges), facts)


def play(steps: Iterable[Step], bodies: BodyRetention = NO_BODIES, from_start: bool = True) -> Rows:
    """The rows of a conversation."""
    return assemble(events_of(steps, bodies=bodies.wanted, from_start=from_start), bodies)
