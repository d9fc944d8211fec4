"""Logs of rabbitmq_tracing of either format: recognition, and their messages.

Every octet of a log is in a record, or in the quarantine with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..capture.file_octets import find_octets
from ..capture.files import Buffer
from ..capture.ledgers import FileLedger
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..decode.body_retention import MOST_KEPT, NO_BODIES, BodyRetention
from . import json_records, text_records
from .json_records import read_json_record
from .text_records import BEFORE_3_4, LINE_ENDS, LineEnds, read_head
from .trace_record import TraceRecord, message_row

JSON, TEXT = json_records.SOURCE, text_records.SOURCE

HEAD = 65_536  # octets in which the format is recognised
_LONGEST_LINE = 1 << 28  # octets
_JSON_LINE = re.compile(rb'(?:\A|\n)\{"[a-z_]{1,40}":')
_JSON_NAMES = (b'"exchange":', b'"routing_keys":', b'"payload":')


@dataclass(slots=True)
class TraceLog:
    """A log that is being read; the counterpart of ``Capture``.

    Attributes:
        buffer: The octets of the log.
        format: ``trace-json`` or ``trace-text``.
        ledger: Where the octets went; complete when all messages are read. Records count as packets.
        quarantine: What is left out.
        line_ends: Those of a log as text.
    """

    buffer: Buffer
    format: str
    ledger: FileLedger
    quarantine: Quarantine
    line_ends: LineEnds = LINE_ENDS[0]
    _bodies: BodyRetention = NO_BODIES

    def messages(self, bodies: BodyRetention) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of all messages, in the order of ``MESSAGES``, without a connection. May be called once."""
        self._bodies = bodies
        read = self._read_json if self.format == JSON else self._read_text
        for offset, record in read():
            ledger = self.ledger
            ledger.first_ns = ledger.first_ns or record.ns
            ledger.last_ns = record.ns
            yield message_row(record, ledger.packets, offset, bodies)
            ledger.packets += 1

    # --- JSON: one line for each record ---

    def _read_json(self) -> Iterator[tuple[int, TraceRecord]]:
        buffer, size = self.buffer, len(self.buffer)
        position = 0
        while position < size:
            end = find_octets(buffer, b"\n", position) + 1
            stop = end or size
            found = self._read_line(position, stop, is_whole=end > 0)
            if found is not None:
                yield position, found
            position = stop

    def _read_line(self, start: int, stop: int, is_whole: bool) -> TraceRecord | None:
        if stop - start > _LONGEST_LINE:
            self._skip(Reason.TRACE_RECORD, start, stop, "the line is too long")
            return None
        line = self.buffer[start:stop]
        if not line.strip():
            self.ledger.headers += len(line)
            return None
        try:
            record = read_json_record(line)
        except ValueError as fault:
            reason = Reason.TRACE_RECORD if is_whole else Reason.FILE_TRUNCATED
            self._skip(reason, start, stop, BEFORE_3_4 if str(fault) == BEFORE_3_4 else "no record")
            return None
        self.ledger.records += len(line)
        return record

    # --- Text: a head for each record, and the payload up to the next one ---

    def _read_text(self) -> Iterator[tuple[int, TraceRecord]]:
        buffer, size = self.buffer, len(self.buffer)
        start = self.line_ends.find(buffer, 0)
        first = self._begin(start) if start >= 0 else size
        if first:  # mostly the end of another record
            self._skip(Reason.TRACE_RECORD, 0, first, "no head")
        latest = 0
        while start >= 0:
            following = self.line_ends.find(buffer, start + 1)
            stop = size if following < 0 else self._begin(following)
            found = self._read_record(start, stop)
            if found is not None:
                if found.ns < latest:
                    self._doubt(self._begin(start), found.ns)
                latest = found.ns
                yield self._begin(start), found
            start = following

    def _read_record(self, start: int, stop: int) -> TraceRecord | None:
        buffer = self.buffer
        try:
            record, first = read_head(self.line_ends, buffer, start, stop)
        except ValueError as fault:
            is_cut = stop == len(buffer) and find_octets(buffer, self.line_ends.payload, start) < 0
            self._skip(
                Reason.FILE_TRUNCATED if is_cut else Reason.TRACE_RECORD, self._begin(start), stop, str(fault)
            )
            return None
        mark = self.line_ends.mark
        if stop - len(mark) >= first and buffer[stop - len(mark) : stop] == mark:
            last = stop - len(mark)
        else:  # only at the end of the log
            last, record.complete = stop, False
        record.size = last - first
        record.payload = buffer[first : min(last, first + MOST_KEPT)] if self._bodies.wanted else b""
        self.ledger.records += stop - self._begin(start)
        return record

    def _begin(self, start: int) -> int:
        """Return where a record begins: with the line end before the rule."""
        return max(start - len(self.line_ends.mark), 0)

    def _doubt(self, offset: int, ns: int) -> None:
        detail = "earlier than the record before it: one of the two may be part of a payload"
        self.quarantine.add(Quarantined(Reason.TRACE_RECORD, 0, packet_offset=offset, ns=ns, detail=detail))

    # --- Both ---

    def _skip(self, reason: Reason, start: int, stop: int, detail: str) -> None:
        self.ledger.skipped += stop - start
        self.quarantine.add(Quarantined(reason, stop - start, packet_offset=start, detail=detail))


def recognise_log(buffer: Buffer, quarantine: Quarantine | None = None, damage: str = "") -> TraceLog | None:
    """Return the log of rabbitmq_tracing in a file; None if it is not one.

    Args:
        buffer: The file, uncompressed. It must not be a packet capture.
        quarantine: Collects what is left out; by default a new one.
        damage: Why the end of the file could not be uncompressed, see ``CaptureFile``.
    """
    head = buffer[0:HEAD]
    line_ends = next((ends for ends in LINE_ENDS if ends.find(head, 0) >= 0), None)
    if line_ends is not None:
        kind = TEXT
    elif _JSON_LINE.search(head) and all(name in head for name in _JSON_NAMES):
        kind = JSON
    else:
        return None
    quarantine = Quarantine() if quarantine is None else quarantine
    if damage:
        quarantine.add(Quarantined(Reason.FILE_TRUNCATED, 0, packet_offset=len(buffer), detail=damage))
    return TraceLog(buffer, kind, FileLedger(len(buffer)), quarantine, line_ends or LINE_ENDS[0])
