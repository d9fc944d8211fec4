"""Where the core asks Python, an error is forgotten and Python tries again; an interrupt from the keyboard is not."""

from __future__ import annotations

from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest

amqp_native = pytest.importorskip("amqp_native", reason="needs the cores in C: make native")

# An unknown described value is for Python, by itself or in a list or a map; so is a map in which a key occurs twice.
OCTETS = ("00540040", "c0050100540040", "c10802a1016100540040", "c10904a1016140a1016140")


def interrupt(*_: Any) -> Any:
    raise KeyboardInterrupt


def fail(*_: Any) -> Any:
    raise ValueError


def core1(answer: Any) -> tuple[Any, Any]:
    amqp = import_module("amqp_1_0")
    native = amqp._native
    names = native._CLASSES.items()
    classes = {name: getattr(amqp.types, attribute) for name, attribute in names}
    return amqp, native.MODULE.Core1(classes, amqp.types.Array, answer, answer, 10, 100)


@pytest.mark.parametrize("octets", OCTETS)
def test_reading_is_interrupted(octets: str) -> None:
    levels = [None] * 10
    _, core = core1(interrupt)
    with pytest.raises(KeyboardInterrupt):
        core.read_value(levels, 100, bytes.fromhex(octets), 0)
    _, core = core1(fail)
    assert core.read_value(levels, 100, bytes.fromhex(octets), 0) is None


def test_writing_is_interrupted() -> None:
    amqp, core = core1(interrupt)
    for value in ([amqp.types.Described(1, 2)], {"a": amqp.types.Described(1, 2)}, amqp.messaging.AmqpValue):
        values = [value] if isinstance(value, type) else value
        with pytest.raises(KeyboardInterrupt):
            core.write_value(values)
    _, core = core1(fail)
    assert core.write_value([amqp.types.Described(1, 2)]) is None


def test_a_decimal_of_a_table_is_interrupted() -> None:
    amqp = import_module("amqp_0_9_1")
    settings = amqp.frames.DEFAULT_WRITER.native
    for answer, error in ((interrupt, KeyboardInterrupt), (fail, None)):
        core = amqp_native.Core0(amqp.Timestamp, Decimal, answer)
        table = {"a": Decimal("1E+2")}
        if error is None:
            assert core.write_table(settings, table) is None
        else:
            with pytest.raises(error):
                core.write_table(settings, table)
