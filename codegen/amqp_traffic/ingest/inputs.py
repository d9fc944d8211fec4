"""The captures among given files: a file, the files of a ring, the two raw streams of a connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..capture.files import CaptureError, read_beginning
from ..capture.formats import recognise_capture
from ..logs.trace_log import HEAD, recognise_log
from ..streams.raw_streams import is_raw_stream

# The names of ring files of dumpcap and tshark: NAME_NUMBER_TIME.SUFFIX
_RING = re.compile(r"(?P<name>.+)_(?P<number>\d{5,})_(?P<time>\d{14})(?P<suffix>\..+)?", re.DOTALL)
_RAW_SUFFIX = re.compile(r"\.(client|server)\.raw$")
_URI = re.compile(r"[a-z][a-z0-9+.-]+:/")  # as a path it has one slash
_UNSAFE = re.compile(r"[^A-Za-z0-9._]+")
_HASHED_OCTETS = 65_536  # at the beginning of the first file; their hash is part of the name of a capture
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class RingName:
    """The parts of the name of a ring file.

    Attributes:
        time: When the file was begun, in local time of the writer.
        number: Its number; after the largest one comes 0.
        ring: The rest, equal for all files of the ring.
    """

    time: str
    number: int
    ring: str


def ring_name(name: str) -> RingName | None:
    """Return the parts of a file name; None if it is not one of a ring."""
    match = _RING.fullmatch(name)
    if match is None:
        return None
    return RingName(match["time"], int(match["number"]), f"{match['name']}*{match['suffix'] or ''}")


@dataclass(frozen=True, slots=True)
class CaptureInput:
    """The files that become one capture in the lake.

    Attributes:
        capture_id: Its name there: the name of the first file and a hash of its first octets. So a capture has the
            same name in every folder, and captures with equal file names differ.
        files: Its files, in the order of time.
    """

    capture_id: str
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Return the octets of its files."""
        return sum(path.stat().st_size for path in self.files)


def find_inputs(paths: Iterable[Path], *, one_capture: bool = False) -> list[CaptureInput]:
    """Group files into captures.

    Args:
        paths: Files and folders. Of a folder, every file for which ``is_wanted`` is true is taken.
        one_capture: All files are one capture, in the order given.

    Raises:
        CaptureError: A file does not exist, there is no file, or a capture is given twice.
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
    for capture in inputs:
        other = known.setdefault(capture.capture_id, capture)
        if other is not capture:
            raise CaptureError(
                f"{capture.files[0]}: begins like {other.files[0]}, and is called so; give each once"
            )
    return inputs


def check_formats(captures: Iterable[CaptureInput]) -> list[str]:
    """Look at the beginning of each file, before any work.

    Returns:
        A message for each file that is neither a capture nor a log; the tables will say so, too.

    Raises:
        CaptureError: There is no other file, or a package for a compression is missing.
        OSError: A file cannot be read.
    """
    files = [file for capture in captures for file in capture.files]
    wrong = [f"{file}: {fault}" for file in files if (fault := _fault(file))]
    if len(wrong) == len(files):
        raise CaptureError(wrong[0] if len(wrong) == 1 else f"no file is a capture; {wrong[0]}")
    return wrong


def _fault(file: Path) -> str:
    """Return why a file is neither a capture nor a log; empty if it is one, or is a pipe, which can be read only once."""
    if is_raw_stream(file) or not file.is_file():
        return ""
    beginning = read_beginning(file, HEAD)
    try:
        recognise_capture(beginning)
    except CaptureError as error:
        return "" if recognise_log(beginning) else str(error)
    return ""


def _files(path: Path) -> Sequence[Path]:
    if not path.exists():
        if _URI.match(str(path)):
            raise CaptureError(f"{path}: captures must be files: copy it here, or mount the store")
        raise CaptureError(f"{path}: there is no such file")
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file() and is_wanted(file.name))


def is_wanted(name: str) -> bool:
    """True if a file of a folder is read: not hidden, and not the labels of a synthetic capture."""
    return not name.startswith((".", "_")) and not name.endswith(".labels.jsonl")


def _groups(files: Iterable[Path]) -> list[list[Path]]:
    """Return groups of files, in the order of the first file of each."""
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
    """Return the name in the lake of a capture that begins with this file.

    Raises:
        OSError: It cannot be read.
    """
    ring = _RING.fullmatch(file.name)
    name = ring["name"] if ring else _RAW_SUFFIX.sub("", file.name).split(".")[0]
    safe = _UNSAFE.sub("_", name).strip("_.")[:_LONGEST_NAME] or "capture"
    with file.open("rb") as stream:
        beginning = stream.read(_HASHED_OCTETS)
    return f"{safe}-{sha256(beginning).hexdigest()[:8]}"
