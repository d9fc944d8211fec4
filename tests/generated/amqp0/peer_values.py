"""Values that other libraries can express too, and their names for our fields."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from .packages import RABBITMQ

# What pika and pamqp call reserved fields; every other reserved-1 is their ``ticket``.
_RESERVED = {
    ("connection.open", "reserved_1"): "capabilities",
    ("connection.open", "reserved_2"): "insist",
    ("connection.open-ok", "reserved_1"): "known_hosts",
    ("channel.open", "reserved_1"): "out_of_band",
    ("channel.open-ok", "reserved_1"): "channel_id",
    ("basic.get-empty", "reserved_1"): "cluster_id",
}
MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
# In the order of the keys, since pamqp sorts them. Ints are left out: every library writes another letter.
TABLE: dict[str, Any] = {
    "array": ["a", True, None, {"b": "c"}, []],
    "decimal": Decimal("-2.5"),
    "empty": {},
    "false": False,
    "moment": MOMENT,
    "nested": {"inner": {"innermost": "x"}},
    "none": None,
    "text": "häß€",
    "true": True,
}
METHODS = list(RABBITMQ.METHODS.items())


def their_name(method: str, field: Any) -> str:
    if field.reserved:
        return _RESERVED.get((method, field.name), "ticket")
    return {"no_wait": "nowait", "type": "exchange_type" if method == "exchange.declare" else "type"}.get(
        field.name, field.name
    )


def value_sets(cls: Any) -> list[dict[str, Any]]:
    """Zeros, everyday values, and the largest that the others take."""
    largest = {
        "bit": True,
        "octet": 255,
        "short": 65535,
        "long": 2**32 - 1,
        "longlong": 2**63 - 1,  # pamqp packs a signed number
        "shortstr": "x" * 127,
        "longstr": b"y" * 70_000,
        "table": TABLE,
    }
    typical = {
        "octet": 7,
        "short": 300,
        "long": 70_000,
        "longlong": 2**33,
        "longstr": "lÄng".encode(),
        "table": {"k": "v"},
    }
    fields = [field for field in cls.FIELDS if not field.reserved]
    zeros = {"bit": False, "shortstr": "", "longstr": b"", "table": {}}
    sets: list[dict[str, Any]] = [
        {field.name: zeros.get(field.type, 0) for field in fields},
        {field.name: largest[field.type] for field in fields},
    ]
    for turn in (0, 1):  # the bits alternate, each string is another one
        sets.append(
            {
                field.name: typical.get(
                    field.type, f"s{number}" if field.type == "shortstr" else number % 2 == turn
                )
                for number, field in enumerate(fields)
            }
        )
    return sets


def any_values(cls: Any) -> st.SearchStrategy[dict[str, Any]]:
    names = st.text("abcXYZ019-_.:", max_size=20)
    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "bit": st.booleans(),
        "octet": st.integers(0, 255),
        "short": st.integers(0, 65535),
        "long": st.integers(0, 2**32 - 1),
        "longlong": st.integers(0, 2**63 - 1),
        "shortstr": names,
        "longstr": texts.map(str.encode),
        "table": st.dictionaries(names, texts | st.booleans() | st.none(), max_size=3).map(
            lambda table: dict(sorted(table.items()))
        ),
    }
    return st.fixed_dictionaries(
        {field.name: kinds[field.type] for field in cls.FIELDS if not field.reserved}
    )


PROPERTIES: dict[str, Any] = {
    "content_type": "text/plain",
    "content_encoding": "gzip",
    "headers": TABLE,
    "delivery_mode": 2,
    "priority": 9,
    "correlation_id": "c" * 255,
    "reply_to": "amq.rabbitmq.reply-to",
    "expiration": "60000",
    "message_id": "möglich",
    "timestamp": int(MOMENT.timestamp()),
    "type": "t",
    "user_id": "guest",
    "app_id": "app",
    "reserved": "",
}


def property_sets() -> list[dict[str, Any]]:
    """None, all, each alone, all but one."""
    sets: list[dict[str, Any]] = [{}, PROPERTIES]
    for name, value in PROPERTIES.items():
        sets.append({name: value})
        sets.append({other: PROPERTIES[other] for other in PROPERTIES if other != name})
    return sets
