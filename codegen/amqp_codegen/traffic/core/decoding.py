"""From frames to rows and events, by the generated packages: whatever is in a frame, nothing is raised.

A frame that cannot be decoded has its row, too, and goes to the quarantine with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .conversation import Conversation
from .decoded import Decoded
from .decoding0 import Decoder0
from .decoding1 import Decoder1
from .event import PACKAGE
from .frame_span import FrameSpan
from .framing1 import PACKAGE as PACKAGE1
from .quarantine import Quarantine
from .stream import Direction

_MOST_OCTETS = 32 << 20


@dataclass(slots=True)
class _Count:
    """The frames of a connection so far.

    Attributes:
        frames: Of both directions together.
        good: By direction, those that could be decoded.
        bad: By direction, the others.
        package: The generated package that reads them.
    """

    frames: int = 0
    good: list[int] = field(default_factory=lambda: [0, 0])
    bad: list[int] = field(default_factory=lambda: [0, 0])
    package: str | None = None


class Decoding:
    """Decodes the frames of all connections: ``on_frames`` is what ``Conversations`` calls back."""

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
        self._counts: dict[int, _Count] = {}

    def __len__(self) -> int:
        """How many frames have gathered."""
        return len(self._decoded.frames)

    @property
    def full(self) -> bool:
        """Whether it is time to ``take``: so many rows, or octets of payloads, have gathered."""
        decoded = self._decoded
        return len(decoded.frames) >= self._most_rows or decoded.octets >= _MOST_OCTETS

    def on_frames(self, conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
        """Decode frames of one direction."""
        number = conversation.number
        count = self._counts.get(number)
        if count is None:
            count = self._counts[number] = _Count()
        protocol = conversation.protocol
        package = protocol.package if protocol is not None else ""
        if count.package != package:
            count.package = package
            self._decoded.events.append((number, count.frames, 0, 0, PACKAGE, package, 0, 0, 0))
        key = (package, conversation.dialect)
        decoder = self._decoders.get(key)
        if decoder is None:
            decoder = self._decoders[key] = self._make_decoder(*key)
        side = 1 if direction else 0
        bad = decoder.read(self._decoded, number, side, count.frames, frames)
        count.frames += len(frames)
        count.good[side] += len(frames) - bad
        count.bad[side] += bad

    def take(self) -> Decoded:
        """What has gathered since the last time; frame numbers of connections go on."""
        decoded = self._decoded
        for decoder in self._decoders.values():
            decoder.take(decoded)
        self._decoded = Decoded()
        return decoded

    def frames_of(self, connection: int) -> tuple[int, int]:
        """How many frames of a connection there were so far, by direction; those that are bad count, too."""
        count = self._counts.get(connection) or _Count()
        return count.good[0] + count.bad[0], count.good[1] + count.bad[1]

    def bad_frames_of(self, connection: int) -> tuple[int, int]:
        """How many of them could not be decoded."""
        count = self._counts.get(connection) or _Count()
        return count.bad[0], count.bad[1]

    def forget(self, connection: int) -> None:
        """Nothing more comes of this connection."""
        self._counts.pop(connection, None)

    def _make_decoder(self, package: str, dialect: str) -> Decoder0 | Decoder1:
        if package == PACKAGE1:
            return Decoder1(self._quarantine)
        return Decoder0(self._quarantine, package, dialect, self._bodies)
