# Only annotations close the circle of imports.
# pyright: reportImportCycles=false
"""What callers hand in: octets as anything bytes-like, whatever the width of its items, and numbers."""

from typing import Any, TypeAlias

from .errors import EncodeError

Octets: TypeAlias = bytes | bytearray | memoryview


def input_octets(buffer: Any, position: int = 0) -> bytes:
    """Return the octets to decode: ``bytes`` as they are, anything bytes-like copied.

    Raises:
        TypeError: It is not bytes-like.
        ValueError: The position lies before its start.
    """
    if position < 0:
        raise ValueError(f"the position {position} lies before the buffer")
    if type(buffer) is bytes:
        return buffer
    if isinstance(buffer, (bytes, bytearray, memoryview)):
        return bytes(buffer)  # pyright: ignore[reportUnknownArgumentType]
    raise TypeError(f"bytes are needed, not {type(buffer).__name__}")


def octets(value: Any, path: str = "") -> bytes:
    """Return octets to encode, so that their length does not count the items of a ``memoryview``.

    Raises:
        EncodeError: They are not bytes-like; with that path.
    """
    if type(value) is bytes:
        return value
    try:
        return input_octets(value)
    except TypeError as fault:
        raise EncodeError(str(fault), path) from None


def whole_number(value: Any) -> Any:
    """Return a value that should be a number. A ``bool`` is one to Python, but not to AMQP.

    Raises:
        EncodeError: It is a ``bool``.
    """
    if isinstance(value, bool):
        raise EncodeError(f"{value} is not a number")
    return value
