"""Compares columns with rows made of decoded objects: ours, and those of pamqp.

    python -m benchmarks.columns [--compiled]

All start from the same stream of frames. Columns come as lists of values, field tables in them as VARIANT; rows
come as dicts, with the tables as they are or as JSON, which is what a column of a table can take. Where pyarrow is
installed, both also become an Arrow table. The exit code is 1 when an expected ratio was not reached.
"""

from __future__ import annotations

import json
import platform
import struct
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pamqp.frame
from amqp_0_9_1_rabbitmq import columns as columns0
from amqp_0_9_1_rabbitmq.columns.variant import table_variant
from amqp_1_0 import columns as columns1
from amqp_1_0 import messaging, performatives

from . import messages0, messages1
from .harness import Result, compare, report

# About a tenth less than what was measured, so that a missed one means a change, not noise.
PURE = {
    "columns of deliveries and their headers": {"objects, dicts, JSON": 1.4, "pamqp, dicts, JSON": 3.6},
    "columns of transfers and their messages": {"objects, dicts, JSON": 1.1},
    "a field table of 20 entries as VARIANT": {"dict, JSON": 0.8},
    "Arrow tables of deliveries and their headers": {"objects, dicts, JSON": 1.8, "pamqp, dicts, JSON": 3.8},
    "Arrow tables of transfers and their messages": {"objects, dicts, JSON": 1.4},
}
COMPILED = {
    "columns of deliveries and their headers": {"objects, dicts, JSON": 1.6, "pamqp, dicts, JSON": 6.8},
    "columns of transfers and their messages": {"objects, dicts, JSON": 1.5},
    "Arrow tables of deliveries and their headers": {"objects, dicts, JSON": 2.1, "pamqp, dicts, JSON": 6.5},
    "Arrow tables of transfers and their messages": {"objects, dicts, JSON": 2.1},
}
MESSAGES = 500

Rows = list[dict[str, Any]]
_FRAME = struct.Struct(">BHI").unpack_from
_FRAME_1 = struct.Struct(">IBBH").unpack_from
_KEY = struct.Struct(">I").unpack_from


# --- AMQP 0-9-1: basic.deliver and its content header -------------------------------------------------

DELIVER_FIELDS = tuple(field.name for field in amqp0.methods.BasicDeliver.FIELDS)
PROPERTY_FIELDS = tuple(field.name for field in amqp0.BasicProperties.FIELDS)


def stream0(count: int) -> bytes:
    """Deliveries without their bodies."""
    properties = amqp0.BasicProperties(**messages0.PROPERTIES, timestamp=messages0.TIMESTAMP)
    frames = []
    for number in range(count):
        method = amqp0.methods.BasicDeliver(**{**messages0.DELIVER, "delivery_tag": number})
        frames.append(amqp0.encode_frame(1, method))
        frames.append(amqp0.encode_frame(1, amqp0.ContentHeader(properties, 256)))
    return b"".join(frames)


def columns_of_stream0(stream: bytes) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The columns of the methods and of the headers."""
    methods, headers = columns0.MethodColumns(), columns0.HeaderColumns()
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


def rows_of_stream0(stream: bytes, table: Callable[[Any], Any]) -> tuple[Rows, Rows]:
    """The same as rows of dicts."""
    methods: Rows = []
    headers: Rows = []
    for _, frame in amqp0.decode_frames(stream)[0]:
        if isinstance(frame, amqp0.ContentHeader):
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
    position = 0
    while position < len(stream):
        size = 8 + int.from_bytes(stream[position + 3 : position + 7], "big")
        used, _, frame = pamqp.frame.unmarshal(stream[position : position + size])
        position += used
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
        header=messaging.Header(**messages1.HEADER),
        properties=messaging.Properties(**messages1.PROPERTIES),
        application_properties=messages1.APPLICATION_PROPERTIES,
        body=messaging.Data(messages1.BODY),
    ).encode()
    transfer = performatives.Transfer(**messages1.TRANSFER)
    return amqp1.encode_frame(1, transfer, message) * count


def columns_of_stream1(stream: bytes) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The columns of the performatives and of the messages."""
    transfers, messages = columns1.PerformativeColumns(), columns1.MessageColumns()
    position = 0
    while position < len(stream):
        size, words, _, _ = _FRAME_1(stream, position)
        body = stream[position + 4 * words : position + size]
        messages.append(body[transfers.append(body) :])
        position += size
    return transfers.take(), messages.take()


