"""The octets of the streams of stories, which other libraries read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..core import made
from .tables import Tables


@cache
def _read(file: Path, ports: tuple[int, ...]) -> made.Reading:
    return made.read(file.read_bytes(), server_ports=ports)


def stream_of(file: Path, tables: Tables, story: str, direction: int) -> bytes:
    """What the client (0) or the server (1) of a story has sent."""
    row = tables.connection(story)
    reading = _read(file, (5672,))
    (found,) = (
        connection
        for connection in reading.ended
        if connection.client[1] == row["client_port"] and connection.server[1] == row["server_port"]
    )
    return reading.stream(direction, found.number)
