"""Records of rabbitmq_tracing logs as text: a line of 80 equals signs, a line with the time, the head, the payload.

The payload is logged as it was sent, and ends where the next record begins. A payload may look like a record, so records
are never certain. One that is earlier than the record before it is marked as doubtful.
"""

from __future__ import annotations

import re

from ..capture.file_octets import find_octets
from ..capture.files import Buffer
from ..rows import decode_text
from .erlang_terms import ErlangAtom, Term, read_term
from .header_variants import table_variant
from .trace_record import TraceRecord, fits_column, read_time

SOURCE = "trace-text"

_RULE = b"\n" + b"=" * 80 + b"\n"
_BEGIN = re.compile(rb"={80}\n(?P<time>[0-9T:. +-]{19,40}): Message (?P<way>published|received)\n\n")
_LONGEST_BEGIN = 160
_HEAD = re.compile(
    rb"Node: +(?P<node>[^\n]*)\nConnection: +(?P<connection>[^\n]*)\nVirtual host: +(?P<vhost>[^\n]*)\n"
    rb"User: +(?P<user>[^\n]*)\nChannel: +(?P<channel>\d{1,10})\nExchange: +(?P<exchange>[^\n]*)\nRouting keys:"
)
_QUEUE = re.compile(rb"\nQueue: +(?P<queue>[^\n]*)\nProperties:")
_LONGEST_HEAD = 1 << 22
_QUEUES = b"\nRouted queues:"
_PROPERTIES = b"\nProperties:"
_PAYLOAD = b"\nPayload: \n"


def find_text_record(buffer: Buffer, position: int) -> int:
    """Return the position of the next rule that seems to begin a record; -1 if there is none.

    Before the rule stands the line end that is printed with it, and before that the one after the payload.
    """
    if not position and _BEGIN.match(buffer[0:_LONGEST_BEGIN]):
        return 0
    end = max(position - 1, 0)  # of the line before
    while (end := find_octets(buffer, _RULE, end)) >= 0:
        start = end + 1
        is_apart = not end or buffer[end - 1 : end] == b"\n"
        if is_apart and _BEGIN.match(buffer[start : start + _LONGEST_BEGIN]):
            return start
        end = start
    return -1


def read_head(buffer: Buffer, start: int, limit: int) -> tuple[TraceRecord, int]:
    """Read the head of a record.

    Args:
        buffer: The log.
        start: A position from ``find_text_record``.
        limit: Where the next record begins, or the end of the log: the head ends before.

    Returns:
        The message without its payload, and where the payload begins.

    Raises:
        ValueError: There is no head.
    """
    found = _BEGIN.match(buffer[start : start + _LONGEST_BEGIN])
    if found is None:
        raise ValueError("no record")
    ns = read_time(found["time"].decode())
    begin = start + found.end()
    octets = buffer[begin : min(limit, begin + _LONGEST_HEAD)]
    head = _HEAD.match(octets)
    if head is None:
        raise ValueError("no head")
    keys, position = read_term(octets, head.end())
    way = found["way"].decode()
    queue, queues = None, None
    if way == "published":
        queues, position = read_term(octets, _after(octets, _QUEUES, position))
        position = _after(octets, _PROPERTIES, position)
    else:
        place = _QUEUE.match(octets, position)
        if place is None:
            raise ValueError("no queue")
        queue, position = _text(place["queue"]), place.end()
    properties, position = read_term(octets, position)
    end = _after(octets, _PAYLOAD, position)
    node, connection, vhost, user, exchange = (
        _text(head[name]) for name in ("node", "connection", "vhost", "user", "exchange")
    )
    channel = int(head["channel"])
    record = TraceRecord(
        SOURCE,
        way,
        ns,
        node,
        connection,
        vhost,
        user,
        channel if channel <= 0xFFFF else None,
        exchange,
        _texts(keys),
        None if queues is None else _texts(queues),
        queue,
        None,
    )
    _add_properties(record, properties)
    return record, begin + end


def _after(octets: bytes, label: bytes, position: int) -> int:
    if not octets.startswith(label, position):
        raise ValueError(f"no {label.strip().decode()}")
    return position + len(label)


def _add_properties(record: TraceRecord, table: Term) -> None:
    """Add the properties, which are printed like a field table."""
    if not isinstance(table, list):
        raise ValueError("no properties")
    known, others = {}, []
    for entry in table:
        if not (isinstance(entry, tuple) and len(entry) == 3 and isinstance(entry[0], bytes)):
            raise ValueError("no property")
        name, kind, value = _text(entry[0]), entry[1], entry[2]
        plain = _text(value) if isinstance(value, bytes) else value
        if name == "headers" and kind == ErlangAtom("table"):
            record.headers = table_variant(value)
        elif fits_column(name, plain):
            known[name] = plain
        else:
            others.append(entry)
    record.properties = known
    if others:
        record.others = table_variant(list[Term](others))


def _texts(term: Term) -> list[str]:
    if not isinstance(term, list):
        raise ValueError("no list")
    return [_text(item) for item in term]


def _text(octets: Term) -> str:
    if not isinstance(octets, bytes):
        raise ValueError("no text")
    return decode_text(octets)
