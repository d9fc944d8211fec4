"""What is needed to go on with a ring: it is in the lake, and comes there in one step with the rows it knows of."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from amqp_codegen import __version__

from ..lake.folder import CHECKPOINTS, Lake, LakeError
from ..storage import capture_folder

FORMAT = 2
_KIND = "amqp-codegen ring"
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of following a ring after some of its files.

    Attributes:
        capture_id: The capture that the ring becomes.
        files: How many files are in the lake for good.
        for_now: Files of the lake with rows that will be written again, and then are replaced; relative to the lake.
        state: A reading, as ``state_pickle`` writes it.
        path: Where it is in the lake; nothing if it is not there yet.
    """

    capture_id: str
    files: int
    for_now: tuple[str, ...]
    state: bytes
    path: str = ""

    def to_octets(self) -> bytes:
        """The checkpoint as a file: a line that tells what it is, then the state."""
        head = {
            "kind": _KIND,
            "format": FORMAT,
            "version": __version__,
            "capture_id": self.capture_id,
            "files": self.files,
            "for_now": self.for_now,
            "sha256": sha256(self.state).hexdigest(),
        }
        return json.dumps(head).encode() + b"\n" + self.state


def checkpoint_name(folder: str, ring: str) -> str:
    """The name for checkpoints of a ring.

    Args:
        folder: Where it is written, as an absolute path.
        ring: See ``RingName``.
    """
    safe = _UNSAFE.sub("_", ring.partition("*")[0]).strip("_")[:40] or "ring"
    digest = sha256("\0".join((folder, ring)).encode(errors="surrogateescape")).hexdigest()
    return f"{safe}-{digest[:12]}"


def write_checkpoint(lake: Lake, run: str, name: str, checkpoint: Checkpoint) -> str:
    """Put a checkpoint to what a run has written; returns where it will be in the lake."""
    path = f"{CHECKPOINTS}/{name}/{capture_folder(checkpoint.capture_id)}/{run}.checkpoint"
    target = f"{lake.staging(run)}/{path}"
    lake.filesystem.create_dir(target.rpartition("/")[0], recursive=True)
    with lake.filesystem.open_output_stream(target) as stream:
        stream.write(checkpoint.to_octets())
    return path


def read_checkpoint(lake: Lake, name: str) -> Checkpoint | None:
    """The checkpoint of a ring, if there is one.

    Raises:
        LakeError: There is one that this version did not write, or it is damaged.
    """
    found = [path for path in lake.files(CHECKPOINTS) if path.split("/")[1] == name]
    if not found:
        return None
    if len(found) > 1:
        raise LakeError(
            f"{lake.place}/{CHECKPOINTS}/{name}: more than one checkpoint; {_way_out(lake, name)}"
        )
    with lake.filesystem.open_input_stream(f"{lake.root}/{found[0]}") as stream:
        line, _, state = stream.read().partition(b"\n")
    head = _head(line)
    if head.get("kind") != _KIND:
        raise LakeError(f"{lake.place}/{found[0]} is no checkpoint; {_way_out(lake, name)}")
    if (head.get("format"), head.get("version")) != (FORMAT, __version__):
        raise LakeError(
            f"{lake.place}/{found[0]} is a checkpoint of version {head.get('version')}, format {head.get('format')}, "
            f"and this is version {__version__}, format {FORMAT}: go on with that version; or {_way_out(lake, name)}"
        )
    if head.get("sha256") != sha256(state).hexdigest():
        raise LakeError(f"{lake.place}/{found[0]} is damaged; {_way_out(lake, name)}")
    return Checkpoint(head["capture_id"], head["files"], tuple(head["for_now"]), state, found[0])


def _head(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _way_out(lake: Lake, name: str) -> str:
    return f"delete {lake.place}/{CHECKPOINTS}/{name} to begin anew with what is left of the ring"
