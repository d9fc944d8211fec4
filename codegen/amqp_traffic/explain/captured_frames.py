"""Reading a capture again, up to a finding: finding its files, then its frames with their octets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeAlias

from ..capture.files import CaptureError, open_capture
from ..capture.formats import recognise_capture
from ..capture.quarantine import Quarantine, Quarantined
from ..capture.stream_data import SIDES, Direction, StreamPiece
from ..frames.conversation import FramedConversation
from ..frames.formats import FrameSpan
from ..frames.frame_reader import FrameReader
from ..lake.folder import Lake
from ..messages.connection_rows import connection_id
from ..show.frame_secrets import FrameSecrets
from ..streams.connection import CapturedConnection
from ..streams.raw_streams import is_raw_stream
from ..streams.tls.key_log import NO_KEYS, KeyLog
from .evidence_lines import MOST_STRAY_OCTETS
from .subject import CannotExplain, FindingSubject
from .window import FindingPlace, Key, Where, Window

# Formats of rabbitmq_tracing: their captures have no packets.
_LOG_FORMATS = ("trace-json", "trace-text")


@dataclass(frozen=True, slots=True)
class CaptureFiles:
    """The files of a capture that were found.

    Attributes:
        paths: The files in order, up to the first that was not found.
        missing: The name of the first file that was not found; None if all were found.
        looked_in: The folders that were searched.
    """

    paths: tuple[Path, ...]
    missing: str | None
    looked_in: tuple[Path, ...]


def find_captures(
    lake: Lake, files: Sequence[Mapping[str, Any]], user_places: Sequence[Path]
) -> CaptureFiles:
    """Search the files of a capture.

    Args:
        lake: The lake; the files are often beside it.
        files: Rows of ``captures``.
        user_places: The places that the user named: folders, or the file itself under any name; empty for the usual places.

    Raises:
        CannotExplain: The user named places, and no file of the capture is there. Or the lake names what is no file name: it
            may come from somebody else, and must not lead to other folders.
    """
    themselves = tuple(path for path in user_places if path.is_file())
    if len(files) == len(themselves) == 1:
        return CaptureFiles(themselves, None, ())
    places = tuple(dict.fromkeys(user_places or _usual_places(lake)))
    names = [str(file["file"]) for file in files]
    for name in names:
        if not _is_file_name(name):
            raise CannotExplain(
                "capture", f"the lake calls a file of the capture {name!r}, which is not the name of a file"
            )
    paths: list[Path] = []
    missing = None
    for name in names:
        path = next((place / name for place in places if (place / name).is_file()), None)
        if path is None:
            missing = name
            break
        paths.append(path)
    if user_places and missing is not None and not paths:
        named = ", ".join(str(place) for place in places)
        raise CannotExplain("capture", f"there is no {missing} in {named}")
    return CaptureFiles(tuple(paths), missing, places)


def _is_file_name(name: str) -> bool:
    """Return whether a name can be that of a file, and leads to no other folder."""
    return name not in ("", "..") and "\0" not in name and Path(name).name == name


def has_packets(files: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the files have packets, whose octets can be shown."""
    return bool(files) and not any(file["format"] in _LOG_FORMATS for file in files)


def _usual_places(lake: Lake) -> tuple[Path, ...]:
    """Return the current folder and the folder that has the lake."""
    beside = [Path(lake.root).parent] if lake.filesystem.type_name == "local" else []
    return (Path(), *(Path() if place == Path.cwd() else place for place in beside))


_SEGMENTS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class ReadFrame:
    """A frame of a capture.

    Attributes:
        frame_no: The number of the frame in its connection.
        span: The frame, without secrets; its packet number counts from the beginning of the file.
        package: The generated package that decodes it; empty if none does.
        dialect: The dialect of field tables.
        file_no: The file in which it begins.
    """

    frame_no: int
    direction: Direction
    span: FrameSpan
    package: str
    dialect: str
    file_no: int


ReadItem: TypeAlias = "ReadFrame | Quarantined"


@dataclass(frozen=True, slots=True)
class FramesAround:
    """What was read around a finding.

    Attributes:
        window: The frames, and the quarantine rows among them.
        octets: For a finding about octets that are not a frame: these octets and what follows them, at most ``MOST_STRAY_OCTETS``.
        package: The generated package of the connection; empty if there is none.
        dialect: The dialect of field tables.
    """

    window: Window[ReadItem]
    octets: bytes
    package: str
    dialect: str


class OtherCapture(Exception):
    """The files are not those from which the lake was made; the message says why in one line."""


def read_frames_around(
    subject: FindingSubject, place: FindingPlace, paths: Sequence[Path], key_log: KeyLog = NO_KEYS
) -> FramesAround:
    """Read the frames around a finding.

    Args:
        subject: The finding.
        place: The place of the finding.
        paths: The files of the capture, from the first on.
        key_log: Keys of TLS; those in the files are used, too.

    Raises:
        OtherCapture: The connection or the frame is not where the finding says.
    """
    reading = _Reading(subject, place, key_log.with_captures(paths))
    try:
        reading.read(paths)
    except (CaptureError, OSError) as error:
        raise OtherCapture(str(error)) from None
    reading.check()
    return FramesAround(reading.window, bytes(reading.octets), reading.package, reading.dialect)


