"""Recorded conversations: what each side has said, frame by frame and method by method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Side = Literal["client", "server"]
SIDES: tuple[Side, Side] = ("client", "server")
CLOSES = ("channel.close", "connection.close")
# What the server answers to what is not a request.
_STEPS = {"header": {"connection.start"}, "connection.start-ok": {"connection.tune"}}


class Turn(NamedTuple):
    """What one side has said at once."""

    side: Side
    octets: bytes


@dataclass
class Item:
    """A method, with its content if it has one, or a protocol header."""

    side: Side
    channel: int
    method: Any
    octets: bytes
    properties: Any = None
    body: bytes = b""
    missing: int = -1  # octets of the body; -1 before the header

    @property
    def name(self) -> str:
        return str(getattr(self.method, "NAME", "header"))

    @property
    def essence(self) -> tuple[Any, ...]:
        """What is the same however a body is cut into frames, and whichever method a close is about."""
        said = self.method
        if self.name in CLOSES:
            said = self.name, said.reply_code, said.reply_text
        return self.channel, said, self.properties, self.body


class Reader:
    """Reads what one side says, a frame at a time, without the modules that the engine uses for it."""

    def __init__(self, amqp: Any, side: Side) -> None:
        self._amqp = amqp
        self._side: Side = side
        self._decoder = amqp.FrameDecoder(max_frame_size=0)
        self._open: dict[int, Item] = {}

    def read(self, octets: bytes) -> Item | None:
        """Take a frame; return what is complete with it, heartbeats aside."""
        [(channel, frame)] = self._decoder.feed(octets)
        if isinstance(frame, self._amqp.Heartbeat):
            return None
        item = self._open.pop(channel, None)
        if isinstance(frame, self._amqp.ContentHeader):
            assert item is not None
            item.properties, item.missing = frame.properties, frame.body_size
        elif isinstance(frame, self._amqp.ContentBody):
            assert item is not None
            item.body += frame.payload
            item.missing -= len(frame.payload)
        else:
            item = Item(self._side, channel, frame, b"")
        item.octets += octets
        if getattr(item.method, "HAS_CONTENT", False) and item.missing:
            self._open[channel] = item
            return None
        return item


def frames_of(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Cut turns into those of a frame each; one that is not complete is left out."""
    left = {"client": b"", "server": b""}
    for side, octets in turns:
        left[side] += octets
        start, rest = 0, left[side]
        while len(rest) - start >= 8:
            is_header = rest.startswith(b"AMQP", start)
            end = start + 8 + (0 if is_header else int.from_bytes(rest[start + 3 : start + 7], "big"))
            if end > len(rest):
                break
            yield Turn(side, rest[start:end])
            start = end
        left[side] = rest[start:]


def merged(amqp: Any, client: bytes, server: bytes) -> Iterator[Turn]:
    """Put both sides in an order that can have been, if the client waited for the answer to each request."""
    read_client, read_server = (Reader(amqp, side).read for side in SIDES)
    answers = frames_of([Turn("server", server)])
    for turn in frames_of([Turn("client", client)]):
        yield turn
        request = read_client(turn.octets)
        if request is None:
            continue
        awaited = _STEPS.get(request.name) or {kind.NAME for kind in getattr(request.method, "RESPONSES", ())}
        for answer in answers if awaited else ():
            yield answer
            found = read_server(answer.octets)
            if found is not None and found.name in awaited and found.channel == request.channel:
                break
    yield from answers
