"""Files of rows and events that readers of splits leave in the staging folder for the tasks that write tables.

Events are tuples of numbers, octets and texts nearly always, which ``marshal`` writes in half the time of ``pickle``.
"""

from __future__ import annotations

import marshal

import pyarrow as pa

from ..decode.events import EventTuple
from ..ingest import state_pickle
from ..tasks.blobs import BlobFolder

# Rows by table, as ``stage`` returns them.
Staged = dict[str, pa.RecordBatch]

_PICKLE_START = b"\x80"  # nothing that is marshalled begins with this


def read_rows(folder: BlobFolder, name: str) -> Staged:
    """Read the rows of tables."""
    staged: Staged = folder.read(name)
    return staged


def write_events(folder: BlobFolder, name: str, events: list[EventTuple]) -> None:
    """Write a file of events."""
    try:
        octets = marshal.dumps(events)
    except ValueError:  # a type of AMQP 1.0
        octets = state_pickle.pickle_state(events)
    folder.write_octets(name, octets)


def read_events(folder: BlobFolder, name: str) -> list[EventTuple]:
    """Read a file of events."""
    octets = folder.read_octets(name)
    # A process that has not decoded anything has the packages yet to load.
    loads = state_pickle.unpickle_state if octets.startswith(_PICKLE_START) else marshal.loads
    events: list[EventTuple] = loads(octets)
    return events
