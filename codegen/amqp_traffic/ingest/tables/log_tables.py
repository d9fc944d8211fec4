"""Rows of the table ``messages`` from logs of rabbitmq_tracing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

import pyarrow as pa

from ...capture.faults import convert_apart, describe_fault
from ...capture.files import CaptureFile
from ...capture.quarantine import Quarantined, Reason
from ...decode.body_retention import BodyRetention
from ...lake.storage import day_of
from ...logs.trace_log import TraceLog
from ...messages.output import MessageRow
from ..job import OnTable
from .file_tables import FileFacts
from .numbering import Numbering, rows_to_arrow

_MESSAGES_AT_ONCE = 4096


def read_log(log: TraceLog, bodies: BodyRetention, on_table: OnTable) -> Iterator[int]:
    """Read all messages of a log.

    Yields:
        The octets read in each step.
    """

    def leave_out(row: list[MessageRow], error: Exception) -> Iterable[dict[str, pa.Table]]:
        log.quarantine.add(Quarantined(Reason.TRACE_RECORD, 0, detail=describe_fault(error)))
        return ()

    messages = log.messages(bodies)
    ledger, before = log.ledger, 0
    while rows := list(islice(messages, _MESSAGES_AT_ONCE)):
        numbering = Numbering({}, {}, day_of(ledger.first_ns).isoformat())
        convert = partial(rows_to_arrow, "messages", numbering=numbering)
        for tables in convert_apart(rows, convert, leave_out):
            for day, table in tables.items():
                on_table("messages", day, table)
        octets = ledger.headers + ledger.records + ledger.skipped
        yield octets - before
        before = octets
    ledger.check()


def facts_of_log(log: TraceLog, file: CaptureFile, number: int) -> FileFacts:
    """Return the facts of a log that was read to its end. Records count as packets."""
    ledger = log.ledger
    return FileFacts(
        file.path.name,
        number,
        log.format,
        file.compression,
        size=ledger.size,
        headers=ledger.headers,
        records=ledger.records,
        skipped=ledger.skipped,
        packets=ledger.packets,
        first_ns=ledger.first_ns,
        last_ns=ledger.last_ns,
        status="damaged" if log.quarantine.totals else "complete",
    )
