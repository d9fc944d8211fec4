"""Tables as deep as the limits allow, on a stack that is nearly full: decoded, encoded, or refused with our errors."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

from .packages import RABBITMQ, each_package, method

DEPTH = 190
ENCODED_DEPTH = 60
LIMIT = 200


def octets_of(depth: int) -> bytes:
    table = b"\0\0\0\0"
    for _ in range(depth):
        table = (len(table) + 3).to_bytes(4, "big") + b"\x01kF" + table
    return table


def value_of(depth: int) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for _ in range(depth):
        table = {"k": table}
    return table


def below(frames: int, call: Callable[[], Any]) -> Any:
    return below(frames - 1, call) if frames else call()


def calls(amqp: Any) -> dict[str, Callable[[], Any]]:
    """Everything that goes through a table, by name."""
    octets = octets_of(DEPTH)
    declare = bytes.fromhex("0032000a" + "0000" + "00" + "00") + octets
    header = bytes.fromhex("003c0000" + "00" * 8 + "2000") + octets
    frames = {
        "method": b"\1\0\1" + len(declare).to_bytes(4, "big") + declare + b"\xce",
        "header": b"\2\0\1" + len(header).to_bytes(4, "big") + header + b"\xce",
    }
    variant = importlib.import_module(f"{amqp.__name__}.columns.variant")
    raw = amqp.decode_table(octets, lossless=True, max_depth=LIMIT)[0]
    found: dict[str, Callable[[], Any]] = {
        "table_variant": lambda: variant.table_variant(octets, max_depth=LIMIT),
        "encode raw": lambda: amqp.encode_table(raw),
        "encode nested raw": lambda: amqp.encode_table({"k": raw}),
        "raw values": lambda: amqp.table.RawTable(raw.raw, amqp._table_reader.table_reader(max_depth=LIMIT))[
            "k"
        ],
        "entries": lambda: raw.entries,
        "encode table": lambda: amqp.encode_table(value_of(ENCODED_DEPTH)),
        "encode method": lambda: amqp.encode_frame(
            1, method(amqp, "queue.declare")(arguments=value_of(ENCODED_DEPTH))
        ),
        "encode message": lambda: amqp.encode_message(
            1, method(amqp, "basic.publish")(), amqp.BasicProperties(headers=value_of(ENCODED_DEPTH)), b"x"
        ),
        "validate": lambda: amqp.validate(
            method(amqp, "queue.declare")("q", arguments=value_of(ENCODED_DEPTH))
        ),
    }
    for lossless in (False, True):
        options: dict[str, Any] = {"lossless": lossless, "max_depth": LIMIT}
        found |= {
            f"table {lossless}": lambda options=options: amqp.decode_table(octets, **options),
            f"method {lossless}": lambda options=options: amqp.decode_method(declare, **options),
        }
        for name, frame in frames.items():
            found |= {
                f"{name} {lossless}": lambda frame=frame, options=options: amqp.decode_frames(
                    frame, **options
                ),
                f"{name} decoder {lossless}": lambda frame=frame, options=options: amqp.FrameDecoder(
                    **options
                ).feed(frame),
            }
    found["lazy"] = lambda: (
        amqp.decode_frames(frames["header"], lazy_properties=True, max_depth=LIMIT)[0][0][1].properties
    )
    return found


CALLS = calls(RABBITMQ)
ENCODERS = ("encode table", "encode method", "encode message", "validate")


def depth_here() -> int:
    frame = sys._getframe()
    count = 0
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count


@pytest.mark.parametrize("name", CALLS)
def test_never_a_recursion_error(name: str) -> None:
    call = CALLS[name]
    call()  # on a stack with room it works
    room = sys.getrecursionlimit() - depth_here()
    outcomes = set()
    for left in (*range(40, 200, 7), *range(200, room, 20)):
        try:
            below(room - left, call)
            outcomes.add("works")
        except RABBITMQ.errors.CodecError as error:
            outcomes.add("refused")
            assert "stack of the interpreter" in str(error), error
    assert "works" in outcomes


@pytest.mark.parametrize("name", CALLS)
def test_three_frames_of_the_stack_for_each_level_suffice(name: str) -> None:
    depth = ENCODED_DEPTH if name in ENCODERS else DEPTH
    room = sys.getrecursionlimit() - depth_here()
    below(room - (3 * depth + 30), CALLS[name])


@each_package
def test_a_table_in_itself(amqp: Any) -> None:
    table: dict[str, Any] = {}
    table["k"] = table
    with pytest.raises(amqp.EncodeError, match="nested deeper than 64"):
        amqp.encode_table(table)
