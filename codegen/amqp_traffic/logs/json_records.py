"""Records of rabbitmq_tracing logs in JSON: one object per line, the payload in base64.

The plugin loses information: widths of integers are gone; octets that are not UTF-8 are in base64, with words before them;
null is the text ``undefined``; and decimals are wrong (1.5 is logged as 1.15). Values are read as they are logged.
"""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

from .header_variants import json_variant
from .text_records import BEFORE_3_4
from .trace_record import TraceRecord, fits_column, read_time

SOURCE = "trace-json"

_NONE = "none"  # logged for no queue, and for no list of queues
_LONGEST_NUMBER = 40  # digits


def read_json_record(line: bytes) -> TraceRecord:
    """Read a line.

    Raises:
        ValueError: The line is not a record.
    """
    try:
        found = json.loads(line, parse_int=_integer, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(found, dict):
        raise ValueError("no object")
    try:
        return _record(found)
    except (KeyError, TypeError) as fault:
        raise ValueError(f"no record: {type(fault).__name__}") from None


def _record(found: dict[str, Any]) -> TraceRecord:
    way = found["type"]
    if way not in ("published", "received"):
        raise ValueError("neither published nor received")
    if "connection" not in found and "exchange" in found:
        raise ValueError(BEFORE_3_4)
    texts = [found[name] for name in ("node", "connection", "vhost", "user", "exchange")]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError
    properties = found["properties"]
    if not isinstance(properties, dict):
        raise TypeError
    headers = properties.get("headers")
    known = {name: value for name, value in properties.items() if fits_column(name, value)}
    others = {name: value for name, value in properties.items() if name not in known and name != "headers"}
    "".join([*texts, *map(str, known.values())]).encode()  # raises for lone surrogates
    node, connection, vhost, user, exchange = texts
    payload = b64decode(found["payload"], validate=True)
    channel, queue, queues = found["channel"], found["queue"], found.get("routed_queues", _NONE)  # since 3.5
    return TraceRecord(
        SOURCE,
        way,
        read_time(found["timestamp"]),
        node,
        connection,
        vhost,
        user,
        channel if isinstance(channel, int) and 0 <= channel <= 0xFFFF else None,
        exchange,
        _list(found["routing_keys"]),
        None if queues == _NONE else _list(queues),
        None if way == "published" and queue == _NONE else str(queue),
        True,
        len(payload),
        payload,
        known,
        None if headers is None else json_variant(headers),
        json_variant(others) if others else None,
    )


def _list(found: Any) -> list[str]:
    if not isinstance(found, list):
        raise TypeError
    "".join(found).encode()
    return found


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError("no number of a field table")
    return int(digits)


def _no_constant(name: str) -> float:
    raise ValueError("no JSON")
