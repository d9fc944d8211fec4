"""The octets of the streams of stories, which other libraries read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .. import capture_builder
from .lake_rows import Tables, ends


@cache
def _read(file: Path) -> capture_builder.Reading:
    return capture_builder.read(file.read_bytes())


def stream_of(file: Path, tables: Tables, story: str, direction: int) -> bytes:
    """What the client (0) or the server (1) of a story has sent."""
    reading, wanted = _read(file), ends(tables.connection(story))
    (found,) = (it for it in reading.ended if (it.client[1], it.server[1]) == wanted)
    return reading.stream(direction, found.number)
