"""Encodes and decodes values of any type."""

from __future__ import annotations

from .encode_checker import encode_error
from .errors import Truncated
from .limits import DECODE_FAULTS, DEFAULT_LIMITS, MAX_DEPTH, MAX_ELEMENTS, make_limits
from .lossless import Encoded, LosslessType, Original, written
from .octets import Octets, input_octets
from .scalar_writer import ENCODE_FAULTS
from .type_walker import decode_error
from .value_reader import read_value
from .value_writer import COMPOUNDS, SCALARS, write_compound
from .values import Value


def encode(value: Value) -> bytes:
    """Encode a value, in the shortest of its encodings.

    Args:
        value: A value of a type of ``types``, of a described type of the specification, or of a Python type
            that stands for one. What was decoded with ``lossless`` gives the octets it came in, unless it has changed.

    Returns:
        The octets, constructor first.

    Raises:
        EncodeError: No AMQP type can carry the value, or one in it; ``path`` names it.
    """
    try:
        write = SCALARS.get(type(value))
        if write is not None:
            return write(value)
        compound = COMPOUNDS.get(type(value))
        if compound is not None:
            return compound(value, MAX_DEPTH - 1)
        if not isinstance(value, (Encoded, LosslessType)):
            return write_compound(value, MAX_DEPTH)
    except ENCODE_FAULTS as fault:
        raise encode_error(value, fault, MAX_DEPTH) from None
    return _encode_again(value)


def _encode_again(value: Encoded | LosslessType) -> bytes:
    """Encode what was decoded losslessly."""
    if isinstance(value, LosslessType):
        return value.encode()
    return encode(value.value) if value.is_changed() else value.original.octets


def decode(
    buffer: Octets,
    position: int = 0,
    *,
    raw: bool = False,
    lossless: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> tuple[Value, int]:
    """Decode a value.

    Args:
        buffer: The octets; bytes are read in place, anything else is copied first.
        position: Where the value starts.
        raw: Leave every described value as ``Described``, also those of the specification, and do not check
            them against it. Encoding gives the same octets, if they were the shortest.
        lossless: Return an ``Encoded``, which has the value, and which ``encode`` turns into the same octets.
        max_depth: How deep described values, lists, maps and arrays may nest, 1 to 128. A composite
            is one level, the list in it included.
        max_elements: How many elements a list, map or array may have.

    Returns:
        The value and the position after it.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
        ValueError: A limit is out of range.
    """
    data = buffer if type(buffer) is bytes and position >= 0 else input_octets(buffer, position)
    limits = DEFAULT_LIMITS
    if raw or max_depth != MAX_DEPTH or max_elements != MAX_ELEMENTS:
        limits = make_limits(max_depth, max_elements, raw)
    try:
        value, end = read_value(data, position, limits)
        if end > len(data):
            raise Truncated("value")
    except DECODE_FAULTS as fault:
        raise decode_error(data, position, len(data), limits, fault) from None
    if lossless:
        return Encoded(value, Original(data[position:end], written(value))), end
    return value, end
