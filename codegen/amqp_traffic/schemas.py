"""The columns of all tables, as plain data: pairs of column name and Arrow type name.

``variant`` is a pair of octets, value and metadata, as in the generated packages. ``date`` (UTC; of the beginning of the
connection, or of the capture) and ``capture_id`` are not columns of a file, but the folders that it is in.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from amqp_codegen.support.resources import load_module

Columns: TypeAlias = "tuple[tuple[str, str], ...]"

PACKAGES0 = ("amqp_0_9_1_rabbitmq", "amqp_0_9_1", "amqp_0_9", "amqp_0_8", "amqp_0_8_rabbitmq")
PACKAGE1 = "amqp_1_0"

# The place of a frame: the connection; 0 from the client, 1 from the server; the number in the connection; the offset in
# the stream of its direction.
FRAME_KEY: Columns = (
    ("conn_id", "string"),
    ("dir", "int8"),
    ("frame_no", "int64"),
    ("stream_off", "int64"),
)

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

_LEDGER = ("bytes_wire", "bytes_framed", "bytes_gap", "bytes_skipped", "bytes_tail", "bytes_dup", "frames")

CONNECTIONS: Columns = (
    ("conn_id", "string"),
    ("client_ip", "string"),
    ("client_port", "int32"),
    ("server_ip", "string"),
    ("server_port", "int32"),
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

FRAMES: Columns = (
    *FRAME_KEY,
    ("file_no", "int32"),
    ("pkt_no", "int64"),
    ("pkt_off", "int64"),
    ("ns", "int64"),
    ("ts", "timestamp[us]"),
    ("type", "int16"),
    ("channel", "int32"),
    ("size", "int64"),
    ("class_id", "int32"),
    ("method_id", "int32"),
    ("name", "string"),
    ("status", "string"),
    ("err", "string"),
)

# Arguments of methods and fields of performatives stand between these.
_BEFORE_ARGUMENTS: Columns = (*FRAME_KEY, ("ns", "int64"), ("channel", "int32"))
_AFTER_ARGUMENTS: Columns = (("raw", "binary"), ("violations", "list<string>"))

MESSAGES: Columns = (
    *FRAME_KEY,
    ("channel", "int32"),
    ("kind", "string"),
    ("exchange", "string"),
    ("routing_key", "string"),
    ("queue_inferred", "string"),
    ("mandatory", "bool"),
    ("immediate", "bool"),
    ("redelivered", "bool"),
    ("no_ack", "bool"),
    ("consumer_tag", "string"),
    ("delivery_tag", "int64"),
    ("reply_code", "int32"),
    ("reply_text", "string"),
    ("message_count", "int64"),
    # Properties of 0-x, also used for the properties of 1.0 with the same meaning.
    ("content_type", "string"),
    ("content_encoding", "string"),
    ("headers", "variant"),
    ("delivery_mode", "int16"),
    ("priority", "int16"),
    ("correlation_id", "string"),
    ("reply_to", "string"),
    ("expiration", "string"),
    ("message_id", "string"),
    ("timestamp", "timestamp[us]"),
    ("type", "string"),
    ("user_id", "string"),
    ("app_id", "string"),
    ("cluster_id", "string"),
    ("other_properties", "variant"),
    # Of 1.0 only.
    ("link_name", "string"),
    ("handle", "int64"),
    ("address", "string"),
    ("delivery_id", "int64"),
    ("delivery_tag_bytes", "binary"),
    ("message_format", "int64"),
    ("durable", "bool"),
    ("ttl", "int64"),
    ("first_acquirer", "bool"),
    ("delivery_count", "int64"),
    ("to", "string"),
    ("subject", "string"),
    ("absolute_expiry_time", "timestamp[us]"),
    ("group_id", "string"),
    ("group_sequence", "int64"),
    ("reply_to_group_id", "string"),
    ("message_id_value", "variant"),
    ("correlation_id_value", "variant"),
    ("delivery_annotations", "variant"),
    ("message_annotations", "variant"),
    ("footer", "variant"),
    ("state", "string"),
    ("misfits", "variant"),
    # Of both.
    ("body_kind", "string"),
    ("body_size", "int64"),
    ("body_seen", "int64"),
    ("body_frames", "int32"),
    ("body_sha256", "binary"),
    ("body_head", "binary"),
    ("first_ns", "int64"),
    ("last_ns", "int64"),
    ("first_ts", "timestamp[us]"),
    ("settle", "string"),
    ("settle_ns", "int64"),
    ("confirm", "string"),
    ("confirm_ns", "int64"),
    ("complete", "bool"),
    ("source", "string"),
    ("lossy_types", "bool"),
    ("node", "string"),
    ("vhost", "string"),
    ("traced_connection", "string"),
    ("traced_channel", "int32"),
    ("traced_user", "string"),
    ("routed_queues", "list<string>"),
)

EXCHANGES: Columns = (
    ("conn_id", "string"),
    ("channel", "int32"),
    ("name", "string"),
    ("request_dir", "int8"),
    ("request_frame_no", "int64"),
    ("request_off", "int64"),
    ("request_ns", "int64"),
    ("reply_name", "string"),
    ("reply_frame_no", "int64"),
    ("reply_off", "int64"),
    ("reply_ns", "int64"),
    ("latency_ns", "int64"),
    ("outcome", "string"),
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
def table_columns(table: str) -> Columns:
    """Return the columns of a table, in order.

    Raises:
        KeyError: There is no such table.
    """
    if table == "methods":
        return (*_BEFORE_ARGUMENTS, *method_columns(), *_AFTER_ARGUMENTS)
    if table == "performatives":
        fields: Columns = load_module(PACKAGE1, "columns").PERFORMATIVE_SCHEMA
        return (*_BEFORE_ARGUMENTS, *fields, ("payload_size", "int64"), *_AFTER_ARGUMENTS)
    return _TABLES[table]


_TABLES: dict[str, Columns] = {
    "captures": CAPTURES,
    "connections": CONNECTIONS,
    "frames": FRAMES,
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
