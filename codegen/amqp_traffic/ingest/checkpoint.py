"""Checkpoints: the state needed to continue a ring. A checkpoint is committed to the lake together with its rows."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from amqp_codegen import __version__

from ..lake.folder import CHECKPOINTS, Lake, LakeError
from ..storage import capture_folder

FORMAT = 5
_KIND = "amqp-codegen ring"
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of following a ring after some of its files.

    Attributes:
        capture_id: The capture that the ring becomes.
        files: The number of ring files whose rows are final.
        for_now: Files of provisional rows, which the next commit replaces; relative to the lake.
        state: A ``RingReading``, as ``state_pickle`` writes it.
        path: Its place in the lake; empty if it is not there yet.
    """

    capture_id: str
    files: int
    for_now: tuple[str, ...]
    state: bytes
    path: str = ""

    def to_octets(self) -> bytes:
        """Return the checkpoint as a file: a line of JSON about it, then the state."""
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
    """Return the name for checkpoints of a ring, from its folder (an absolute path) and its ``RingName.ring``."""
    safe = _UNSAFE.sub("_", ring.partition("*")[0]).strip("_")[:40] or "ring"
    digest = sha256("\0".join((folder, ring)).encode(errors="surrogateescape")).hexdigest()
    return f"{safe}-{digest[:12]}"


def write_checkpoint(lake: Lake, run: str, name: str, checkpoint: Checkpoint) -> str:
    """Write a checkpoint into the staging area of a run. Return its future place in the lake."""
    path = f"{CHECKPOINTS}/{name}/{capture_folder(checkpoint.capture_id)}/{run}.checkpoint"
    target = f"{lake.staging(run)}/{path}"
    lake.filesystem.create_dir(target.rpartition("/")[0], recursive=True)
    with lake.filesystem.open_output_stream(target) as stream:
        stream.write(checkpoint.to_octets())
    return path


def read_checkpoint(lake: Lake, name: str) -> Checkpoint | None:
    """Return the checkpoint of a ring, if there is one.

    Raises:
        LakeError: It is of another version, or damaged.
    """
    paths = [path for path in lake.files(CHECKPOINTS) if path.split("/")[1] == name]
    if not paths:
        return None
    if len(paths) > 1:
        raise LakeError(
            f"{lake.place}/{CHECKPOINTS}/{name}: more than one checkpoint; {_way_out(lake, name)}"
        )
    with lake.filesystem.open_input_stream(f"{lake.root}/{paths[0]}") as stream:
        line, _, state = stream.read().partition(b"\n")
    head = _head(line)
    if head.get("kind") != _KIND:
        raise LakeError(f"{lake.place}/{paths[0]} is not a checkpoint; {_way_out(lake, name)}")
    if (head.get("format"), head.get("version")) != (FORMAT, __version__):
        raise LakeError(
            f"{lake.place}/{paths[0]} is a checkpoint of version {head.get('version')}, format {head.get('format')}, "
            f"and this is version {__version__}, format {FORMAT}: go on with that version; or {_way_out(lake, name)}"
        )
    if head.get("sha256") != sha256(state).hexdigest():
        raise LakeError(f"{lake.place}/{paths[0]} is damaged; {_way_out(lake, name)}")
    return Checkpoint(head["capture_id"], head["files"], tuple(head["for_now"]), state, paths[0])


def _head(line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        return {}
    return head if isinstance(head, dict) else {}


def _way_out(lake: Lake, name: str) -> str:
    return f"delete {lake.place}/{CHECKPOINTS}/{name} to begin anew with what is left of the ring"
