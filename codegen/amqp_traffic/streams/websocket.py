"""WebSocket around AMQP (RFC 6455; AMQP WebSocket Binding 1.0): a request of HTTP and its answer, then messages in frames.

AMQP is the content of the messages, whatever their borders. Where octets are lost within a message whose length is known,
the next one is found behind it; else it is searched where a segment begins with frames that end with it.
"""

from __future__ import annotations

from ..capture.quarantine import Reason
from ..capture.stream_data import Direction, StreamPiece
from .wrappers import InnerStream, LeaveOut, Place, inner_streams

_REQUEST, _HEAD_END = b"GET ", b"\r\n\r\n"
_LONGEST_HEAD = 16_384
_SWITCHING = b"101"
_CONTENT, _CONTROL = (0, 1, 2), (8, 9, 10)  # operation codes
_RESERVED = 0x70  # bits of extensions
_MASKED = 0x80


def may_be_websocket(head: bytes) -> bool:
    """Return whether a request for WebSocket begins there, or may when more octets have come."""
    if not head or not head.startswith(_REQUEST[: len(head)]):
        return False
    end = head.find(_HEAD_END)
    return len(head) <= _LONGEST_HEAD if end < 0 else _asks_for_websocket(head[:end])


def is_websocket(head: bytes) -> bool:
    """Return whether a stream begins with a whole request for WebSocket."""
    return _HEAD_END in head and may_be_websocket(head)


def _asks_for_websocket(head: bytes) -> bool:
    return _header_of(head, b"upgrade").lower() == b"websocket"


def _header_of(head: bytes, wanted: bytes) -> bytes:
    """Return the value of a header of HTTP; empty if it is not there."""
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == wanted:
            return value.strip()
    return b""


class _FrameHead:
    """The head of a frame (RFC 6455, section 5.2)."""

    __slots__ = ("is_content", "key", "length", "size")

    def __init__(self, size: int, length: int, key: bytes, is_content: bool) -> None:
        self.size = size  # of the head
        self.length = length  # of the payload
        self.key = key
        self.is_content = is_content


def _read_frame_head(octets: bytes, is_masked: bool) -> _FrameHead | None:
    """Read the head of a frame.

    Raises:
        ValueError: It is none, or one of an extension.

    Returns:
        The head; None if more octets are needed.
    """
    if len(octets) < 2:
        return None
    operation, short = octets[0] & 0xF, octets[1] & ~_MASKED
    if octets[0] & _RESERVED:
        raise ValueError("an extension of WebSocket, such as compression")
    is_control = operation in _CONTROL
    if not (is_control or operation in _CONTENT) or bool(octets[1] & _MASKED) is not is_masked:
        raise ValueError("no frame of WebSocket")
    if is_control and (short > 125 or not octets[0] & 0x80):
        raise ValueError("no frame of WebSocket")
    length_size = {126: 2, 127: 8}.get(short, 0)
    size = 2 + length_size + (4 if is_masked else 0)
    if len(octets) < size:
        return None
    length = int.from_bytes(octets[2 : 2 + length_size], "big") if length_size else short
    return _FrameHead(size, length, octets[size - 4 : size] if is_masked else b"", not is_control)


def _is_chain(octets: bytes, is_masked: bool) -> bool:
    """Return whether octets are frames, of which only the last may be incomplete."""
    position = 0
    while position < len(octets):
        try:
            head = _read_frame_head(octets[position : position + 14], is_masked)
        except ValueError:
            return False
        if head is None:
            return position > 0
        position += head.size + head.length
    return True


