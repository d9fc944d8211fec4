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

_TIME_LINE = rb"={80}EOL(?P<time>[0-9T:. +-]{18,40}): Message (?P<way>published|received)EOLEOL"
_HEAD = (
    rb"Node: +(?P<node>[^\n]*?)EOLConnection: +(?P<connection>[^\n]*?)EOLVirtual host: +(?P<vhost>[^\n]*?)EOL"
    rb"User: +(?P<user>[^\n]*?)EOLChannel: +(?P<channel>\d{1,10})EOLExchange: +(?P<exchange>[^\n]*?)EOLRouting keys:"
)
_QUEUE = rb"EOLQueue: +(?P<queue>[^\n]*?)EOLProperties:"
_OLD_HEAD = rb"Node: +[^\n]*?EOLExchange: "
_LONGEST_BEGIN = 160
_LONGEST_HEAD = 1 << 22
BEFORE_3_4 = "a record of RabbitMQ before 3.4, without connection and time zone"


class LineEnds:
    """The marks of a record in a log with its own line ends, which a copy on Windows may have changed.

    Attributes:
        mark: The line end.
        rule: Before each record: a line end and the line of equals signs.
        begin, head, queue, old_head: Patterns of parts of a record.
        queues, properties, payload: Labels after a line end.
    """

    def __init__(self, mark: bytes) -> None:
        self.mark = mark
        self.rule = mark + b"=" * 80 + mark
        self.begin, self.head, self.queue, self.old_head = (
            re.compile(pattern.replace(b"EOL", mark)) for pattern in (_TIME_LINE, _HEAD, _QUEUE, _OLD_HEAD)
        )
        self.queues, self.properties = mark + b"Routed queues:", mark + b"Properties:"
        self.payload = mark + b"Payload: " + mark

    def find(self, buffer: Buffer, position: int) -> int:
        """Return the position of the next rule that seems to begin a record; -1 if there is none.

        Before the rule stands the line end that is printed with it, and before that the one after the payload.
        """
        size = len(self.mark)
        if not position and self.begin.match(buffer[0:_LONGEST_BEGIN]):
            return 0
        end = max(position - size, 0)  # of the line before
        while (end := find_octets(buffer, self.rule, end)) >= 0:
            start = end + size
            is_apart = not end or buffer[end - size : end] == self.mark
            if is_apart and self.begin.match(buffer[start : start + _LONGEST_BEGIN]):
                return start
            end = start
        return -1


LINE_ENDS = LineEnds(b"\n"), LineEnds(b"\r\n")


def read_head(line_ends: LineEnds, buffer: Buffer, start: int, limit: int) -> tuple[TraceRecord, int]:
    """Read the head of a record.

    Args:
        line_ends: Those of the log.
        buffer: The log.
        start: A position from ``LineEnds.find``.
        limit: Where the next record begins, or the end of the log: the head ends before.

    Returns:
        The message without its payload, and where the payload begins.

    Raises:
        ValueError: There is no head.
    """
    found = line_ends.begin.match(buffer[start : start + _LONGEST_BEGIN])
    if found is None:
        raise ValueError("no record")
    begin = start + found.end()
    octets = buffer[begin : min(limit, begin + _LONGEST_HEAD)]
    if line_ends.old_head.match(octets):
        raise ValueError(BEFORE_3_4)
    ns = read_time(found["time"].decode())
    head = line_ends.head.match(octets)
    if head is None:
        raise ValueError("no head")
    keys, position = read_term(octets, head.end())
    way = found["way"].decode()
    queue, queues = None, None
    if way == "published":
        if octets.startswith(line_ends.queues, position):  # since 3.5
            queues, position = read_term(octets, position + len(line_ends.queues))
        position = _after(octets, line_ends.properties, position)
    else:
        place = line_ends.queue.match(octets, position)
        if place is None:
            raise ValueError("no queue")
        queue, position = _text(place["queue"]), place.end()
    properties, position = read_term(octets, position)
    end = _after(octets, line_ends.payload, position)
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
