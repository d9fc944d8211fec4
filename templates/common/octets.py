"""Octets that callers hand in: anything bytes-like, whatever the width of its items."""

from typing import Any, TypeAlias

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
