"""Frames for tests to decode, and what comes out as rows that can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.decode.decoded import Decoded, RowsOfKind
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.decode.events import PACKAGE, Event
from amqp_traffic.frames.formats import FrameSpan
from amqp_traffic.frames.protocol import Protocol

from tests.generated.amqp0.variants import read_variant
from tests.generated.amqp1.variants import without_counts

CLIENT, SERVER = Direction.client_to_server, Direction.server_to_client
RABBITMQ = "amqp_0_9_1_rabbitmq"
METHOD, HEADER, BODY = 1, 2, 3


@dataclass
class Talk:
    """What stands for a conversation."""

    package: str = RABBITMQ
    number: int = 1
    product: str = ""
    dialect: str = ""
    protocol: Protocol = field(init=False)

    def __post_init__(self) -> None:
        self.protocol = Protocol("", self.package, "header")


def span(frame_type: int, payload: bytes, channel: int = 1, place: int = 0) -> FrameSpan:
    """A frame, the numbers of which tell its place."""
    size = len(payload) + 8
    return FrameSpan(1000 * place, size, frame_type, channel, payload, 10 + place, 100 * place, 7_000 + place)


def spans(payloads: Iterable[tuple[int, bytes]], channel: int = 1) -> list[FrameSpan]:
    """Frames of these types and payloads, one after the other."""
    return [span(kind, payload, channel, place) for place, (kind, payload) in enumerate(payloads)]


@dataclass
class Result:
    """What came out."""

    decoded: Decoded
    quarantine: Quarantine
    decoding: Decoding

    @property
    def events(self) -> list[Event]:
        """Those of frames."""
        return [event for event in self.decoded.events if event[4] != PACKAGE]

    @property
    def statuses(self) -> list[tuple[str | None, str, str | None]]:
        """Name, status and error of all frames."""
        return [row[-3:] for row in self.decoded.frames]

    def rows(self) -> list[dict[str, Any]]:
        """Methods and performatives in the order of their frames, without what is None; variants are read."""
        kinds = [*self.decoded.methods, *self.decoded.performatives]
        found = [pair for kind in kinds for pair in rows_of(kind)]
        return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def rows_of(kind: RowsOfKind) -> list[tuple[int, dict[str, Any]]]:
    """The rows of a kind with the places of their frames."""
    return [(place, named(row, kind.columns)) for place, row in zip(kind.frames, kind.rows, strict=True)]


def named(row: Sequence[Any], columns: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """A row by the names of its columns, without what is None; variants are read."""
    return {
        name: without_counts(read_variant(value)) if kind == "variant" else value
        for (name, kind), value in zip(columns, row, strict=True)
        if value is not None
    }


def decode(
    frames: list[FrameSpan], package: str = RABBITMQ, direction: Direction = CLIENT, **options: Any
) -> Result:
    """Decode frames of one connection."""
    quarantine = Quarantine()
    decoding = Decoding(quarantine, **options)
    decoding.on_frames(Talk(package), direction, frames)  # type: ignore[arg-type]
    return Result(decoding.take(), quarantine, decoding)