def rows_of_stream1(stream: bytes, table: Callable[[Any], Any]) -> tuple[Rows, Rows]:
    """The same as rows of dicts."""
    transfers: Rows = []
    messages: Rows = []
    for _, transfer, payload in amqp1.decode_frames(stream)[0]:
        row = {name: getattr(transfer, name) for name in TRANSFER_FIELDS}
        transfers.append(row | {"performative": "transfer"})
        message: Any = amqp1.decode_message(payload)
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


def arrow_of_rows(rows: Sequence[Rows]) -> list[Any]:
    """Rows as Arrow tables."""
    import pyarrow

    return [pyarrow.Table.from_pylist(each) for each in rows]


# --- Workloads --------------------------------------------------------------------------------------------


def workloads() -> list[Result]:
    """All of them."""
    deliveries, transfers = stream0(MESSAGES), stream1(MESSAGES)
    check(deliveries, transfers)
    table = amqp0.encode_table(messages0.TABLE)
    results = [
        compare(
            "columns of deliveries and their headers",
            lambda: columns_of_stream0(deliveries),
            {
                "objects, dicts": lambda: rows_of_stream0(deliveries, as_it_is),
                "objects, dicts, JSON": lambda: rows_of_stream0(deliveries, as_json),
                "pamqp, dicts": lambda: rows_of_pamqp(deliveries, as_it_is),
                "pamqp, dicts, JSON": lambda: rows_of_pamqp(deliveries, as_json),
            },
            MESSAGES,
        ),
        compare(
            "columns of transfers and their messages",
            lambda: columns_of_stream1(transfers),
            {
                "objects, dicts": lambda: rows_of_stream1(transfers, as_it_is),
                "objects, dicts, JSON": lambda: rows_of_stream1(transfers, as_json),
            },
            MESSAGES,
        ),
        compare(
            "a field table of 20 entries as VARIANT",
            lambda: table_variant(table),
            {"dict, JSON": lambda: as_json(amqp0.decode_table(table)[0])},
            1,
        ),
    ]
    return [*results, *arrow_workloads(deliveries, transfers)] if find_spec("pyarrow") else results


def arrow_workloads(deliveries: bytes, transfers: bytes) -> list[Result]:
    """The same as far as Arrow."""
    schemas0 = (columns0.METHOD_SCHEMA, columns0.HEADER_SCHEMA)
    schemas1 = (columns1.PERFORMATIVE_SCHEMA, columns1.MESSAGE_SCHEMA)
    return [
        compare(
            "Arrow tables of deliveries and their headers",
            lambda: arrow_tables(columns_of_stream0(deliveries), schemas0),
            {
                "objects, dicts, JSON": lambda: arrow_of_rows(rows_of_stream0(deliveries, as_json)),
                "pamqp, dicts, JSON": lambda: arrow_of_rows(rows_of_pamqp(deliveries, as_json)),
            },
            MESSAGES,
        ),
        compare(
            "Arrow tables of transfers and their messages",
            lambda: arrow_tables(columns_of_stream1(transfers), schemas1),
            {"objects, dicts, JSON": lambda: arrow_of_rows(rows_of_stream1(transfers, as_json))},
            MESSAGES,
        ),
    ]


def check(deliveries: bytes, transfers: bytes) -> None:
    """All give the same."""
    methods, headers = columns_of_stream0(deliveries)
    for rows in (rows_of_stream0(deliveries, as_it_is), rows_of_pamqp(deliveries, as_it_is)):
        assert methods["routing_key"] == [row["routing_key"] for row in rows[0]]
        assert headers["correlation_id"] == [row["correlation_id"] for row in rows[1]]
        assert rows[1][0]["headers"] == messages0.HEADERS
    tags, messages = columns_of_stream1(transfers)
    rows = rows_of_stream1(transfers, as_it_is)
    assert tags["delivery_tag"] == [row["delivery_tag"] for row in rows[0]]
    assert messages["subject"] == [row["subject"] for row in rows[1]]


def main() -> None:
    """Runs every workload."""
    print(f"{platform.python_implementation()} {platform.python_version()}\n")
    if not report(workloads(), COMPILED if "--compiled" in sys.argv else PURE):
        sys.exit(1)


if __name__ == "__main__":
    main()
