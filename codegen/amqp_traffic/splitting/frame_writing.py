"""Makes tables of the frames of a split, when it is known which connections its numbers stand for."""

from __future__ import annotations

from dataclasses import dataclass

from ..ingest.job import LakeTarget
from ..ingest.memory import bulk_memory
from ..ingest.numbering import Numbering, number
from ..lake.writer import Written
from ..tasks.blobs import BlobFolder
from .event_blobs import read_rows


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

    target: LakeTarget
    blobs: BlobFolder
    names: tuple[str, ...]
    numbering: Numbering
    name: str

    def __call__(self) -> list[Written]:
        """Write; returns the files."""
        with bulk_memory(), self.target.writer(self.name) as writer:
            for blob in self.names:
                for table, staged in read_rows(self.blobs, blob).items():
                    for date, rows in number(table, staged, self.numbering).items():
                        writer.write(table, date, rows)
        return writer.written
