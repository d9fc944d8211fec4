"""Messages and paths show foreign values short, printable, and without the addresses of objects."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest

from .test_public_names import NAMES, NAMES_0

ZERO_X = NAMES_0


def texts_of(name: str) -> Any:
    """Return the module of a package that shows values."""
    return import_module(f"{name}.{'_values' if name in ZERO_X else '_basics'}")


class Silent:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Loud(str):
    """Shows itself as something else."""

    def __repr__(self) -> str:
        return f"<Loud at {id(self):#x}>"

    __str__ = __repr__

    def __format__(self, form: str) -> str:
        return repr(self)


class Number(int):
    def __repr__(self) -> str:
        return object.__repr__(self)


SHOWN: list[tuple[Any, str]] = [
    (None, "None"),
    (True, "True"),
    (-5, "-5"),
    (1.5, "1.5"),
    (Decimal("1E+7000"), "Decimal('1E+7000')"),
    ("text", "'text'"),
    (b"\xff", r"b'\xff'"),
    ("\ud800\n", r"'\ud800\n'"),
    (10**5000, "a huge number"),
    ("x" * 1_000_000, "'" + "x" * 39 + "..."),
    (b"x" * 1_000_000, "b'" + "x" * 38 + "..."),
    (Loud("text"), "Loud('text')"),
    (Number(7), "Number(7)"),
    (object(), "<object>"),
    ([object()], "<list>"),
    (len, "<builtin_function_or_method>"),
    (type("N" * 1_000_000, (), {})(), "<" + "N" * 40 + "...>"),
    (Silent(), "<Silent>"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("value", "text"), SHOWN, ids=[text for _, text in SHOWN])
def test_a_foreign_value(name: str, value: Any, text: str) -> None:
    assert texts_of(name).shown(value) == text


@pytest.mark.parametrize("name", NAMES)
def test_a_foreign_key_in_a_path(name: str) -> None:
    entry_path = texts_of(name).entry_path
    assert entry_path("", "key") == "key"
    assert entry_path("a.b", "key") == "a.b.key"
    assert entry_path("a", "") == "a."
    assert entry_path("a", Loud("key")) == "a.key"
    assert entry_path("a", "k" * 41) == f"a.{'k' * 40}..."
    assert entry_path("a", "k" * 41, 41) == f"a.{'k' * 41}"
    assert entry_path("a", "\ud800\n'") == r"a.\ud800\n'"
    assert entry_path("a", (1, object())) == "a.<tuple>"


ADDRESS = re.compile("0x[0-9a-f]{6}")
FOREIGN = [object(), Silent(), Loud("text"), [object()], {object(): object()}, {"k" * 10_000: object()}, len]


def refuse(error: type[Exception], call: Callable[[], object]) -> None:
    with pytest.raises(error) as caught:
        call()
    texts = [str(caught.value), getattr(caught.value, "path", "")]
    assert all(text.isprintable() and len(text) < 300 and not ADDRESS.search(text) for text in texts), texts


@pytest.mark.parametrize("name", ZERO_X)
@pytest.mark.parametrize("value", FOREIGN, ids=lambda value: type(value).__name__)
def test_errors_of_0_x(name: str, value: Any) -> None:
    amqp: Any = import_module(name)
    if not isinstance(value, str):
        refuse(amqp.EncodeError, lambda: amqp.methods.QueueDeclare(queue=value).encode())
        refuse(amqp.EncodeError, lambda: amqp.encode_table({"a": value}))
    refuse(amqp.EncodeError, lambda: amqp.encode_table({(1, len): value}))
    refuse(amqp.EncodeError, lambda: amqp.encode_table({Loud("k" * 10_000): 1}))
    refuse(amqp.EncodeError, lambda: amqp.encode_frame(value, amqp.Heartbeat()))
    refuse(amqp.EncodeError, lambda: amqp.encode_frame(0, value))
    refuse(ValueError, lambda: amqp.dialects.Dialect("mine", {"S": (len,)}, (), {}))
    refuse(ValueError, lambda: amqp.validate(amqp.methods.QueueDeclare(), profile=(len,)))
    refuse(ValueError, lambda: amqp.dialects.find_dialect(Loud("mine")))


@pytest.mark.parametrize("value", FOREIGN, ids=lambda value: type(value).__name__)
def test_errors_of_1_0(value: Any) -> None:
    amqp: Any = import_module("amqp_1_0")
    begin = amqp.performatives.Begin
    refuse(
        amqp.EncodeError, lambda: begin(next_outgoing_id=value, incoming_window=1, outgoing_window=1).encode()
    )
    refuse(amqp.EncodeError, lambda: amqp.encode({(1, len): value, "a": len}))
    refuse(amqp.EncodeError, lambda: amqp.encode(amqp.Map([([value], len)])))
    refuse(amqp.EncodeError, lambda: amqp.encode(amqp.Array([value], "uint")))
    refuse(amqp.EncodeError, lambda: amqp.encode_frame(value, None))
    refuse(amqp.EncodeError, lambda: amqp.types.Char(value))


def test_decoded_values_of_1_0() -> None:
    amqp: Any = import_module("amqp_1_0")
    described = amqp.Described(amqp.Symbol("x"), [1])
    octets = amqp.encode(amqp.Described(amqp.types.ULong(0x10), [described]))
    refuse(amqp.DecodeError, lambda: amqp.decode(octets))
    refuse(
        amqp.errors.ValidationError,
        lambda: amqp.validate(
            amqp.messaging.Source(filter={"f": amqp.messaging.AmqpValue({"k" * 10_000: "x" * 10_000})})
        ),
    )
