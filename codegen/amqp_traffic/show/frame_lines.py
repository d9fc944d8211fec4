"""Frames as lines: one a frame, and below it, if wanted, every field with its octets."""

from __future__ import annotations

from collections.abc import Iterator

from ..capture.stream_data import Direction
from ..frames.formats import FrameSpan
from .description import Description, describe_frame, is_about_connection, may_be_secret
from .lines import CLIENT, LABEL, NAME, PLACE, PROBLEM, SERVER, SIZE, TIME, VALUE, Line, time_of_day
from .octets import WIDTH, frame_octet_lines

ARROWS = {Direction.client_to_server: ("->", CLIENT), Direction.server_to_client: ("<-", SERVER)}


class FrameLines:
    """A maker of the lines of frames.

    Args:
        bodies: Whether bodies of messages may be shown.
        width: The columns that there are.
    """

    def __init__(self, bodies: bool, width: int = WIDTH) -> None:
        self._bodies = bodies
        self._width = width

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
        place = f"stream offset {frame.offset}, packet {frame.packet_no} at {frame.packet_offset}"
        yield [(f"      {place}", PLACE)]
        # Secrets are found by decoding: where that fails, some may be left.
        is_sensitive = is_about_connection(frame, package)
        is_secret = bool(description.problem) and may_be_secret(frame, package)
        bodies = self._bodies and not is_sensitive
        yield from frame_octet_lines(frame, package, dialect, bodies, is_secret, self._width)


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
