"""The 1.0 data that the benchmarks encode and decode, once for us and once for each peer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ..new_texts import renewed

BODY = b"x" * 256
# azure's codec takes an int for the AMQP type int, so none is larger.
APPLICATION_PROPERTIES: dict[str, Any] = {
    "x-retry": 3,
    "x-origin": "orders",
    "x-trace": "7f2c1d",
    "x-size": 1 << 20,
    "x-ok": True,
}
HEADER: dict[str, Any] = {"durable": True, "priority": 5, "ttl": 60_000, "delivery_count": 2}
PROPERTIES: dict[str, Any] = {
    "message_id": "5f0c8f4e-22c8-4a0e-9ad4-7a3b5e1d9f00",
    "user_id": b"guest",
    "to": "orders",
    "subject": "order.created.eu",
    "reply_to": "replies-7f2c1d",
    "correlation_id": "0b5a3c9e-6b1c-4b66-b7de-9d3c1f6f2a10",
    "content_type": "application/json",
    "creation_time": 1_700_000_000_000,
    "group_id": "shop-42",
    "group_sequence": 1_234,
}
TRANSFER: dict[str, Any] = {
    "handle": 0,
    "delivery_id": 123_456,
    "delivery_tag": b"\x00\x01\xe2\x40",
    "message_format": 0,
    "settled": False,
    "more": False,
}

# The names of types, and values: ten kinds, five of each.
_KINDS: list[tuple[str, list[Any]]] = [
    ("string", ["hello", "some more text", "eu-central-1", "t-42", "7f2c1d6be8f94c5e"]),
    ("symbol", ["queue", "application/json", "amqp:accepted:list", "x-opt-key", "json"]),
    ("long", [0, -5, 127, 70_000, 1 << 40]),
    ("uint", [0, 7, 255, 70_000, 0xFFFFFFFF]),
    ("ulong", [0, 20, 255, 1 << 40, 1 << 63]),
    ("int", [0, -128, 127, 70_000, -70_000]),
    ("boolean", [True, False, True, True, False]),
    ("double", [0.0, 1.5, -2.25, 3.141592653589793, 1e300]),
    ("binary", [b"", b"x", b"some octets", b"\x00\xff", b"y" * 40]),
    (
        "other",
        [
            ("null", None),
            ("ubyte", 200),
            ("ushort", 60_000),
            ("timestamp", 1_700_000_000_000),
            ("uuid", UUID("0b5a3c9e-6b1c-4b66-b7de-9d3c1f6f2a10")),
        ],
    ),
]
# Type and value of 50 items, the kinds in turn.
MIXED: list[tuple[str, Any]] = [
    values[turn] if kind == "other" else (kind, values[turn]) for turn in range(5) for kind, values in _KINDS
]
KEYS = [f"key-{number}" for number in range(len(MIXED))]


@dataclass(frozen=True, slots=True)
class Content:
    """A transfer and its message, as keyword arguments that are named like the specification.

    Attributes:
        transfer: The fields of the performative.
        header: Those of the section header.
        properties: Those of the section properties.
        application_properties: The section of that name.
    """

    transfer: dict[str, Any]
    header: dict[str, Any]
    properties: dict[str, Any]
    application_properties: dict[str, Any]


def content(number: int | None = None) -> Content:
    """The message, with other texts for each number."""
    return Content(
        transfer=TRANSFER,
        header=HEADER,
        properties={name: renewed(value, number) for name, value in PROPERTIES.items()},
        application_properties=renewed(APPLICATION_PROPERTIES, number),
    )


@dataclass(frozen=True, slots=True)
class Values:
    """50 values, each with the name of its type, and a key for each.

    Attributes:
        items: Type and value.
        keys: The keys of a map of them.
    """

    items: list[tuple[str, Any]]
    keys: list[str]


def values(number: int | None = None) -> Values:
    """The mixed values, with other texts and keys for each number."""
    return Values([(kind, renewed(value, number)) for kind, value in MIXED], renewed(KEYS, number))
