"""Finding the files of a capture on disk: a lake stores their names, not their folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..lake.folder import Lake
from .subject import CannotExplain

# Formats of rabbitmq_tracing: their captures have no packets.
_LOG_FORMATS = ("trace-json", "trace-text")


@dataclass(frozen=True, slots=True)
class CaptureFiles:
    """The files of a capture that were found.

    Attributes:
        paths: The files in order, up to the first that was not found.
        missing: The name of the first file that was not found; None if all were found.
        looked_in: The folders that were searched.
    """

    paths: tuple[Path, ...]
    missing: str | None
    looked_in: tuple[Path, ...]


def find_captures(
    lake: Lake, files: Sequence[Mapping[str, Any]], user_places: Sequence[Path]
) -> CaptureFiles:
    """Search the files of a capture.

    Args:
        lake: The lake; the files are often beside it.
        files: Rows of ``captures``.
        user_places: The places that the user named: folders, or the file itself under any name; empty for the usual places.

    Raises:
        CannotExplain: The user named places, and no file of the capture is there.
    """
    themselves = tuple(path for path in user_places if path.is_file())
    if len(files) == len(themselves) == 1:
        return CaptureFiles(themselves, None, ())
    places = tuple(dict.fromkeys(user_places or _usual_places(lake)))
    names = [str(file["file"]) for file in files]
    paths: list[Path] = []
    missing = None
    for name in names:
        path = next((place / name for place in places if (place / name).is_file()), None)
        if path is None:
            missing = name
            break
        paths.append(path)
    if user_places and missing is not None and not paths:
        named = ", ".join(str(place) for place in places)
        raise CannotExplain("capture", f"there is no {missing} in {named}")
    return CaptureFiles(tuple(paths), missing, places)


def has_packets(files: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the files have packets, whose octets can be shown."""
    return bool(files) and not any(file["format"] in _LOG_FORMATS for file in files)


def _usual_places(lake: Lake) -> tuple[Path, ...]:
    """Return the current folder and the folder that has the lake."""
    beside = [Path(lake.root).parent] if lake.filesystem.type_name == "local" else []
    return (Path(), *(Path() if place == Path.cwd() else place for place in beside))
