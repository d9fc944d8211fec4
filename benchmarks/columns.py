"""Compares columns with rows made of decoded objects: ours, and those of pamqp.

    python -m benchmarks.columns

All start from the same stream of frames. Columns come as lists of values, field tables in them as VARIANT; rows
come as dicts, with the tables as they are or as JSON, which is what a column of a table can take. Where pyarrow is
installed, both also become an Arrow table. Where ``amqp_native`` is installed, columns and rows are made with the core in C
and without it. The exit code is 1 when a ratio that is wanted was not reached.
"""

from __future__ import annotations

import json
import platform
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pamqp.frame
from amqp_0_9_1_rabbitmq import columns as columns0
from amqp_1_0 import columns as columns1
from amqp_1_0 import messaging, performatives

from .amqp0 import messages as amqp0_messages
from .amqp0.peers import decode_in_turn
from .amqp1 import messages as amqp1_messages
from .harness import NATIVE, PURE, Workload, measure, own_packages
from .ratio_table import print_table, unreached

COLUMNS, NATIVE_COLUMNS = f"{PURE} columns", f"{NATIVE} columns"
VARIANT = "a field table of 20 entries as VARIANT"
# About a tenth less than what was measured, so that a missed one means a change, not noise.
WANTED = {
    "columns of deliveries and their headers": {"pure rows, JSON": 1.2, "pamqp rows, JSON": 3.3},
    "columns of transfers and their messages": {"pure rows, JSON": 1.1},
    VARIANT: {"pure rows, JSON": 0.75},
    "Arrow tables of deliveries and their headers": {"pure rows, JSON": 1.8, "pamqp rows, JSON": 3.3},
    "Arrow tables of transfers and their messages": {"pure rows, JSON": 1.4},
}
# Of columns with the core in C: how many times as long those of Python take.
WANTED_NATIVE = {
    "columns of deliveries and their headers": 3.0,
    "columns of transfers and their messages": 2.4,
    VARIANT: 8.0,
    "Arrow tables of deliveries and their headers": 2.4,
    "Arrow tables of transfers and their messages": 2.0,
}
MESSAGES = 500

Rows = list[dict[str, Any]]
# Name to what makes rows of a stream, given also what becomes of a field table.
RowMakers = Mapping[str, Callable[..., tuple[Rows, Rows]]]
# What makes columns of a stream with the classes of a package.
ColumnMaker = Callable[[Any, bytes], tuple[dict[str, list[Any]], dict[str, list[Any]]]]
_FRAME = struct.Struct(">BHI").unpack_from
_FRAME_1 = struct.Struct(">IBBH").unpack_from
_KEY = struct.Struct(">I").unpack_from


# --- AMQP 0-9-1: basic.deliver and its content header -------------------------------------------------

DELIVER_FIELDS = tuple(field.name for field in amqp0.methods.BasicDeliver.FIELDS)
PROPERTY_FIELDS = tuple(field.name for field in amqp0.BasicProperties.FIELDS)


def stream0(count: int) -> bytes:
    """Deliveries without their bodies."""
    properties = amqp0.BasicProperties(**amqp0_messages.PROPERTIES, timestamp=amqp0_messages.TIMESTAMP)
    frames = []
    for number in range(count):
        method = amqp0.methods.BasicDeliver(**{**amqp0_messages.DELIVER, "delivery_tag": number})
        frames.append(amqp0.encode_frame(1, method))
        frames.append(amqp0.encode_frame(1, amqp0.ContentHeader(properties, 256)))
    return b"".join(frames)


