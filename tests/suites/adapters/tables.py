"""Field tables between neutral values and the plain Python values of libraries without letters of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

Neutral = Any


def moment(seconds: str) -> datetime:
    """OverflowError or ValueError after the year 9999."""
    return datetime.fromtimestamp(int(seconds), UTC)


def text_or_octets(value: Neutral) -> str | bytes:
    """The libraries take text where they can."""
    octets = bytes.fromhex(value["hex"])
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets


def plain_table(entries: Sequence[Neutral]) -> dict[str, Any]:
    return {entry["key"]: plain_value(entry) for entry in entries}


def plain_value(entry: Neutral) -> Any:
    """A value without a letter as the libraries take it."""
    kind, value = entry["type"], entry["value"]
    if kind == "table":
        return plain_table(value)
    if kind == "array":
        return [plain_value(item) for item in value]
    if kind == "decimal":
        return Decimal(f"{value['number']}E-{value['scale']}")
    if kind == "bytes":
        return bytes.fromhex(value["hex"])
    if kind == "timestamp":
        return moment(value)
    return {"integer": int, "float": float}.get(kind, _unchanged)(value)


def _unchanged(value: Any) -> Any:
    return value


def neutral_table(table: Mapping[Any, Any]) -> list[Neutral]:
    return [{"key": key, "value": neutral_value(value)} for key, value in table.items()]


def neutral_value(value: Any) -> Neutral:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return {"hex": value.encode().hex()}
    if isinstance(value, (bytes, bytearray)):
        return {"hex": value.hex()}
    if isinstance(value, float):
        return repr(value).replace("inf", "Infinity")
    if isinstance(value, Decimal):
        scale = -int(value.as_tuple().exponent)
        return {"scale": scale, "number": int(value.scaleb(scale))}
    if isinstance(value, datetime):
        return str(int(value.timestamp()))
    if isinstance(value, Mapping):
        return neutral_table(value)
    if isinstance(value, Sequence):
        return [{"value": neutral_value(item)} for item in value]
    return int(value)  # pika has a class of its own for long integers
