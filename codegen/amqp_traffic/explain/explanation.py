"""A finding explained: what is known of it, and the conversation around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..audit.connection_frames import AuditFrame
from ..audit.finding import AuditFinding
from ..capture.stream_data import Direction
from ..frames.formats import FrameSpan
from ..lake.folder import Lake
from ..show.capture import note_line
from ..show.frame_lines import FrameLines, frame_line
from ..show.lines import NOTE, PLAIN, PROBLEM, Line
from .capture_files import find_captures, has_packets
from .captured_frames import FramesAround, OtherCapture, ReadFrame, ReadItem, read_frames_around
from .evidence_lines import client_lines, declaration_lines
from .finding_lines import head_lines, how_it_ends
from .octet_lines import stray_octet_lines
from .stored_frames import described, hex_lines, stored_around, stored_details
from .subject import FindingSubject, subject_of
from .window import FindingPlace, Where, Window, finding_place

_HERE = ">> "
_ELSEWHERE = "   "


@dataclass(frozen=True, slots=True)
class Asked:
    """How much is to be shown.

    Attributes:
        context: So many frames before the finding, and so many after it.
        all_channels: Frames on all channels of the connection, not only on that of the finding.
        details: Every field of every frame, with its octets; else only of that of the finding.
        bodies: Bodies of messages, too.
        captures: Where captures are; none if that was not said.
    """

    context: int = 5
    all_channels: bool = False
    details: bool = False
    bodies: bool = False
    captures: Sequence[Path] = ()


def explain(lake: Lake, finding: AuditFinding, asked: Asked, write: Callable[[Line], None]) -> None:
    """Explain a finding.

    Args:
        lake: The lake that it is of.
        finding: The finding.
        asked: How much is shown.
        write: Takes lines.

    Raises:
        CannotExplain: It is of another lake, or the capture is not where the user says.
    """
    subject = subject_of(lake, finding)
    for line in _lines(lake, subject, asked):
        write(line)


def _lines(lake: Lake, subject: FindingSubject, asked: Asked) -> Iterator[Line]:
    place = finding_place(subject.finding, asked.context, asked.all_channels)
    read, file, why_not = _read(lake, subject, place, asked)
    yield from head_lines(subject, file)
    yield from client_lines(lake, subject)
    yield from declaration_lines(lake, subject)
    yield []
    if read is not None:
        source = f"read from {file}" if file is not None else "read again"
        yield [(f"-- {_scope(place)}, {source}", NOTE)]
        yield from _conversation(subject, place, _read_lines(read, subject, asked))
        return
    yield [(f"-- {_scope(place)}, from the tables: {why_not}", NOTE)]
    stored = stored_around(lake, subject, place)
    yield from _conversation(subject, place, _stored_lines(stored, subject, asked))


def _read(
    lake: Lake, subject: FindingSubject, place: FindingPlace, asked: Asked
) -> tuple[FramesAround | None, Path | None, str]:
    """The frames as they were captured, and in which file the finding is; or why that is not possible."""
    if not has_packets(subject.files):
        return None, None, "it was no capture of packets"
    found = find_captures(lake, subject.files, asked.captures)
    number = subject.finding.file_no or 0
    if len(found.paths) <= number:
        where = " or ".join(str(folder.absolute()) for folder in found.looked_in)
        return None, None, f"{found.missing} is not in {where}; --captures says where it is"
    try:
        read = read_frames_around(subject, place, found.paths)
    except OtherCapture as other:
        names = ", ".join(str(path) for path in found.paths[: number + 1])
        return (
            None,
            None,
            f"{names} is another capture: {other}; --captures says where the right one is",
        )
    return read, found.paths[number], ""


def _scope(place: FindingPlace) -> str:
    """Which frames come."""
    what = {
        Where.FRAME: "around the frame",
        Where.OCTETS: "around the octets",
        Where.BEGINNING: "the beginning of the connection",
        Where.END: "the end of the connection",
    }[place.where]
    if place.channels is None:
        return what
    named = " and ".join(str(channel) for channel in sorted(place.channels, reverse=True))
    return f"{what}, channel{'s' if len(place.channels) > 1 else ''} {named}"


class _Shown(NamedTuple):
    """Lines about what is before the finding, itself, and after it."""

    before: Iterator[Line]
    marked: Iterator[Line]
    after: Iterator[Line]


def _conversation(subject: FindingSubject, place: FindingPlace, shown: _Shown) -> Iterator[Line]:
    yield from (_indented(line) for line in shown.before)
    if place.where is Where.OCTETS:
        yield [(f"{_HERE}!! {subject.finding.evidence}", PROBLEM)]
    first = place.where is Where.FRAME
    for line in shown.marked:
        yield [(_HERE if first else _ELSEWHERE, PROBLEM if first else PLAIN), *line]
        first = False
    yield from (_indented(line) for line in shown.after)
    if place.where is Where.END:
        yield [(f"{_HERE}-- {how_it_ends(subject)}", NOTE)]


def _indented(line: Line) -> Line:
    return [(_ELSEWHERE, PLAIN), *line]


# --- From the capture ---


def _read_lines(read: FramesAround, subject: FindingSubject, asked: Asked) -> _Shown:
    window = read.window
    lines = FrameLines(asked.bodies)

    def of(item: ReadItem, details: bool) -> Iterator[Line]:
        if not isinstance(item, ReadFrame):
            yield note_line(item, with_connection=False)
            return
        what = lines.describe(item.span, item.package, item.dialect)
        yield frame_line(None, item.direction, item.frame_no, item.span, what)
        if details:
            yield from lines.details(item.span, item.package, item.dialect)

    marked = window.marked
    return _Shown(
        (line for item in window.before for line in of(item, asked.details)),
        of(marked, True) if marked is not None else _octets(read, subject, asked),
        (line for item in window.after for line in of(item, asked.details)),
    )


def _octets(read: FramesAround, subject: FindingSubject, asked: Asked) -> Iterator[Line]:
    """Those of a finding about octets that are no frame; those that the quarantine has, if they are not to be shown."""
    lines = list(stray_octet_lines(read.octets, read.package, read.dialect, asked.bodies))
    yield from lines or hex_lines(bytes.fromhex(subject.finding.bytes_hex or ""))


# --- From the tables ---


def _stored_lines(window: Window[AuditFrame], subject: FindingSubject, asked: Asked) -> _Shown:
    package = subject.connection["package"] or ""

    def of(frame: AuditFrame, details: bool) -> Iterator[Line]:
        place = frame.pkt_no or 0, frame.pkt_off or 0, frame.ns
        span = FrameSpan(frame.offset, frame.size, frame.type, frame.channel, b"", *place)
        yield frame_line(None, Direction(frame.direction), frame.frame_no, span, described(frame, package))
        if details:
            yield from stored_details(frame, package)

    marked = window.marked
    return _Shown(
        (line for frame in window.before for line in of(frame, asked.details)),
        of(marked, True) if marked is not None else hex_lines(bytes.fromhex(subject.finding.bytes_hex or "")),
        (line for frame in window.after for line in of(frame, asked.details)),
    )
