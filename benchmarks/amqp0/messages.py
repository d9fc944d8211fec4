"""The 0-9-1 data that the benchmarks encode and decode, once for us and once for each peer."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..new_texts import renewed

BODY = b"x" * 256
HEADERS: dict[str, Any] = {
    "x-retry": 3,
    "x-origin": "orders",
    "x-trace": "7f2c1d",
    "x-size": 2**40,
    "x-ok": True,
}
PROPERTIES: dict[str, Any] = {
    "content_type": "application/json",
    "content_encoding": "utf-8",
    "headers": HEADERS,
    "delivery_mode": 2,
    "priority": 4,
    "correlation_id": "0b5a3c9e-6b1c-4b66-b7de-9d3c1f6f2a10",
    "reply_to": "amq.gen-reply",
    "expiration": "60000",
    "message_id": "5f0c8f4e-22c8-4a0e-9ad4-7a3b5e1d9f00",
    "type": "order.created",
    "user_id": "guest",
    "app_id": "shop",
}
TIMESTAMP = 1_700_000_000
DELIVER: dict[str, Any] = {
    "consumer_tag": "ctag1.7f2c1d6be8f94c5e",
    "delivery_tag": 123_456,
    "redelivered": False,
    "exchange": "orders",
    "routing_key": "order.created.eu",
}
PUBLISH: dict[str, Any] = {"exchange": "orders", "routing_key": "order.created.eu", "mandatory": True}

# Values that every peer can carry; pika encodes no float.
TABLE: dict[str, Any] = {
    "a-string": "hello",
    "another-string": "some more text in a header",
    "small": 1,
    "negative": -5,
    "big": 2**40,
    "true": True,
    "false": False,
    "decimal": Decimal("3.14"),
    "list": [1, 2, "three"],
    "table": {"x": 1, "y": "z"},
    "x-death-queue": "dead",
    "x-death-reason": "expired",
    "x-death-count": 7,
    "x-first-death-exchange": "ex",
    "x-first-death-queue": "q",
    "x-first-death-reason": "rejected",
    "nothing": None,
    "ttl": 60_000,
    "tenant": "t-42",
    "region": "eu-central-1",
}


@dataclass(frozen=True, slots=True)
class Content:
    """A message, as keyword arguments of the classes of pika, which are named like the specification.

    Attributes:
        deliver: Those of basic.deliver.
        publish: Those of basic.publish.
        properties: Those of its properties, but for the timestamp.
    """

    deliver: dict[str, Any]
    publish: dict[str, Any]
    properties: dict[str, Any]


def content(number: int | None = None) -> Content:
    """The message, with other texts for each number."""
    return Content(*(_with_new_values(values, number) for values in (DELIVER, PUBLISH, PROPERTIES)))


def _with_new_values(arguments: dict[str, Any], number: int | None) -> dict[str, Any]:
    return {name: renewed(value, number) for name, value in arguments.items()}


def table(number: int | None = None) -> dict[str, Any]:
    """The table, with other texts and keys for each number."""
    return dict(renewed(TABLE, number))
