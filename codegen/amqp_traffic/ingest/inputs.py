"""Which captures the files are that a user names: a file, the files of a ring, the two streams of a connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..capture.files import CaptureError
from ..streams.raw_streams import is_raw_stream

# What dumpcap and tshark call the files of a ring: NAME_NUMBER_TIME.SUFFIX
_RING = re.compile(r"(?P<name>.+)_(?P<number>\d{5,})_(?P<time>\d{14})(?P<suffix>\..+)?", re.DOTALL)
_RAW_SUFFIX = re.compile(r"\.(client|server)\.raw$")
_UNSAFE = re.compile(r"[^A-Za-z0-9._]+")
_HEAD = 65_536  # octets of the first file that are part of the name of a capture
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class RingName:
    """What the name of a file of a ring says.

    Attributes:
        time: When it was begun, by the local clock of who writes the ring.
        number: Its number; after the largest one comes 0.
        ring: The rest: all files of the ring have the same.
    """

    time: str
    number: int
    ring: str


def ring_name(name: str) -> RingName | None:
    """What the name of a file says, if it is one of a ring."""
    found = _RING.fullmatch(name)
    if found is None:
        return None
    return RingName(found["time"], int(found["number"]), f"{found['name']}*{found['suffix'] or ''}")


@dataclass(frozen=True, slots=True)
class CaptureInput:
    """What becomes one capture in the lake.

    Attributes:
        capture_id: Its name there: that of the first file, and a hash of its first octets, so that the same capture
            has the same name wherever it is, and another one of that name another.
        files: Its files, in the order of time.
    """

    capture_id: str
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        """How many octets its files have."""
        return sum(path.stat().st_size for path in self.files)


def find_inputs(paths: Iterable[Path], *, one_capture: bool = False) -> list[CaptureInput]:
    """Put files together to captures.

    Args:
        paths: Files and folders. Of a folder every file is taken whose name does not begin with a dot, but for
            labels of synthetic captures.
        one_capture: All files are one capture, in the order given.

    Raises:
        CaptureError: One does not exist, or there is none, or a capture is there twice.
    """
    files = [file for path in paths for file in _files(path)]
    if not files:
        raise CaptureError("there is no file to read")
    once: set[Path] = set()
    for file in files:
        if file.resolve() in once:
            raise CaptureError(f"{file} is there twice; give each file once")
        once.add(file.resolve())
    groups = [files] if one_capture else _groups(files)
    inputs = [CaptureInput(capture_id(group[0]), tuple(group)) for group in groups]
    known: dict[str, CaptureInput] = {}
    for it in inputs:
        other = known.setdefault(it.capture_id, it)
        if other is not it:
            raise CaptureError(
                f"{it.files[0]}: begins like {other.files[0]}, and is called so; give each once"
            )
    return inputs


def _files(path: Path) -> Sequence[Path]:
    if not path.exists():
        raise CaptureError(f"{path}: there is no such file")
    if not path.is_dir():
        return [path]
    return sorted(it for it in path.iterdir() if it.is_file() and is_wanted(it.name))


def is_wanted(name: str) -> bool:
    """Whether a file of a folder is read, by its name."""
    return not name.startswith((".", "_")) and not name.endswith(".labels.jsonl")


def _groups(files: Iterable[Path]) -> list[list[Path]]:
    """Files that belong together, in the order in which the first of each came."""
    groups: dict[tuple[Path, str], list[Path]] = {}
    for file in files:
        groups.setdefault((file.parent, _group_name(file)), []).append(file)
    return [sorted(group, key=_order) for group in groups.values()]


def _group_name(file: Path) -> str:
    if is_raw_stream(file):
        return _RAW_SUFFIX.sub(".raw", file.name)
    ring = ring_name(file.name)
    return ring.ring if ring else file.name


def _order(file: Path) -> tuple[str, int, str]:
    ring = ring_name(file.name)
    return (ring.time, ring.number, file.name) if ring else ("", 0, file.name)


def capture_id(file: Path) -> str:
    """The name in the lake of a capture that begins with this file.

    Raises:
        OSError: It cannot be read.
    """
    ring = _RING.fullmatch(file.name)
    name = ring["name"] if ring else _RAW_SUFFIX.sub("", file.name).split(".")[0]
    safe = _UNSAFE.sub("_", name).strip("_.")[:_LONGEST_NAME] or "capture"
    with file.open("rb") as opened:
        head = opened.read(_HEAD)
    return f"{safe}-{sha256(head).hexdigest()[:8]}"
