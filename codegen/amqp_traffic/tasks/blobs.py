"""Files that tasks leave for other tasks, in the staging folder of a run.

They are pickled objects of this program; nobody else writes there.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

from pyarrow import fs


@dataclass(frozen=True, slots=True)
class BlobFolder:
    """A folder for such files. Names of files are relative to it.

    Attributes:
        filesystem: The file system that the folder is in.
        path: The path of the folder.
    """

    filesystem: fs.FileSystem
    path: str

    def write(self, name: str, content: Any) -> None:
        """Write an object."""
        self.write_octets(name, pickle.dumps(content, protocol=5))

    def read(self, name: str) -> Any:
        """Read an object that ``write`` wrote."""
        return pickle.loads(self.read_octets(name))

    def write_octets(self, name: str, octets: bytes) -> None:
        """Write a file as it is."""
        self.filesystem.create_dir(self.path, recursive=True)
        with self.filesystem.open_output_stream(f"{self.path}/{name}") as stream:
            stream.write(octets)

    def read_octets(self, name: str) -> bytes:
        """Read a file as it is."""
        with self.filesystem.open_input_file(f"{self.path}/{name}") as stream:
            octets: bytes = stream.read()
        return octets
