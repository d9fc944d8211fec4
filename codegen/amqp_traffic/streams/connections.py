"""TCP segments to ordered pieces of streams, for each connection.

Most segments are the next of their stream, and nothing is held: ``read`` delivers them at once, the fast path. ``add``
handles all others: beginnings and ends, packets out of order or repeated, and octets that the capture has lost. Octets
count as lost when the peer has acknowledged later ones, and ``slack`` more packets have come: captures may swap neighbouring
packets.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import attrgetter

from ..capture.faults import FATAL, describe_fault
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import ACK, FIN, RST, SEQUENCE_MASK, SYN, Direction, Segment, StreamPiece
from .connection import NOT_FOLLOWED, CapturedConnection, Stream, client_by_port, reverse
from .open_connections import OpenConnections
from .reassembly import LARGEST_WINDOW, Chunk, differs_from, distance

AMQP_PORTS = (5672, 5671)
SLACK = 32

_SPECIAL = FIN | SYN | RST | ACK
# Segments, of 64 KiB at most, that are read before the pieces of their streams are delivered.
AT_ONCE = 512
# Octets that come again are compared with this many earlier packets.
REMEMBERED = 256
# Packets after its end, or after an unanswered SYN, until a connection is given up.
_LINGER_PACKETS = 1 << 16
_WINDOW = LARGEST_WINDOW


class ConnectionTracker:
    """Puts segments in order, and calls back with pieces of streams.

    Attributes:
        quarantine: What is left out.
        stray: Number of packets without data that belong to no known connection.
    """

    def __init__(
        self,
        on_pieces: Callable[[CapturedConnection, Direction, Sequence[StreamPiece]], None],
        on_end: Callable[[CapturedConnection], None] | None = None,
        *,
        on_begin: Callable[[CapturedConnection], None] | None = None,
        server_ports: Iterable[int] = AMQP_PORTS,
        slack: int = SLACK,
        quarantine: Quarantine | None = None,
        numbers_before: int = 0,
    ) -> None:
        """Take the callbacks.

        Args:
            on_pieces: Called with connection, direction and pieces. Pieces of a direction are adjacent, and those of a
                connection are in the order of their packets. A gap comes alone.
            on_end: Called at the end of a connection.
            on_begin: Called at the first packet of a connection.
            server_ports: If no SYN was seen, the endpoint that uses one of these is the server.
            slack: Number of packets of a connection to wait for before octets count as lost.
            quarantine: Collects what is left out; by default a new one.
            numbers_before: The number of the first connection is one more.
        """
        self.quarantine = Quarantine() if quarantine is None else quarantine
        self.stray = 0
        self._on_pieces = on_pieces
        self._on_end = on_end
        self._on_begin = on_begin
        self._server_ports = frozenset(server_ports)
        self._slack = slack
        self._count = numbers_before
        self._streams: dict[bytes, Stream] = {}
        self._open = OpenConnections()
        self._recent: deque[Segment] = deque(maxlen=REMEMBERED)
        self._given_up: set[bytes] = set()  # flows of connections in which there was an error
        self._closing: deque[tuple[int, CapturedConnection]] = deque()

    def read(self, segments: Iterable[Segment]) -> None:
        """Add many segments, fast. Call ``flush`` after the last."""
        remaining = iter(segments)
        for first in remaining:
            self.read_batch(chain((first,), islice(remaining, AT_ONCE - 1)))

    def read_batch(self, segments: Iterable[Segment]) -> None:
        """Add some segments, ``AT_ONCE`` at most; adjacent pieces of a stream are delivered together."""
        find = self._streams.get
        remember = self._recent.append
        begun: list[Stream] = []
        new, piece = tuple.__new__, StreamPiece  # takes half the time of calling StreamPiece
        for segment in segments:
            flow, sequence, acknowledgment, flags, data, missing, packet_no, packet_offset, ns = segment
            stream = find(flow)
            if (
                stream is not None
                and stream.plain
                and stream.expected == sequence
                and flags & _SPECIAL == ACK
                and not missing
            ):
                stream.last = segment
                peer = stream.peer
                if 0 < acknowledgment - peer.acknowledged & SEQUENCE_MASK < _WINDOW:
                    peer.acknowledged = acknowledgment
                    peer.acknowledged_at = peer.offset
                if data:
                    offset = stream.offset
                    stream.offset = following = offset + len(data)
                    stream.expected = sequence + following - offset & SEQUENCE_MASK
                    remember(segment)
                    run = stream.run
                    if not run:
                        if peer.run:
                            self._deliver_run(peer)
                        begun.append(stream)
                    run.append(new(piece, (data, offset, 0, packet_no, packet_offset, ns)))
            else:
                try:
                    self.add(segment)
                except FATAL:
                    raise
                except Exception as error:  # nothing in a connection may cost others their rows
                    self._give_up(find(flow), segment[-3:], error)
        for stream in begun:
            if stream.run:
                self._deliver_run(stream)

    def add(self, segment: Segment) -> None:
        """Add any segment."""
        flow, sequence, acknowledgment, flags, data, missing, packet_no, _, _ = segment
        stream = self._streams.get(flow)
        if stream is not None:
            self._deliver_runs(stream.connection)
            if stream.connection.is_over(packet_no):
                self._finish(stream.connection)
                stream = None
        if flow in self._given_up:
            self.quarantine.count(Reason.DECODE_ERROR, len(data))
            return
        if stream is None or not stream.continues(segment):
            if flags & RST or not (flags & SYN or data or missing):
                self.stray += 1
                return
            if stream is not None:
                self._finish(stream.connection)
            stream = self._begin(segment)
        connection = stream.connection
        connection.packets += 1
        stream.last = segment
        if data and connection.end_mode != "open":
            connection.over_after = packet_no + _LINGER_PACKETS
        if flags & ACK:
            stream.peer.acknowledge(acknowledgment)
        if flags & SYN:
            sequence = sequence + 1 & SEQUENCE_MASK
            stream.synchronise(sequence, acknowledgment if flags & ACK else None)
        if flags & RST:
            stream.discarded += len(data)  # a diagnostic text at most
            self._close(connection, "rst", packet_no)
        else:
            if stream.expected is None and (data or missing or flags & FIN):
                stream.expected = stream.first_sequence = sequence  # for now, see Stream.settle
                stream.first_seen = connection.packets
            if data or missing:
                self._accept(stream, segment, sequence)
            if flags & FIN and stream.end is None:
                stream.end = stream.offset_of(sequence) + len(data) + missing
                if stream.peer.end is not None or stream.peer.expected is None:
                    self._close(connection, "fin", packet_no)
        self._release(connection)
        self._expire(packet_no)

    def flush(self) -> None:
        """Deliver all that is held, and end all connections."""
        connections = {stream.connection for stream in self._streams.values()}
        for connection in sorted(connections, key=attrgetter("number")):
            try:
                self._finish(connection)
            except FATAL:
                raise
            except Exception as error:
                self._give_up(connection.streams[0], connection.place, error)

    # --- Beginning and end ---

    def _begin(self, segment: Segment) -> Stream:
        """Make a connection, and return the stream of its first segment."""
        flow, _, _, flags, _, _, packet_no, packet_offset, ns = segment
        surplus = self._open.surplus(flow)
        if surplus is not None:
            self._follow_no_longer(surplus, segment[-3:])
        self._count += 1
        connection = CapturedConnection(self._count, packet_no, packet_offset, ns)
        sender, receiver = Stream(connection, flow), Stream(connection, reverse(flow))
        sender.peer, receiver.peer = receiver, sender
        connection.streams = sender, receiver
        self._streams[receiver.flow] = receiver
        self._streams[flow] = sender
        self._open.add(connection)
        if self._on_begin is not None:
            self._on_begin(connection)
        if flags & SYN:
            connection.start_mode = "syn"
            connection.set_roles(receiver if flags & ACK else sender, "syn")
            self._give_up_later(connection, packet_no)
            return sender
        from_client = client_by_port(flow, self._server_ports)
        if from_client is not None:
            connection.set_roles(sender if from_client else receiver, "port")
        return sender

    def _follow_no_longer(self, connection: CapturedConnection, place: tuple[int, int, int]) -> None:
        """End a connection to make room for another one; ``place`` is that of the packet at hand."""
        if connection.end_mode == "open":
            connection.end_mode = NOT_FOLLOWED
            self.quarantine.add(Quarantined(Reason.NOT_FOLLOWED, 0, *place, connection.number))
        self._deliver_runs(connection)
        self._finish(connection)

    def _close(self, connection: CapturedConnection, mode: str, packet_no: int) -> None:
        if connection.end_mode == "open":
            connection.end_mode = mode
            self._give_up_later(connection, packet_no)

    def _give_up_later(self, connection: CapturedConnection, packet_no: int) -> None:
        """Note when to give up a connection that has ended or sent a SYN."""
        connection.over_after = packet_no + _LINGER_PACKETS
        self._closing.append((connection.over_after, connection))

    def _expire(self, packet_no: int) -> None:
        """Give up connections that are over, to free memory; their next packet would do so, too."""
        closing = self._closing
        while closing and closing[0][0] < packet_no:
            _, connection = closing.popleft()
            if self._streams.get(connection.streams[0].flow) is not connection.streams[0]:
                continue
            if connection.is_over(packet_no):
                self._deliver_runs(connection)
                self._finish(connection)
            elif connection.end_mode != "open":
                closing.append((connection.over_after, connection))

    def _finish(self, connection: CapturedConnection) -> None:
        """Deliver what is held and what is lost at the end, and end the connection."""
        self._release(connection, force=True)
        if not connection.role_by:
            connection.choose_roles()
        for stream in connection.streams:
            self._deliver_lost_end(stream)
            stream.ledger().check(f"{connection}, {stream.direction.name}")
            self._streams.pop(stream.flow, None)
        self._open.remove(connection)
        if not any(stream.offset - stream.gap for stream in connection.streams):
            self.quarantine.add(Quarantined(Reason.NO_DATA, 0, *connection.place, connection.number))
        if self._on_end is not None:
            self._on_end(connection)

    def _give_up(self, stream: Stream | None, place: tuple[int, int, int], error: Exception) -> None:
        """End a connection at an error, with what was delivered so far; ``place`` is that of the packet."""
        connection = None if stream is None else stream.connection
        number = None if connection is None else connection.number
        item = Quarantined(Reason.DECODE_ERROR, 0, *place, number, detail=describe_fault(error))
        self.quarantine.add(item)
        if connection is None or self._streams.get(connection.streams[0].flow) is not connection.streams[0]:
            return  # it has ended already
        for side in connection.streams:
            self._streams.pop(side.flow, None)
            self._given_up.add(side.flow)
        self._open.remove(connection)
        if not connection.role_by:
            connection.set_roles(connection.streams[0], "lower-port")
        if self._on_end is not None:
            try:
                self._on_end(connection)
            except FATAL:
                raise
            except Exception as another:  # it is known already that there was one
                self.quarantine.add(replace(item, detail=describe_fault(another)))

    def _deliver_lost_end(self, stream: Stream) -> None:
        """Deliver as a gap what the peer acknowledged but was not captured; up to the FIN, if that was captured."""
        first = stream.first_acknowledged
        is_earlier = first is not None and (
            stream.expected is None or distance(first, stream.first_sequence) >= 0
        )
        if not stream.settled and first is not None and is_earlier:  # nothing of it was captured but its FIN
            stream.set_beginning(first)
        if stream.expected is None:
            return
        if stream.end is not None:
            lost = stream.end - stream.offset
        else:
            lost = stream.acknowledged_offset() - stream.offset
            if lost == 1:
                return  # more likely a FIN than an octet
        if 0 < lost < _WINDOW:
            last = stream.last if stream.end is not None else stream.peer.last
            assert last is not None  # it acknowledged the octets
            self._deliver_gap(stream, lost, Reason.SEQ_GAP, last[-3:])

    # --- Order ---

    def _accept(self, stream: Stream, segment: Segment, sequence: int) -> None:
        """Hold new octets; count and compare repeated ones."""
        _, _, _, _, data, missing, packet_no, packet_offset, ns = segment
        offset = stream.offset_of(sequence)
        chunks = [Chunk(offset, packet_no, packet_offset, ns, data, 0)] if data else []
        if missing:
            chunks.append(Chunk(offset + len(data), packet_no, packet_offset, ns, b"", missing))
        fresh = False
        for chunk in chunks:
            again = min(chunk.end, stream.offset) - chunk.offset if stream.settled else 0
            if again > 0:
                self._note_again(stream, chunk, sequence, again)
                if chunk.end <= stream.offset:
                    continue
                chunk = chunk.part(stream.offset, chunk.end)
            for overlap in stream.held.add(chunk):
                stream.duplicate += overlap.length if chunk.data else 0
                if overlap.conflict:
                    self._quarantine(
                        stream, Reason.OVERLAP_CONFLICT, overlap.offset, overlap.length, chunk.place
                    )
            fresh = True
        if fresh:
            self._recent.append(segment)

    def _note_again(self, stream: Stream, chunk: Chunk, sequence: int, length: int) -> None:
        """Count the first octets of a chunk, which were delivered before, and compare them."""
        if not chunk.data:
            return
        stream.duplicate += length
        keep_alive = len(chunk.data) == 1 and chunk.offset == stream.offset - 1
        since = max(stream.connection.packet_no, chunk.packet_no - REMEMBERED + 1)
        if not keep_alive and differs_from(
            reversed(self._recent), stream.flow, sequence, chunk.data[:length], since
        ):
            self._quarantine(stream, Reason.OVERLAP_CONFLICT, chunk.offset, length, chunk.place)

    def _release(self, connection: CapturedConnection, force: bool = False) -> None:
        """Deliver what is ready in both directions, in the order of packets."""
        one, other = connection.streams
        while (stream := self._next_ready(connection, force)) is not None:
            if not connection.role_by:
                connection.choose_roles()
            self._deliver(stream)
        for stream in (one, other):
            if stream.end == stream.offset and stream.settled and not stream.finished:
                stream.finished = True
                assert stream.expected is not None
                stream.expected = stream.expected + 1 & SEQUENCE_MASK
        plain = not one.held.chunks and not other.held.chunks and connection.is_usual
        for stream in (one, other):
            stream.plain = plain and stream.settled and stream.peer.first_acknowledged is not None

    def _next_ready(self, connection: CapturedConnection, force: bool) -> Stream | None:
        """Return the stream whose first chunk is to be delivered; of both the one of the earlier packet.

        Where one waits for its beginning, nothing need be missing of it: the other, if it is later, waits with it.
        """
        waiting = [stream for stream in connection.streams if stream.held.chunks]
        waiting.sort(key=lambda stream: stream.held.chunks[0].packet_no)
        for stream in waiting:
            if self._is_ready(stream, force):
                return stream
            if not stream.settled and not stream.peer.held.is_full():
                return None
        return None

    def _is_ready(self, stream: Stream, force: bool) -> bool:
        """Return whether the first chunk held is the next one, or what is missing before it is lost."""
        packets = stream.connection.packets
        force = force or stream.held.is_full()
        if not stream.settled:
            if not force and packets - stream.first_seen < self._slack:
                return False
            stream.settle()
        first = stream.held.chunks[0].offset
        if first == stream.offset or force:
            return True
        if stream.acknowledged_offset() < first:
            return False
        if stream.lost_since is None:
            stream.lost_since = packets
        return packets - stream.lost_since >= self._slack

    # --- Delivery ---

    def _deliver_runs(self, connection: CapturedConnection) -> None:
        """Deliver the run of the connection; at most one direction has one."""
        for stream in connection.streams:
            if stream.run:
                self._deliver_run(stream)

    def _deliver_run(self, stream: Stream) -> None:
        run, stream.run = stream.run, []
        self._on_pieces(stream.connection, stream.direction, run)

    def _deliver(self, stream: Stream) -> None:
        """Deliver the first chunk held, after a gap for what is lost before it."""
        chunk = stream.held.take()
        place = chunk.place
        stream.lost_since = None
        if chunk.offset > stream.offset:
            self._deliver_gap(stream, chunk.offset - stream.offset, Reason.SEQ_GAP, place)
        if chunk.missing:
            self._deliver_gap(stream, chunk.missing, Reason.SNAPLEN_CUT, place)
        else:
            piece = StreamPiece(chunk.data, stream.offset, 0, *place)
            stream.advance(len(chunk.data))
            self._on_pieces(stream.connection, stream.direction, (piece,))

    def _deliver_gap(self, stream: Stream, length: int, reason: Reason, place: tuple[int, int, int]) -> None:
        self._quarantine(stream, reason, stream.offset, length, place)
        piece = StreamPiece(b"", stream.offset, length, *place)
        stream.gap += length
        stream.advance(length)
        self._on_pieces(stream.connection, stream.direction, (piece,))

    def _quarantine(
        self, stream: Stream, reason: Reason, offset: int, length: int, place: tuple[int, int, int]
    ) -> None:
        number = stream.connection.number
        self.quarantine.add(Quarantined(reason, length, *place, number, stream.direction, offset))
