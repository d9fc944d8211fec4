"""What the readers of splits leave for those who make tables of it: files in the staging folder of a run.

They hold objects of this program, pickled or marshalled; nobody else writes there.
"""

from __future__ import annotations

import marshal
import pickle
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyarrow import fs

from ..decode.events import EventTuple
from ..ingest import state_pickle

Staged = dict[str, pa.RecordBatch]

_PICKLED = b"\x80"  # how a pickle begins, and nothing that is marshalled


@dataclass(frozen=True, slots=True)
class BlobFolder:
    """A folder for such files.

    Attributes:
        filesystem: Where it is.
        path: The folder. Names of files in it are relative.
    """

    filesystem: fs.FileSystem
    path: str

    def write(self, name: str, content: Any) -> None:
        """Write a file."""
        self._write(name, pickle.dumps(content, protocol=5))

    def write_events(self, name: str, events: list[EventTuple]) -> None:
        """Write a file of events, which are tuples of numbers, octets and texts nearly always: that takes half the time."""
        try:
            octets = marshal.dumps(events)
        except ValueError:  # a type of AMQP 1.0
            octets = state_pickle.pickle_state(events)
        self._write(name, octets)

    def read_rows(self, name: str) -> Staged:
        """Rows of tables, as ``stage`` gave them."""
        found: Staged = self.read(name)
        return found

    def read_events(self, name: str) -> list[EventTuple]:
        """Events of connections."""
        octets = self._read(name)
        # A process that has not decoded anything has the packages yet to load.
        loads = state_pickle.unpickle_state if octets.startswith(_PICKLED) else marshal.loads
        events: list[EventTuple] = loads(octets)
        return events

    def read(self, name: str) -> Any:
        """What was written."""
        return pickle.loads(self._read(name))

    def _write(self, name: str, octets: bytes) -> None:
        self.filesystem.create_dir(self.path, recursive=True)
        with self.filesystem.open_output_stream(f"{self.path}/{name}") as stream:
            stream.write(octets)

    def _read(self, name: str) -> bytes:
        with self.filesystem.open_input_file(f"{self.path}/{name}") as stream:
            octets: bytes = stream.read()
        return octets
