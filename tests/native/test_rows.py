"""Rows of columns are the core's where they are plain, and Python's where not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.fuzz.suite_octets import suite_octets

from .samples import transfers

amqp_native = pytest.importorskip("amqp_native", reason="needs the cores in C: make native")

each_package = pytest.mark.parametrize(
    "package", ["amqp_0_8", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq"]
)
LEFT = "left to Python"


def leave(*_: object) -> str:
    return LEFT


@each_package
def test_every_method_has_a_row(package: str) -> None:
    columns = import_module(f"{package}.columns")
    amqp, batch = import_module(package), columns.MethodColumns()
    taken = set()
    for payload in suite_octets(package)["method"]:
        key = int.from_bytes(payload[:4], "big")
        if key in batch.gathered and method_row(amqp, batch, key, payload) != LEFT:
            taken.add(key)
    left = {key for key, cls in amqp.METHODS.items() if any(field.type == "content" for field in cls.FIELDS)}
    assert set(batch.gathered) - taken == left


@each_package
def test_a_header_has_a_row(package: str) -> None:
    amqp, columns = import_module(package), import_module(f"{package}.columns")
    octets = amqp.encode_frame(
        1, amqp.ContentHeader(amqp.BasicProperties(message_id="m", headers={"k": {"n": 7}}), 5)
    )
    payload = octets[7:-1]
    batch = columns.HeaderColumns()
    reader = amqp._native.CORE.row_reader(
        ((1 << 32) | 60, batch.tables.tables.native), len(batch.gathered[60].kind.columns), leave
    )
    row = reader(payload, 0, len(payload), batch.tables)
    assert row[:2] == (60, 5) and row[-1] is None and "m" in row
    batch.append(payload)
    assert batch.gathered[60].rows == [row]


@each_package
def test_what_fits_no_column_is_for_python(package: str) -> None:
    amqp, columns = import_module(package), import_module(f"{package}.columns")
    tag = 1 << 63
    payload = amqp.methods.BasicAck(delivery_tag=tag).encode()
    batch = columns.MethodColumns()
    key = int.from_bytes(payload[:4], "big")
    assert method_row(amqp, batch, key, payload) == LEFT
    batch.append(key, payload)
    assert batch.take()["misfits"] != [None]


def test_transfers_and_messages_have_rows() -> None:
    amqp, columns = import_module("amqp_1_0"), import_module("amqp_1_0.columns")
    core, stream, frames = amqp._native.CORE, transfers(amqp), []
    core.read_frames(amqp._native.DEFAULT_LEVELS, 100, stream, 0, 4096, frames)
    _, transfer, message = frames[0]
    body = amqp.encode_frame(0, transfer)[8:]
    batch = columns.PerformativeColumns()
    size = len(batch.gathered["transfer"].kind.columns)
    row, position = core.row_reader((type(transfer), size), leave)(body, 3, None, None)
    assert position == len(body)
    batch.append(body)
    assert batch.gathered["transfer"].rows == [row]
    assert message and columns.MessageColumns().append_head(message) > 0


def test_limits_that_the_core_does_not_know_leave_variants_to_python() -> None:
    columns = import_module("amqp_1_0.columns")
    assert columns.PerformativeColumns().variants.native is not None
    assert columns.PerformativeColumns(max_depth=8).variants.native is None
    assert columns.PerformativeColumns(max_elements=100).variants.native is None


def test_wrong_calls_raise_and_nothing_else() -> None:
    amqp, columns = import_module("amqp_0_9_1"), import_module("amqp_0_9_1.columns")
    batch = columns.MethodColumns()
    payload = amqp.methods.BasicAck(delivery_tag=1).encode()
    key = int.from_bytes(payload[:4], "big")
    core, native = amqp._native.CORE, batch.tables.tables.native
    reader = core.row_reader((key, native), 3, leave)
    assert reader(payload, 4, len(payload), None) == (1, False, None)
    for arguments in (
        (payload, -1, 5, 0),
        (payload, 4, 1 << 70, 0),
        (bytearray(payload), 4, 13, 0),
        (payload, 9, 4, 0),
    ):
        assert reader(*arguments) == LEFT
    assert core.row_reader((key, native), 4, leave) is leave
    assert core.row_reader((1, native), 3, leave) is leave
    for call in (reader, lambda: core.row_reader((key, None), 3, leave), lambda: core.row_reader(1, 2, 3)):
        with pytest.raises((TypeError, ValueError)):
            call()


def method_row(amqp: Any, batch: Any, key: int, payload: bytes) -> Any:
    reader = amqp._native.CORE.row_reader(
        (key, batch.tables.tables.native), len(batch.gathered[key].kind.columns), leave
    )
    return reader(payload, 4, len(payload), batch.tables)
