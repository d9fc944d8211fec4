"""Frames to rows and events, decoded by the generated packages. Never raises, whatever is in a frame.

A frame that cannot be decoded has its row in table ``frames``, too, and goes to the quarantine with a reason.
"""

from __future__ import annotations

from typing import Protocol

from ..capture.faults import FATAL, describe_fault
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction
from ..frames.formats import FrameSpan
from ..frames.protocol import Protocol as Spoken
from ..schemas import PACKAGES1
from .amqp0.decoder import Decoder as Decoder0
from .amqp1.decoder import Decoder as Decoder1
from .decoded import Decoded, FrameKind
from .events import PACKAGE, EventTuple

_MOST_PAYLOAD_OCTETS = 32 << 20


class Speaker(Protocol):
    """The connection whose frames are decoded: a ``FramedConversation``, or a substitute for one."""

    @property
    def number(self) -> int:
        """The number of the connection."""

    @property
    def protocol(self) -> Spoken | None:
        """The protocol; the same object as long as it does not change."""

    @property
    def product(self) -> str:
        """The server's name for itself; the same object as long as it does not change."""

    @property
    def dialect(self) -> str:
        """The field-table dialect; empty for the package's own."""


class _Counts:
    """The frames of a connection so far, and their decoder.

    Attributes:
        frames: Number of frames of both directions together.
        good: Decoded frames, by direction.
        bad: Frames that could not be decoded, by direction.
        package: The generated package that decodes them; None before the first frame.
        decoder: The decoder, valid as long as ``protocol`` and ``product`` are those of the conversation.
        protocol: The protocol that the decoder was chosen for.
        product: The product that the decoder was chosen for.
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


class Decoding:
    """Decodes the frames of all connections; ``on_frames`` is a callback for ``Conversations``.

    After ``take`` it can be part of a state (``ingest.ring.state_writing``), without the decoders, which are chosen again.
    """

    def __init__(self, quarantine: Quarantine, *, bodies: bool = False, most_rows: int = 65_536) -> None:
        """Take the quarantine for what cannot be decoded; ``most_rows`` frames make the instance ``full``.

        With ``bodies``, events have the octets of bodies of 0-x. They always have the payloads of 1.0, because
        properties are in them.
        """
        self._quarantine = quarantine
        self._bodies = bodies
        self._most_rows = most_rows
        self._decoded = Decoded()
        self._decoders: dict[tuple[str, str], Decoder0 | Decoder1] = {}
        self._counts: dict[int, _Counts] = {}

    def __len__(self) -> int:
        """Return the number of frames collected."""
        return len(self._decoded.spans)

    @property
    def full(self) -> bool:
        """Whether to call ``take``, by the number of frames or octets collected."""
        decoded = self._decoded
        return len(decoded.spans) >= self._most_rows or decoded.octets >= _MOST_PAYLOAD_OCTETS

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
        begin = len(decoded.kinds)
        try:
            bad = decoder.read(decoded, number, side, first, frames)
        except FATAL:
            raise
        except Exception as error:
            bad = self._go_on(decoder, number, side, first, frames, begin, error)
        counts.frames = first + how_many
        counts.good[side] += how_many - bad
        counts.bad[side] += bad

    def _go_on(
        self,
        decoder: Decoder0 | Decoder1,
        number: int,
        side: int,
        first: int,
        frames: list[FrameSpan],
        begin: int,
        error: Exception,
    ) -> int:
        """Leave out the frame at which the decoder raised an error, and decode those after it.

        ``begin`` is the number of frames collected before. Return how many of ``frames`` could not be decoded.
        """
        decoded, done = self._decoded, 0
        while done < len(frames):
            # The span of a frame comes first, whatever happens then.
            done = max(done, len(decoded.spans) - begin - 1)
            decoder.cut(begin + done)
            decoded.cut(begin + done, number, first + done)
            offset, size, frame_type, channel, _, packet_no, packet_offset, ns = frames[done]
            decoded.spans.append((offset, size, frame_type, channel, packet_no, packet_offset, ns))
            decoded.kinds.append(FrameKind(None))
            decoded.errors[begin + done] = Reason.DECODE_ERROR
            place = packet_no, packet_offset, ns, number, side, offset
            self._quarantine.add(Quarantined(Reason.DECODE_ERROR, size, *place, describe_fault(error)))
            done += 1
            try:
                decoder.read(decoded, number, side, first + done, frames[done:])
                break
            except FATAL:
                raise
            except Exception as another:
                error = another
        return sum(index >= begin for index in decoded.errors)

    def take(self) -> Decoded:
        """Return what was collected since the last time. Frame numbers of connections continue."""
        decoded = self._decoded
        for decoder in self._decoders.values():
            decoder.take(decoded)
        self._decoded = Decoded()
        return decoded

    def take_events(self) -> list[EventTuple]:
        """Return the events collected since the last ``take`` or ``take_events``. Rows stay."""
        events, self._decoded.events = self._decoded.events, []
        return events

    def frames_of(self, connection: int) -> tuple[int, int]:
        """Return the number of frames of a connection so far, by direction, bad ones included."""
        count = self._counts.get(connection) or _Counts()
        return count.good[0] + count.bad[0], count.good[1] + count.bad[1]

    def bad_frames_of(self, connection: int) -> tuple[int, int]:
        """Return the number of frames of a connection that could not be decoded, by direction."""
        count = self._counts.get(connection) or _Counts()
        return count.bad[0], count.bad[1]

    def recount(self, connection: int, direction: int, *, good: int = 0, bad: int = 0) -> None:
        """Change the counts of a connection, if decoded frames turn out to be useless."""
        counts = self._counts[connection]
        counts.good[direction] += good
        counts.bad[direction] += bad

    def forget(self, connection: int) -> None:
        """Drop the counts of a connection that has ended."""
        self._counts.pop(connection, None)

    def _choose(self, conversation: Speaker, counts: _Counts) -> Decoder0 | Decoder1:
        """Choose the decoder of a connection. Add an event if the package is another one than before."""
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
        if package in PACKAGES1:
            return Decoder1(self._quarantine, package)
        return Decoder0(self._quarantine, package, dialect, self._bodies)
