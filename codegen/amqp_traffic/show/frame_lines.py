"""Frames as lines: one a frame, and below it, if wanted, its place and every field.

``traffic show`` and ``traffic explain`` render what they show here, read from a capture or from the tables of a lake.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..capture.stream_data import Direction
from ..frames.formats import FrameSpan
from .description import Description, describe_frame, is_about_connection, may_be_secret
from .lines import CLIENT, LABEL, NAME, PLACE, PROBLEM, SERVER, SIZE, TIME, VALUE, Line, time_of_day
from .octets import WIDTH, frame_octet_lines

ARROWS = {Direction.client_to_server: ("->", CLIENT), Direction.server_to_client: ("<-", SERVER)}


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame as it is shown.

    Attributes:
        connection: The number of its connection; None to leave it out.
        frame_no: The number of the frame in its connection.
        span: The frame, without secrets; without its payload if that is not at hand.
        description: The description of the frame.
        details: The lines of its place and its fields, which are made only if they are wanted.
    """

    connection: int | None
    direction: Direction
    frame_no: int
    span: FrameSpan
    description: Description
    details: Iterator[Line]

    def lines(self, details: bool) -> Iterator[Line]:
        """Yield the line of the frame, and its details if they are wanted."""
        yield frame_line(self.connection, self.direction, self.frame_no, self.span, self.description)
        if details:
            yield from self.details


class FrameLines:
    """A maker of the lines of captured frames.

    Args:
        bodies: Whether bodies of messages may be shown.
        width: The columns that there are.
    """

    def __init__(self, bodies: bool, width: int = WIDTH) -> None:
        self._bodies = bodies
        self._width = width

    def shown(
        self,
        connection: int | None,
        direction: Direction,
        frame_no: int,
        frame: FrameSpan,
        package: str,
        dialect: str,
    ) -> ShownFrame:
        """Return a frame with its description and its details."""
        description = self.describe(frame, package, dialect)
        details = self.details(frame, package, dialect, description)
        return ShownFrame(connection, direction, frame_no, frame, description, details)

    def describe(self, frame: FrameSpan, package: str, dialect: str) -> Description:
        """Describe a frame; see ``describe_frame``."""
        return describe_frame(frame, package, dialect, self._bodies)

    def details(
        self, frame: FrameSpan, package: str, dialect: str, description: Description
    ) -> Iterator[Line]:
        """Yield the place of a frame, and its fields with their octets.

        Args:
            frame: The frame, without secrets.
            package: The generated package that decodes it; empty if none does.
            dialect: The dialect of field tables; empty for the package's own.
            description: What ``describe`` returned for it.
        """
        yield place_line(frame)
        # Secrets are found by decoding: where that fails, some may be left.
        is_sensitive = is_about_connection(frame, package)
        is_secret = bool(description.problem) and may_be_secret(frame, package)
        bodies = self._bodies and not is_sensitive
        yield from frame_octet_lines(frame, package, dialect, bodies, is_secret, self._width)


def place_line(frame: FrameSpan) -> Line:
    """Return the line of the place of a frame in its stream and in its file."""
    place = f"stream offset {frame.offset}, packet {frame.packet_no} at {frame.packet_offset}"
    return [(f"      {place}", PLACE)]


def frame_line(
    connection: int | None, direction: Direction, frame_no: int, frame: FrameSpan, what: Description
) -> Line:
    """Return the line of a frame.

    ``connection`` is the number of its connection, in which ``frame_no`` counts; None to leave it out.
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
