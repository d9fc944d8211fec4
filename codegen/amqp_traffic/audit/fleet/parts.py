"""Producers of the facts that the rules across a fleet need: one for each part of a table, into the share of its capture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ...lake.arrow_types import null_array
from ...schemas import table_columns
from ...tasks.runner import Row
from ..row_group import RowGroup
from .facts import READ, facts

_ROWS_PER_BATCH = 1 << 18
_FACT, _CAPTURE = b"fact", b"capture"


@dataclass(frozen=True, slots=True)
class FleetPart:
    """A ``Producer`` that extracts facts from a part of a table of a capture.

    Attributes:
        group: The part.
        capture_no: The number of the capture among those of the lake.
        share: The share that gets all facts of the capture.
    """

    group: RowGroup
    capture_no: int
    share: int

    def __call__(self) -> Iterator[Row]:
        """Yield a slice for each table of facts."""
        source = self.group.source
        wanted, kinds = READ[source], dict(table_columns(source))
        for rows in self.group.batches(_ROWS_PER_BATCH, wanted):
            for name in set(wanted).difference(rows.column_names):  # no row of the file has it
                rows = rows.append_column(name, null_array(rows.num_rows, kinds[name]))
            rows = rows.filter(pc.is_valid(rows["conn_id"]))
            for fact, fact_rows in facts(source, rows):
                yield self.share, self.capture_no, 0, _octets(fact, self.group.capture_id, fact_rows)


def open_fact(octets: bytes) -> tuple[str, str, pa.Table]:
    """Return the capture of a slice, the name of its table of facts, and the rows."""
    rows = pa.ipc.open_stream(octets).read_all()
    marks = rows.schema.metadata
    return marks[_CAPTURE].decode(), marks[_FACT].decode(), rows


def _octets(fact: str, capture_id: str, rows: pa.Table) -> bytes:
    rows = rows.replace_schema_metadata({_FACT: fact.encode(), _CAPTURE: capture_id.encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    octets: bytes = sink.getvalue().to_pybytes()
    return octets
