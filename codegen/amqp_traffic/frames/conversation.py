"""One connection, both directions: its protocol, the agreed parameters, and its frames.

Theory of operation. A conversation goes through three phases:

- Listening: pieces wait until ``recognise_protocol`` knows the protocol from the beginning of either direction. If too many
  octets wait, 0-9-1 is assumed. No frames are delivered yet; ``framers`` is None.
- Reading with hints: there is a framer for each direction, which first reads the waiting pieces. The protocol header was not
  captured, so methods may still show that another version is spoken (``narrow``). This phase ends with the header, or
  after ``_HINT_FRAMES`` frames.
- Reading.

The package is that of the header until connection.start, or the broker's open, says whether the broker is RabbitMQ: its extensions
are read with packages of their own, and 0-9, to which it answers with 0-9-1, with that.

In the last two phases, connection-level frames go through ``take_control`` before they are delivered: it learns from them
and redacts their secrets. ``framer`` describes the states of a damaged stream.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_package

from ..capture.faults import describe_fault
from ..capture.ledgers import FramingLedger
from ..capture.quarantine import Quarantine, Reason
from ..capture.stream_data import SIDES, Direction, StreamPiece
from ..schemas import PACKAGE1, PACKAGES1, RABBITMQ1
from ..streams.tls.hellos import HelloWatch, TlsFacts
from ..streams.tls.key_log import NO_KEYS, KeyLog
from .amqp0 import frame_format
from .amqp0.frame_format import RABBITMQ, SPOKEN_BY_RABBITMQ, method_octets
from .amqp1 import frame_format as framing1
from .formats import OVERHEAD0, PROTOCOL_HEADER, FrameFormat, FrameSpan, Place
from .framer import Framer
from .held_back import HeldBack
from .protocol import (
    ASSUMED,
    Protocol,
    is_header_of_tls,
    narrow,
    recognise_header,
    recognise_protocol,
    telling_methods,
)
from .redaction import SECRET_METHODS, Login, redact_method, redact_performative
from .unwrapping import Unwrapping

CLIENT, SERVER = Direction.client_to_server, Direction.server_to_client

OnFrames: TypeAlias = Callable[["FramedConversation", Direction, list[FrameSpan]], None]

_MOST_WAITING_OCTETS = 65_536  # of both directions
_PIECE_OVERHEAD = 64  # octets of memory for each piece
_REREAD_OCTETS = 64  # a longer beginning is read again when it has doubled, a shorter one with each piece
_HINT_FRAMES = 1000  # frames whose methods may tell the version
_HEADER_SIZE = 8  # of a protocol header
_METHOD = 1
_START, _TUNE_OK = map(method_octets, ("ConnectionStart", "ConnectionTuneOk"))
# The methods of 0-x that ``take_control`` learns from or changes, by class id << 16 | method id.
TELLING_METHODS = SECRET_METHODS | {int.from_bytes(key, "big") for key in (_START, _TUNE_OK)}
_OPEN = "open"
_LEAST_FRAME_MAX0, _LEAST_FRAME_MAX1 = 4096, 512  # every peer accepts these
_NO_LIMIT = (1 << 32) + OVERHEAD0  # what a frame-max of 0 stands for: no frame is larger
_SPOKEN_BY_RABBITMQ = {**SPOKEN_BY_RABBITMQ, PACKAGE1: RABBITMQ1}
# Capabilities that RabbitMQ and compatible brokers announce.
_RABBITMQ_CAPABILITIES = frozenset(
    ("publisher_confirms", "exchange_exchange_bindings", "basic.nack", "connection.blocked")
)

_channel_of = attrgetter("channel")


@lru_cache(maxsize=256)
def _decode_method(package: str, payload: bytes) -> Any:
    """Return a method, which nobody may change; None if it cannot be decoded. Brokers repeat theirs."""
    amqp = load_package(package)
    try:
        return amqp.decode_method(payload, lenient=True)
    except amqp.errors.CodecError:
        return None


def _nobody(conversation: FramedConversation, direction: Direction, frames: list[FrameSpan]) -> None:
    """Take no frames."""


class FramedConversation:
    """The frames of a connection, and what they say about it.

    Attributes:
        number: The number of the connection.
        flow: The addresses and ports of either direction, as in ``Segment``.
        protocol: The protocol; None until it is known, or if nothing was said.
        answer: The protocol header of the server, if it sent one; if it differs from the client's, it is a refusal.
        product: The server's name for itself, if that was captured.
        login: User and mechanism, if the login was captured.
        frame_max: The negotiated maximum frame size, by direction; 0 if it is not known.
        framers: The framers of both directions; None until the protocol is known.
        frames: Number of frames delivered.
        channels: The channels in use.
        hints: How many more frames are searched for methods that tell the version.
        watch: Called with direction and pieces of what is within all wrappers, after the frames in them; None for nobody.
    """

    def __init__(
        self,
        number: int,
        on_frames: OnFrames,
        quarantine: Quarantine,
        *,
        from_start: bool,
        roles_are_certain: bool = True,
        key_log: KeyLog = NO_KEYS,
    ) -> None:
        """Begin a conversation.

        ``from_start`` tells whether the beginning of the connection was captured, ``roles_are_certain`` whether it is
        known which side is the client. ``key_log`` has keys of TLS.
        """
        self.number = number
        self.flow = b""
        self.protocol: Protocol | None = None
        self.answer = b""
        self.product = ""
        self.login: Login | None = None
        self.frame_max = [0, 0]
        self.watch: Callable[[Direction, Sequence[StreamPiece]], None] | None = None
        self._on_frames = on_frames
        self._quarantine = quarantine
        self.unwrapping = Unwrapping(number, quarantine, key_log)
        self._hellos: HelloWatch | None = None  # of TLS that is not decrypted
        self._is_watching = False  # the hellos are not complete
        self._fault: Place | None = None  # the place of an error after which nothing is read
        self._from_start = [from_start, from_start]
        self._roles_are_certain = roles_are_certain
        self._waiting: list[tuple[Direction, StreamPiece]] = []
        self._waiting_octets = 0
        self._heads = [bytearray(), bytearray()]
        self._look_at = [0, 0]  # the lengths from which on they are read again
        self.framers: tuple[Framer, Framer] | None = None
        self.frames = 0
        self.channels: set[int] = set()
        self._methods: set[int] = set()
        self._held_back: HeldBack | None = None  # while the first frame of a direction is searched
        self.hints = 0
        self._is_plain = False  # the broker has said that it has no extensions of 0-9-1

    @property
    def package(self) -> str:
        """The generated package that decodes its frames; empty if none does, or the protocol is not known."""
        return "" if self.protocol is None else self.protocol.package

    @property
    def dialect(self) -> str:
        """The field-table dialect; empty for the package's own. RabbitMQ uses one dialect for all versions of 0-x; 1.0 has none."""
        return "rabbitmq" if "rabbitmq" in self.product.lower() else ""

    @property
    def tls(self) -> TlsFacts:
        """What the hellos of TLS say, whether or not it is decrypted."""
        return self.unwrapping.tls or (TlsFacts() if self._hellos is None else self._hellos.facts)

    @property
    def is_for_python(self) -> bool:
        """Whether pieces must come here, not to the framers."""
        return bool(self.unwrapping.wrappers or self._is_watching)

    @property
    def ledgers(self) -> tuple[FramingLedger, FramingLedger]:
        """The ledgers of both directions."""
        if self.framers is None:
            return FramingLedger(), FramingLedger()
        return self.framers[0].ledger, self.framers[1].ledger

    def feed(self, direction: Direction, piece: StreamPiece) -> None:
        """Take the next piece of a direction."""
        if self._fault is None or not self.unwrapping.wrappers:
            self._feed_within(0, direction, piece)

    def _feed_within(self, depth: int, direction: Direction, piece: StreamPiece) -> None:
        """Take a piece of the stream at a depth: within so many wrappers."""
        if depth < len(self.unwrapping.wrappers):
            for inner in self.unwrapping.unwrap(depth, direction, piece):
                self._feed_within(*inner)
            return
        if self.framers is None:
            self._listen(direction, piece)
            return
        if self._is_watching and self._hellos is not None:
            self._is_watching = not self._hellos.take(direction, piece)
        frames = self.framers[direction].feed(piece)
        if frames or self._held_back is not None:
            self.hand_on(direction, frames)
        if self.watch is not None:
            self.watch(direction, (piece,))

    def feed_run(self, direction: Direction, pieces: Sequence[StreamPiece]) -> None:
        """Take consecutive pieces of one direction: ``feed`` for each, but faster. The other direction sent nothing between."""
        is_plain = not (self.hints or self._held_back or self.is_for_python or pieces[0].gap)
        if self.framers is None or not is_plain or len(pieces) == 1:
            for piece in pieces:
                self.feed(direction, piece)
            return
        frames = self.framers[direction].feed_run(pieces)
        if frames:
            self.hand_on(direction, frames)
        if self.watch is not None:
            self.watch(direction, pieces)

    def finish(self, lengths: tuple[int, int]) -> None:
        """End the conversation, whose streams have these lengths in octets, gaps included. Nothing may be fed after it.

        Raises:
            LedgerError: This program has lost octets.
        """
        if self._fault is None:
            for inner in self.unwrapping.finish():
                self._feed_within(*inner)
        if self.framers is None and self._waiting:
            told = (self._recognise(direction) for direction in Direction)
            self._decide(next(filter(None, told), ASSUMED))
        if self.framers is None and self.unwrapping.wrappers:  # with nothing in them
            self._make_framers(ASSUMED)
            if self.unwrapping.hides_all:
                self.protocol = Protocol("tls", "", "shape", reason=Reason.TLS)
        if self.framers is not None:
            self._finish_framers(self.framers, lengths)
        self._on_frames = (
            _nobody  # no circle: the memory is free when the last one lets go, without a collection
        )

    def _finish_framers(self, framers: tuple[Framer, Framer], lengths: tuple[int, int]) -> None:
        self._held_back = self._held_back or HeldBack()
        for direction in Direction:
            framer, wire = framers[direction], lengths[direction]
            self._hold_back(direction, framer.finish(self.unwrapping.length(direction, wire)))
            self.unwrapping.complete(framer.ledger, direction, wire, self._fault)
        self._release(None)
        for framer in framers:
            framer.let_go()
        if self.protocol == ASSUMED and not any(ledger.framed for ledger in self.ledgers):
            self.protocol = Protocol("other", "", "shape", reason=Reason.NOT_AMQP)

    def give_up(self, piece: StreamPiece, error: Exception) -> None:
        """Stop reading, as an error was raised at this piece. What is not in frames yet goes to the quarantine."""
        if self.framers is None:
            self._make_framers(Protocol("other", "", "shape", reason=Reason.DECODE_ERROR))
        assert self.framers is not None
        for framer in self.framers:
            framer.give_up(piece[3:], describe_fault(error))
        self._fault = piece[3:]
        self._waiting, self.hints = [], 0
        self._release(None)

    def hand_on(self, direction: Direction, frames: list[FrameSpan]) -> None:
        """Deliver frames, after a look at their methods if these may tell the version; or hold them back."""
        if self._held_back is None:
            self._note(frames)
            self._on_frames(self, direction, frames)
            return
        self._hold_back(direction, frames)
        assert self.framers is not None
        if self._held_back.is_full or not any(framer.seeks_beginning for framer in self.framers):
            self._release(None)
            self._held_back = None
        else:
            self._release(self.holds_since)

    @property
    def holds_since(self) -> int | None:
        """The packet from which on frames are held back, as one of an earlier packet may follow; None if none are."""
        if self._held_back is None or self.framers is None:
            return None
        held = [framer.holds_since for framer in self.framers]
        return min((since for since in held if since is not None), default=None)

    def _hold_back(self, direction: Direction, frames: list[FrameSpan]) -> None:
        assert self._held_back is not None
        self._note(frames)
        self._held_back.add(direction, frames)

    def _release(self, since: int | None) -> None:
        """Deliver what is held back of packets before ``since``, or all."""
        if self._held_back is not None:
            for direction, frames in self._held_back.take(since):
                self._on_frames(self, direction, frames)

    def _note(self, frames: list[FrameSpan]) -> None:
        self.channels.update(map(_channel_of, frames))
        self.frames += len(frames)
        if self.hints:
            self._take_hints(frames)

    # --- Which protocol? ---

    def _listen(self, direction: Direction, piece: StreamPiece) -> None:
        """Keep a piece until the protocol is known."""
        self._waiting.append((direction, piece))
        self._waiting_octets += len(piece.data) + _PIECE_OVERHEAD
        if piece.gap:
            self._heads[direction].clear()
            self._from_start[direction] = False
            self._look_at[direction] = 0
        head = self._heads[direction]
        head += piece.data
        if self._is_wrapped(direction):
            return
        protocol = None
        if len(head) >= self._look_at[direction]:
            self._look_at[direction] = 2 * len(head) if len(head) > _REREAD_OCTETS else 0
            protocol = self._recognise(direction)
        if protocol is None and self._waiting_octets > _MOST_WAITING_OCTETS:
            protocol = ASSUMED
        if protocol is not None:
            self._decide(protocol)

    def _recognise(self, direction: Direction) -> Protocol | None:
        return recognise_protocol(bytes(self._heads[direction]), direction, self._from_start[direction])

    def _is_wrapped(self, direction: Direction) -> bool:
        """Take off what the octets are wrapped in; return whether they are, or may be when more octets have come."""
        depth = len(self.unwrapping.wrappers)
        if self._waiting_octets > _MOST_WAITING_OCTETS or not any(
            from_start and self.unwrapping.may_be_wrapped(bytes(head))
            for head, from_start in zip(self._heads, self._from_start, strict=True)
        ):
            return False
        if self._from_start[direction] and self.unwrapping.add(direction, bytes(self._heads[direction])):
            waiting, self._waiting, self._waiting_octets = self._waiting, [], 0
            self._heads, self._look_at = [bytearray(), bytearray()], [0, 0]
            for side, piece in waiting:
                self._feed_within(depth, side, piece)
        return True

    def _decide(self, protocol: Protocol) -> None:
        """Set the protocol, and read the waiting pieces."""
        self.protocol = protocol
        if protocol.by == "header":  # nothing precedes a header, on either side
            self._from_start = [True, True]
        elif protocol.by in ("answer", "start"):
            self._from_start[SERVER] = True
        before = _HEADER_SIZE if protocol.header and is_header_of_tls(protocol.header) else 0
        if protocol.reason is Reason.TLS or before:
            self._hellos, self._is_watching = HelloWatch(before), True
        if protocol.package and protocol.by != "header" and protocol.package not in PACKAGES1:
            self.hints = _HINT_FRAMES
        if any(framer.seeks_beginning for framer in self._make_framers(protocol)):
            self._held_back = HeldBack()
        waiting, self._waiting, self._heads = self._waiting, [], []
        for direction, piece in waiting:
            self._feed_within(len(self.unwrapping.wrappers), direction, piece)

    def _make_framers(self, protocol: Protocol) -> tuple[Framer, Framer]:
        client, server = (self._make_framer(direction, protocol) for direction in Direction)
        self.framers = client, server
        return self.framers

    def _make_framer(self, direction: Direction, protocol: Protocol) -> Framer:
        return Framer(
            self._make_shape(direction, protocol),
            direction,
            partial(self.take_control, direction),
            self._quarantine,
            connection=self.number,
            from_start=self._from_start[direction] or protocol.reason is not None,
            otherwise=protocol.reason,
        )

    def _make_shape(self, direction: Direction, protocol: Protocol) -> FrameFormat:
        if protocol.package in PACKAGES1:
            return framing1.FamilyFormat()
        if protocol.reason is not None:
            return frame_format.only_headers()
        sender = SIDES[direction] if self._roles_are_certain else ""
        shape = frame_format.make_format(protocol.package if protocol.by == "header" else "", sender)
        shape.channels = self.channels
        return shape

    def _take_hints(self, frames: list[FrameSpan]) -> None:
        self.hints = max(self.hints - len(frames), 0)
        self.take_hints(
            {int.from_bytes(frame.payload[:4], "big") for frame in frames if frame.type == _METHOD}
        )

    def take_hints(self, methods: set[int]) -> None:
        """Check that methods exist in the version, which was assumed as the header was not captured."""
        assert self.protocol is not None
        self._methods |= methods
        if not methods <= telling_methods(self.protocol.package):
            self.protocol = narrow(self.protocol, self._methods)

    # --- Frames about the connection ---

    def take_control(self, direction: Direction, frame: FrameSpan) -> FrameSpan:
        """Learn from a connection-level frame, and redact its secrets."""
        assert self.protocol is not None
        if frame.type == PROTOCOL_HEADER:
            self._take_header(direction, frame.payload)
            return frame
        if self.protocol.package in PACKAGES1:
            payload, performative, login = redact_performative(frame.payload, frame.type != 0)
            if getattr(performative, "NAME", "") == _OPEN:
                self._negotiate(direction.opposite, performative.max_frame_size, _LEAST_FRAME_MAX1)
                if direction is SERVER and isinstance(performative.properties, dict):
                    self._take_properties(performative.properties)
        else:
            payload, login = redact_method(frame.payload, self.protocol.package)
            self._take_method(direction, payload)
        if login is not None:
            self.login = login
        return frame if payload is frame.payload else frame._replace(payload=payload)

    def _take_header(self, direction: Direction, header: bytes) -> None:
        assert self.protocol is not None and self.framers is not None
        if is_header_of_tls(header):
            self.framers[direction].otherwise = Reason.TLS
        if direction is SERVER:
            self.answer = header
            return
        protocol = recognise_header(header, direction)
        is_1 = self.protocol.package in PACKAGES1
        if self.protocol.by != "header" and protocol.package and is_1 == (protocol.package in PACKAGES1):
            self.protocol, self.hints = protocol, 0
            self._choose_package()

    def _take_method(self, direction: Direction, payload: bytes) -> None:
        """Learn from a method of class connection."""
        assert self.protocol is not None
        if direction is SERVER and payload.startswith(_START):
            start = _decode_method(self.protocol.package, payload)
            if start is not None:
                self._take_properties(start.server_properties)
        elif direction is CLIENT and payload.startswith(_TUNE_OK):
            tune_ok = _decode_method(self.protocol.package, payload)
            if tune_ok is not None:
                least = _LEAST_FRAME_MAX0 if tune_ok.frame_max else _NO_LIMIT
                for side in Direction:
                    self._negotiate(side, tune_ok.frame_max, least)

    def _take_properties(self, properties: dict[str, Any]) -> None:
        """Learn from the server's properties whether it is RabbitMQ, or has its extensions of 0-9-1."""
        product = properties.get("product", "")
        self.product = product if isinstance(product, str) else ""
        capabilities = properties.get("capabilities")
        can = capabilities.keys() if isinstance(capabilities, dict) else ()
        self._is_plain = not (self.dialect or _RABBITMQ_CAPABILITIES.intersection(can))
        self._choose_package()

    def _choose_package(self) -> None:
        """Tell what RabbitMQ speaks from what the documents say, after its properties or a late header."""
        assert self.protocol is not None
        package = self.protocol.package
        if package == RABBITMQ and self._is_plain:
            self.protocol = replace(self.protocol, package="amqp_0_9_1")
        elif self.dialect and package in _SPOKEN_BY_RABBITMQ:
            self.protocol = replace(self.protocol, package=_SPOKEN_BY_RABBITMQ[package])

    def _negotiate(self, direction: Direction, frame_max: int, least: int) -> None:
        assert self.framers is not None
        self.frame_max[direction] = frame_max
        self.framers[direction].negotiate(max(frame_max, least))
