"""The frame format of AMQP 1.0: size, data offset, type, channel, extended header, body (part 2, section 2.3).

Frames have no end octet. A search recognises them by the body: the described list of a performative, which ends where the
frame ends, unless it is a transfer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import Any

from amqp_codegen.support.resources import load_package

from ...capture.quarantine import Reason
from ...capture.stream_data import NEVER, StreamPiece, piece_at
from ...schemas import PACKAGE1
from ..formats import LARGEST_FRAME, PROTOCOL_HEADER, FrameSpan, Octets, OnControl, Place

_HEAD = Struct(">IBBH")
_SIZE = Struct(">I")
_LETTERS = b"AMQP"
_LETTERS_AS_SIZE = int.from_bytes(_LETTERS, "big")
_AMQP, _SASL = 0, 1
_DESCRIBED = 0
_SHORT, _OPEN = b"\x53", b"\x53\x10"  # after the constructor: a short descriptor; that of open
_LIST0, _LIST8 = 0x45, 0xC0  # the third constructor of lists is list32
_TRANSFER = "transfer"
# Octets that hold any descriptor and the head of a list.
_LONGEST_DESCRIPTOR = 48


class FamilyFormat:
    """The frame format of AMQP 1.0.

    ``find`` looks for a header without extension, a descriptor and the constructor of a list; for empty frames; and
    for protocol headers. It expects sizes below 2^24, as ``LARGEST_FRAME`` allows.
    """

    head_size = _HEAD.size
    longest_look = _HEAD.size + _LONGEST_DESCRIPTOR
    header_limit = 0  # there are no content headers

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
        position, available = 0, len(data)
        _, _, _, packet_no, packet_offset, ns = pieces[0]
        piece, last = 0, len(pieces) - 1
        following = pieces[1][1] if last else NEVER
        unpack, append = _HEAD.unpack_from, frames.append
        new, span = tuple.__new__, FrameSpan
        while available - position >= 8:
            size, words, kind, channel = unpack(data, position)
            start = position + 4 * words
            end = position + size
            if size > limit or words < 2 or start > end or kind > _SASL:
                if size != _LETTERS_AS_SIZE:
                    return position, _fault(size, words, limit)
                header = data[position : position + 8]
                at = offset + position
                place = pieces[piece_at(pieces, at)][3:]
                append(on_control(FrameSpan(at, 8, PROTOCOL_HEADER, 0, header, *place)))
                position += 8
                continue
            if start < available and start < end and data[start] != _DESCRIBED:
                return position, Reason.FRAME_BODY
            if end > available:
                break
            payload = data[start:end]
            if kind:
                channel = 0  # ignored in SASL frames
            at = offset + position
            if at >= following:
                piece = piece_at(pieces, at, piece)
                _, _, _, packet_no, packet_offset, ns = pieces[piece]
                following = pieces[piece + 1][1] if piece < last else NEVER
            values = at, size, kind, channel, payload, packet_no, packet_offset, ns
            frame = new(span, values)  # takes half the time of calling FrameSpan
            if kind or payload[1:3] == _OPEN or (payload[1:2] != _SHORT and payload):
                append(on_control(frame))
                return end, None
            append(frame)
            position = end
        return position, None

    def size(self, data: bytes) -> int:
        """See ``FrameFormat``."""
        if data.startswith(_LETTERS):
            return 8
        size: int = _SIZE.unpack_from(data)[0]
        return size

    def ends(self, data: bytes, position: int) -> bool:
        """See ``FrameFormat``."""
        return self.verify(data, position, LARGEST_FRAME) >= 0

    def find(self, held: Octets, position: int) -> int:
        """See ``FrameFormat``."""
        found = _beginnings().search(held, position)
        return -1 if found is None else found.start()

    def verify(self, held: Octets, position: int, limit: int) -> int:
        """See ``FrameFormat``."""
        left = len(held) - position
        if left < 8:
            return 0 if not left or held[position] in (0, _LETTERS[0]) else -1
        size, words, kind, _ = _HEAD.unpack_from(held, position)
        if size == _LETTERS_AS_SIZE:
            return 8 if bytes(held[position : position + 8]) in _headers() else -1
        if not 8 <= 4 * words <= size <= limit or kind > _SASL:
            return -1
        if 4 * words == size:
            return -1 if kind else size if left >= size else 0
        body = self._verify_body(held, position + 4 * words, position + size)
        if body <= 0:
            return body
        return size if left >= size else 0

    def _verify_body(self, held: Octets, start: int, end: int) -> int:
        """Check for a performative: 1 if there is one, 0 if more octets are needed, -1 if there is none."""
        found = _descriptors().match(held, start)
        if found is None:
            return 0 if len(held) < min(start + _LONGEST_DESCRIPTOR, end) else -1
        position = found.end()
        constructor = held[position - 1]
        if constructor != _LIST0:
            width = 1 if constructor == _LIST8 else 4
            if len(held) < position + width:
                return 0
            position += width + int.from_bytes(held[position : position + width], "big")
        fits = position <= end if found.lastgroup == _TRANSFER else position == end
        return 1 if fits else -1

    def is_strong(self, held: Octets, position: int) -> bool:
        """See ``FrameFormat``."""
        return held[position : position + 5] != b"\x00\x00\x00\x08\x02"

    def span(self, held: Octets, position: int, size: int, offset: int, place: Place) -> FrameSpan:
        """See ``FrameFormat``."""
        if held[position] == _LETTERS[0]:
            return FrameSpan(offset, 8, PROTOCOL_HEADER, 0, bytes(held[position : position + 8]), *place)
        _, words, kind, channel = _HEAD.unpack_from(held, position)
        payload = bytes(held[position + 4 * words : position + size])
        return FrameSpan(offset, size, kind, channel, payload, *place)

    def is_control(self, frame: FrameSpan) -> bool:
        """See ``FrameFormat``. Frames with a descriptor in a long form always count."""
        payload = frame.payload
        return bool(frame.type or payload[1:3] == _OPEN or (payload[1:2] != _SHORT and payload))


def _fault(size: int, words: int, limit: int) -> Reason:
    """Return what is wrong with a frame header."""
    if size > limit:
        return Reason.FRAME_MAX
    if size < _HEAD.size:
        return Reason.FRAME_SIZE
    return Reason.FRAME_TYPE if _HEAD.size <= 4 * words <= size else Reason.DATA_OFFSET


@cache
def _headers() -> frozenset[bytes]:
    return frozenset(load_package(PACKAGE1).PROTOCOL_HEADERS.values())


@cache
def _performatives() -> dict[int, list[Any]]:
    """Return the types that the body of a frame may have, by frame type."""
    package = load_package(PACKAGE1)
    found: dict[int, list[Any]] = {_AMQP: [], _SASL: []}
    for frame_type, module, archetype in (
        (_AMQP, package.performatives, "frame"),
        (_SASL, package.sasl, "sasl-frame"),
    ):
        for name in sorted(vars(module)):
            kind = getattr(module, name)
            if archetype in getattr(kind, "PROVIDES", ()):
                found[frame_type].append(kind)
    return found


def _descriptor(types: list[Any]) -> bytes:
    """Return a pattern of the beginning of a body of these types, up to the constructor of its list."""
    codes = b"[" + b"".join(re.escape(bytes([kind.CODE])) for kind in types) + b"]"
    symbols = b"|".join(re.escape(bytes([len(kind.SYMBOL)]) + kind.SYMBOL.encode()) for kind in types)
    long_symbols = b"|".join(
        re.escape(len(kind.SYMBOL).to_bytes(4, "big") + kind.SYMBOL.encode()) for kind in types
    )
    return (
        rb"\x00(?:\x53" + codes + rb"|\x80\x00{7}" + codes
        + rb"|\xa3(?:" + symbols + rb")|\xb3(?:" + long_symbols + rb"))[\x45\xc0\xd0]"
    )  # fmt: skip


@cache
def _descriptors() -> re.Pattern[bytes]:
    """Return a pattern of the beginning of any body."""
    every = [kind for types in _performatives().values() for kind in types]
    transfers = [kind for kind in every if kind.NAME == _TRANSFER]
    others = [kind for kind in every if kind.NAME != _TRANSFER]
    parts = (b"(?P<transfer>", _descriptor(transfers), b")|(?:", _descriptor(others), b")")
    return re.compile(b"".join(parts), re.DOTALL)


@cache
def _beginnings() -> re.Pattern[bytes]:
    """Return a pattern of the beginning of a frame, and of protocol headers."""
    amqp, sasl = (_descriptor(types) for types in _performatives().values())
    parts = (
        rb"\x00...\x02(?:\x00..", amqp, rb"|\x01..", sasl, rb")",
        rb"|\x00\x00\x00\x08\x02\x00..",
        rb"|" + b"|".join(map(re.escape, sorted(_headers()))),
    )  # fmt: skip
    return re.compile(b"".join(parts), re.DOTALL)


def whole_frame(frame: FrameSpan) -> bytes:
    """Return all octets of a frame, for decoders that need its header; without an extended header, which is not kept."""
    return _HEAD.pack(_HEAD.size + len(frame.payload), 2, frame.type, frame.channel) + frame.payload
