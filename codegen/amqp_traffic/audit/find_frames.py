"""A search for single frames in the tables of a lake."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ..lake.folder import Lake
from ..lake.storage import capture_of
from ..tasks.runner import TaskRunner
from .connection_columns import FRAME_COLUMNS
from .connection_frames import AuditFrame

_FRAME_NO_BITS = 40
# Capture, connection and number of a frame.
FrameKey: TypeAlias = "tuple[str, str, int]"

_ROWS_PER_BATCH = 1 << 18
_COLUMNS = ["conn_id", "frame_no", *FRAME_COLUMNS]


@dataclass(frozen=True, slots=True)
class FindFrames:
    """A task that searches files of one capture.

    Attributes:
        filesystem: The file system of the lake.
        paths: The files.
        wanted: Connections and frame numbers.
    """

    filesystem: fs.FileSystem
    paths: tuple[str, ...]
    capture_id: str
    wanted: frozenset[tuple[str, int]]

    def __call__(self) -> dict[FrameKey, AuditFrame]:
        """Return the wanted frames that are in the files."""
        frames = {}
        names = sorted({name for name, _ in self.wanted})
        places = {name: place for place, name in enumerate(names)}
        wanted = pa.array(
            (places[name] << _FRAME_NO_BITS | number for name, number in self.wanted), pa.int64()
        )
        for path in self.paths:
            with self.filesystem.open_input_file(path) as stream:
                # Most rows are not wanted: a dictionary saves making their connections into strings.
                file = pq.ParquetFile(stream, read_dictionary=["conn_id"])
                for batch in file.iter_batches(_ROWS_PER_BATCH, columns=_COLUMNS, use_threads=False):
                    is_wanted = pc.is_in(_keys(batch, pa.array(names, pa.string())), wanted)
                    for row in batch.filter(is_wanted).to_pylist():
                        key = self.capture_id, row["conn_id"], row["frame_no"]
                        frames[key] = AuditFrame(row["frame_no"], *(row.get(name) for name in FRAME_COLUMNS))
        return frames


def _keys(batch: pa.RecordBatch, names: pa.Array) -> pa.Array:
    """Return a number for each row: the index of its connection in names and the frame number, or null if not in names."""
    connections = batch["conn_id"]
    places = pc.index_in(connections.dictionary, names).take(connections.indices)
    return pc.bit_wise_or(pc.shift_left(places.cast(pa.int64()), _FRAME_NO_BITS), batch["frame_no"])


def find_frames(
    lake: Lake, runner: TaskRunner, wanted: Collection[FrameKey]
) -> Mapping[FrameKey, AuditFrame]:
    """Return the wanted frames that are in a lake, without their fields and messages."""
    by_capture: dict[str, set[tuple[str, int]]] = {}
    for capture_id, conn_id, frame_no in wanted:
        by_capture.setdefault(capture_id, set()).add((conn_id, frame_no))
    tasks = []
    for path in lake.files("frames"):
        capture_id = capture_of(path.split("/")[-2]) or ""
        if capture_id in by_capture:
            its_own = frozenset(by_capture[capture_id])
            tasks.append(FindFrames(lake.filesystem, (f"{lake.root}/{path}",), capture_id, its_own))
    found = {}
    for frames in runner.run("frames of findings", tasks):
        found.update(frames)
    return found
