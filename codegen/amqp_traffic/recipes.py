"""How rows are made: the name, the type and the source of each column of the tables that frames become.

A column is one line here. ``schemas`` takes its name and type; Python (``rows.recipe_maker``) and C (``read_recipe`` in
``native/ingest/columns.h``) fill rows by its source. So a column that copies an argument, a property or a value of a
section needs this line and nothing else. A column with a value of its own also needs that value, under the name that
``own`` gives here: in Python an attribute or a field of what the row is made from, in C a line of its values.

A column that comes from nothing is computed later (``ingest/numbering.py``), filled by other makers of rows (``logs``, the
firehose), or kept for the future.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class ColumnSource(NamedTuple):
    """Where the value of a column comes from.

    Attributes:
        origin: One of the functions below, by its name.
        name: Of the value there.
    """

    origin: str
    name: str


def own(name: str) -> ColumnSource:
    """Return the source of a value that the maker of the row has: a part of the event, or what was found out."""
    return ColumnSource("own", name)


def argument(name: str) -> ColumnSource:
    """Return the source of an argument of the method of a message; null for methods without it."""
    return ColumnSource("argument", name)


def header(name: str) -> ColumnSource:
    """Return the source of a value of the content header: a property, or its misfits."""
    return ColumnSource("header", name)


def section(name: str) -> ColumnSource:
    """Return the source of a value of the sections before the body of a message of 1.0."""
    return ColumnSource("section", name)


def text(name: str) -> ColumnSource:
    """Return the source of such a value as text: of an address or id, or of octets."""
    return ColumnSource("text", name)


NOTHING = own("nothing")


class Column(NamedTuple):
    """A column of a row."""

    name: str
    type: str
    source: ColumnSource = NOTHING


class MessageColumn(NamedTuple):
    """A column of the rows of messages of both families."""

    name: str
    type: str
    amqp0: ColumnSource = NOTHING
    amqp1: ColumnSource = NOTHING


Recipe: TypeAlias = "tuple[Column, ...]"


def own_names(recipe: Recipe, others: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the own values in a recipe, each once, without those of ``others``."""
    names = (column.source.name for column in recipe if column.source.origin == "own")
    return tuple(dict.fromkeys(name for name in names if name not in others))


# The place of a frame: the connection; 0 from the client, 1 from the server; the number in the connection; the offset in
# the stream of its direction.
FRAME_KEY: Recipe = (
    Column("conn_id", "string", own("connection")),
    Column("dir", "int8", own("direction")),
    Column("frame_no", "int64", own("frame_no")),
    Column("stream_off", "int64", own("offset")),
)
FRAMES: Recipe = (
    *FRAME_KEY,
    Column("file_no", "int32"),
    Column("pkt_no", "int64", own("packet_no")),
    Column("pkt_off", "int64", own("packet_offset")),
    Column("ns", "int64", own("ns")),
    Column("ts", "timestamp[us]"),
    Column("type", "int16", own("type")),
    Column("channel", "int32", own("channel")),
    Column("size", "int64", own("size")),
    Column("class_id", "int32", own("class_id")),
    Column("method_id", "int32", own("method_id")),
    Column("name", "string", own("name")),
    Column("status", "string", own("status")),
    Column("err", "string", own("error")),
)

# Of methods and performatives. Their names, and their arguments and fields, which have the names of their columns in
# the generated packages, stand between these.
BEFORE_ARGUMENTS: Recipe = (
    *FRAME_KEY,
    Column("ns", "int64", own("ns")),
    Column("channel", "int32", own("channel")),
)
NAME = own("name")
PAYLOAD_SIZE = Column("payload_size", "int64", own("payload_size"))  # of performatives
AFTER_ARGUMENTS: Recipe = (Column("raw", "binary", own("raw")), Column("violations", "list<string>"))