def columns_of_stream0(columns: Any, stream: bytes) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The columns of the methods and of the headers."""
    methods, headers = columns.MethodColumns(), columns.HeaderColumns()
    position = 0
    while position < len(stream):
        kind, _, size = _FRAME(stream, position)
        payload = stream[position + 7 : position + 7 + size]
        if kind == 1:
            methods.append(_KEY(payload)[0], payload)
        else:
            headers.append(payload)
        position += size + 8
    return methods.take(), headers.take()


def rows_of_stream0(amqp: Any, stream: bytes, table: Callable[[Any], Any]) -> tuple[Rows, Rows]:
    """The same as rows of dicts, from the objects of a package."""
    methods: Rows = []
    headers: Rows = []
    for _, frame in amqp.decode_frames(stream)[0]:
        if isinstance(frame, amqp.ContentHeader):
            row = {name: getattr(frame.properties, name) for name in PROPERTY_FIELDS}
            row["headers"] = table(row["headers"])
            headers.append(row | {"class_id": frame.class_id, "body_size": frame.body_size})
        else:
            row = {name: getattr(frame, name) for name in DELIVER_FIELDS}
            methods.append(row | {"method": frame.NAME})
    return methods, headers


def rows_of_pamqp(stream: bytes, table: Callable[[Any], Any]) -> tuple[Rows, Rows]:
    """The same by pamqp."""
    methods: Rows = []
    headers: Rows = []
    for frame in decode_in_turn(pamqp.frame.unmarshal, stream):
        if isinstance(frame, pamqp.header.ContentHeader):
            row = dict(frame.properties)
            row["headers"] = table(row["headers"])
            headers.append(row | {"class_id": frame.class_id, "body_size": frame.body_size})
        else:
            methods.append(dict(frame) | {"method": frame.name})
    return methods, headers


def as_json(table: Any) -> str:
    """A table as text; what JSON lacks as a string."""
    return json.dumps(table, default=str)


def as_it_is(table: Any) -> Any:
    """A table, left alone."""
    return table


# --- AMQP 1.0: transfer and message ---------------------------------------------------------------------

TRANSFER_FIELDS = tuple(field.attribute for field in performatives.Transfer.FIELDS)
SECTION_FIELDS = tuple(
    (section, field.attribute)
    for section, cls in (("header", messaging.Header), ("properties", messaging.Properties))
    for field in cls.FIELDS
)


def stream1(count: int) -> bytes:
    """Transfers of one whole message each."""
    message = amqp1.Message(
        header=messaging.Header(**amqp1_messages.HEADER),
        properties=messaging.Properties(**amqp1_messages.PROPERTIES),
        application_properties=amqp1_messages.APPLICATION_PROPERTIES,
        body=messaging.Data(amqp1_messages.BODY),
    ).encode()
    transfer = performatives.Transfer(**amqp1_messages.TRANSFER)
    return amqp1.encode_frame(1, transfer, message) * count


def columns_of_stream1(columns: Any, stream: bytes) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The columns of the performatives and of the messages."""
    transfers, messages = columns.PerformativeColumns(), columns.MessageColumns()
    position = 0
    while position < len(stream):
        size, words, _, _ = _FRAME_1(stream, position)
        body = stream[position + 4 * words : position + size]
        messages.append(body[transfers.append(body) :])
        position += size
    return transfers.take(), messages.take()


def rows_of_stream1(amqp: Any, stream: bytes, table: Callable[[Any], Any]) -> tuple[Rows, Rows]:
    """The same as rows of dicts, from the objects of a package."""
    transfers: Rows = []
    messages: Rows = []
    for _, transfer, payload in amqp.decode_frames(stream)[0]:
        row = {name: getattr(transfer, name) for name in TRANSFER_FIELDS}
        transfers.append(row | {"performative": "transfer"})
        message: Any = amqp.decode_message(payload)
        row = {name: getattr(getattr(message, section), name) for section, name in SECTION_FIELDS}
        row["application_properties"] = table(message.application_properties)
        row["data"] = message.body.value
        messages.append(row)
    return transfers, messages


# --- Arrow ------------------------------------------------------------------------------------------------


def arrow_tables(columns: Sequence[dict[str, list[Any]]], schemas: Sequence[Any]) -> list[Any]:
    """Columns as Arrow tables."""
    import pyarrow

    variant = pyarrow.struct([("value", pyarrow.binary()), ("metadata", pyarrow.binary())])
    lists = {"list<string>": pyarrow.string(), "list<binary>": pyarrow.binary()}
    tables = []
    for taken, schema in zip(columns, schemas, strict=True):
        arrays = {}
        for name, kind in schema:
            if name in taken:
                found = variant if kind == "variant" else None
                found = pyarrow.list_(lists[kind]) if kind in lists else found
                arrays[name] = pyarrow.array(taken[name], found or pyarrow.type_for_alias(kind))
        tables.append(pyarrow.table(arrays))
    return tables


def arrow_of_columns(make: ColumnMaker, schemas: Sequence[Any], columns: Any, stream: bytes) -> list[Any]:
    """The columns of both kinds as Arrow tables."""
    return arrow_tables(make(columns, stream), schemas)


def arrow_of_rows(make: Callable[..., tuple[Rows, Rows]], stream: bytes) -> list[Any]:
    """Rows as Arrow tables, with their field tables as JSON."""
    import pyarrow

    return [pyarrow.Table.from_pylist(rows) for rows in make(stream, as_json)]


# --- Workloads --------------------------------------------------------------------------------------------


