# Only annotations close the circle of imports.
# pyright: reportImportCycles=false
"""Frames as octets: where they end, and what lossless decoding adds to ``frames``."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from ._basics import pack_IBBH, shown, unpack_I, unpack_IBBH, whole_number
from ._lossless import LosslessType, Original, with_original, written
from ._scalar_writer import ENCODE_FAULTS
from .constants import FRAME_AMQP, FRAME_SASL
from .described import DescribedType
from .errors import EncodeError
from .protocol_header import PROTOCOL_LETTERS, ProtocolHeader

_HEADER_SIZE: Final = 8
_MAX_EXTENSION: Final = 4 * 253


class EmptyFrame(NamedTuple):
    """An empty frame with an extended header; other empty frames have None in its place.

    Attributes:
        extension: The extended header.
    """

    extension: bytes


def end_of_frames(buffer: bytes, position: int, count: int) -> int:
    """Return where the last of a number of frames ends, or the buffer if it has fewer; their sizes alone are read."""
    if count < 1:
        raise ValueError(f"max_frames is {count}, less than 1")
    for _ in range(count):
        if len(buffer) - position < _HEADER_SIZE:
            return len(buffer)
        (size,) = unpack_I(buffer, position)
        position += _HEADER_SIZE if size == PROTOCOL_LETTERS else max(size, _HEADER_SIZE)
    return min(position, len(buffer))


def with_originals(buffer: bytes, position: int, frames: Iterable[Any]) -> list[Any]:
    """Return frames with the octets they were read from, which start at ``position``."""
    found: list[Any] = []
    for channel, performative, payload in frames:
        if isinstance(performative, ProtocolHeader):
            position += _HEADER_SIZE
        else:
            size, words, kind, ignored = unpack_IBBH(buffer, position)
            start, stop = position + 4 * words, position + size - len(payload)
            extension = buffer[position + _HEADER_SIZE : start]
            position += size
            if isinstance(performative, DescribedType):
                octets = buffer[start:stop]
                original = Original(
                    octets, written(performative), extension, ignored if kind == FRAME_SASL else 0
                )
                performative = with_original(performative, original)
            elif extension:
                performative = EmptyFrame(extension)
        found.append((channel, performative, payload))
    return found


def frame_octets(
    channel: int,
    performative: LosslessType | EmptyFrame | ProtocolHeader,
    payload: bytes,
    kind: int | None,
    largest: int,
) -> bytes:
    """Encode a frame with the extended header that it had when it was decoded; or encode a protocol header.

    Args:
        channel: 0 to 65535; SASL frames have octets that are ignored in its place.
        performative: What the frame says.
        payload: What follows the performative.
        kind: The type of the frame; None for that of an empty one.
        largest: The largest frame the peer accepts.
    """
    if isinstance(performative, ProtocolHeader):
        return performative.octets
    if payload and kind != FRAME_AMQP:
        raise EncodeError("only the frame of a performative of AMQP has a payload")
    body, extension, ignored = b"", b"", 0
    if isinstance(performative, EmptyFrame):
        extension = performative.extension
    else:
        body = performative.encode()
        if performative.original is not None:
            extension, ignored = performative.original.extension, performative.original.ignored
    size = _HEADER_SIZE + len(extension) + len(body) + len(payload)
    if size > largest:
        raise EncodeError(f"a frame of {size} octets exceeds the maximum of {largest}", code="too-large")
    if len(extension) % 4 or len(extension) > _MAX_EXTENSION:
        message = (
            f"an extended header has a multiple of 4 octets, at most {_MAX_EXTENSION}, not {len(extension)}"
        )
        raise EncodeError(message)
    try:
        place = ignored if kind == FRAME_SASL else whole_number(channel)
        head = pack_IBBH(size, 2 + len(extension) // 4, FRAME_AMQP if kind is None else kind, place)
    except ENCODE_FAULTS:
        raise EncodeError(f"{shown(channel)} is not a channel number, 0 to 65535", "channel") from None
    return b"".join((head, extension, body, payload))
