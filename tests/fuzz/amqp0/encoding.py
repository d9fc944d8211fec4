"""Odd values in every place of the 0-x encoders. The octets of a case are the seed of its values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.odd_values import odd_value
from tests.fuzz.oracles import Encode, Encoder, check_encoder, demand


def frames_decoder(amqp: Any, dialect: str) -> Callable[[bytes], Any]:
    def decode(octets: bytes) -> Any:
        frames, position = amqp.decode_frames(octets, dialect=dialect)
        demand(position == len(octets) and frames, "not whole frames", octets)
        return frames

    return decode


def odd_fields(amqp: Any, cls: Any, random: Random) -> dict[str, Any]:
    """Some arguments for a constructor; what it cannot do without comes with a value that fits."""
    share = random.choice((0.1, 0.5, 1.0))
    found: dict[str, Any] = {}
    for name, parameter in inspect.signature(cls).parameters.items():
        if random.random() < share:
            found[name] = odd_value(random, extra_values(amqp))
        elif parameter.default is parameter.empty:
            found[name] = 1
    return found


def extra_values(amqp: Any) -> list[Any]:
    return [
        amqp.RawTable(b""),
        amqp.RawTable(b"\x01aI"),
        amqp.RawTable(b"\x01kI\0\0\0\x01"),
        amqp.Tagged("t", "no"),
        amqp.Tagged("S", "x"),
        amqp.Tagged("s", 70_000),
        amqp.Tagged("?", 1),
        amqp.Tagged("F", {"a": amqp.RawTable(b"\x01")}),
        amqp.Tagged("A", 5),
        amqp.Timestamp(0),
        amqp.Timestamp(2**64 - 1),
        amqp.methods.METHODS[min(amqp.methods.METHODS)],
    ]


def channel(random: Random) -> Any:
    """A channel number: often one that frames of methods may have, now and then none at all."""
    return random.choice((0, 65535, *(1, 1, 1), -1, 65536, None, "1", 1.0, True))


def dialect_name(amqp: Any, random: Random) -> str:
    if random.random() < 0.6:
        return str(amqp.dialects.DEFAULT_DIALECT.name)
    return str(random.choice(sorted(amqp.dialects.DIALECTS)))


def method_frame(amqp: Any, random: Random) -> tuple[Encode, Any]:
    cls = random.choice(list(amqp.METHODS.values()))
    return a_frame(amqp, random, cls(**odd_fields(amqp, cls, random)))


def other_frame(amqp: Any, random: Random) -> tuple[Encode, Any]:
    """A frame that is not a method; or not a frame."""
    content, extra = amqp.content, extra_values(amqp)
    kind = random.randrange(4)
    if kind == 0:
        cls = random.choice(list(content.PROPERTIES.values()))
        header = content.ContentHeader(
            body_size=odd_value(random, extra), properties=cls(**odd_fields(amqp, cls, random))
        )
        return a_frame(amqp, random, header)
    if kind == 1:
        return a_frame(amqp, random, content.ContentHeader(**odd_fields(amqp, content.ContentHeader, random)))
    if kind == 2:
        return a_frame(amqp, random, content.ContentBody(odd_value(random, extra)))
    return a_frame(amqp, random, odd_value(random, extra))


def a_frame(amqp: Any, random: Random, frame: Any) -> tuple[Encode, Any]:
    number, dialect = channel(random), dialect_name(amqp, random)
    return lambda: amqp.encode_frame(number, frame, dialect=dialect), frames_decoder(amqp, dialect)


def message(amqp: Any, random: Random) -> tuple[Encode, Any]:
    methods = [cls for cls in amqp.METHODS.values() if cls.HAS_CONTENT] or list(amqp.METHODS.values())
    cls, extra = random.choice(methods), extra_values(amqp)
    method = cls(**odd_fields(amqp, cls, random)) if random.random() < 0.9 else odd_value(random, extra)
    kind = amqp.content.PROPERTIES.get(getattr(method, "CLASS_ID", 0), amqp.BasicProperties)
    properties: Any = kind(**odd_fields(amqp, kind, random)) if random.random() < 0.8 else None
    if random.random() < 0.1:
        properties = odd_value(random, extra)
    body = odd_value(random, extra) if random.random() < 0.3 else bytes(random.randrange(100))
    number, dialect = channel(random), dialect_name(amqp, random)
    limit = random.choice((0, 0, 8, 9, 64, 4096))
    return (
        lambda: amqp.encode_message(number, method, properties, body, max_frame_size=limit, dialect=dialect),
        frames_decoder(amqp, dialect),
    )


def table(amqp: Any, random: Random) -> tuple[Encode, Any]:
    extra, dialect = extra_values(amqp), dialect_name(amqp, random)
    value = odd_value(random, extra) if random.random() < 0.3 else {"k": odd_value(random, extra, 4)}

    def decode(octets: bytes) -> Any:
        found, end = amqp.decode_table(octets, dialect=dialect)
        demand(end == len(octets), "octets are left over", octets)
        return found

    return lambda: amqp.encode_table(value, dialect=dialect), decode


# Methods have most of the fields, so they are drawn twice as often.
ENCODERS: tuple[Encoder, ...] = (
    *(method_frame, method_frame),
    other_frame,
    message,
    table,
)


def check_encoders(amqp: Any, octets: bytes, options: Options) -> bool:
    return check_encoder(amqp, octets, ENCODERS)
