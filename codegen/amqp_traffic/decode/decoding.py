"""From frames to rows and events, by the generated packages: whatever is in a frame, nothing is raised.

A frame that cannot be decoded has its row, too, and goes to the quarantine with a reason.
"""

from __future__ import annotations

from typing import Any, Protocol

from ..capture.quarantine import Quarantine
from ..capture.stream_data import Direction
from ..frames.amqp1.frame_format import PACKAGE as PACKAGE1
from ..frames.formats import FrameSpan
from ..frames.protocol import Protocol as Spoken
from .amqp0.decoder import Decoder as Decoder0
from .amqp1.decoder import Decoder as Decoder1
from .decoded import Decoded
from .events import PACKAGE, EventTuple

_MOST_OCTETS = 32 << 20


class Speaker(Protocol):
    """Whose frames are decoded: a ``Conversation``, or what stands for one."""

    @property
    def number(self) -> int:
        """That of the connection."""

    @property
    def protocol(self) -> Spoken | None:
        """What is spoken; the same object as long as that does not change."""

    @property
    def product(self) -> str:
        """What the server calls itself; the same object as long as that does not change."""

    @property
    def dialect(self) -> str:
        """The field-table dialect; nothing for that of the package."""


class _Counts:
    """The frames of a connection so far, and who decodes them.

    Attributes:
        frames: How many, of both directions together.
        good: By direction, those that could be decoded.
        bad: By direction, the others.
        package: The generated package that reads them; None before the first.
        decoder: Who decodes them, as long as it is known that they speak this protocol, and what the product is.
        protocol: This protocol.
        product: This product.
    """

    __slots__ = ("bad", "decoder", "frames", "good", "package", "product", "protocol")

    def __init__(self) -> None:
        self.frames = 0
        self.good = [0, 0]
        self.bad = [0, 0]
        self.package: str | None = None
        self.decoder: Decoder0 | Decoder1 | None = None
        self.protocol: Spoken | None = None
        self.product = ""

    def __getstate__(self) -> tuple[Any, ...]:
        # Whoever reads on chooses a decoder again.
        return self.frames, self.good, self.bad, self.package

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__init__()  # type: ignore[misc]
        self.frames, self.good, self.bad, self.package = state


class Decoding:
    """Decodes the frames of all connections: ``on_frames`` is what ``Conversations`` calls back.

    It can be pickled after ``take``.
    """

    def __init__(self, quarantine: Quarantine, *, bodies: bool = False, most_rows: int = 65_536) -> None:
        """Begin without rows.

        Args:
            quarantine: What cannot be decoded goes here.
            bodies: Whether events have the octets of bodies of 0-x. Payloads of 1.0 are always there, because
                properties are in them.
            most_rows: How many frames make it ``full``.
        """
        self._quarantine = quarantine
        self._bodies = bodies
        self._most_rows = most_rows
        self._decoded = Decoded()
        self._decoders: dict[tuple[str, str], Decoder0 | Decoder1] = {}
        self._counts: dict[int, _Counts] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_decoders": {}}  # they are made anew when they are needed

    def __len__(self) -> int:
        """How many frames have gathered."""
        return len(self._decoded.spans)

    @property
    def full(self) -> bool:
        """Whether it is time to ``take``: so many frames, or octets of them, have gathered."""
        decoded = self._decoded
        return len(decoded.spans) >= self._most_rows or decoded.octets >= _MOST_OCTETS

    def on_frames(self, conversation: Speaker, direction: Direction, frames: list[FrameSpan]) -> None:
        """Decode frames of one direction."""
        number = conversation.number
        counts = self._counts.get(number)
        if counts is None:
            counts = self._counts[number] = _Counts()
        decoder = counts.decoder
        if (
            decoder is None
            or counts.protocol is not conversation.protocol
            or counts.product is not conversation.product
        ):
            decoder = self._choose(conversation, counts)
        decoded, first, how_many = self._decoded, counts.frames, len(frames)
        side = 1 if direction else 0  # a plain number
        decoded.runs.append((number, side, first, how_many))
        bad = decoder.read(decoded, number, side, first, frames)
        counts.frames = first + how_many
        counts.good[side] += how_many - bad
        counts.bad[side] += bad

    def take(self) -> Decoded:
        """What has gathered since the last time; frame numbers of connections go on."""
        decoded = self._decoded
        for decoder in self._decoders.values():
            decoder.take(decoded)
        self._decoded = Decoded()
        return decoded

    def take_events(self) -> list[EventTuple]:
        """The events that have gathered since they were taken, this way or the other; rows go on to gather."""
        events, self._decoded.events = self._decoded.events, []
        return events

    def frames_of(self, connection: int) -> tuple[int, int]:
        """How many frames of a connection there were so far, by direction; those that are bad count, too."""
        count = self._counts.get(connection) or _Counts()
        return count.good[0] + count.bad[0], count.good[1] + count.bad[1]

    def bad_frames_of(self, connection: int) -> tuple[int, int]:
        """How many of them could not be decoded."""
        count = self._counts.get(connection) or _Counts()
        return count.bad[0], count.bad[1]

    def forget(self, connection: int) -> None:
        """Nothing more comes of this connection."""
        self._counts.pop(connection, None)

    def _choose(self, conversation: Speaker, counts: _Counts) -> Decoder0 | Decoder1:
        """Who decodes the frames of a connection from now on; there is an event if that is another package."""
        protocol = counts.protocol = conversation.protocol
        counts.product = conversation.product
        package = protocol.package if protocol is not None else ""
        if counts.package != package:
            counts.package = package
            self._decoded.events.append((conversation.number, counts.frames, 0, 0, PACKAGE, package, 0, 0, 0))
        key = (package, conversation.dialect)
        decoder = self._decoders.get(key)
        if decoder is None:
            decoder = self._decoders[key] = self._make_decoder(*key)
        counts.decoder = decoder
        return decoder

    def _make_decoder(self, package: str, dialect: str) -> Decoder0 | Decoder1:
        if package == PACKAGE1:
            return Decoder1(self._quarantine)
        return Decoder0(self._quarantine, package, dialect, self._bodies)