# What the columns of messages of 0-x and of 1.0 come from.
_MESSAGES = (
    MessageColumn("conn_id", "string", own("connection"), own("connection")),
    MessageColumn("dir", "int8", own("direction"), own("direction")),
    MessageColumn("frame_no", "int64", own("frame_no"), own("frame_no")),
    MessageColumn("stream_off", "int64", own("offset"), own("offset")),
    MessageColumn("channel", "int32", own("channel"), own("channel")),
    MessageColumn("kind", "string", own("kind"), own("kind")),
    MessageColumn("exchange", "string", argument("exchange")),
    MessageColumn("routing_key", "string", argument("routing_key")),
    MessageColumn("queue_inferred", "string", own("queue")),
    MessageColumn("mandatory", "bool", argument("mandatory")),
    MessageColumn("immediate", "bool", argument("immediate")),
    MessageColumn("redelivered", "bool", argument("redelivered")),
    MessageColumn("no_ack", "bool", own("no_ack"), own("is_settled")),
    MessageColumn("consumer_tag", "string", argument("consumer_tag")),
    MessageColumn("delivery_tag", "int64", argument("delivery_tag")),
    MessageColumn("reply_code", "int32", argument("reply_code")),
    MessageColumn("reply_text", "string", argument("reply_text")),
    MessageColumn("message_count", "int64", argument("message_count")),
    # Properties of 0-x, also used for the properties of 1.0 with the same meaning.
    MessageColumn("content_type", "string", header("content_type"), section("content_type")),
    MessageColumn("content_encoding", "string", header("content_encoding"), section("content_encoding")),
    MessageColumn("headers", "variant", header("headers"), section("application_properties")),
    MessageColumn("delivery_mode", "int16", header("delivery_mode")),
    MessageColumn("priority", "int16", header("priority"), section("priority")),
    MessageColumn("correlation_id", "string", header("correlation_id"), text("correlation_id")),
    MessageColumn("reply_to", "string", header("reply_to"), text("reply_to")),
    MessageColumn("expiration", "string", header("expiration")),
    MessageColumn("message_id", "string", header("message_id"), text("message_id")),
    MessageColumn("timestamp", "timestamp[us]", header("timestamp"), section("creation_time")),
    MessageColumn("type", "string", header("type")),
    MessageColumn("user_id", "string", header("user_id"), text("user_id")),
    MessageColumn("app_id", "string", header("app_id")),
    MessageColumn("cluster_id", "string", header("cluster_id")),  # called reserved in 0-9-1
    MessageColumn("other_properties", "variant"),
    # Of 1.0 only.
    MessageColumn("link_name", "string", NOTHING, own("link.name")),
    MessageColumn("handle", "int64", NOTHING, own("handle")),
    MessageColumn("address", "string", NOTHING, own("link.address")),
    MessageColumn("delivery_id", "int64", NOTHING, own("delivery_id")),
    MessageColumn("delivery_tag_bytes", "binary", NOTHING, own("tag")),
    MessageColumn("message_format", "int64", NOTHING, own("message_format")),
    MessageColumn("durable", "bool", NOTHING, section("durable")),
    MessageColumn("ttl", "int64", NOTHING, section("ttl")),
    MessageColumn("first_acquirer", "bool", NOTHING, section("first_acquirer")),
    MessageColumn("delivery_count", "int64", NOTHING, section("delivery_count")),
    MessageColumn("to", "string", NOTHING, text("to")),
    MessageColumn("subject", "string", NOTHING, section("subject")),
    MessageColumn("absolute_expiry_time", "timestamp[us]", NOTHING, section("absolute_expiry_time")),
    MessageColumn("group_id", "string", NOTHING, section("group_id")),
    MessageColumn("group_sequence", "int64", NOTHING, section("group_sequence")),
    MessageColumn("reply_to_group_id", "string", NOTHING, section("reply_to_group_id")),
    MessageColumn("message_id_value", "variant", NOTHING, section("message_id")),
    MessageColumn("correlation_id_value", "variant", NOTHING, section("correlation_id")),
    MessageColumn("delivery_annotations", "variant", NOTHING, section("delivery_annotations")),
    MessageColumn("message_annotations", "variant", NOTHING, section("message_annotations")),
    MessageColumn("footer", "variant", NOTHING, own("content.footer")),
    MessageColumn("state", "string", NOTHING, own("state")),
    MessageColumn("misfits", "variant", header("misfits"), own("misfits")),
    # Of both.
    MessageColumn("body_kind", "string", NOTHING, own("content.kind")),
    MessageColumn("body_size", "int64", own("body_size"), own("body_size")),
    MessageColumn("body_seen", "int64", own("seen"), own("content.size")),
    MessageColumn("body_frames", "int32", own("frames"), own("transfers")),
    MessageColumn("body_sha256", "binary", own("sha256"), own("sha256")),
    MessageColumn("body_head", "binary", own("beginning"), own("beginning")),
    MessageColumn("first_ns", "int64", own("ns"), own("ns")),
    MessageColumn("last_ns", "int64", own("last_ns"), own("last_ns")),
    MessageColumn("first_ts", "timestamp[us]", own("microseconds"), own("microseconds")),
    MessageColumn("settle", "string", own("settle"), own("settle")),
    MessageColumn("settle_ns", "int64", own("settle_ns"), own("settle_ns")),
    MessageColumn("confirm", "string", own("confirm")),
    MessageColumn("confirm_ns", "int64", own("confirm_ns")),
    MessageColumn("complete", "bool", own("is_complete"), own("content.is_complete")),
    MessageColumn("source", "string", own("source"), own("source")),
    MessageColumn("lossy_types", "bool", own("lossy_types"), own("lossy_types")),
    MessageColumn("node", "string"),
    MessageColumn("vhost", "string"),
    MessageColumn("traced_connection", "string"),
    MessageColumn("traced_channel", "int32"),
    MessageColumn("traced_user", "string"),
    MessageColumn("routed_queues", "list<string>"),
)
MESSAGES0: Recipe = tuple(Column(line.name, line.type, line.amqp0) for line in _MESSAGES)
MESSAGES1: Recipe = tuple(Column(line.name, line.type, line.amqp1) for line in _MESSAGES)

EXCHANGES: Recipe = (
    Column("conn_id", "string", own("connection")),
    Column("channel", "int32", own("channel")),
    Column("name", "string", own("request.name")),
    Column("request_dir", "int8", own("request_direction")),
    Column("request_frame_no", "int64", own("request.frame_no")),
    Column("request_off", "int64", own("request.offset")),
    Column("request_ns", "int64", own("request.ns")),
    Column("reply_name", "string", own("reply.name")),
    Column("reply_frame_no", "int64", own("reply.frame_no")),
    Column("reply_off", "int64", own("reply.offset")),
    Column("reply_ns", "int64", own("reply.ns")),
    Column("latency_ns", "int64", own("latency")),
    Column("outcome", "string", own("outcome")),
)
