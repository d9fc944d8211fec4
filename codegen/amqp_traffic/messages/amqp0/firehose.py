"""RabbitMQ's firehose in captures: messages that describe other messages.

With tracing on (``rabbitmqctl trace_on``), the broker publishes a copy of each message to the exchange amq.rabbitmq.trace:
with the routing key publish.EXCHANGE when it comes in, with deliver.QUEUE when it goes out. The headers of the copy
describe the message. Its properties are a field table there, so they keep their types.
"""

from __future__ import annotations

from typing import Any

from ...schemas import MESSAGES
from ...variant_values import variant_field, variant_value
from ..output import MessageRow

TRACE_EXCHANGE = "amq.rabbitmq.trace"
SOURCE = "firehose"

_MESSAGE_COLUMNS = tuple(name for name, _ in MESSAGES)
_NO_MESSAGE: dict[str, Any] = dict.fromkeys(_MESSAGE_COLUMNS)
# Columns that the copy and the message share: its place in the capture, and its body.
_COMMON_COLUMNS = (
    *("conn_id", "dir", "frame_no", "stream_off", "channel", "body_size", "body_seen", "body_frames"),
    *("body_sha256", "body_head", "first_ns", "last_ns", "first_ts", "complete", "lossy_types"),
)
_TEXT_PROPERTIES = (
    *("content_type", "content_encoding", "correlation_id", "reply_to", "expiration", "message_id", "type"),
    *("user_id", "app_id", "cluster_id"),
)
_LAST_SECOND = 253_402_300_799  # the end of the year 9999, as in the generated packages
_KINDS = {"publish": "publish", "deliver": "deliver"}


def firehose_row(row: MessageRow) -> MessageRow | None:
    """Return the row of the message that a firehose message describes.

    Args:
        row: The row of a message from the exchange ``TRACE_EXCHANGE``, as the consumer of the firehose gets it. Both rows
            share the place in the capture and the body.

    Returns:
        The row; None if ``row`` is not a firehose message.
    """
    copy = dict(zip(_MESSAGE_COLUMNS, row, strict=True))
    way, _, place = (copy["routing_key"] or "").partition(".")
    kind = _KINDS.get(way)
    if copy["exchange"] != TRACE_EXCHANGE or kind is None or copy["headers"] is None:
        return None
    traced: Any = variant_value(copy["headers"])
    if not isinstance(traced, dict) or not isinstance(traced.get("properties"), dict):
        return None
    columns = {
        **_NO_MESSAGE,
        **{name: copy[name] for name in _COMMON_COLUMNS},
        **_properties(copy["headers"], traced["properties"]),
    }
    keys, queues = traced.get("routing_keys"), traced.get("routed_queues")
    redelivered = traced.get("redelivered")
    columns |= {
        "kind": kind,
        "exchange": _text(traced.get("exchange_name")),
        "routing_key": _text(keys[0]) if isinstance(keys, list) and keys else None,
        "queue_inferred": place if kind == "deliver" else None,
        "redelivered": bool(redelivered) if isinstance(redelivered, int) else None,
        "source": SOURCE,
        "node": _text(traced.get("node")),
        "vhost": _text(traced.get("vhost")),
        "traced_connection": _text(traced.get("connection")),
        "traced_channel": _number(traced.get("channel"), 0xFFFF),
        "traced_user": _text(traced.get("user")),
        "routed_queues": (
            [queue for queue in queues if isinstance(queue, str)] if isinstance(queues, list) else None
        ),
    }
    return tuple(columns.values())


def _properties(headers: tuple[bytes, bytes], properties_table: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of the message by column, without values of the wrong type."""
    columns: dict[str, Any] = {name: _text(properties_table.get(name)) for name in _TEXT_PROPERTIES}
    columns |= {name: _number(properties_table.get(name), 0xFF) for name in ("delivery_mode", "priority")}
    seconds = _number(properties_table.get("timestamp"), _LAST_SECOND)
    columns["timestamp"] = None if seconds is None else seconds * 1_000_000
    properties = variant_field(headers, "properties")
    if properties is not None and isinstance(properties_table.get("headers"), dict):
        columns["headers"] = variant_field(properties, "headers")
    return columns


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any, most: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most else None
