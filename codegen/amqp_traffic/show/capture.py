"""Printing the frames of a capture while it is read: each line is written at once, and nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..capture.files import CaptureError, CaptureFile, open_capture
from ..capture.formats import Capture, recognise_capture
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction
from ..frames.contents import describe_contents
from ..frames.conversation import FramedConversation
from ..frames.formats import FrameSpan
from ..frames.frame_reader import FrameReader
from ..logs.trace_log import recognise_log
from ..streams.connection import NOT_FOLLOWED, CapturedConnection
from ..streams.connections import AMQP_PORTS
from ..streams.numbers import find_connection
from ..streams.raw_streams import is_raw_stream
from ..streams.tls.key_log import NO_KEYS, KeyLog
from .frame_lines import ARROWS, FrameLines
from .frame_secrets import FrameSecrets
from .lines import NOTE, PLAIN, PROBLEM, Line, date_and_time
from .octets import WIDTH

# Reasons of quarantine rows that an undamaged capture has, too.
_ORDINARY_REASONS = frozenset(
    (
        *(Reason.NON_TCP, Reason.NO_DATA, Reason.MID_STREAM_HEAD, Reason.TAIL_INCOMPLETE),
        *(Reason.NOT_AMQP, Reason.TLS, Reason.UNSUPPORTED_VERSION),
    )
)
# A connection is closed by both sides with close-ok of 0-x; in 1.0 each side sends a close.
_CLOSES = {"connection.close-ok": tuple(Direction), "close": ()}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user wants to see.

    Attributes:
        connection: Only the connection with this number; None for all.
        frame: Only the frame with this number in its connection; None for all.
        details: Every field with its octets.
        bodies: Bodies of messages.
        width: The columns that there are.
    """

    connection: int | None = None
    frame: int | None = None
    details: bool = False
    bodies: bool = False
    width: int = WIDTH


class CapturePrinter:
    """A printer of frames, made of callbacks for the frame reader.

    Attributes:
        quarantine: To be given to the reader, which adds what it leaves out.
        is_done: Everything that is wanted was shown.
        is_partial: Something could not be shown: the capture is damaged, or a frame cannot be decoded.
        has_frames: There are frames, shown or not.
    """

    def __init__(self, wanted: Wanted, write: Callable[[Line], None]) -> None:
        self.quarantine = Quarantine()
        self.is_done = False
        self.is_partial = False
        self.has_frames = False
        self._wanted = wanted
        self._write = write
        self._connections: dict[int, CapturedConnection] = {}
        self._counts: dict[int, int] = {}
        self._closed: dict[int, set[Direction]] = (
            {}
        )  # the sides that have sent a close, or got an answer to theirs
        self._secrets: dict[int, FrameSecrets] = {}
        self._lines = FrameLines(wanted.bodies, wanted.width)

    # --- Callbacks ---

    def begin(self, connection: CapturedConnection) -> None:
        """Take a new connection."""
        self._connections[connection.number] = connection

    def on_frames(
        self, conversation: FramedConversation, direction: Direction, frames: list[FrameSpan]
    ) -> None:
        """Show frames of one direction of a connection."""
        self.notes()
        self.has_frames = True
        number = conversation.number
        first = self._counts.get(number, 0)
        self._counts[number] = first + len(frames)
        wanted = self._wanted
        if self.is_done or wanted.connection not in (None, number):
            return
        if not first and wanted.frame is None:
            self._introduce(conversation)
        secrets = self._secrets.setdefault(number, FrameSecrets())
        package, dialect = conversation.package, conversation.dialect
        for frame_no, frame in enumerate(frames, first):
            plain = secrets.redacted(direction, frame, package, dialect)
            if wanted.frame in (None, frame_no):
                shown = self._lines.shown(number, direction, frame_no, plain, package, dialect)
                self.is_partial = self.is_partial or bool(shown.description.problem)
                if shown.description.name in _CLOSES and not plain.channel:
                    self._closed.setdefault(number, set()).update(
                        _CLOSES[shown.description.name] or (direction,)
                    )
                for line in shown.lines(wanted.details):
                    self._write(line)
        if wanted.connection is not None and wanted.frame is not None:
            self.is_done = wanted.frame < first + len(frames)

    def on_end(self, connection: CapturedConnection, conversation: FramedConversation) -> None:
        """Show the end of a connection."""
        self.notes()
        number = connection.number
        self._connections.pop(number, None)
        count = self._counts.pop(number, 0)
        is_closed = len(self._closed.pop(number, ())) == len(Direction)
        self._secrets.pop(number, None)
        wanted = self._wanted
        if wanted.frame is None and wanted.connection in (None, number) and not self.is_done:
            if not count:
                self._connections[number] = connection
                self._introduce(conversation)
                del self._connections[number]
            ends = {
                "fin": "ends",
                "rst": "is broken off",
                "open": "is open at the end of the capture",
                NOT_FOLLOWED: "is not followed any further",
            }
            mode = "fin" if is_closed and connection.end_mode == "rst" else connection.end_mode
            self._write([(f"-- connection {number} {ends[mode]}: {count:,} frames", NOTE)])

    def notes(self) -> None:
        """Show what was left out since the last call."""
        rows = self.quarantine.rows
        for row in rows:
            if row.reason not in _ORDINARY_REASONS:
                self.is_partial = True
            if self._wanted.frame is None and self._wanted.connection in (None, row.connection):
                self._write(note_line(row))
        rows.clear()

    def finish(self) -> None:
        """Show the remaining notes after everything was read."""
        self.notes()
        self.is_partial = self.is_partial or not self.quarantine.totals.keys() <= _ORDINARY_REASONS

    # --- Lines ---

    def _introduce(self, conversation: FramedConversation) -> None:
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


