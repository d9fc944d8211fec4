"""Shows the frames of a capture while it is read: what comes is written at once, and nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..core.connection import Connection
from ..core.conversation import Conversation
from ..core.frame_span import PROTOCOL_HEADER, FrameSpan
from ..core.framing1 import PACKAGE as PACKAGE1
from ..core.quarantine import Quarantine, Quarantined, Reason
from ..core.stream import Direction
from .description import Description, describe, is_about_connection
from .dump import dump
from .line import (
    CLIENT,
    LABEL,
    NAME,
    NOTE,
    PLACE,
    PLAIN,
    PROBLEM,
    SERVER,
    SIZE,
    TIME,
    VALUE,
    Line,
    date_and_time,
    time_of_day,
)
from .span import Span
from .spans0 import Spans0
from .spans1 import performative_spans

# What a sound capture may have, too.
_ORDINARY = frozenset(
    (
        *(Reason.NON_TCP, Reason.NO_DATA, Reason.MID_STREAM_HEAD, Reason.TAIL_INCOMPLETE),
        *(Reason.NOT_AMQP, Reason.TLS, Reason.UNSUPPORTED_VERSION),
    )
)
_ARROWS = {Direction.client_to_server: ("->", CLIENT), Direction.server_to_client: ("<-", SERVER)}
_METHOD, _HEADER, _BODY = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is shown.

    Attributes:
        connection: Only the connection with that number.
        frame: Only the frame with that number in its connection.
        details: Every field with its octets, too.
        bodies: Bodies of messages, too.
    """

    connection: int | None = None
    frame: int | None = None
    details: bool = False
    bodies: bool = False


