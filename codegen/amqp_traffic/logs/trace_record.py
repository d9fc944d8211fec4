"""A message in a log of rabbitmq_tracing of either format, and its row of table ``messages``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from ..decode.body_retention import BodyRetention
from ..rows import row_of
from ..schemas import MESSAGES
from .header_variants import Variant

PUBLISHED, RECEIVED = "published", "received"

_row = row_of(MESSAGES)
# Kind and direction of the message: 0 from the client, 1 to it.
_KINDS = {PUBLISHED: ("publish", 0), RECEIVED: ("deliver", 1)}
_TEXTS = frozenset(
    (
        "content_type",
        "content_encoding",
        "correlation_id",
        "reply_to",
        "expiration",
        "message_id",
        "type",
        "user_id",
        "app_id",
        "cluster_id",
    )
)
_NUMBERS = frozenset(("delivery_mode", "priority"))
_LATEST_TIMESTAMP = 253_402_300_799  # the last second of the year 9999
# RabbitMQ before 3.8 writes a blank between date and time, hours without a leading zero, milliseconds after a colon, and no
# offset: it is UTC.
_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:T(?=\d\d:)| )(\d\d?):(\d\d):(\d\d)[.:](\d{1,9})(?:Z|([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class TraceRecord:
    """A message in a log.

    Attributes:
        source: ``trace-json`` or ``trace-text``.
        way: ``PUBLISHED`` or ``RECEIVED``.
        ns: When it was logged, in nanoseconds since 1970.
        node, vhost, connection, user, channel: Where it was seen.
        exchange: The exchange that it was published to.
        routing_keys: The routing key, then those in its headers CC and BCC.
        routed_queues: The queues that it was routed to, if the log says so.
        queue: The queue that it was received from.
        properties: Properties that have a column, by name.
        headers: The property ``headers``, a field table.
        others: Properties that have no column, or do not fit it.
        size: Octets of the body that were logged.
        payload: The beginning of these octets, as much as is wanted.
        complete: Whether the body is complete; None if that is unknown.
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
    """Return the time of a record in nanoseconds since 1970.

    Raises:
        ValueError: The text is not a time.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError("no time")
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    seconds = (moment - _EPOCH) // timedelta(seconds=1)
    if found[8]:
        offset = 60 * (60 * int(found[9]) + int(found[10]))
        seconds -= -offset if found[8] == "-" else offset
    return seconds * 1_000_000_000 + int(found[7].ljust(9, "0"))


def fits_column(name: str, value: Any) -> bool:
    """Return whether a value fits the column of a property. If not, it goes to ``others``."""
    if name in _TEXTS:
        return isinstance(value, str)
    most = 0xFF if name in _NUMBERS else _LATEST_TIMESTAMP if name == "timestamp" else -1
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def message_row(record: TraceRecord, number: int, offset: int, bodies: BodyRetention) -> tuple[Any, ...]:
    """Return the row, in the order of ``MESSAGES``, without a connection.

    The number of the record in its file, from 0, becomes the frame number, and its offset in the file the offset in the
    stream.
    """
    kind, direction = _KINDS[record.way]
    size = record.size
    complete = record.complete
    digest, head = bodies.keep((record.payload,), size, complete is True)
    properties = dict(record.properties)
    if "timestamp" in properties:
        properties["timestamp"] *= 1_000_000
    values = {
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
    return _row(values)
