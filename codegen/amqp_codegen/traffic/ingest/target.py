"""Where the tables of a capture go."""

from __future__ import annotations

from dataclasses import dataclass

from ..tables.filesystem import is_uri
from ..tables.lake import Lake
from ..tables.writer import Writer
from .blobs import BlobFolder

_BLOBS = "blobs"  # no table is called so


@dataclass(frozen=True, slots=True)
class Target:
    """A run that writes a capture into a lake.

    Attributes:
        lake: The lake.
        run: The run.
        capture_id: The capture.
    """

    lake: Lake
    run: str
    capture_id: str

    def writer(self, name: str) -> Writer:
        """A writer for this run.

        Args:
            name: What is written, in the names of its files.
        """
        return Writer(self.lake.filesystem, self.lake.staging(self.run), self.capture_id, name)

    @property
    def blobs(self) -> BlobFolder:
        """A folder that is removed when the run is committed."""
        return BlobFolder(self.lake.filesystem, f"{self.lake.staging(self.run)}/{_BLOBS}")

    @property
    def place(self) -> str:
        """That folder, as a URI, or a path that means the same in each process."""
        lake = self.lake
        if not is_uri(lake.place):
            return self.blobs.path
        return f"{lake.place.rstrip('/')}{self.blobs.path.removeprefix(lake.root)}"
