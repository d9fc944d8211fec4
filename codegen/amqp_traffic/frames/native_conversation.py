"""The part of a conversation that Python does while its frames are cut in C (``native/ingest/conversation.h``).

C cuts frames where a stream is in order, and calls the methods of ``NativeConversation`` for all else: before the protocol is
known, for frames about the connection, and for what is not a frame. A framer is either there or here; ``Framer.hand_over`` and
``Framer.take_back`` move it between two pieces. So there is one search for frames, one redaction and one recognition of
protocols, and they are Python's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

from ..capture.faults import FATAL, describe_fault
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction, StreamPiece
from ..streams.tls.key_log import NO_KEYS, KeyLog
from .amqp0.frame_format import FamilyFormat
from .conversation import FramedConversation
from .formats import FramerSnapshot, FrameSpan, Start, hides_frame

# Frames of a direction, and the number of the package that reads them.
Found: TypeAlias = "tuple[int, int, list[FrameSpan]]"

# Number of the package, hints, the limits of both directions, those of their content headers, and the framers that go on in
# C: None for the others.
State: TypeAlias = "tuple[int, int, int, int, int, int, tuple[Any, ...] | None, tuple[Any, ...] | None]"


class NativeConversation:
    """A conversation whose frames are cut in C while its streams are in order.

    Attributes:
        conversation: What is known of it.
        quarantine: What is left out.
    """

    def __init__(
        self,
        number: int,
        flow: bytes,
        quarantine: Quarantine,
        number_of: Callable[[str, str], int],
        *,
        from_start: bool,
        roles_are_certain: bool,
        key_log: KeyLog = NO_KEYS,
    ) -> None:
        """Begin; ``number_of`` returns the number of a package and dialect. For the rest see ``FramedConversation``."""
        self.conversation = FramedConversation(
            number,
            self._collect,
            quarantine,
            from_start=from_start,
            roles_are_certain=roles_are_certain,
            key_log=key_log,
        )
        self.conversation.flow = flow
        self.quarantine = quarantine
        self._number_of = number_of
        self._found: list[Found] = []
        self._is_here = [True, True]  # by direction: the framer is not in C

    # --- Called by C ---

    def feed(
        self,
        hints: int,
        direction: int,
        data: bytes,
        offset: int,
        gap: int,
        packet_no: int,
        packet_offset: int,
        ns: int,
    ) -> tuple[list[Found], State]:
        """Take a piece of a direction whose framer is here; ``hints`` is what C has left of them."""
        piece = StreamPiece(data, offset, gap, packet_no, packet_offset, ns)
        self.conversation.hints = hints
        try:
            self.conversation.feed(Direction(direction), piece)
        except FATAL:
            raise
        except Exception as error:  # nothing in a connection may cost others their rows
            self.conversation.give_up(piece, error)
        return self._answer()

    def take_framer(
        self,
        direction: int,
        channels: Iterable[int],
        held: bytes,
        begin: int,
        need: int,
        starts: list[Start],
        framed: int,
        until: int,
        looks: int,
        bodies_hide_frames: bool,
    ) -> None:
        """Take a framer back from C, with the channels of frames that were read there."""
        conversation = self.conversation
        assert conversation.framers is not None
        conversation.channels.update(channels)
        snapshot = FramerSnapshot(held, begin, need, starts, until, looks, bodies_hide_frames)
        conversation.framers[direction].take_back(snapshot, framed)
        self._is_here[direction] = True

    def read_on(self, hints: int, direction: int) -> tuple[list[Found], State]:
        """Read what a framer holds that was taken back because it is not the beginning of a frame."""
        conversation = self.conversation
        conversation.hints = hints
        assert conversation.framers is not None
        framer = conversation.framers[direction]
        try:
            frames = framer.read_on()
            if frames:
                conversation.hand_on(Direction(direction), frames)
        except FATAL:
            raise
        except Exception as error:
            conversation.give_up(StreamPiece(b"", 0, 0, 0, 0, 0), error)
        return self._answer()

    def control(self, hints: int, direction: int, span: tuple[Any, ...]) -> tuple[bytes, State]:
        """Learn from a frame about the connection. Return its payload without secrets."""
        frame = FrameSpan._make(span)
        self.conversation.hints = hints
        try:
            frame = self.conversation.take_control(Direction(direction), frame)
        except FATAL:
            raise
        except Exception as error:
            place = (*frame[-3:], self.conversation.number, direction, frame.offset)
            self.quarantine.add(Quarantined(Reason.DECODE_ERROR, 0, *place, describe_fault(error)))
            return b"", self._state((None, None))
        return frame.payload, self._state((None, None))

    def hint(self, hints: int, methods: Sequence[int]) -> State:
        """Take methods that may tell the version."""
        self.conversation.hints = hints
        self.conversation.take_hints(set(methods))
        return self._state((None, None))

    def hides_frame(self, direction: int, payload: bytes, limit: int) -> bool:
        """Return whether a payload looks as if frames were in it."""
        assert self.conversation.framers is not None
        return hides_frame(self.conversation.framers[direction].shape, payload, 0, len(payload), limit)

    def finish(
        self, hints: int, client_octets: int, server_octets: int, packet_no: int, packet_offset: int, ns: int
    ) -> tuple[list[Found], State]:
        """End the conversation, whose framers are here; the place is that of its first packet."""
        lengths = client_octets, server_octets
        conversation = self.conversation
        conversation.hints = hints
        try:
            conversation.finish(lengths)
        except FATAL:
            raise
        except Exception as error:
            conversation.give_up(StreamPiece(b"", 0, 0, packet_no, packet_offset, ns), error)
            conversation.finish(lengths)
        found, self._found = self._found, []
        return found, self._state((None, None))

    # --- Answers ---

    def _collect(
        self, conversation: FramedConversation, direction: Direction, frames: list[FrameSpan]
    ) -> None:
        self._found.append((int(direction), self._package, frames))

    @property
    def _package(self) -> int:
        protocol = self.conversation.protocol
        return self._number_of("" if protocol is None else protocol.package, self.conversation.dialect)

    def _answer(self) -> tuple[list[Found], State]:
        found, self._found = self._found, []
        return found, self._state((self._hand_over(0), self._hand_over(1)))

    def _state(self, handed_over: tuple[tuple[Any, ...] | None, tuple[Any, ...] | None]) -> State:
        conversation, limits = self.conversation, (0, 0, 0, 0)
        if conversation.framers is not None:
            client, server = conversation.framers
            limits = client.limit, server.limit, client.shape.header_limit, server.shape.header_limit
        return self._package, conversation.hints, *limits, *handed_over

    def _hand_over(self, direction: int) -> tuple[Any, ...] | None:
        """Hand a framer over to C, if it is here and its stream is in order."""
        conversation = self.conversation
        framers = conversation.framers
        if framers is None or not self._is_here[direction] or conversation.is_for_python:
            return None
        if conversation.holds_since is not None:
            return None
        framer = framers[direction]
        snapshot = framer.hand_over()
        if snapshot is None:
            return None
        self._is_here[direction] = False
        held, begin, need, starts, *samples = snapshot
        types = _flags(framer.shape.types) if isinstance(framer.shape, FamilyFormat) else None
        return held, begin, need, starts, framer.limit, types, *samples


@cache
def _flags(types: frozenset[int]) -> bytes:
    """Return an octet for each frame type: not 0 if it is known."""
    return bytes(frame_type in types for frame_type in range(256))
