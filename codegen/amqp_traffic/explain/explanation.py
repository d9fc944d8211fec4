"""The explanation of a finding: what is known about it, and the conversation around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..audit.connection_frames import AuditFrame
from ..audit.finding import AuditFinding
from ..lake.folder import Lake
from ..show.capture import note_line
from ..show.frame_lines import FrameLines
from ..show.lines import NOTE, PLAIN, PROBLEM, Line
from ..streams.tls.key_log import NO_KEYS, KeyLog
from .captured_frames import (
    FramesAround,
    OtherCapture,
    ReadFrame,
    ReadItem,
    find_captures,
    has_packets,
    read_frames_around,
)
from .evidence_lines import client_lines, declaration_lines, stray_octet_lines
from .finding_lines import head_lines, how_it_ends
from .stored_frames import hex_lines, shown_frame, stored_around
from .subject import FindingSubject, subject_of
from .window import FindingPlace, Item, Where, Window, finding_place

_MARKED_INDENT = ">> "
_INDENT = "   "


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """How much the user wants to see.

    Attributes:
        context: The number of frames before and after the finding.
        all_channels: Frames on all channels of the connection, not only on the finding's.
        details: Every field of every frame with its octets; else only of the finding's frame.
        bodies: Bodies of messages.
        captures: The places of captures; empty for the usual ones.
        key_log: Keys of TLS.
    """

    context: int = 5
    all_channels: bool = False
    details: bool = False
    bodies: bool = False
    captures: Sequence[Path] = ()
    key_log: KeyLog = NO_KEYS


def explain(
    lake: Lake, finding: AuditFinding, options: ExplainOptions, write: Callable[[Line], None]
) -> None:
    """Write the explanation of a finding, line by line.

    Raises:
        CannotExplain: The finding is about another lake, or the capture is not where the user says.
    """
    subject = subject_of(lake, finding)
    for line in _lines(lake, subject, options):
        write(line)


def _lines(lake: Lake, subject: FindingSubject, options: ExplainOptions) -> Iterator[Line]:
    place = finding_place(subject.finding, options.context, options.all_channels)
    read, file, why_not = _read(lake, subject, place, options)
    yield from head_lines(subject, file)
    yield from client_lines(lake, subject)
    yield from declaration_lines(lake, subject)
    yield []
    if read is not None:
        source = f"read from {file}" if file is not None else "read again"
        yield [(f"-- {_scope(place)}, {source}", NOTE)]
        yield from _conversation(subject, place, _read_lines(read, subject, options))
        return
    yield [(f"-- {_scope(place)}, from the tables: {why_not}", NOTE)]
    stored = stored_around(lake, subject, place)
    yield from _conversation(subject, place, _stored_lines(stored, subject, options))


def _read(
    lake: Lake, subject: FindingSubject, place: FindingPlace, options: ExplainOptions
) -> tuple[FramesAround | None, Path | None, str]:
    """Return the frames as they were captured, and the file of the finding; or the reason why they cannot be read."""
    if not has_packets(subject.files):
        return None, None, "the capture has no packets"
    capture = find_captures(lake, subject.files, options.captures)
    number = subject.finding.file_no or 0
    if len(capture.paths) <= number:
        where = " or ".join(str(folder.absolute()) for folder in capture.looked_in)
        return None, None, f"{capture.missing} is not in {where}; --captures says where it is"
    try:
        read = read_frames_around(subject, place, capture.paths, options.key_log)
    except OtherCapture as other:
        names = ", ".join(str(path) for path in capture.paths[: number + 1])
        return (
            None,
            None,
            f"{names} is another capture: {other}; --captures says where the right one is",
        )
    return read, capture.paths[number], ""


def _scope(place: FindingPlace) -> str:
    """Return which frames are shown, as a heading."""
    scope = {
        Where.FRAME: "around the frame",
        Where.OCTETS: "around the octets",
        Where.BEGINNING: "the beginning of the connection",
        Where.END: "the end of the connection",
    }[place.where]
    if place.channels is None:
        return scope
    named = " and ".join(str(channel) for channel in sorted(place.channels, reverse=True))
    return f"{scope}, channel{'s' if len(place.channels) > 1 else ''} {named}"


class _Shown(NamedTuple):
    """The lines before the finding, of the finding itself, and after it."""

    before: Iterator[Line]
    marked: Iterator[Line]
    after: Iterator[Line]


def _shown(
    window: Window[Item],
    frame_lines: Callable[[Item, bool], Iterator[Line]],
    octets: Iterator[Line],
    details: bool,
) -> _Shown:
    """Return the lines of a window.

    Args:
        window: The frames.
        frame_lines: Yields the lines of one, with details or without.
        octets: The lines of a finding that is not about a frame.
        details: Whether frames other than that of the finding have details, too.
    """
    marked = window.marked
    return _Shown(
        (line for item in window.before for line in frame_lines(item, details)),
        frame_lines(marked, True) if marked is not None else octets,
        (line for item in window.after for line in frame_lines(item, details)),
    )


def _conversation(subject: FindingSubject, place: FindingPlace, shown: _Shown) -> Iterator[Line]:
    yield from (_indented(line) for line in shown.before)
    if place.where is Where.OCTETS:
        yield [(f"{_MARKED_INDENT}!! {subject.finding.evidence}", PROBLEM)]
    is_about_frame = place.where is Where.FRAME
    for number, line in enumerate(shown.marked):
        is_marked = is_about_frame and number == 0
        yield [(_MARKED_INDENT if is_marked else _INDENT, PROBLEM if is_marked else PLAIN), *line]
    yield from (_indented(line) for line in shown.after)
    if place.where is Where.END:
        yield [(f"{_MARKED_INDENT}-- {how_it_ends(subject)}", NOTE)]


def _indented(line: Line) -> Line:
    return [(_INDENT, PLAIN), *line]


# --- From the capture ---


def _read_lines(read: FramesAround, subject: FindingSubject, options: ExplainOptions) -> _Shown:
    lines = FrameLines(options.bodies)

    def frame_lines(item: ReadItem, details: bool) -> Iterator[Line]:
        if not isinstance(item, ReadFrame):
            yield note_line(item, with_connection=False)
            return
        frame = lines.shown(None, item.direction, item.frame_no, item.span, item.package, item.dialect)
        yield from frame.lines(details)

    return _shown(read.window, frame_lines, _octets(read, subject, options), options.details)


def _octets(read: FramesAround, subject: FindingSubject, options: ExplainOptions) -> Iterator[Line]:
    """Yield the octets that the finding is about; those of the quarantine row if what was read may not be shown."""
    lines = list(stray_octet_lines(read.octets, read.package, read.dialect, options.bodies))
    yield from lines or hex_lines(bytes.fromhex(subject.finding.bytes_hex or ""))


# --- From the tables ---


def _stored_lines(window: Window[AuditFrame], subject: FindingSubject, options: ExplainOptions) -> _Shown:
    package = subject.connection["package"] or ""
    octets = hex_lines(bytes.fromhex(subject.finding.bytes_hex or ""))
    return _shown(
        window, lambda frame, details: shown_frame(frame, package).lines(details), octets, options.details
    )
