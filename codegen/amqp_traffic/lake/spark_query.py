"""Queries of users: rows as plain values, errors in one line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from ..tasks.spark.errors import error_types, one_line, raise_interrupt

# A JSON value: None, bool, int, float, str, and lists and dicts of these.
Plain: TypeAlias = Any


class QueryError(Exception):
    """A query that fails; the message is one line.

    Attributes:
        condition: Spark's error condition, for example ``PARSE_SYNTAX_ERROR``, or empty.
    """

    def __init__(self, message: str, condition: str = "") -> None:
        super().__init__(message)
        self.condition = condition


@contextmanager
def query_errors() -> Iterator[None]:
    """Turn errors of Spark in the block into ``QueryError``."""
    try:
        yield
    except error_types() as error:
        raise_interrupt(error)
        raise QueryError(*one_line(error)) from None


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of a query.

    Attributes:
        columns: Their names; none for a statement without a result.
        rows: Read lazily; may raise QueryError.
    """

    columns: tuple[str, ...]
    rows: Iterator[tuple[Plain, ...]]


def ask(session: Any, query: str) -> QueryResult:
    """Run a query. Timestamps are in UTC, binaries in hexadecimal, variants as their values.

    Raises:
        QueryError: The query is wrong, or data cannot be read.
    """
    with query_errors():
        frame = session.sql(query)
        schema = frame.schema
    return QueryResult(tuple(schema.names), _rows(frame, [field.dataType for field in schema.fields]))


def _rows(frame: Any, kinds: list[Any]) -> Iterator[tuple[Plain, ...]]:
    with query_errors():
        for row in frame.toLocalIterator():
            yield tuple(plain(value, kind) for value, kind in zip(row, kinds, strict=True))


def plain(value: Any, kind: Any) -> Plain:
    """Return a value of PySpark as a JSON value; its type tells timestamps with time zone from those without."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, datetime):
        return _moment(value) if kind.typeName() == "timestamp" else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Decimal, timedelta)):
        return str(value)
    return _compound(value, kind)


def _moment(value: datetime) -> str:
    """Return a timestamp in UTC; PySpark gives it in local time."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def _compound(value: Any, kind: Any) -> Plain:
    name = kind.typeName()
    if name == "variant":
        return _finite(json.loads(value.toJson()))
    if name == "array":
        return [plain(item, kind.elementType) for item in value]
    if name == "map":
        return {str(plain(key, kind.keyType)): plain(item, kind.valueType) for key, item in value.items()}
    if name == "struct":
        return {
            field.name: plain(item, field.dataType) for field, item in zip(kind.fields, value, strict=True)
        }
    return str(value)


def _finite(value: Plain) -> Plain:
    """Return a value with NaN and infinities as text, as JSON lacks them."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return value
