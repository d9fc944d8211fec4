"""What the readers of splits leave for those who make tables of it: files in the staging folder of a run.

They hold pickled objects of this program; nobody else writes there.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyarrow import fs

from ..core.event import Event

Staged = dict[str, pa.RecordBatch]


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
        self.filesystem.create_dir(self.path, recursive=True)
        with self.filesystem.open_output_stream(f"{self.path}/{name}") as stream:
            stream.write(pickle.dumps(content, protocol=5))

    def read_rows(self, name: str) -> Staged:
        """Rows of tables, as ``stage`` gave them."""
        found: Staged = self.read(name)
        return found

    def read_events(self, name: str) -> list[Event]:
        """Events of connections."""
        found: list[Event] = self.read(name)
        return found

    def read(self, name: str) -> Any:
        """What was written."""
        with self.filesystem.open_input_file(f"{self.path}/{name}") as stream:
            return pickle.loads(stream.read())
