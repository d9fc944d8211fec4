"""Odd values in every place of the 1.0 encoders. The octets of a case are the seed of its values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.odd_values import INTEGERS, odd_value
from tests.fuzz.oracles import Encode, Encoder, check_encoder, demand


def odd_fields(amqp: Any, cls: Any, random: Random) -> dict[str, Any]:
    """Some arguments for a constructor; what it cannot do without comes with a value that may fit."""
    share = random.choice((0.1, 0.5, 1.0))
    mandatory = {field.attribute for field in getattr(cls, "FIELDS", ()) if field.mandatory}
    found: dict[str, Any] = {}
    for name, parameter in inspect.signature(cls).parameters.items():
        if random.random() < share:
            found[name] = any_value(amqp, random)
        elif parameter.default is parameter.empty or name in mandatory:
            found[name] = random.choice((1, "x", b"x", True))
    return found


def any_value(amqp: Any, random: Random) -> Any:
    """An odd value, often one of the types of AMQP 1.0."""
    if random.random() < 0.4:
        return amqp_value(amqp, random)
    return odd_value(random, [None, amqp.types.UInt(1), amqp.Symbol("s")])


def amqp_value(amqp: Any, random: Random) -> Any:
    types = amqp.types
    kind = random.randrange(7)
    if kind == 0:
        number = random.choice((types.UByte, types.UShort, types.UInt, types.ULong, types.Byte, types.Int))
        return made(amqp, number, random.choice(INTEGERS))
    if kind == 1:
        return made(amqp, amqp.Symbol, random.choice(("s", "", "é", "\udcc3", 5, b"x")))
    if kind == 2:
        decimal = random.choice((types.Decimal32, types.Decimal64, types.Decimal128))
        return made(amqp, decimal, random.choice(("1.5", "NaN", Decimal("sNaN"), "1E+9999", 5, None)))
    if kind == 3:
        return amqp.Described(odd_value(random, [1], 1), odd_value(random, [1], 1))
    if kind == 4:
        names = ("", "int", "list", "map", "array", "symbol", "decimal32", "no such type", None)
        items: Any = [odd_value(random, [1], 1) for _ in range(random.randrange(3))]
        return made(amqp, amqp.Array, items, *random.choice(((), (random.choice(names),))))
    if kind == 5:
        pairs = [(odd_value(random, ["k"], 1), odd_value(random, [1], 1)) for _ in range(random.randrange(3))]
        return made(amqp, amqp.Map, random.choice((pairs, pairs * 2, [(1,)], 5)))
    return made(amqp, random.choice((types.Char, types.Timestamp, types.Float)), odd_value(random, [1], 0))


def made(amqp: Any, cls: Any, *arguments: Any) -> Any:
    """What a constructor makes; 0 if it says that this is a wrong call."""
    try:
        return cls(*arguments)
    except (TypeError, ValueError, OverflowError):
        return 0


def value(amqp: Any, random: Random) -> tuple[Encode, Any]:
    odd = any_value(amqp, random)
    return lambda: amqp.encode(odd), value_decoder(amqp)


def composite(amqp: Any, random: Random) -> tuple[Encode, Any]:
    made_of = a_described(amqp, random)
    return made_of.encode, value_decoder(amqp)


def a_described(amqp: Any, random: Random) -> Any:
    cls = random.choice(sorted(amqp.frames.CLASSES.values(), key=lambda kind: kind.NAME))
    return cls(**odd_fields(amqp, cls, random))


def value_decoder(amqp: Any) -> Callable[[bytes], Any]:
    def decode(octets: bytes) -> Any:
        found, end = amqp.decode(octets)
        demand(end == len(octets), "octets are left over", octets)
        return found

    return decode


def frame(amqp: Any, random: Random) -> tuple[Encode, Any]:
    performative: Any = a_described(amqp, random) if random.random() < 0.9 else any_value(amqp, random)
    payload = any_value(amqp, random) if random.random() < 0.3 else b""
    channel = random.choice((0, 0, 1, 65535, -1, 65536, None, "1", 1.5))
    options = random.choice(({}, {}, {"sasl": True}, {"max_frame_size": 512}))

    def decode(octets: bytes) -> Any:
        if isinstance(performative, amqp.Described):  # a performative of the sender's own
            return amqp.decode(octets, 4 * octets[4])[0]
        frames, end = amqp.decode_frames(octets)
        demand(end == len(octets) and len(frames) == 1, "not one whole frame", octets)
        return frames

    return lambda: amqp.encode_frame(channel, performative, payload, **options), decode


def message(amqp: Any, random: Random) -> tuple[Encode, Any]:
    fields = {
        name: any_value(amqp, random)
        for name in inspect.signature(amqp.Message).parameters
        if random.random() < 0.3 and name != "body"
    }
    body = random.choice(
        (None, [], amqp.messaging.Data(b"x"), amqp.messaging.AmqpValue(any_value(amqp, random)))
    )
    if random.random() < 0.2:
        body = any_value(amqp, random)
    whole = amqp.Message(body=body, **fields)
    return whole.encode, amqp.decode_message


ENCODERS: tuple[Encoder, ...] = (
    value,
    composite,
    composite,
    frame,
    message,
)


def check_encoders(amqp: Any, octets: bytes, options: Options) -> bool:
    return check_encoder(amqp, octets, ENCODERS)
