"""The frames around a finding as the tables have them, for when the capture is not available."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ..audit.amqp0.octets import first_octets
from ..audit.connection_columns import NAME_COLUMNS, row_values, source_columns
from ..audit.connection_frames import BODY, HEADER, AuditFrame
from ..capture.stream_data import Direction
from ..frames.formats import FrameSpan
from ..lake.folder import Lake
from ..schemas import PACKAGES1
from ..show.description import Description, event_kind, named_arguments
from ..show.frame_lines import ShownFrame, place_line
from ..show.lines import HEX, LABEL, PLACE, SIZE, VALUE, Line, short_value
from ..variant_values import variant_value
from .subject import FindingSubject, read_rows
from .window import FindingPlace, Key, Window

_OCTETS_PER_LINE = 16
_KEY = ("conn_id", "frame_no")
_SOURCES = (*NAME_COLUMNS, "messages")


def stored_around(lake: Lake, subject: FindingSubject, place: FindingPlace) -> Window[AuditFrame]:
    """Return the frames around the place of a finding, with their fields and messages."""
    window: Window[AuditFrame] = Window(place)
    for frame in _frames(lake, subject):
        key = Key(frame.frame_no, frame.direction, frame.offset, frame.channel, frame.type, frame.ns)
        window.add(key, frame)
        if window.is_done:
            break
    _fill(lake, subject, window)
    return window


def _frames(lake: Lake, subject: FindingSubject) -> Iterable[AuditFrame]:
    """Return all frames of the connection, in order, from the table ``frames`` alone."""
    finding = subject.finding
    names = [name for name, _ in source_columns("frames")]
    of_one = [("conn_id", "=", finding.conn_id)]
    rows = read_rows(lake, "frames", finding.capture_id, ["frame_no", *names], of_one)
    if rows is None:
        return
    rows = rows.sort_by("frame_no")
    for batch in rows.to_batches(max_chunksize=4096):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield AuditFrame(*values)


def _fill(lake: Lake, subject: FindingSubject, window: Window[AuditFrame]) -> None:
    """Add fields and messages to the frames of the window."""
    kept = [*window.before, *([window.marked] if window.marked else []), *window.after]
    numbers = sorted(frame.frame_no for frame in kept)
    values: dict[str, dict[int, Any]] = {source: {} for source in _SOURCES}
    if numbers:
        for source in _SOURCES:
            values[source] = _values(lake, subject, source, numbers)

    def filled(frame: AuditFrame) -> AuditFrame:
        number = frame.frame_no
        fields = next((values[source][number] for source in NAME_COLUMNS if number in values[source]), None)
        return frame._replace(fields=None if frame.err else fields, message=values["messages"].get(number))

    window.marked = filled(window.marked) if window.marked else None
    window.after = [filled(frame) for frame in window.after]
    before = [filled(frame) for frame in window.before]
    window.before.clear()
    window.before.extend(before)


def _values(lake: Lake, subject: FindingSubject, source: str, numbers: list[int]) -> dict[int, Any]:
    finding = subject.finding
    names = [name for name, _ in source_columns(source)]
    wanted = [
        ("conn_id", "=", finding.conn_id),
        ("frame_no", ">=", numbers[0]),
        ("frame_no", "<=", numbers[-1]),
    ]
    rows = read_rows(lake, source, finding.capture_id, [*_KEY, *names], wanted)
    if rows is None or not rows.num_rows:
        return {}
    columns = {name: _one(rows[name]) for name in rows.column_names if name not in _KEY}
    return dict(zip(rows["frame_no"].to_pylist(), row_values(source, columns), strict=True))


def _one(column: pa.ChunkedArray) -> pa.Array:
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


# --- To lines ---


def shown_frame(frame: AuditFrame, package: str) -> ShownFrame:
    """Return a frame with what the tables have of it.

    ``package`` is the generated package of its connection; empty if there is none.
    """
    place = frame.pkt_no or 0, frame.pkt_off or 0, frame.ns
    span = FrameSpan(frame.offset, frame.size, frame.type, frame.channel, b"", *place)
    description = Description(frame.name or event_kind(frame.type, package))
    if frame.err:
        description.problem = f"cannot be decoded: {frame.err}"
    else:
        description.arguments = named_arguments(_named_values(frame))
    details = _details(frame, span, package)
    return ShownFrame(None, Direction(frame.direction), frame.frame_no, span, description, details)


def _details(frame: AuditFrame, span: FrameSpan, package: str) -> Iterator[Line]:
    """Yield the place of a frame, its fields, and those of its octets that follow from them."""
    yield place_line(span)
    for label, value in _named_values(frame):
        if value is not None:
            yield [("      ", PLACE), (f"{label} ", LABEL), (short_value(value, long=True), VALUE)]
    octets = b"" if package in PACKAGES1 else first_octets(frame, package)
    yield from hex_lines(octets)
    if octets and len(octets) < frame.size:
        yield [(f"      ... {frame.size - len(octets)} more octets, which the lake does not have", SIZE)]


def hex_lines(octets: bytes) -> Iterator[Line]:
    """Yield octets in hexadecimal, with offsets from 0."""
    for at in range(0, len(octets), _OCTETS_PER_LINE):
        yield [(f"      {at:04x}  ", PLACE), (octets[at : at + _OCTETS_PER_LINE].hex(" "), HEX)]


def _named_values(frame: AuditFrame) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a frame's fields."""
    name_columns = set(NAME_COLUMNS.values())
    for label, value in (frame.fields or {}).items():
        if label not in name_columns:
            yield label, variant_value(value) if isinstance(value, tuple) else value
    message = frame.message
    if message is not None and frame.type not in (HEADER, BODY):
        yield "body_size", message.get("body_size")
