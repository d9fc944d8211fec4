"""Runs a query of a user: rows as plain values, errors in one line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, TypeAlias

# None, bool, int, float, str, and lists and dicts of these: what JSON has.
Plain: TypeAlias = Any

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_.]+)\]\s+")
_STATE = re.compile(r"\.?\s*SQLSTATE: \w{5}")


class QueryError(Exception):
    """What is wrong with a query, or with what it reads, in one line.

    Attributes:
        condition: What Spark calls it, for example ``PARSE_SYNTAX_ERROR``, or empty.
    """

    def __init__(self, message: str, condition: str = "") -> None:
        super().__init__(message)
        self.condition = condition


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query gives.

    Attributes:
        columns: Their names; none for a statement that gives nothing.
        rows: Read while they are taken; may raise QueryError.
    """

    columns: tuple[str, ...]
    rows: Iterator[tuple[Plain, ...]]


def ask(session: Any, query: str) -> QueryResult:
    """Runs a query.

    Moments are given in UTC, octets in hexadecimal, variants as what is in them.

    Raises:
        QueryError: It is wrong, or nothing can be read.
    """
    try:
        frame = session.sql(query)
        schema = frame.schema
    except _errors() as error:
        raise _query_error(error) from None
    return QueryResult(tuple(schema.names), _rows(frame, [field.dataType for field in schema.fields]))


def _rows(frame: Any, kinds: list[Any]) -> Iterator[tuple[Plain, ...]]:
    try:
        for row in frame.toLocalIterator():
            yield tuple(plain(value, kind) for value, kind in zip(row, kinds, strict=True))
    except _errors() as error:
        raise _query_error(error) from None


def plain(value: Any, kind: Any) -> Plain:
    """A value of PySpark as what JSON has.

    Args:
        value: The value.
        kind: The type of PySpark, which tells moments from what clocks show.
    """
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
    """PySpark gives what the clock of this machine shows."""
    return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat() + "Z"


def _compound(value: Any, kind: Any) -> Plain:
    name = kind.typeName()
    if name == "variant":
        return _finite(json.loads(value.toJson()))
    if name == "array":
        return [plain(each, kind.elementType) for each in value]
    if name == "map":
        return {str(plain(key, kind.keyType)): plain(each, kind.valueType) for key, each in value.items()}
    if name == "struct":
        return {
            field.name: plain(each, field.dataType) for field, each in zip(kind.fields, value, strict=True)
        }
    return str(value)


def _finite(value: Plain) -> Plain:
    """Without numbers that JSON has not."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_finite(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    return value


def _errors() -> tuple[type[Exception], ...]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return PySparkException, Py4JError


def _query_error(error: Exception) -> QueryError:
    """Spark tells the plan, the query and Java's stack, too; the line with a condition says what is wrong."""
    lines = [line.strip() for text in _messages(error) for line in text.splitlines() if line.strip()]
    for line in lines:
        if found := _CONDITION.search(line):
            return QueryError(_STATE.sub("", line[found.end() :]).strip().rstrip(";"), found[1])
    return QueryError(lines[0] if lines else type(error).__name__)


def _messages(error: Exception) -> Iterator[str]:
    """What the error says; of one of Java that PySpark has not turned into its own, all that led to it."""
    cause = getattr(error, "java_exception", None)
    while cause is not None:
        yield str(cause.getMessage() or "")
        cause = cause.getCause()
    yield str(error)