class _Reading:
    """The callbacks of the frame reader, and what they collected."""

    def __init__(self, subject: FindingSubject, place: FindingPlace, key_log: KeyLog) -> None:
        self.window: Window[ReadItem] = Window(place)
        self.octets = bytearray()
        self._secrets = FrameSecrets()
        self.package = self.dialect = ""
        self._subject = subject
        self._place = place
        self._number: int | None = None  # of the connection, here
        self._start_ns = 0
        self._count = 0
        self._is_over = False
        self._packets_before = [0]
        role_by, port = subject.connection["role_by"], subject.connection["server_port"]
        self._reader = FrameReader(
            self._on_frames,
            self._on_end,
            on_begin=self._on_begin,
            on_pieces=self._on_pieces if place.where is Where.OCTETS else None,
            # The port counts only where it decided the roles when the lake was made.
            server_ports=(port,) if role_by == "port" else (),
            only=_flow_of(subject),
            key_log=key_log,
        )

    def read(self, paths: Sequence[Path]) -> None:
        """Read files until everything around the finding is known."""
        if paths and is_raw_stream(paths[0]):
            for _ in self._reader.read_raw(paths):
                pass
            return
        for path in paths:
            if not self._is_done:
                self._read_file(path)
        if not self._is_done:
            self._reader.finish()

    def check(self) -> None:
        """Check that the connection and the frame are those of the finding.

        Raises:
            OtherCapture: They are not.
        """
        finding, marked = self._subject.finding, self.window.marked
        if self._number is None:
            raise OtherCapture(f"there is no connection {finding.conn_id} in it")
        if self._start_ns != self._subject.connection["start_ns"]:
            raise OtherCapture(f"connection {finding.conn_id} begins at another time in it")
        if finding.frame_no is None:
            return
        if not isinstance(marked, ReadFrame):
            is_tls = "tls" in (self._subject.connection["transport"] or "")
            hint = ", as its TLS needs --keylog FILE" if is_tls and not self._count else ""
            raise OtherCapture(f"connection {finding.conn_id} has no frame {finding.frame_no} in it{hint}")
        seen = marked.direction, marked.span.offset
        if (finding.dir, finding.stream_off) != seen:
            raise OtherCapture(
                f"frame {finding.frame_no} of connection {finding.conn_id} is another one in it"
            )

    @property
    def _is_done(self) -> bool:
        return self._is_over or self.window.is_done

    def _read_file(self, path: Path) -> None:
        with open_capture(path) as file:
            capture = recognise_capture(file.buffer, Quarantine(most=0), file.damage)
            before = self._packets_before[-1]
            for _ in self._reader.read_packets(capture, before, _SEGMENTS_AT_ONCE):
                if self._is_done:
                    break
            # The number of packets is final only if the whole file was read; if it was not, no other file is read.
            self._packets_before.append(before + capture.ledger.packets)

    # --- Callbacks ---

    def _on_begin(self, connection: CapturedConnection) -> None:
        finding, first = self._subject.finding, connection.packet_no or connection.number
        if connection_id(finding.capture_id, connection.streams[0].flow, first) == finding.conn_id:
            self._number, self._start_ns = connection.number, connection.start_ns

    def _on_pieces(
        self, connection: CapturedConnection, direction: Direction, pieces: Sequence[StreamPiece]
    ) -> None:
        place = self._place
        if direction != place.direction or connection.number != self._number:
            return
        for piece in pieces:
            start = (place.offset or 0) + len(self.octets) - piece.offset
            if 0 <= start < len(piece.data):
                self.octets += piece.data[start : start + MOST_STRAY_OCTETS - len(self.octets)]

    def _on_frames(
        self, conversation: FramedConversation, direction: Direction, frames: list[FrameSpan]
    ) -> None:
        if conversation.number != self._number:
            return
        self._add_quarantine_rows()
        package, dialect = self.package, self.dialect = conversation.package, conversation.dialect
        for frame in frames:
            span = self._secrets.redacted(direction, frame, package, dialect)
            key = Key(self._count, direction, span.offset, span.channel, span.type, span.ns)
            self._count += 1
            file_no = max(bisect_left(self._packets_before, span.packet_no) - 1, 0)
            placed = span._replace(packet_no=span.packet_no - self._packets_before[file_no])
            self.window.add(key, ReadFrame(key.frame_no, direction, placed, package, dialect, file_no))

    def _on_end(self, connection: CapturedConnection, conversation: FramedConversation) -> None:
        if connection.number == self._number:
            self._add_quarantine_rows()
            self._is_over = True

    def _add_quarantine_rows(self) -> None:
        """Add new quarantine rows of the connection to the window, except the finding's own."""
        place = self._place
        rows = self._reader.quarantine.rows
        for row in rows:
            is_own = (row.direction, row.stream_offset) == (place.direction, place.offset)
            if row.connection == self._number and row.length and not is_own:
                self.window.remark(row)
        rows.clear()


def _flow_of(subject: FindingSubject) -> bytes:
    """Return the addresses and ports of the connection, as in ``Segment``."""
    row = subject.connection
    sides = ("proxy" if row["proxy_ip"] else SIDES[0], SIDES[1])
    addresses = (ip_address(row[f"{side}_ip"]).packed for side in sides)
    ports = (row[f"{side}_port"].to_bytes(2, "big") for side in sides)
    return b"".join((*addresses, *ports))
