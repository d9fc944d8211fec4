"""Checkpoints: the state needed to continue a ring. A checkpoint is committed to the lake together with its rows.

A lake may be somebody else's. So a checkpoint is plain data, of which nothing is called, and names nothing outside of the lake.
The digest only tells damage: whoever writes a checkpoint can write a digest, too.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from amqp_codegen import __version__

from ...lake.folder import Lake, LakeError
from ...lake.layout import CHECKPOINTS
from ...lake.storage import capture_folder
from ...schemas import TABLES
from .ring import RingReading
from .state_classes import StateError
from .state_loading import load_state
from .state_writing import write_state

FORMAT = 8
_KIND = "amqp-codegen ring"
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")
# What ``inputs.capture_id`` makes. Whatever else: it is a part of paths.
_CAPTURE_ID = re.compile(r"[A-Za-z0-9._-]+")
_PROVISIONAL = re.compile(
    r"(?P<table>\w+)/date=\d{4}-\d\d-\d\d/(?P<folder>[^/]+)/part-[\w-]+\.parquet", re.ASCII
)
# Version and format, which messages show.
_VERSION = re.compile(r"[\w.+-]{1,40} \d{1,9}", re.ASCII)
# The fastest makes a fifth of a state.
_LEVEL = 1
# What somebody may have forged is not unpacked without bounds. The state of 65,536 open connections has a fifth of these octets.
_MOST_OCTETS = 1 << 30
_MOST_RATIO = 32


@dataclass(frozen=True, slots=True)
class PackedState:
    """A state as octets.

    Attributes:
        octets: What ``write_state`` returned, compressed.
        size: Its size before.
    """

    octets: bytes = b""
    size: int = 0


def pack(reading: RingReading) -> PackedState:
    """Return the state of a reading."""
    octets = write_state(reading)
    return PackedState(zlib.compress(octets, _LEVEL), len(octets))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of following a ring after some of its files.

    Attributes:
        capture_id: The capture that the ring becomes.
        files: The number of ring files whose rows are final.
        for_now: Files of provisional rows, which the next commit replaces; relative to the lake.
        state: A ``RingReading``, as ``pack`` returns it.
        path: Its place in the lake; empty if it is not there yet.
    """

    capture_id: str
    files: int
    for_now: tuple[str, ...]
    state: PackedState
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
            "size": self.state.size,
            "sha256": sha256(self.state.octets).hexdigest(),
        }
        return json.dumps(head).encode() + b"\n" + self.state.octets


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
        raise LakeError(f"{lake.place}/{CHECKPOINTS}/{name}: more than one checkpoint; {way_out(lake, name)}")
    with lake.filesystem.open_input_stream(f"{lake.root}/{paths[0]}") as stream:
        line, _, state = stream.read().partition(b"\n")
    head = _head(line)
    if head.get("kind") != _KIND or not _VERSION.fullmatch(f"{head.get('version')} {head.get('format')}"):
        raise LakeError(f"{lake.place}/{paths[0]} is not a checkpoint; {way_out(lake, name)}")
    if (head.get("format"), head.get("version")) != (FORMAT, __version__):
        raise LakeError(
            f"{lake.place}/{paths[0]} is a checkpoint of version {head.get('version')}, format {head.get('format')}, "
            f"and this is version {__version__}, format {FORMAT}: go on with that version; or {way_out(lake, name)}"
        )
    checkpoint = _checked(head, state, paths[0])
    if checkpoint is None:
        raise LakeError(f"{lake.place}/{paths[0]} is damaged; {way_out(lake, name)}")
    return checkpoint


def load_reading(lake: Lake, name: str, checkpoint: Checkpoint) -> RingReading:
    """Return the state in a checkpoint.

    Raises:
        LakeError: It is damaged, or has something that no state has.
    """
    try:
        state: Any = load_state(_unpack(checkpoint.state))
        if not isinstance(state, RingReading) or not state.is_sound(checkpoint.capture_id, checkpoint.files):
            raise StateError("the state is of something else")
    except (StateError, zlib.error, MemoryError) as error:
        raise LakeError(
            f"{lake.place}/{checkpoint.path} is damaged: {error}; {way_out(lake, name)}"
        ) from None
    return state


def _unpack(state: PackedState) -> bytes:
    """Return the octets of a state, never more than their size."""
    unpacking = zlib.decompressobj()
    octets = unpacking.decompress(state.octets, state.size + 1)
    if len(octets) != state.size or not unpacking.eof or unpacking.unused_data:
        raise StateError("the state has another size")
    return octets


def _checked(head: dict[str, Any], octets: bytes, path: str) -> Checkpoint | None:
    """Return the checkpoint with this head; None if it is not one that ``write_checkpoint`` has written to this place."""
    capture_id, files, for_now, size = (head.get(name) for name in ("capture_id", "files", "for_now", "size"))
    if not isinstance(capture_id, str) or not _CAPTURE_ID.fullmatch(capture_id):
        return None
    folder = capture_folder(capture_id)
    if path.split("/")[2:-1] != [folder] or not isinstance(for_now, list):
        return None
    if not all(_is_of_capture(provisional, folder) for provisional in for_now):
        return None
    if not all(type(number) is int and number >= 0 for number in (files, size)):
        return None
    if int(size or 0) > min(_MOST_OCTETS, len(octets) * _MOST_RATIO):
        return None
    if head.get("sha256") != sha256(octets).hexdigest():
        return None
    return Checkpoint(capture_id, int(files or 0), tuple(for_now), PackedState(octets, int(size or 0)), path)


def _is_of_capture(path: Any, folder: str) -> bool:
    """Return whether this is the path of a file of rows of a capture, which the next commit may remove."""
    match = _PROVISIONAL.fullmatch(path) if isinstance(path, str) else None
    return match is not None and match["table"] in TABLES and match["folder"] == folder


def _head(line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except (RecursionError, ValueError):
        return {}
    return head if isinstance(head, dict) else {}


def way_out(lake: Lake, name: str) -> str:
    """Return what can be done about a checkpoint of no use."""
    return f"delete {lake.place}/{CHECKPOINTS}/{name} to begin anew with what is left of the ring"