def _unmasked(octets: bytes, key: bytes, position: int) -> bytes:
    """Return the part of a payload that begins at a position, without its mask."""
    size = len(octets)
    at = position % 4
    mask = (key[at:] + key[:at]) * (size // 4 + 1)
    return (int.from_bytes(octets, "big") ^ int.from_bytes(mask[:size], "big")).to_bytes(size, "big")


class _Side:
    """One direction, after each piece either within a head, or within a payload, or lost."""

    def __init__(self, direction: Direction, inner: InnerStream) -> None:
        self._inner = inner
        self._is_client = direction is Direction.client_to_server
        self._is_open = False  # the head of HTTP has ended
        self._fault = ""  # why nothing is read any more
        self._is_lost = False
        self._held = bytearray()  # the beginning of a head
        self._place: Place = (0, 0, 0)  # of the first octet held
        self._frame: _FrameHead | None = None
        self._position = 0  # in its payload

    def take(self, piece: StreamPiece) -> list[StreamPiece]:
        if piece.gap:
            return self._cross_gap(piece.gap, piece[3:])
        if self._fault:
            self._inner.skip(len(piece.data), Reason.NOT_AMQP, piece[3:], self._fault)
            return []
        if self._is_lost:
            if not _is_chain(piece.data, self._is_client):
                self._inner.skip(len(piece.data), Reason.FRAME_GAP, piece[3:])
                return []
            self._is_lost = False
        if not self._held:
            self._place = piece[3:]
        self._held += piece.data
        found: list[StreamPiece] = []
        while self._held and self._step(found, piece[3:]):
            self._place = piece[3:]
        return found

    def finish(self) -> None:
        """Account for what is held."""
        self._drop_held(Reason.TAIL_INCOMPLETE)

    def _step(self, found: list[StreamPiece], place: Place) -> bool:
        """Take a head, or what is there of a payload; return False if more octets are needed."""
        if self._frame is not None:
            self._take_payload(found, place)
            return True
        if not self._is_open:
            return self._take_http()
        try:
            self._frame = _read_frame_head(bytes(self._held[:14]), self._is_client)
        except ValueError as error:
            self._fault = str(error)
            self._drop_held(Reason.NOT_AMQP)
            return False
        if self._frame is None:
            return False
        self._wrap(self._frame.size)
        self._position = 0
        self._end_frame()
        return True

    def _take_http(self) -> bool:
        end = self._held.find(_HEAD_END)
        if end < 0 and len(self._held) <= _LONGEST_HEAD:
            return False
        status = bytes(self._held[:end]).split(b" ", 2)[1:2]
        if end < 0 or not (self._is_client or status == [_SWITCHING]):
            self._fault = "HTTP that does not become WebSocket"
            self._drop_held(Reason.NOT_AMQP)
            return False
        self._is_open = True
        self._wrap(end + len(_HEAD_END))
        return True

    def _take_payload(self, found: list[StreamPiece], place: Place) -> None:
        frame = self._frame
        assert frame is not None
        octets = bytes(self._held[: frame.length - self._position])
        if frame.is_content:
            del self._held[: len(octets)]
            content = _unmasked(octets, frame.key, self._position) if frame.key else octets
            found.append(self._inner.data(content, place))
        else:
            self._wrap(len(octets))
        self._position += len(octets)
        self._end_frame()

    def _end_frame(self) -> None:
        if self._frame is not None and self._position >= self._frame.length:
            self._frame = None

    def _cross_gap(self, octets: int, place: Place) -> list[StreamPiece]:
        frame = self._frame
        self._drop_held(Reason.FRAME_GAP)
        if frame is not None and self._position + octets <= frame.length:
            self._position += octets
            self._end_frame()
        else:
            self._is_lost, self._frame = True, None
            self._is_open = True  # if its beginning is lost, too
        return [self._inner.gap(octets, place)]

    def _drop_held(self, reason: Reason) -> None:
        if self._held:
            self._inner.skip(len(self._held), reason, self._place, self._fault)
            self._held.clear()

    def _wrap(self, octets: int) -> None:
        self._inner.wrapped += octets
        del self._held[:octets]


class WebSocketWrapper:
    """Takes AMQP out of the messages of a WebSocket; for its attributes see ``Wrapper``."""

    def __init__(self, leave_out: LeaveOut) -> None:
        self.name = "websocket"
        self.inner: tuple[InnerStream, InnerStream] = inner_streams(leave_out)
        self._sides = [_Side(direction, self.inner[direction]) for direction in Direction]

    def unwrap(self, direction: Direction, piece: StreamPiece) -> list[tuple[Direction, StreamPiece]]:
        """See ``Wrapper``."""
        return [(direction, inner) for inner in self._sides[direction].take(piece)]

    def finish(self) -> list[tuple[Direction, StreamPiece]]:
        """See ``Wrapper``; nothing follows."""
        for side in self._sides:
            side.finish()
        return []
