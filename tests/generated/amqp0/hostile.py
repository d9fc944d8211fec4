"""What decoding may do with octets that nobody vouches for: give a value, or raise DecodeError that says where."""

from __future__ import annotations

from typing import Any

from ..streams import decode_both_ways
from .packages import dialect_of, plain_fields
from .reference_codec import longstr, shortstr
from .values import typical_values


def check_error(amqp: Any, error: Any, size: int, path: str | None = None) -> None:
    """An error has a message, and an offset within the octets; ``path`` is how its path begins."""
    assert isinstance(error, amqp.DecodeError), repr(error)
    assert isinstance(error, amqp.CodecError)
    assert isinstance(error, ValueError)
    assert isinstance(error.message, str)
    assert error.message
    assert 0 <= error.offset <= size, error
    assert f"(at octet {error.offset})" in str(error)
    assert str(error).count("(at octet") == 1
    assert str(error).startswith(f"{error.path}: " if error.path else error.message)
    if path is not None:
        assert error.path.startswith(path), error


def try_method(amqp: Any, payload: bytes, lossless: bool = False) -> Any:
    """The method, or the DecodeError; anything else that is raised fails the test."""
    try:
        return amqp.decode_method(payload, lossless=lossless)
    except amqp.CodecError as error:
        check_error(amqp, error, len(payload))
        return error


def survive(amqp: Any, payload: bytes) -> Any:
    """Decodes a payload in both ways, checks that they agree, and returns what plain decoding gave."""
    plain = try_method(amqp, payload)
    lossless = try_method(amqp, payload, lossless=True)
    if isinstance(lossless, Exception):
        assert isinstance(plain, Exception), (plain, lossless)
    else:
        assert lossless.encode() == payload
        if isinstance(plain, Exception):
            assert "UTF-8" in plain.message, plain
        else:
            # None where there is NaN, which is not equal to itself.
            assert all(
                getattr(plain, field.name) == getattr(lossless, field.name) or "nan" in repr(plain)
                for field in plain_fields(type(plain))
            )
    return plain


def survive_frames(amqp: Any, stream: bytes, **options: Any) -> Any:
    return decode_both_ways(amqp, check_error, stream, 3, **options)


def vector(amqp: Any, cls: Any) -> bytes:
    """A method with short everyday values, and a table with nested values in place of a flat one."""
    values = typical_values(amqp, cls)
    method = cls(**values)
    for field in plain_fields(cls):
        if field.type == "table":
            setattr(method, field.name, nested_table(dialect_of(amqp)))
    octets: bytes = method.encode()
    return octets


def nested_table(dialect: str) -> dict[str, Any]:
    table: dict[str, Any] = {"s": "x", "i": 5, "F": {"k": {"": ""}}}
    if dialect in ("spec-0-9-1", "rabbitmq"):
        table["A"] = [True, [0.5]]
    return table


def entry(key: str, letter: str, value: bytes) -> bytes:
    """An entry of a table."""
    return shortstr(key) + letter.encode() + value


def nested_tables(levels: int) -> bytes:
    """Tables in each other, the innermost empty; lengths are right at every level."""
    return _nested(levels, b"\0F", b"")


def nested_arrays(levels: int) -> bytes:
    """A table with arrays in each other."""
    return longstr(b"\0A" + _nested(levels - 1, b"A", b"") if levels > 1 else b"")


def _nested(levels: int, head: bytes, innermost: bytes) -> bytes:
    # From the outside in: each level adds its head and a length.
    per_level = len(head) + 4
    sizes = (len(innermost) + per_level * level for level in range(levels - 1, -1, -1))
    return head.join(size.to_bytes(4, "big") for size in sizes) + innermost
