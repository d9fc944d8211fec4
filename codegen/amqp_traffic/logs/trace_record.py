"""A message in a log of rabbitmq_tracing, whatever its format, and the row of the table ``messages`` that it becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

from ..decode.body_retention import BodyRetention
from ..rows import row_of
from ..schemas import MESSAGES
from .header_variants import Variant

PUBLISHED, RECEIVED = "published", "received"

_row = row_of(MESSAGES)
# What it is, and which way the message goes: from the client or to it.
_KINDS = {PUBLISHED: ("publish", 0), RECEIVED: ("deliver", 1)}
_TEXTS = frozenset(
    (
        *(
            "content_type",
            "content_encoding",
            "correlation_id",
            "reply_to",
            "expiration",
            "message_id",
            "type",
        ),
        *("user_id", "app_id", "cluster_id"),
    )
)
_NUMBERS = frozenset(("delivery_mode", "priority"))
_LAST_SECOND = 253_402_300_799  # of the year 9999
# Versions before 3.8 have a blank between date and time, milliseconds after a colon, and no offset: it is UTC.
_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)[.:](\d{1,9})(?:Z|([+-])(\d\d):?(\d\d))?", re.ASCII
)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(slots=True)
class TraceRecord:
    """A message in a log.

    Attributes:
        source: ``trace-json`` or ``trace-text``.
        way: ``PUBLISHED`` or ``RECEIVED``.
        ns: When it was logged, in nanoseconds since 1970.
        node, vhost, connection, user: Where it was seen.
        channel: On which channel.
        exchange: To which exchange it was published.
        routing_keys: The routing key, then those in its headers CC and BCC.
        routed_queues: The queues it came into, if it is about that.
        queue: The queue that it was received from.
        properties: Those that are text or a number, by name.
        headers: The field table among the properties.
        others: Properties that there are not.
        size: How many octets of the body were logged.
        payload: These, as many of them as are wanted.
        complete: Whether that is all; None if that cannot be known.
    """

    source: str
    way: str
    ns: int
    node: str
    connection: str
    vhost: str
    user: str
    channel: int | None
    exchange: str
    routing_keys: list[str]
    routed_queues: list[str] | None
    queue: str | None
    complete: bool | None
    size: int = 0
    payload: bytes = b""
    properties: Mapping[str, Any] = field(default_factory=dict)
    headers: Variant | None = None
    others: Variant | None = None


def read_time(text: str) -> int:
    """When a record was logged, in nanoseconds since 1970.

    Raises:
        ValueError: This is no time.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError("no time")
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    seconds = (moment - _EPOCH) // timedelta(seconds=1)
    if found[8]:
        offset = 60 * (60 * int(found[9]) + int(found[10]))
        seconds -= -offset if found[8] == "-" else offset
    return seconds * 1_000_000_000 + int(found[7].ljust(9, "0"))


def fits_column(name: str, value: Any) -> bool:
    """Whether a value can be in the column of a property. What cannot is among the others."""
    if name in _TEXTS:
        return isinstance(value, str)
    most = 0xFF if name in _NUMBERS else _LAST_SECOND if name == "timestamp" else -1
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def message_row(record: TraceRecord, number: int, offset: int, bodies: BodyRetention) -> tuple[Any, ...]:
    """The row, in the order of ``MESSAGES``; there is no connection.

    Args:
        record: The message.
        number: Of the record in its file, from 0: what the number of the frame is elsewhere.
        offset: Where it begins in the file: what the place in the stream is elsewhere.
        bodies: What is kept of bodies.
    """
    kind, direction = _KINDS[record.way]
    size = record.size
    complete = record.complete
    digest, head = bodies.keep((record.payload,), size, complete is True)
    properties = dict(record.properties)
    if "timestamp" in properties:
        properties["timestamp"] *= 1_000_000
    found = {
        **properties,
        "dir": direction,
        "frame_no": number,
        "stream_off": offset,
        "channel": record.channel,
        "kind": kind,
        "exchange": record.exchange,
        "routing_key": record.routing_keys[0] if record.routing_keys else None,
        "queue_inferred": record.queue,
        "headers": record.headers,
        "other_properties": record.others,
        "body_size": size if complete else None,
        "body_seen": size,
        "body_sha256": digest,
        "body_head": head,
        "first_ns": record.ns,
        "last_ns": record.ns,
        "first_ts": record.ns // 1000,
        "complete": complete,
        "source": record.source,
        "lossy_types": True,
        "node": record.node,
        "vhost": record.vhost,
        "traced_connection": record.connection,
        "traced_channel": record.channel,
        "traced_user": record.user,
        "routed_queues": record.routed_queues,
    }
    return _row(found)
