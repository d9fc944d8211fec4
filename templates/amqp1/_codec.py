"""Encodes and decodes values of any type."""

from __future__ import annotations

from typing import Literal, overload

from ._basics import Octets, input_octets
from ._encode_checker import encode_error
from ._limits import DECODE_FAULTS, DEFAULT_LIMITS, MAX_DEPTH, MAX_ELEMENTS, Limits, make_limits
from ._lossless import Encoded, LosslessType, Original, written
from ._native import CORE, DEFAULT_LEVELS, levels_of
from ._scalar_writer import ENCODE_FAULTS
from ._type_walker import TypeWalker, decode_error
from ._value_reader import read_value
from ._value_writer import COMPOUNDS, SCALARS, write_compound
from ._values import Value
from ._walker import ValueVisitor
from .errors import Truncated


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
    if CORE is not None:
        octets: bytes | None = CORE.write_value(value)
        if octets is not None:
            return octets
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


@overload
def decode(
    buffer: Octets,
    position: int = 0,
    *,
    lossless: Literal[False] = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> tuple[Value, int]: ...


@overload
def decode(
    buffer: Octets,
    position: int = 0,
    *,
    lossless: Literal[True],
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> tuple[Encoded, int]: ...


def decode(
    buffer: Octets,
    position: int = 0,
    *,
    lossless: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> tuple[Value, int]:
    """Decode a value.

    Args:
        buffer: The octets; bytes are read in place, anything else is copied first.
        position: Where the value starts.
        lossless: Return an ``Encoded``, which has the value, and which ``encode`` turns into the same octets.
        max_depth: How deep described values, lists, maps and arrays may nest, 1 to 128. A composite
            is one level, the list in it included.
        max_elements: How many elements a list, map or array may have; the fields of a composite do not count.

    Returns:
        The value and the position after it.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
        ValueError: A limit is out of range.
    """
    data = buffer if type(buffer) is bytes and position >= 0 else input_octets(buffer, position)
    limits = DEFAULT_LIMITS
    if max_depth != MAX_DEPTH or max_elements != MAX_ELEMENTS:
        limits = make_limits(max_depth, max_elements)
    found: tuple[Value, int] | None = None
    if CORE is not None and position <= len(data):
        levels = DEFAULT_LEVELS if limits is DEFAULT_LIMITS else levels_of(limits)
        found = CORE.read_value(levels, limits.elements, data, position)
    if found is None:
        found = _read(data, position, limits)
    if not lossless:
        return found
    value, end = found
    return Encoded(value, Original(data[position:end], written(value))), end


def _read(buffer: bytes, position: int, limits: Limits) -> tuple[Value, int]:
    """Read a value; DecodeError says what is wrong with it."""
    try:
        value, end = read_value(buffer, position, limits)
        if end > len(buffer):
            raise Truncated("value")
    except DECODE_FAULTS as fault:
        raise decode_error(buffer, position, len(buffer), limits, fault) from None
    return value, end


def value_walker(
    buffer: bytes, visitor: ValueVisitor, *, max_depth: int = MAX_DEPTH, max_elements: int = MAX_ELEMENTS
) -> TypeWalker:
    """Return a walker over the values in some octets, to show or check them octet by octet.

    Args:
        buffer: The octets.
        visitor: Is told of every octet and every fault.
        max_depth: As for ``decode``.
        max_elements: As for ``decode``.

    Raises:
        ValueError: A limit is out of range.
    """
    return TypeWalker(buffer, make_limits(max_depth, max_elements), visitor)