def workloads() -> list[Workload]:
    """All of them."""
    deliveries, transfers = stream0(MESSAGES), stream1(MESSAGES)
    check(deliveries, transfers)
    packages0, packages1 = own_packages("amqp_0_9_1_rabbitmq"), own_packages("amqp_1_0")
    rows0: RowMakers = {f"{name} rows": partial(rows_of_stream0, amqp) for name, amqp in packages0.items()}
    rows0 = {**rows0, "pamqp rows": rows_of_pamqp}
    rows1: RowMakers = {f"{name} rows": partial(rows_of_stream1, amqp) for name, amqp in packages1.items()}
    table = amqp0.encode_table(amqp0_messages.TABLE)
    as_variant: dict[str, Callable[[], object]] = {}
    for name, package in packages0.items():
        as_variant[f"{name} columns"] = partial(_columns_of(package).variant.table_variant, table)
        as_variant[f"{name} rows, JSON"] = partial(_table_as_json, package, table)
    schemas0 = columns0.METHOD_SCHEMA, columns0.HEADER_SCHEMA
    schemas1 = columns1.PERFORMATIVE_SCHEMA, columns1.MESSAGE_SCHEMA
    streams: tuple[tuple[Any, ...], ...] = (
        ("deliveries and their headers", columns_of_stream0, schemas0, packages0, rows0, deliveries),
        ("transfers and their messages", columns_of_stream1, schemas1, packages1, rows1, transfers),
    )
    found = [
        _workload(f"columns of {name}", make, packages, rows, stream)
        for name, make, _, packages, rows, stream in streams
    ]
    found.append(Workload("columns", VARIANT, 1, as_variant, _wanted(VARIANT, packages0)))
    if find_spec("pyarrow"):
        found += [
            _workload(
                f"Arrow tables of {name}",
                partial(arrow_of_columns, make, schemas),
                packages,
                rows,
                stream,
                True,
            )
            for name, make, schemas, packages, rows, stream in streams
        ]
    return found


def _columns_of(package: Any) -> Any:
    import_module(f"{package.__name__}.columns.variant")
    return import_module(f"{package.__name__}.columns")


def _workload(
    name: str,
    make: Callable[[Any, bytes], object],
    packages: Mapping[str, Any],
    rows: RowMakers,
    stream: bytes,
    as_arrow: bool = False,
) -> Workload:
    """Columns of a stream, and rows with their tables as JSON; rows with their tables as they are, unless for Arrow."""
    candidates: dict[str, Callable[[], object]] = {
        f"{engine} columns": partial(make, _columns_of(package), stream)
        for engine, package in packages.items()
    }
    for title, make_rows in rows.items():
        if as_arrow:
            candidates[f"{title}, JSON"] = partial(arrow_of_rows, make_rows, stream)
        else:
            candidates[title] = partial(make_rows, stream, as_it_is)
            candidates[f"{title}, JSON"] = partial(make_rows, stream, as_json)
    return Workload("columns", name, MESSAGES, candidates, _wanted(name, packages))


def _wanted(name: str, packages: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    native = {NATIVE_COLUMNS: {COLUMNS: WANTED_NATIVE[name]}} if NATIVE in packages else {}
    return {COLUMNS: WANTED[name], **native}


def _table_as_json(amqp: Any, octets: bytes) -> str:
    return as_json(amqp.decode_table(octets)[0])


def check(deliveries: bytes, transfers: bytes) -> None:
    """All give the same."""
    methods, headers = columns_of_stream0(columns0, deliveries)
    for rows in (rows_of_stream0(amqp0, deliveries, as_it_is), rows_of_pamqp(deliveries, as_it_is)):
        assert methods["routing_key"] == [row["routing_key"] for row in rows[0]]
        assert headers["correlation_id"] == [row["correlation_id"] for row in rows[1]]
        assert rows[1][0]["headers"] == amqp0_messages.HEADERS
    tags, messages = columns_of_stream1(columns1, transfers)
    rows = rows_of_stream1(amqp1, transfers, as_it_is)
    assert tags["delivery_tag"] == [row["delivery_tag"] for row in rows[0]]
    assert messages["subject"] == [row["subject"] for row in rows[1]]


def main() -> None:
    """Runs every workload."""
    print(f"{platform.python_implementation()} {platform.python_version()}\n")
    results = measure(workloads())
    print_table(results, [NATIVE_COLUMNS, COLUMNS])
    if missed := unreached(results):
        sys.exit("not reached: " + "; ".join(missed))


if __name__ == "__main__":
    main()