def _address(text: str) -> str:
    return f"[{text}]" if ":" in text else text


def note_line(row: Quarantined, with_connection: bool = True) -> Line:
    """Return the line of a quarantine row: what was left out, and where.

    Args:
        row: The quarantine row.
        with_connection: Whether the line has the number of the connection.
    """
    where = []
    arrow = ARROWS[Direction(row.direction)][0] if row.direction is not None else ""
    if row.connection is not None and with_connection:
        where.append(f"connection {row.connection} {arrow}".rstrip())
    elif arrow:
        where.append(arrow)
    if row.stream_offset is not None:
        where.append(f"stream offset {row.stream_offset}")
    if row.packet_no:
        where.append(f"packet {row.packet_no}")
    where.append(f"at {row.packet_offset}")
    text = f"!! {row.reason.value}: {row.length:,} octets, {', '.join(where)}"
    style = PLAIN if row.reason in _ORDINARY_REASONS else PROBLEM
    return [(f"{text}: {row.detail}" if row.detail else text, style)]


_STANDARD_INPUT = Path("/dev/stdin")


def show_file(
    path: Path,
    wanted: Wanted,
    write: Callable[[Line], None],
    server_ports: Sequence[int] = AMQP_PORTS,
    key_log: KeyLog = NO_KEYS,
) -> bool:
    """Show the frames of a capture.

    Args:
        path: The capture: pcap or pcapng, compressed or not; a raw stream, read together with the other direction if that
            is beside it; ``-`` for standard input.
        wanted: What to show.
        write: Takes lines.
        server_ports: The endpoint that uses one of these ports is the broker, if nothing else tells.
        key_log: Keys of TLS; those in the capture are used, too.

    Returns:
        Whether everything could be shown.

    Raises:
        CaptureError: The file is not a capture, or a package that reads it is missing.
        OSError: The file cannot be opened.
    """
    show = CapturePrinter(wanted, write)
    new_reader = partial(
        FrameReader,
        show.on_frames,
        show.on_end,
        on_begin=show.begin,
        server_ports=server_ports,
        quarantine=show.quarantine,
    )
    if is_raw_stream(path):
        for _ in new_reader(key_log=key_log).read_raw(_both(path)):
            pass
    else:
        with open_capture(_STANDARD_INPUT if str(path) == "-" else path) as file:
            capture = _recognise(path, file, show.quarantine)
            new_reader = partial(new_reader, key_log=key_log.with_captures([file.buffer]))
            reader, found = new_reader(), None
            if wanted.connection is not None:
                found = find_connection(recognise_capture(file.buffer), wanted.connection, server_ports)
                flow, before = found or (b"", 0)  # no packet has an empty flow
                reader = new_reader(only=flow, numbers_before=before)
            _read_packets(capture, reader, show)
            show.notes()
            if wanted.connection is not None and not found:
                write([(f"!! there is no connection {wanted.connection}", PROBLEM)])
            elif wanted.connection is None and not show.has_frames:
                write([(f"!! no frame of AMQP: {describe_contents([file.buffer], server_ports)}", PROBLEM)])
    show.finish()
    return show.has_frames and not show.is_partial


def _recognise(path: Path, file: CaptureFile, quarantine: Quarantine) -> Capture:
    try:
        return recognise_capture(file.buffer, quarantine, file.damage)
    except CaptureError as error:
        if recognise_log(file.buffer) is not None:
            raise CaptureError(f"{path}: is a log of rabbitmq_tracing, which can be read as it is") from None
        raise CaptureError(f"{path}: {error}") from None


def _read_packets(capture: Capture, reader: FrameReader, show: CapturePrinter) -> None:
    for _ in reader.read_packets(
        capture, at_once=1
    ):  # keeps frames of all connections in the order of packets
        show.notes()
        if show.is_done:
            return
    reader.finish()


def _both(path: Path) -> list[Path]:
    """Return a raw stream, and that of the other direction if it exists."""
    name = path.name
    for one, other in (("client", "server"), ("server", "client")):
        if name.endswith(f".{one}.raw"):
            sibling = path.with_name(f"{name.removesuffix(f'.{one}.raw')}.{other}.raw")
            return [path, sibling] if sibling.exists() else [path]
    return [path]
