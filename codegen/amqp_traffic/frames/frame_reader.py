"""Files to frames: the reader behind ``show``, ``explain`` and the ingest.

Packets become segments (``read_segments``), segments become pieces of streams (``ConnectionTracker``), and pieces become
frames (``Conversations``), which go to a callback. Raw streams are pieces already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from ..capture.formats import Capture
from ..capture.quarantine import Quarantine
from ..capture.segments import read_segments
from ..capture.stream_data import Direction, Segment, StreamPiece
from ..streams.connection import CapturedConnection
from ..streams.connections import AMQP_PORTS, AT_ONCE, ConnectionTracker
from ..streams.raw_streams import pair_raw_streams, read_raw_streams
from .conversation import Conversation, OnFrames
from .conversations import Conversations


class FrameReader:
    """A reader of the files of a capture, one after the other. Connections continue from file to file.

    Attributes:
        quarantine: What is left out of streams.
        connections: Puts segments in order.
        wanted: Selects flows, see ``Segment``; None reads all.
    """

    def __init__(
        self,
        on_frames: OnFrames,
        on_end: Callable[[CapturedConnection, Conversation], None],
        *,
        on_begin: Callable[[CapturedConnection], None] | None = None,
        on_pieces: Callable[[CapturedConnection, Direction, Sequence[StreamPiece]], None] | None = None,
        server_ports: Iterable[int] = AMQP_PORTS,
        wanted: Callable[[bytes], bool] | None = None,
        quarantine: Quarantine | None = None,
    ) -> None:
        """Take the callbacks: see ``Conversations``, and ``ConnectionTracker`` for ``server_ports``.

        ``on_pieces`` is called with pieces of streams, after the frames in them.
        """
        self.quarantine = Quarantine() if quarantine is None else quarantine
        self.wanted = wanted
        self._conversations = Conversations(on_frames, on_end, on_begin=on_begin, quarantine=self.quarantine)
        self._watch = on_pieces
        self.connections = ConnectionTracker(
            self._conversations.on_pieces if on_pieces is None else self.on_pieces,
            self._conversations.on_end,
            server_ports=server_ports,
            quarantine=self.quarantine,
        )

    def read_packets(
        self, capture: Capture, packets_before: int = 0, at_once: int = AT_ONCE
    ) -> Iterator[int]:
        """Read a file of packets. Call ``finish`` after the last file.

        Args:
            capture: The file; see ``read_segments``.
            packets_before: Number of packets in the files before this one.
            at_once: Number of segments in a step. With more than one, frames are in the order of packets within each
                connection, but not across connections.

        Yields:
            After each step, the offset in the file where it began.
        """
        segments = read_segments(capture, packets_before)
        if self.wanted is not None:
            segments = select(segments, self.wanted)
        for segment in segments:
            self.connections.read(chain((segment,), islice(segments, at_once - 1)))
            yield segment[7]

    def read_raw(self, paths: Iterable[Path]) -> Iterator[int]:
        """Read raw streams, all files of a capture. ``finish`` is not needed.

        Yields:
            The octets read in each step.

        Raises:
            CaptureError: The name of a file does not tell the direction, or the file needs a package that is not installed.
            OSError: A file cannot be opened.
        """
        conversations = self._conversations
        on_pieces = conversations.on_pieces if self._watch is None else self.on_pieces
        for number, files in enumerate(pair_raw_streams(paths), 1):
            yield from read_raw_streams(files, number, on_pieces, conversations.on_end, self.quarantine)

    def finish(self) -> None:
        """End all connections: no more packets follow."""
        self.connections.flush()

    def on_pieces(
        self, connection: CapturedConnection, direction: Direction, pieces: Sequence[StreamPiece]
    ) -> None:
        """Take pieces, and pass them on to the callback for pieces."""
        self._conversations.on_pieces(connection, direction, pieces)
        assert self._watch is not None
        self._watch(connection, direction, pieces)


def select(segments: Iterable[Segment], wanted: Callable[[bytes], bool]) -> Iterator[Segment]:
    """Yield the segments of wanted flows."""
    known: dict[bytes, bool] = {}
    for segment in segments:
        flow = segment[0]
        is_wanted = known.get(flow)
        if is_wanted is None:
            is_wanted = known[flow] = wanted(flow)
        if is_wanted:
            yield segment
