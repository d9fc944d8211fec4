"""The columns of all tables, as plain data: pairs of column name and Arrow type name.

Those of the tables that frames become have their names and types from ``recipes``, which also say what they come from.
``variant`` is a pair of octets, value and metadata, as in the generated packages. ``date`` (UTC; of the beginning of the
connection, or of the capture) and ``capture_id`` are not columns of a file, but the folders that it is in.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from amqp_codegen.support.resources import load_module

from . import recipes
from .recipes import AFTER_ARGUMENTS, BEFORE_ARGUMENTS, NAME, PAYLOAD_SIZE, Column, Recipe, argument

Columns: TypeAlias = "tuple[tuple[str, str], ...]"

PACKAGES0 = ("amqp_0_9_1_rabbitmq", "amqp_0_9_1", "amqp_0_9", "amqp_0_8", "amqp_0_8_rabbitmq")
# The family of 1.0: the standard, and what it is read with where RabbitMQ speaks. Both make the same columns.
PACKAGE1, RABBITMQ1 = PACKAGES1 = ("amqp_1_0", "amqp_1_0_rabbitmq")


def named_columns(recipe: Recipe) -> Columns:
    """Return the names and types of the columns of a recipe."""
    return tuple((column.name, column.type) for column in recipe)


BEFORE_FIELDS = named_columns(BEFORE_ARGUMENTS)
MESSAGES = named_columns(recipes.MESSAGES0)
EXCHANGES = named_columns(recipes.EXCHANGES)

CAPTURES: Columns = (
    ("file", "string"),
    ("file_no", "int32"),
    ("format", "string"),
    ("compression", "string"),
    ("byte_order", "string"),
    ("ts_unit", "string"),
    ("link_types", "list<int32>"),
    ("snaplen", "int64"),
    ("size", "int64"),
    ("bytes_headers", "int64"),
    ("bytes_records", "int64"),
    ("bytes_skipped", "int64"),
    ("packets", "int64"),
    ("tcp", "int64"),
    ("ignored", "map<string,int64>"),
    ("first_ns", "int64"),
    ("last_ns", "int64"),
    ("status", "string"),
)

_LEDGER = (
    *("bytes_wire", "bytes_framed", "bytes_gap", "bytes_skipped", "bytes_tail", "bytes_wrapped"),
    *("bytes_dup", "frames"),
)

CONNECTIONS: Columns = (
    ("conn_id", "string"),
    ("client_ip", "string"),
    ("client_port", "int32"),
    ("server_ip", "string"),
    ("server_port", "int32"),
    ("proxy_ip", "string"),
    ("proxy_port", "int32"),
    ("transport", "string"),
    ("tls_version", "string"),
    ("tls_cipher", "string"),
    ("tls_server_name", "string"),
    ("role_by", "string"),
    ("start_ns", "int64"),
    ("end_ns", "int64"),
    ("start_ts", "timestamp[us]"),
    ("start_mode", "string"),
    ("end_mode", "string"),
    ("protocol", "string"),
    ("package", "string"),
    ("dialect_by", "string"),
    ("header_bytes", "binary"),
    ("answer_bytes", "binary"),
    ("detail", "string"),
    ("product", "string"),
    ("version", "string"),
    ("platform", "string"),
    ("connection_name", "string"),
    ("client_properties", "variant"),
    ("server_product", "string"),
    ("server_version", "string"),
    ("server_properties", "variant"),
    ("user", "string"),
    ("mechanism", "string"),
    ("vhost", "string"),
    ("server_channel_max", "int64"),
    ("server_frame_max", "int64"),
    ("server_heartbeat", "int64"),
    ("client_channel_max", "int64"),
    ("client_frame_max", "int64"),
    ("client_heartbeat", "int64"),
    ("close_code", "int32"),
    ("close_condition", "string"),
    ("close_text", "string"),
    ("close_by", "string"),
    *((f"{side}_{name}", "int64") for side in ("client", "server") for name in (*_LEDGER, "bad_frames")),
)

QUARANTINE: Columns = (
    ("file_no", "int32"),
    ("conn_id", "string"),
    ("dir", "int8"),
    ("stage", "string"),
    ("reason", "string"),
    ("file_off", "int64"),
    ("pkt_no", "int64"),
    ("stream_off", "int64"),
    ("length", "int64"),
    ("ns", "int64"),
    ("detail", "string"),
    ("sample", "binary"),
)


@cache
def method_columns() -> Columns:
    """Return one column for each field name of the methods of all versions of 0-x; their types agree."""
    columns: dict[str, str] = {}
    for package in PACKAGES0:
        for name, kind in load_module(package, "columns").METHOD_SCHEMA:
            if columns.setdefault(name, kind) != kind:
                raise AssertionError(f"{name} is {columns[name]} and {kind}")
    return tuple(columns.items())


@cache
def frame_recipe(table: str) -> Recipe:
    """Return the recipe of the rows of a table that has a row for a frame: frames, methods or performatives."""
    if table == "frames":
        return recipes.FRAMES
    is_0 = table == "methods"
    fields: Columns = method_columns() if is_0 else load_module(PACKAGE1, "columns").PERFORMATIVE_SCHEMA
    (name, kind), *arguments = fields
    return (
        *BEFORE_ARGUMENTS,
        Column(name, kind, NAME),
        *(Column(name, kind, argument(name)) for name, kind in arguments),
        *(() if is_0 else (PAYLOAD_SIZE,)),
        *AFTER_ARGUMENTS,
    )


@cache
def table_columns(table: str) -> Columns:
    """Return the columns of a table, in order.

    Raises:
        KeyError: There is no such table.
    """
    if table in ("frames", "methods", "performatives"):
        return named_columns(frame_recipe(table))
    return _TABLES[table]


_TABLES: dict[str, Columns] = {
    "captures": CAPTURES,
    "connections": CONNECTIONS,
    "messages": MESSAGES,
    "exchanges": EXCHANGES,
    "quarantine": QUARANTINE,
}
TABLES = (
    "captures",
    "connections",
    "frames",
    "methods",
    "performatives",
    "messages",
    "exchanges",
    "quarantine",
)
