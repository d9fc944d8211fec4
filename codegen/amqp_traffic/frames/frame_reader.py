"""Files to frames: the reader behind ``show``, ``explain`` and the ingest.

Packets become segments (``read_segments``), segments become pieces of streams (``ConnectionTracker``), and pieces become
frames (``Conversations``), which go to a callback. Raw streams are pieces already.

``Conversations`` finds the frames in pieces of streams, for all connections at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path

from ..capture.faults import FATAL
from ..capture.flow_buckets import BUCKETS, bucket_of, flow_buckets
from ..capture.formats import Capture
from ..capture.quarantine import Quarantine
from ..capture.segments import read_segments
from ..capture.stream_data import Direction, Segment, StreamPiece
from ..streams.connection import CapturedConnection, reverse
from ..streams.connections import AMQP_PORTS, AT_ONCE, ConnectionTracker
from ..streams.raw_streams import pair_raw_streams, read_raw_streams
from ..streams.tls.key_log import NO_KEYS, KeyLog
from .conversation import FramedConversation, OnFrames


class Conversations:
    """Finds the frames of all connections.

    Attributes:
        quarantine: What is left out.
    """

    def __init__(
        self,
        on_frames: OnFrames,
        on_end: Callable[[CapturedConnection, FramedConversation], None] | None = None,
        *,
        on_begin: Callable[[CapturedConnection], None] | None = None,
        quarantine: Quarantine | None = None,
        key_log: KeyLog = NO_KEYS,
        watch: Callable[[CapturedConnection, Direction, Sequence[StreamPiece]], None] | None = None,
    ) -> None:
        """Take the callbacks.

        Args:
            on_frames: Called with conversation, direction and frames. The frames of a direction come in order.
            on_end: Called at the end of a connection.
            on_begin: Called once for each connection, before anything else. Connections of the same addresses and
                ports come in the order of time.
            quarantine: Collects what is left out; by default a new one.
            key_log: Keys of TLS.
            watch: Called with the pieces within all wrappers, after the frames in them.
        """
        self.quarantine = Quarantine() if quarantine is None else quarantine
        self._key_log = key_log
        self._watch = watch
        self._on_frames = on_frames
        self._on_end = on_end
        self._on_begin = on_begin
        self._open: dict[CapturedConnection, FramedConversation] = {}

    def on_pieces(
        self, connection: CapturedConnection, direction: Direction, pieces: Sequence[StreamPiece]
    ) -> None:
        """Take the next pieces of a direction."""
        conversation = self._open.get(connection)
        if conversation is None:
            conversation = self._open[connection] = self._begin(connection)
        try:
            conversation.feed_run(direction, pieces)
        except FATAL:
            raise
        except Exception as error:  # nothing in a connection may cost others their rows
            conversation.give_up(pieces[0], error)

    def on_end(self, connection: CapturedConnection) -> None:
        """End a connection.

        Raises:
            LedgerError: This program has lost octets.
        """
        conversation = self._open.pop(connection, None) or self._begin(connection)
        lengths = connection.streams[0].offset, connection.streams[1].offset
        try:
            conversation.finish(lengths)
        except FATAL:
            raise
        except Exception as error:
            conversation.give_up(StreamPiece(b"", 0, 0, *connection.place), error)
            conversation.finish(lengths)
        if self._on_end is not None:
            self._on_end(connection, conversation)

    def _begin(self, connection: CapturedConnection) -> FramedConversation:
        if self._on_begin is not None:
            self._on_begin(connection)
        conversation = FramedConversation(
            connection.number,
            self._on_frames,
            self.quarantine,
            from_start=connection.start_mode == "syn" or connection.role_by == "file",
            roles_are_certain=connection.role_by != "lower-port",
            key_log=self._key_log,
        )
        conversation.flow = connection.streams[0].flow
        if self._watch is not None:
            conversation.watch = partial(self._watch, connection)
        return conversation


class FrameReader:
    """A reader of the files of a capture, one after the other. Connections continue from file to file.

    Attributes:
        quarantine: What is left out of streams.
        connections: Puts segments in order.
    """

    def __init__(
        self,
        on_frames: OnFrames,
        on_end: Callable[[CapturedConnection, FramedConversation], None],
        *,
        on_begin: Callable[[CapturedConnection], None] | None = None,
        on_pieces: Callable[[CapturedConnection, Direction, Sequence[StreamPiece]], None] | None = None,
        server_ports: Iterable[int] = AMQP_PORTS,
        only: bytes | None = None,
        quarantine: Quarantine | None = None,
        numbers_before: int = 0,
        key_log: KeyLog = NO_KEYS,
    ) -> None:
        """Take the callbacks: see ``Conversations``, and ``ConnectionTracker`` for ``server_ports`` and ``numbers_before``.

        ``on_pieces`` is called with pieces within all wrappers, after the frames in them. With ``only``, a flow, other packets than those
        of its connections are left out.
        """
        self.quarantine = Quarantine() if quarantine is None else quarantine
        self._only = only
        self._conversations = Conversations(
            on_frames, on_end, on_begin=on_begin, quarantine=self.quarantine, key_log=key_log, watch=on_pieces
        )
        self.connections = ConnectionTracker(
            self._conversations.on_pieces,
            self._conversations.on_end,
            server_ports=server_ports,
            quarantine=self.quarantine,
            numbers_before=numbers_before,
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
        only = self._only
        if only is None:
            segments = read_segments(capture, packets_before)
        else:
            segments = read_segments_of(only, capture, packets_before)
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
        for number, files in enumerate(pair_raw_streams(paths), 1):
            yield from read_raw_streams(
                files, number, conversations.on_pieces, conversations.on_end, self.quarantine
            )

    def finish(self) -> None:
        """End all connections: no more packets follow."""
        self.connections.flush()


def read_segments_of(flow: bytes, capture: Capture, packets_before: int = 0) -> Iterator[Segment]:
    """Read the segments of a flow, in both directions; see ``read_segments``."""
    bucket, directions = bucket_of(flow), (flow, reverse(flow))
    wanted = flow_buckets(bytes(number == bucket for number in range(BUCKETS)))
    for segment in read_segments(capture, packets_before, wanted):
        if segment[0] in directions:
            yield segment
