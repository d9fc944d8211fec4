"""What C asks of Python while it ingests (``native/ingest/ingest.h``): all that is rare.

``NativeHost`` begins and ends connections, describes packages and what cannot be decoded, and reads values that are not plain,
with the same code that does so without C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_package

from ...capture.faults import FATAL, describe_fault
from ...capture.ledgers import StreamLedger
from ...capture.quarantine import Quarantine, Quarantined, Reason
from ...capture.stream_data import Direction
from ...decode.amqp0.decoder import Decoder as Decoder0
from ...decode.amqp1.decoder import Decoder as Decoder1
from ...decode.body_retention import BodyRetention
from ...decode.events import Event
from ...dialogue.amqp1.link import address_of
from ...frames.formats import FrameSpan
from ...frames.native_conversation import NativeConversation
from ...messages.amqp0.assembly import FactReader as FactReader0
from ...messages.amqp1.assembly import FactReader as FactReader1
from ...messages.amqp1.content import DeliveryContent
from ...messages.amqp1.message import read_state, variant_text
from ...messages.connection_rows import ConnectionRecord, make_record
from ...messages.output import ConnectionFacts
from ...rows import decode_text
from ...schemas import PACKAGES1
from ...secret_names import is_secret_node
from ...streams.connection import endpoint
from ...streams.reassembly import distance
from ...streams.tls.key_log import KeyLog
from ..tables.connection_names import ConnectionNames
from .packages import Description, describe_package

_MID_STREAM, _LOWER_PORT = "mid-stream", "lower-port"

# (flow, offset, is its beginning known, octets by sequence numbers modulo 2^32, gap, duplicate, discarded, ns of the last packet,
# if any)
StreamFacts: TypeAlias = "tuple[bytes, int, bool, int, int, int, int, int | None]"


@dataclass(frozen=True, slots=True)
class Ending:
    """A connection at its end.

    Attributes:
        frames, bad_frames: By direction: their number, and how many of them could not be decoded.
    """

    record: ConnectionRecord
    facts: ConnectionFacts
    frames: tuple[int, int]
    bad_frames: tuple[int, int]


class _HostedConversation(NativeConversation):
    """A conversation with the facts that its frames state."""

    facts: FactReader0 | FactReader1 | None = None
    _has_failed = False

    def take_facts(self, direction: int, name: str, row: tuple[Any, ...]) -> None:
        """Take the row of a frame about the connection."""
        if self._has_failed:
            return
        try:
            self._read_facts(direction, name, row)
        except FATAL:
            raise
        except Exception as error:  # nothing in a connection may cost others their rows
            self._has_failed = True
            detail = describe_fault(error)
            self.quarantine.add(
                Quarantined(Reason.DECODE_ERROR, 0, connection=self.conversation.number, detail=detail)
            )

    def _read_facts(self, direction: int, name: str, row: tuple[Any, ...]) -> None:
        protocol = self.conversation.protocol
        is_1 = protocol is not None and protocol.package in PACKAGES1
        if self.facts is None:
            self.facts = FactReader1() if is_1 else FactReader0()
        if isinstance(self.facts, FactReader0):
            self.facts.take(Event(0, 0, direction, 0, 0, row, 0, 0, 0), name)
        else:
            take = self.facts.open if name == "open" else self.facts.close
            take(Event(0, 0, direction, 0, 0, (name, row, b""), 0, 0, 0))


class _Content:
    """The content of a message of 1.0 that is not plain."""

    def __init__(self, bodies: BodyRetention) -> None:
        self._content = DeliveryContent()
        self._bodies = bodies

    def feed(self, payload: bytes, more: bool) -> None:
        """See ``DeliveryContent``; so for the others."""
        self._content.feed(payload, more, self._bodies)

    def feed_opaque(self, payload: bytes) -> None:
        """Take the payload of a message of another format."""
        self._content.feed_opaque(payload, self._bodies)

    def end(self, complete: bool, is_secret: bool) -> None:
        """End the message."""
        self._content.end(complete, self._bodies, is_secret)

    def result(self) -> tuple[Any, ...]:
        """Return head, kind, size, footer, whether it is complete, whether a limit was reached, digest and beginning."""
        content = self._content
        return (
            *(content.head, content.kind, content.size, content.footer),
            *(content.is_complete, content.is_beyond_limit, *content.kept),
        )


class NativeHost:
    """What C asks of Python.

    Attributes:
        names: The names that rows have the numbers of.
        ended: The connections that have ended since the last time.
    """

    def __init__(
        self, names: ConnectionNames, quarantine: Quarantine, bodies: BodyRetention, key_log: KeyLog
    ) -> None:
        self.names: list[str] = []
        self.ended: list[Ending] = []
        self._numbers: dict[str, int] = {}
        self._connections = names
        self._quarantine = quarantine
        self._bodies = bodies
        self._key_log = key_log
        self._packages: dict[tuple[str, str], int] = {}
        self._decoders: dict[int, Decoder0 | Decoder1] = {}

    def number_of(self, name: str) -> int:
        """Return the number of a name."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number

    # --- Packages ---

    def number_of_package(self, package: str, dialect: str) -> int:
        """Return the number of a package with a dialect; C asks for its description."""
        return self._packages.setdefault((package, dialect), len(self._packages))

    def describe(self, number: int) -> Description:
        """Return the description of a package."""
        return describe_package(*list(self._packages)[number], self.number_of)

    def _decoder(self, number: int) -> Decoder0 | Decoder1:
        decoder = self._decoders.get(number)
        if decoder is None:
            package, dialect = list(self._packages)[number]
            if package in PACKAGES1:
                decoder = Decoder1(self._quarantine, package)
            else:
                decoder = Decoder0(self._quarantine, package, dialect, bodies=False)
            self._decoders[number] = decoder
        return decoder

    # --- Connections ---

    def begin(
        self, number: int, flow: bytes, packet_no: int, start_ns: int, start_mode: str, role_by: str
    ) -> NativeConversation:
        """Begin a connection; ``flow`` is that of the client, ``packet_no`` that of the first packet."""
        self._connections.begin(number, flow, packet_no, start_ns)
        return _HostedConversation(
            number,
            flow,
            self._quarantine,
            self.number_of_package,
            from_start=start_mode != _MID_STREAM,
            roles_are_certain=role_by != _LOWER_PORT,
            key_log=self._key_log,
        )

    def end(
        self,
        hosted: _HostedConversation,
        number: int,
        packet_no: int,
        start_ns: int,
        role_by: str,
        start_mode: str,
        end_mode: str,
        client: StreamFacts,
        server: StreamFacts,
        frames: tuple[int, int],
        bad_frames: tuple[int, int],
    ) -> None:
        """End a connection.

        Raises:
            LedgerError: C has lost octets.
        """
        conversation = hosted.conversation
        for direction, stream in zip(Direction, (client, server), strict=True):
            _ledger(stream).check(f"connection {number}, {direction.name}")
        last = [last_ns for last_ns in (client[7], server[7]) if last_ns is not None]
        record = make_record(
            conversation,
            number,
            (endpoint(client[0]), endpoint(server[0])),
            role_by,
            (start_ns, max([start_ns, *last])),
            (start_mode, end_mode),
            (client[5], server[5]),
        )
        facts = ConnectionFacts() if hosted.facts is None else hosted.facts.finish()
        self.ended.append(Ending(record, facts, frames, bad_frames))

    # --- What is left out ---

    def leave_out(
        self,
        reason: str,
        length: int,
        packet_no: int,
        packet_offset: int,
        ns: int,
        number: int,
        direction: int,
        offset: int,
    ) -> None:
        """Leave out a part of a stream; direction and offset are -1 where it is about a whole connection."""
        place = packet_no, packet_offset, ns, number
        where = (None, None) if direction < 0 else (Direction(direction), offset)
        self._quarantine.add(Quarantined(Reason(reason), length, *place, *where))

    def undecodable(
        self, package: int, number: int, direction: int, span: tuple[Any, ...]
    ) -> tuple[int, int, int, bytes | None]:
        """Leave out a frame that cannot be decoded.

        Returns:
            The number of its name and its key, -1 where it has none; the number of the reason; its payload, if that may be kept.
        """
        frame = FrameSpan._make(span)
        kind, reason, raw = self._decoder(package).leave_out(number, direction, frame)
        name = -1 if kind.name is None else self.number_of(kind.name)
        return name, -1 if kind.key is None else kind.key, self.number_of(reason.value), raw

    def forget_held(self, number: int, direction: int, ns: int, offset: int) -> None:
        """Note that a connection forgets what it held before an event, see ``messages.held``."""
        self._quarantine.add(
            Quarantined(Reason.NOT_FOLLOWED, 0, 0, 0, ns, number, Direction(direction), offset)
        )

    def give_up(self, error: Exception, number: int, direction: int, size: int, ns: int, offset: int) -> None:
        """Take an error in the messages of a connection, which has no more rows of them; direction -1: at its end.

        Raises:
            LedgerError, MemoryError, OSError: It ends the ingest.
        """
        if isinstance(error, FATAL) or not isinstance(error, Exception):
            raise error
        where: dict[str, Any] = {"ns": ns, "direction": direction, "stream_offset": offset}
        self._quarantine.add(
            Quarantined(
                Reason.DECODE_ERROR,
                size,
                connection=number,
                detail=describe_fault(error),
                **(where if direction >= 0 else {}),
            )
        )

    # --- Values ---

    def read_performative(
        self, package: int, payload: bytes, frame_type: int
    ) -> tuple[int, tuple[Any, ...], int]:
        """Return key, row and end of a performative that is not plain. Raises any exception if it cannot be decoded."""
        decoder = self._decoder(package)
        assert isinstance(decoder, Decoder1)
        name, row, end = decoder.read_row(payload, frame_type)
        return frame_type << 8 | decoder.codes[frame_type][name], row, end

    def keep_body(self, pieces: list[bytes], size: int, complete: bool) -> tuple[bytes | None, bytes | None]:
        """Return digest and beginning of a body."""
        return self._bodies.keep(pieces, size, complete)

    def new_content(self) -> _Content:
        """Return the content of a message of 1.0 that is not plain."""
        return _Content(self._bodies)

    def read_state(self, value: bytes, metadata: bytes) -> tuple[str | None, str | None]:
        """Return name and meaning of a delivery state."""
        return read_state((value, metadata))

    def text_of(self, value: bytes, metadata: bytes) -> str | None:
        """Return an address or a message id as text."""
        return variant_text((value, metadata))

    def address_of(self, value: bytes, metadata: bytes) -> str | None:
        """Return the address of a source or a target."""
        return address_of((value, metadata))

    def is_secret_node(self, value: bytes, metadata: bytes) -> bool:
        """Return whether the messages to or from a source or a target are secret."""
        return is_secret_node(address_of((value, metadata)))

    def decode_text(self, octets: bytes) -> str:
        """Return octets as text."""
        return decode_text(octets)


def _ledger(stream: StreamFacts) -> StreamLedger:
    """Return where the octets of a stream went, as ``Stream.ledger`` does."""
    _, offset, is_known, by_sequence, gap, duplicate, discarded, _ = stream
    if not is_known:
        return StreamLedger(duplicate=duplicate, discarded=discarded)
    return StreamLedger(offset + distance(offset, by_sequence), offset - gap, gap, duplicate, discarded)


def sender_by_key() -> dict[int, int]:
    """Return the methods that only one side sends, by key: 0 for the client, 1 for the server."""
    methods = load_package("amqp_0_9_1_rabbitmq").METHODS
    return {
        key: int("server" in method.SENT_BY) for key, method in methods.items() if len(method.SENT_BY) == 1
    }
