"""The frame format of the 0-x family: type, channel, size, payload, end octet (0-9-1 document, section 2.3.5).

The keys of 0-x methods, class id << 16 | method id, come from the generated classes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from struct import Struct, pack

from amqp_codegen.support.resources import load_package

from ...capture.quarantine import Reason
from ...capture.stream_data import NEVER, StreamPiece, piece_at
from ..formats import OVERHEAD0, PROTOCOL_HEADER, FrameSpan, Octets, OnControl, Place

# This package has every method of the versions that brokers speak.
_MOST_METHODS = "amqp_0_9_1_rabbitmq"

# The first octets of all methods of class connection.
CONNECTION_CLASS = b"\x00\x0a"


@cache
def method_key(name: str, package: str = _MOST_METHODS) -> int:
    """Return the key of a method.

    Args:
        name: The generated class, such as ``BasicPublish``.
        package: The generated package. It is needed for connection.close, connection.close-ok and basic.recover, whose
            keys differ between versions.

    Raises:
        AttributeError: There is no such method.
    """
    key: int = getattr(load_package(package).methods, name).KEY
    return key


def method_octets(name: str) -> bytes:
    """Return the first octets of the payload of a method."""
    return method_key(name).to_bytes(4, "big")


RABBITMQ = "amqp_0_9_1_rabbitmq"
PACKAGES = (RABBITMQ, "amqp_0_8", "amqp_0_9", "amqp_0_9_1", "amqp_0_8_rabbitmq")
# What RabbitMQ speaks after the protocol headers of the early versions: 0-8 with methods of its own; and 0-9-1, where 0-9 was asked
# for (rabbit_reader.erl, version_negotiation).
SPOKEN_BY_RABBITMQ: Mapping[str, str] = {"amqp_0_8": "amqp_0_8_rabbitmq", "amqp_0_9": RABBITMQ}

_HEAD = Struct(">BHI")
_KEY = Struct(">I")
_END = 0xCE
_METHOD, _HEADER, _BODY, _HEARTBEAT = 1, 2, 3, 8  # the same in all versions
_USUAL_TYPES = frozenset((_METHOD, _HEADER, _BODY, _HEARTBEAT))
_LETTERS = b"AMQP"
_CONNECTION_CLASS = 10
_LEAST_HEADER = 14  # class, weight, body size, property flags
_LONGEST_LOOK = 12  # an end octet, a head, class and method


class FamilyFormat:
    """The frame format of one or more versions of 0-x.

    ``find`` looks for an end octet, followed by the beginning of a known method, of a content header of a class with
    content, of a body, or a heartbeat. It expects sizes below 2^24, as ``LARGEST_FRAME`` allows.

    Attributes:
        methods: The methods that may come: class id << 16 | method id.
        types: The known frame types.
        header_limit: See ``FrameFormat``.
        channels: The channels in use, filled in by the conversation. A search does not accept a body frame on another
            channel.
    """

    head_size = _HEAD.size
    longest_look = _LONGEST_LOOK
    header_limit = 0

    def __init__(
        self, methods: frozenset[int], content_classes: frozenset[int], types: frozenset[int]
    ) -> None:
        self.methods = methods
        self.types = types
        self.channels: set[int] = set()
        self._content = frozenset(class_id << 16 for class_id in content_classes)  # with weight 0

    def read(
        self,
        data: bytes,
        offset: int,
        pieces: Sequence[StreamPiece],
        limit: int,
        frames: list[FrameSpan],
        on_control: OnControl,
    ) -> tuple[int, Reason | None]:
        """See ``FrameFormat``."""
        position, available, most = 0, len(data), limit - OVERHEAD0
        most_of_header = max(limit, self.header_limit) - OVERHEAD0
        _, _, _, packet_no, packet_offset, ns = pieces[0]
        piece, last = 0, len(pieces) - 1
        following = pieces[1][1] if last else NEVER
        types, unpack, append = self.types, _HEAD.unpack_from, frames.append
        new, span = tuple.__new__, FrameSpan
        while available - position >= 7:
            kind, channel, size = unpack(data, position)
            if (size > most and (kind != _HEADER or size > most_of_header)) or kind not in types:
                if not data.startswith(_LETTERS, position):
                    return position, Reason.FRAME_MAX if kind in types else Reason.FRAME_TYPE
                if available - position < 8:
                    break
                header = data[position : position + 8]
                at = offset + position
                place = pieces[piece_at(pieces, at)][3:]
                append(on_control(FrameSpan(at, 8, PROTOCOL_HEADER, 0, header, *place)))
                position += 8
                continue
            end = position + 7 + size
            if end >= available:
                break
            if data[end] != _END:
                return position, Reason.FRAME_END
            payload = data[position + 7 : end]
            at = offset + position
            if at >= following:
                piece = piece_at(pieces, at, piece)
                _, _, _, packet_no, packet_offset, ns = pieces[piece]
                following = pieces[piece + 1][1] if piece < last else NEVER
            values = at, size + 8, kind, channel, payload, packet_no, packet_offset, ns
            frame = new(span, values)  # takes half the time of calling FrameSpan
            if kind == _METHOD and size > 3 and data[position + 8] == _CONNECTION_CLASS:
                append(on_control(frame))
                return end + 1, None
            append(frame)
            position = end + 1
        return position, None

    def size(self, data: bytes) -> int:
        """See ``FrameFormat``."""
        if data.startswith(_LETTERS):
            return 8
        size: int = _HEAD.unpack_from(data)[2]
        return size + OVERHEAD0

    def ends(self, data: bytes, position: int) -> bool:
        """See ``FrameFormat``."""
        return data[position - 1] == _END

    def find(self, held: Octets, position: int) -> int:
        """See ``FrameFormat``."""
        begins = _beginnings(self.methods, self._content)
        while True:
            found = begins.search(held, max(position - 1, 0))
            if found is None:
                return -1
            position = found.end()
            if held[position] != _BODY or not self.channels:
                return position
            if int.from_bytes(held[position + 1 : position + 3], "big") in self.channels:
                return position
            position += 1

    def verify(self, held: Octets, position: int, limit: int) -> int:
        """See ``FrameFormat``."""
        left = len(held) - position
        if left < 7:
            return 0 if not left or held[position] in _USUAL_TYPES else -1
        kind, channel, size = _HEAD.unpack_from(held, position)
        if kind == _HEADER:
            limit = max(limit, self.header_limit)
        if size + OVERHEAD0 > limit or not self._is_plausible(held, position, kind, channel, size):
            return -1
        end = position + 7 + size
        if end >= len(held):
            return 0
        return size + OVERHEAD0 if held[end] == _END else -1

    def _is_plausible(self, held: Octets, position: int, kind: int, channel: int, size: int) -> bool:
        if kind == _HEARTBEAT:
            return not channel and not size
        if kind == _BODY:
            return bool(channel)
        if kind not in (_METHOD, _HEADER) or size < (4 if kind == _METHOD else _LEAST_HEADER):
            return False
        if len(held) - position < 11:
            return True
        (key,) = _KEY.unpack_from(held, position + 7)
        if kind == _HEADER:
            return channel > 0 and key in self._content
        return key in self.methods and (key >> 16 == _CONNECTION_CLASS) == (channel == 0)

    def is_strong(self, held: Octets, position: int) -> bool:
        """See ``FrameFormat``."""
        return held[position] != _BODY

    def span(self, held: Octets, position: int, size: int, offset: int, place: Place) -> FrameSpan:
        """See ``FrameFormat``."""
        kind, channel, _ = _HEAD.unpack_from(held, position)
        return FrameSpan(offset, size, kind, channel, bytes(held[position + 7 : position + size - 1]), *place)

    def is_control(self, frame: FrameSpan) -> bool:
        """See ``FrameFormat``."""
        return frame.type == _METHOD and frame.payload.startswith(CONNECTION_CLASS)


@cache
def _beginnings(methods: frozenset[int], content: frozenset[int]) -> re.Pattern[bytes]:
    """Return a pattern of an end octet and the beginning of a frame."""
    methods_there, content_there = (
        b"|".join(re.escape(pack(">I", key)) for key in sorted(keys)) for keys in (methods, content)
    )
    return re.compile(
        b"\xce(?="
        b"\x01..\x00...(?:" + methods_there + b")|"
        b"\x02..\x00...(?:" + content_there + b")|"
        b"\x03..\x00...|"
        b"\x08\x00\x00\x00\x00\x00\x00\xce)",
        re.DOTALL,
    )


@cache
def _facts(packages: tuple[str, ...], sender: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the methods and content classes of packages."""
    methods: set[int] = set()
    content: set[int] = set()
    for package in map(load_package, packages):
        methods.update(key for key, kind in package.METHODS.items() if not sender or sender in kind.SENT_BY)
        content.update(package.content.PROPERTIES)
    return frozenset(methods), frozenset(content)