class Show:
    """Writes lines about what is read: has the callbacks for that.

    Attributes:
        quarantine: What is left out; to be given to the readers.
        is_done: All that is wanted was shown.
        is_partial: Something could not be shown: damage, or what cannot be decoded.
    """

    def __init__(self, wanted: Wanted, write: Callable[[Line], None]) -> None:
        """Begin.

        Args:
            wanted: What is shown.
            write: Takes lines.
        """
        self.quarantine = Quarantine()
        self.is_done = False
        self.is_partial = False
        self._wanted = wanted
        self._write = write
        self._connections: dict[int, Connection] = {}
        self._counts: dict[int, int] = {}
        self._spans0: dict[tuple[str, str], Spans0] = {}

    # --- What is called back ---

    def begin(self, connection: Connection) -> None:
        """There is a connection; may be told more than once."""
        self._connections[connection.number] = connection

    def on_frames(self, conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
        """Show frames of one direction of a connection."""
        self.notes()
        number = conversation.number
        first = self._counts.get(number, 0)
        self._counts[number] = first + len(frames)
        wanted = self._wanted
        if self.is_done or wanted.connection not in (None, number):
            return
        if not first and wanted.frame is None:
            self._introduce(conversation)
        for frame_no, frame in enumerate(frames, first):
            if wanted.frame in (None, frame_no):
                self._show(conversation, direction, frame_no, frame)
        if wanted.connection is not None and wanted.frame is not None:
            self.is_done = wanted.frame < first + len(frames)

    def on_end(self, connection: Connection, conversation: Conversation) -> None:
        """A connection is at its end."""
        self.notes()
        number = connection.number
        self._connections.pop(number, None)
        count = self._counts.pop(number, 0)
        wanted = self._wanted
        if wanted.frame is None and wanted.connection in (None, number) and not self.is_done:
            if not count:
                self._connections[number] = connection
                self._introduce(conversation)
                del self._connections[number]
            ends = {"fin": "ends", "rst": "is broken off", "open": "is open at the end of the capture"}
            self._write([(f"-- connection {number} {ends[connection.end_mode]}: {count:,} frames", NOTE)])

    def notes(self) -> None:
        """Tell what was left out since the last time."""
        rows = self.quarantine.rows
        for row in rows:
            if row.reason not in _ORDINARY:
                self.is_partial = True
            if self._wanted.frame is None and self._wanted.connection in (None, row.connection):
                self._write(_note(row))
        rows.clear()

    def finish(self) -> None:
        """Everything was read."""
        self.notes()
        self.is_partial = self.is_partial or not self.quarantine.totals.keys() <= _ORDINARY

    # --- Lines ---

    def _introduce(self, conversation: Conversation) -> None:
        connection = self._connections.get(conversation.number)
        if connection is None:
            return
        (client, client_port), (server, server_port) = connection.client, connection.server
        protocol = conversation.protocol
        speaks = "nothing was said" if protocol is None else f"{protocol.name}, by {protocol.by}"
        if protocol is not None and protocol.package:
            speaks = f"AMQP {speaks}"
        where = f"{_address(client)}:{client_port} -> {_address(server)}:{server_port}"
        text = f"-- connection {connection.number}: {where}, {date_and_time(connection.start_ns)}, {speaks}"
        self._write([(text, NOTE)])

    def _show(
        self, conversation: Conversation, direction: Direction, frame_no: int, frame: FrameSpan
    ) -> None:
        protocol = conversation.protocol
        package = protocol.package if protocol is not None else ""
        dialect = conversation.dialect
        what = describe(frame, package, dialect, self._wanted.bodies)
        self._write(_line(conversation.number, direction, frame_no, frame, what))
        if what.problem:
            self.is_partial = True
        if self._wanted.details:
            place = f"stream offset {frame.offset}, packet {frame.packet_no} at {frame.packet_offset}"
            self._write([(f"      {place}", PLACE)])
            for line in dump(frame.payload, self._spans(frame, package, dialect)):
                self._write(line)

    def _spans(self, frame: FrameSpan, package: str, dialect: str) -> Iterator[Span]:
        """What is in a payload, as far as it can be told."""
        payload, bodies = frame.payload, self._wanted.bodies
        end = 0
        try:
            for span in self._known_spans(frame, package, dialect):
                end = span.end
                yield span
        except Exception as fault:
            is_secret = is_about_connection(frame, package)
            text = type(fault).__name__ if is_secret else str(fault)
            yield Span(
                end, len(payload), 0, "cannot be decoded", "", text, is_secret or (not bodies and not end)
            )

    def _known_spans(self, frame: FrameSpan, package: str, dialect: str) -> Iterator[Span]:
        payload = frame.payload
        if frame.type == PROTOCOL_HEADER:
            yield Span(0, len(payload), 0, "protocol header")
        elif not payload:
            return
        elif package == PACKAGE1:
            yield from performative_spans(payload, self._wanted.bodies)
        elif frame.type in (_METHOD, _HEADER) and package:
            spans = self._spans0.get((package, dialect))
            if spans is None:
                spans = self._spans0[package, dialect] = Spans0(package, dialect)
            yield from spans.method(payload) if frame.type == _METHOD else spans.header(payload)
        else:
            is_hidden = not self._wanted.bodies or is_about_connection(frame, package)
            yield Span(0, len(payload), 0, "body", "", f"{len(payload)} octets", is_hidden)


def _address(text: str) -> str:
    return f"[{text}]" if ":" in text else text


def _line(connection: int, direction: Direction, frame_no: int, frame: FrameSpan, what: Description) -> Line:
    arrow, side = _ARROWS[direction]
    line: Line = [
        (f"{time_of_day(frame.ns):15} ", TIME),
        (f"{connection:>3} {frame_no:>5} ", PLACE),
        (f"{arrow} ", side),
        (f"{frame.channel:<3} ", PLACE),
        (what.name, NAME),
    ]
    for label, value in what.arguments:
        line.append((f" {label}", LABEL))
        if value:
            line.append((f"={value}" if label else value, VALUE))
    line.append((f" ({what.sizes + ', ' if what.sizes else ''}{frame.size})", SIZE))
    if what.problem:
        line.append((f" {what.problem}", PROBLEM))
    return line


def _note(row: Quarantined) -> Line:
    """What was left out, and where."""
    where = []
    if row.connection is not None:
        arrow = f" {_ARROWS[Direction(row.direction)][0]}" if row.direction is not None else ""
        where.append(f"connection {row.connection}{arrow}")
    if row.stream_offset is not None:
        where.append(f"stream offset {row.stream_offset}")
    if row.packet_no:
        where.append(f"packet {row.packet_no}")
    where.append(f"at {row.packet_offset}")
    text = f"!! {row.reason.value}: {row.length:,} octets, {', '.join(where)}"
    style = PLAIN if row.reason in _ORDINARY else PROBLEM
    return [(f"{text}: {row.detail}" if row.detail else text, style)]
