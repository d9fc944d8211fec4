"""Raw streams: files with the octets of one direction of a connection, and nothing else.

``NAME.client.raw`` has what the client sent, ``NAME.server.raw`` what the server sent. Files of the same NAME are the
two directions of one connection; either may be missing. They may be compressed, whatever their name.
``socat -r NAME.client.raw -R NAME.server.raw`` writes such files, and tools that decrypt TLS can write them.

They have no times, and do not tell the order between the two directions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ..capture.files import CaptureError, open_capture
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction, StreamPiece
from .connection import CapturedConnection, Stream

PIECE_SIZE = 65_536
_SUFFIXES = {".client.raw": Direction.client_to_server, ".server.raw": Direction.server_to_client}
_NO_FLOW = bytes(12)  # addresses 0.0.0.0, ports 0


def is_raw_stream(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a raw stream, by its name."""
    return Path(path).name.endswith(".raw")


def pair_raw_streams(paths: Iterable[str | os.PathLike[str]]) -> list[dict[Direction, Path]]:
    """Pair the files of each connection, in the order of the paths.

    Raises:
        CaptureError: A name does not tell the direction.
    """
    pairs: dict[str, dict[Direction, Path]] = {}
    for path in map(Path, paths):
        suffix = "".join(path.suffixes[-2:])
        if suffix not in _SUFFIXES:
            raise CaptureError(f"{path}: the name of a raw stream ends in .client.raw or .server.raw")
        pairs.setdefault(str(path).removesuffix(suffix), {})[_SUFFIXES[suffix]] = path
    return list(pairs.values())


def read_raw_streams(
    files: dict[Direction, Path],
    number: int,
    on_pieces: Callable[[CapturedConnection, Direction, Sequence[StreamPiece]], None],
    on_end: Callable[[CapturedConnection], None],
    quarantine: Quarantine,
) -> Iterator[int]:
    """Read the streams of one connection: all that the client sent, then all that the server sent.

    The callbacks are those of ``ConnectionTracker``. Each 64 KiB of a file count as a packet, from 1.

    Yields:
        The octets of each piece.

    Raises:
        CaptureError: A file is compressed, and the package for that is not installed.
        OSError: A file cannot be opened.
    """
    connection = CapturedConnection(number, packet_no=0, packet_offset=0, start_ns=0)
    client, server = (Stream(connection, _NO_FLOW, expected=0, settled=True) for _ in Direction)
    client.peer, server.peer = server, client
    connection.set_roles(client, "file")
    for direction in Direction:
        path = files.get(direction)
        if path is None:
            continue
        stream = connection.streams[direction]
        with open_capture(path) as file:
            size = len(file.buffer)
            for packet_no, offset in enumerate(range(0, size, PIECE_SIZE), 1):
                data = file.buffer[offset : offset + PIECE_SIZE]
                stream.advance(len(data))
                on_pieces(connection, direction, (StreamPiece(data, offset, 0, packet_no, offset, 0),))
                yield len(data)
            if file.damage:
                place = Quarantined(Reason.FILE_TRUNCATED, 0, packet_offset=size, detail=file.damage)
                quarantine.add(place)
    for stream in connection.streams:
        stream.ledger().check(f"{connection}, {stream.direction.name}")
    on_end(connection)