@cache
def _types(package: str) -> frozenset[int]:
    """Return the frame types of a package: the usual ones, and those that only 0-8 and 0-9 have."""
    constants = load_package(package).constants
    others = (
        getattr(constants, f"FRAME_{name}", None)
        for name in ("OOB_METHOD", "OOB_HEADER", "OOB_BODY", "TRACE")
    )
    return _USUAL_TYPES.union(other for other in others if other is not None)


def make_format(package: str = "", sender: str = "") -> FamilyFormat:
    """Return the frame format of a version, or of all of them.

    Args:
        package: The generated package; empty for all of the family.
        sender: ``client`` or ``server`` if the sender is certain, so that only its methods are searched for.
    """
    if package:
        spoken = SPOKEN_BY_RABBITMQ.get(package, package)  # the broker has not said yet what it is
        return FamilyFormat(*_facts((package, spoken), sender), _types(package))
    return FamilyFormat(*_facts(PACKAGES, sender), _USUAL_TYPES)


def only_headers() -> FamilyFormat:
    """Return a format of protocol headers alone, for streams that are not AMQP or cannot be decoded."""
    return FamilyFormat(*_facts(PACKAGES, ""), frozenset())


def whole_frame(frame: FrameSpan) -> bytes:
    """Return all octets of a frame, for decoders that need header and end."""
    size = len(frame.payload).to_bytes(4, "big")
    head = frame.type.to_bytes(1, "big") + frame.channel.to_bytes(2, "big") + size
    return head + frame.payload + bytes((_END,))
