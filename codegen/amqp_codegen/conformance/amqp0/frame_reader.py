"""From octets to frames, each with the octets it came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_HEAD, _OVERHEAD = 7, 8
_HEADER_SIZE = 8


@dataclass(frozen=True, slots=True)
class ProtocolHeader:
    """What a server sends instead of a frame when it does not speak the version that the client asked for."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class Received:
    """A frame, or a protocol header, as it came."""

    channel: int
    frame: Any
    octets: bytes


class FrameReader:
    """Takes octets in pieces of any size and gives back whole frames.

    Attributes:
        fault: Why what follows the last frame is none; None as long as all is well.
        rest: The octets that are no whole frame yet, or no frame at all.
    """

    def __init__(self, amqp: Any) -> None:
        self._amqp = amqp
        # Brokers write the field tables of every version in letters of their own, hence lenient.
        self._decoder = amqp.FrameDecoder(amqp.constants.FRAME_MIN_SIZE, lenient=True)
        self.fault: Exception | None = None
        self.rest = b""

    def limit(self, frame_max: int) -> None:
        """Takes frames up to this size from now on; 0 for any size."""
        self._decoder.max_frame_size = frame_max

    def feed(self, octets: bytes) -> list[Received]:
        """The frames that are complete now; sets ``fault`` when something is no frame."""
        self.rest += octets
        if self.rest.startswith(b"AMQP"):
            return self._header()
        try:
            frames = self._decoder.feed(octets)
        except self._amqp.DecodeError as error:
            self.fault = error
            frames = error.frames
        return [Received(channel, frame, self._cut()) for channel, frame in frames]

    def _header(self) -> list[Received]:
        """A protocol header; nothing sensible can follow it."""
        if len(self.rest) < _HEADER_SIZE:
            return []
        header, self.rest = self.rest[:_HEADER_SIZE], self.rest[_HEADER_SIZE:]
        return [Received(0, ProtocolHeader(header), header)]

    def _cut(self) -> bytes:
        """Cuts the octets of the first frame off the rest."""
        end = int.from_bytes(self.rest[3:_HEAD], "big") + _OVERHEAD
        octets, self.rest = self.rest[:end], self.rest[end:]
        return octets
