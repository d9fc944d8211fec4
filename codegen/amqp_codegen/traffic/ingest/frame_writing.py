"""Makes tables of the frames of a split, when it is known which connections its numbers stand for."""

from __future__ import annotations

from dataclasses import dataclass

from ..tables.numbering import Numbering, number
from ..tables.writer import Written
from .blobs import BlobFolder
from .target import Target
from .working_memory import working_memory


@dataclass(frozen=True, slots=True)
class WriteFrames:
    """A task: writes the tables frames, methods and performatives.

    Attributes:
        target: Where they go.
        blobs: Where the rows are.
        names: The blobs, in their order.
        numbering: What numbers of the split mean.
        name: Of the task.
    """

    target: Target
    blobs: BlobFolder
    names: tuple[str, ...]
    numbering: Numbering
    name: str

    def __call__(self) -> list[Written]:
        """Write; returns the files."""
        with working_memory(), self.target.writer(self.name) as writer:
            for blob in self.names:
                for table, staged in self.blobs.read_rows(blob).items():
                    for date, rows in number(table, staged, self.numbering).items():
                        writer.write(table, date, rows)
        return writer.written
