"""What decoding may do with octets that nobody vouches for: give a value, or raise DecodeError that says where."""

from __future__ import annotations

import struct
from typing import Any

from amqp_1_0._limits import make_limits
from amqp_1_0._type_walker import TypeWalker

from ..streams import decode_both_ways
from .bare_values import no_known_types
from .fields import TYPICAL, filled, least
from .packages import BY_NAME, amqp
from .values import identity

LIMITS = make_limits()


def check_error(error: Any, size: int, path: str | None = None) -> None:
    """An error has a message for people, and an offset within the octets; ``path`` is how its path begins."""
    assert isinstance(error, amqp.DecodeError), repr(error)
    assert isinstance(error, amqp.CodecError)
    assert isinstance(error, ValueError)
    assert type(error) is not amqp.DecodeError
    assert " " in error.message, error
    assert 0 <= error.offset <= size, error
    text = str(error)
    assert text.isprintable(), ascii(text)
    assert text.endswith(f" (at octet {error.offset})")
    assert text.startswith(f"{error.path}: " if error.path else error.message)
    assert len(text) < 10_000
    if path is not None:
        assert error.path.startswith(path), error


def attempt(octets: bytes, **options: Any) -> Any:
    """The value and its end, or the DecodeError; anything else that is raised fails the test."""
    try:
        value, end = amqp.decode(octets, **options)
    except amqp.CodecError as error:
        check_error(error, len(octets))
        return error
    assert 0 < end <= len(octets)
    return value, end


def walk(octets: bytes) -> Any:
    """What the slow walker finds: where the value ends, or the DecodeError."""
    try:
        return TypeWalker(octets, LIMITS).value(0, len(octets), "")[1]
    except amqp.DecodeError as error:
        return error


def survive(octets: bytes) -> Any:
    """Decodes, and walks over the octets; does so again without known types. Returns the first error, or None."""
    with no_known_types():
        value = decode_and_walk(octets)
        if not isinstance(value, Exception):
            assert identity(amqp.decode(amqp.encode(value))[0]) == identity(value)
    found = decode_and_walk(octets)
    return found if isinstance(found, Exception) else None


def decode_and_walk(octets: bytes) -> Any:
    """The value, which can be written again, or the DecodeError, which the walker finds as well."""
    found, walked = attempt(octets), walk(octets)
    if isinstance(found, Exception):
        assert repr(found) == repr(walked), octets.hex()
        return found
    value, end = found
    assert walked == end, (octets.hex(), walked)
    again = amqp.encode(value)
    assert amqp.decode(again)[1] == len(again)
    return value


def refused(octets: bytes, kind: Any = None, path: str | None = None, offset: int | None = None) -> Any:
    """The error with which octets are refused, alone and inside of other values."""
    error = survive(octets)
    assert error is not None, octets.hex()
    if kind is not None:
        assert type(error) is kind, repr(error)
    if path is not None:
        assert error.path == path, repr(error)
    if offset is not None:
        assert error.offset == offset, repr(error)
    return error


def survive_frames(stream: bytes, **options: Any) -> Any:
    return decode_both_ways(amqp, lambda _, error, size: check_error(error, size), stream, 1, **options)


def list32(count: int, content: bytes) -> bytes:
    return b"\xd0" + struct.pack(">II", len(content) + 4, count) + content


def map32(count: int, content: bytes) -> bytes:
    return b"\xd1" + struct.pack(">II", len(content) + 4, count) + content


def array32(count: int, content: bytes) -> bytes:
    return b"\xf0" + struct.pack(">II", len(content) + 4, count) + content


def nested(levels: int, head: bytes, innermost: bytes = b"\x45") -> bytes:
    """Compounds of 32 bits in each other, right at every level; ``head`` is their format code and what of
    their content stands before the next one; there are as many elements as a list, map or array then has.
    """
    code, before = head[:1], head[1:]
    count = 2 if code == b"\xd1" else 1
    sizes = [len(innermost)]
    for _ in range(levels):
        sizes.append(sizes[-1] + len(before) + 9)
    starts = [code + struct.pack(">II", size - 5, count) + before for size in sizes[:0:-1]]
    return b"".join(starts) + innermost


def vectors() -> dict[str, bytes]:
    """By the name of the type: the octets of every type with a descriptor, filled, and as little as is allowed."""
    found = {}
    for name, cls in BY_NAME.items():
        if cls.SOURCE:
            value = "any" if cls.SOURCE == "*" else TYPICAL[cls.SOURCE]
            found[name] = cls(value).encode()
        else:
            found[name] = filled(cls).encode()
            found[f"{name}, least"] = least(cls).encode()
    return found
