"""An ingest of one capture: its settings, the place of its tables, its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from ..decode.body_retention import NO_BODIES, BodyRetention
from ..lake.folder import Lake
from ..lake.writer import Writer, Written
from ..streams.connections import AMQP_PORTS
from ..streams.tls.key_log import NO_KEYS, KeyLog
from ..tasks.blobs import BlobFolder


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How captures are read, by any engine.

    Attributes:
        server_ports: The endpoint with one of these ports is the server, if no SYN was captured.
        bodies: What is kept of bodies.
        key_log: Keys of TLS.
    """

    server_ports: tuple[int, ...] = AMQP_PORTS
    bodies: BodyRetention = NO_BODIES
    key_log: KeyLog = field(default=NO_KEYS, compare=False)

    def for_files(self, files: Sequence[Path]) -> ReadSettings:
        """Return the settings for a capture, the secrets in whose files are keys, too."""
        return replace(self, key_log=self.key_log.with_captures(files))


# Takes rows: table, date, rows.
OnTable: TypeAlias = Callable[[str, str, pa.Table], None]

# Called with the octets read since the last call.
OnProgress: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class LakeTarget:
    """A run that writes a capture into a lake."""

    lake: Lake
    run: str
    capture_id: str

    def writer(self, name: str) -> Writer:
        """Return a writer for this run; ``name`` is part of its file names."""
        return Writer(self.lake.filesystem, self.lake.staging(self.run), self.capture_id, name)

    @property
    def blobs(self) -> BlobFolder:
        """Return the scratch folder of the run, which is removed at the commit."""
        return BlobFolder(self.lake.filesystem, self.lake.scratch(self.run))


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """What was read of a capture.

    Attributes:
        files, octets, packets: The number of its files, their size, the number of packets.
        left_out: How often something was left out, by reason.
        partial: True if the tables lack something, because of damage or what cannot be decoded.
        found: The number of frames and messages.
    """

    capture_id: str
    files: int
    octets: int
    packets: int
    left_out: Mapping[str, int]
    partial: bool
    found: int = 0


@dataclass(frozen=True, slots=True)
class WrittenCapture:
    """A capture whose tables are written, but not committed to the lake.

    Attributes:
        written: The files of its tables, as their writers returned them.
    """

    result: CaptureResult
    written: list[Written]

    @property
    def files(self) -> list[str]:
        """Return the files to commit."""
        return [file.path for file in self.written]
