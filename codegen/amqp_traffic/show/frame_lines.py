"""Frames as lines: one a frame, and below it, if wanted, every field with its octets."""

from __future__ import annotations

from collections.abc import Iterator

from ..capture.stream_data import Direction
from ..frames.amqp1.frame_format import PACKAGE as PACKAGE1
from ..frames.formats import PROTOCOL_HEADER, FrameSpan
from .amqp0.spans import MethodSpans
from .amqp1.spans import performative_spans
from .description import Description, describe_frame, is_about_connection
from .lines import (
    CLIENT,
    LABEL,
    NAME,
    PLACE,
    PROBLEM,
    SERVER,
    SIZE,
    TIME,
    VALUE,
    FieldSpan,
    Line,
    dump,
    time_of_day,
)

ARROWS = {Direction.client_to_server: ("->", CLIENT), Direction.server_to_client: ("<-", SERVER)}
_METHOD, _HEADER = 1, 2


class FrameLines:
    """A maker of the lines of frames.

    Args:
        bodies: Whether bodies of messages may be shown.
    """

    def __init__(self, bodies: bool) -> None:
        self._bodies = bodies
        self._spans0: dict[tuple[str, str], MethodSpans] = {}

    def describe(self, frame: FrameSpan, package: str, dialect: str) -> Description:
        """Describe a frame; see ``describe_frame``."""
        return describe_frame(frame, package, dialect, self._bodies)

    def details(self, frame: FrameSpan, package: str, dialect: str) -> Iterator[Line]:
        """Yield the place of a frame, and its fields with their octets.

        Args:
            frame: The frame, without secrets.
            package: The generated package that decodes it; empty if none does.
            dialect: The dialect of field tables; empty for the package's own.
        """
        place = f"stream offset {frame.offset}, packet {frame.packet_no} at {frame.packet_offset}"
        yield [(f"      {place}", PLACE)]
        yield from dump(frame.payload, self._spans(frame, package, dialect))

    def _spans(self, frame: FrameSpan, package: str, dialect: str) -> Iterator[FieldSpan]:
        """Yield the spans of a payload, up to the first octet that cannot be decoded."""
        payload, bodies = frame.payload, self._bodies
        end = 0
        try:
            for span in self._known_spans(frame, package, dialect):
                end = span.end
                yield span
        except Exception as fault:
            is_secret = is_about_connection(frame, package)
            text = type(fault).__name__ if is_secret else str(fault)
            yield FieldSpan(
                end, len(payload), 0, "cannot be decoded", "", text, is_secret or (not bodies and not end)
            )

    def _known_spans(self, frame: FrameSpan, package: str, dialect: str) -> Iterator[FieldSpan]:
        payload = frame.payload
        if frame.type == PROTOCOL_HEADER:
            yield FieldSpan(0, len(payload), 0, "protocol header")
        elif not payload:
            return
        elif package == PACKAGE1:
            yield from performative_spans(payload, self._bodies)
        elif frame.type in (_METHOD, _HEADER) and package:
            spans = self.spans0(package, dialect)
            yield from spans.method(payload) if frame.type == _METHOD else spans.header(payload)
        else:
            is_hidden = not self._bodies or is_about_connection(frame, package)
            yield FieldSpan(0, len(payload), 0, "body", "", f"{len(payload)} octets", is_hidden)

    def spans0(self, package: str, dialect: str) -> MethodSpans:
        """Return the reader of spans of 0-x; each is made once."""
        spans = self._spans0.get((package, dialect))
        if spans is None:
            spans = self._spans0[package, dialect] = MethodSpans(package, dialect)
        return spans


def frame_line(
    connection: int | None, direction: Direction, frame_no: int, frame: FrameSpan, what: Description
) -> Line:
    """Return the line of a frame.

    Args:
        connection: The number of its connection; None to leave it out.
        direction: The direction.
        frame_no: The number of the frame in its connection.
        frame: The frame.
        what: The description of the frame.
    """
    arrow, side = ARROWS[direction]
    number = "" if connection is None else f"{connection:>3} "
    line: Line = [
        (f"{time_of_day(frame.ns):15} ", TIME),
        (f"{number}{frame_no:>5} ", PLACE),
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
