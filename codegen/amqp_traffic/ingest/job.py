"""What a user can choose about reading captures.

Who is given rows of tables.

Where the tables of a capture go.

What has become of a capture, for whoever asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa

from ..decode.body_retention import NO_BODIES, BodyRetention
from ..lake.folder import Lake
from ..lake.writer import Writer, Written
from ..storage import is_uri
from ..streams.connections import AMQP_PORTS
from ..tasks.blobs import BlobFolder


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How captures are read, whatever engine does it.

    Attributes:
        server_ports: Who has one of these is the server, where no SYN was captured.
        bodies: What is kept of bodies.
    """

    server_ports: tuple[int, ...] = AMQP_PORTS
    bodies: BodyRetention = NO_BODIES


# Table, date, rows.
OnTable: TypeAlias = Callable[[str, str, pa.Table], None]


_BLOBS = "blobs"  # no table is called so


@dataclass(frozen=True, slots=True)
class LakeTarget:
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


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """What was read.

    Attributes:
        capture_id: The capture.
        files: How many files it has.
        octets: Their size.
        packets: How many there are.
        left_out: How often something was left out, by reason.
        partial: Something is not in the tables that should be: damage, or what cannot be decoded.
    """

    capture_id: str
    files: int
    octets: int
    packets: int
    left_out: Mapping[str, int]
    partial: bool


@dataclass(frozen=True, slots=True)
class WrittenCapture:
    """A capture whose tables are written, and not yet in the lake.

    Attributes:
        result: What was read.
        written: The files with its tables, as those who wrote them have returned them.
    """

    result: CaptureResult
    written: list[Written]

    @property
    def files(self) -> list[str]:
        """What is to be committed."""
        return [file.path for file in self.written]
