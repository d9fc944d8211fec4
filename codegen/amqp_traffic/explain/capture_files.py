"""Where the files of a capture are. A lake has their names, and not where they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..lake.folder import Lake
from .subject import CannotExplain

# What the local reader of rabbitmq_tracing makes: there are no packets in it.
_LOGS = ("trace-json", "trace-text")


@dataclass(frozen=True, slots=True)
class CaptureFiles:
    """The files of a capture, as far as they were found.

    Attributes:
        paths: Those from the first on, without a hole.
        missing: The name of the first one that was not found; None if all were.
        looked_in: Where they were looked for.
    """

    paths: tuple[Path, ...]
    missing: str | None
    looked_in: tuple[Path, ...]


def find_captures(lake: Lake, files: Sequence[Mapping[str, Any]], told: Sequence[Path]) -> CaptureFiles:
    """Look for the files of a capture.

    Args:
        lake: The lake. Files are often beside it.
        files: Columns of ``captures``.
        told: Where the user says that they are: folders, or the file itself, whatever its name is now; none if nothing was
            said.

    Raises:
        CannotExplain: The user has said where they are, and there is none.
    """
    themselves = tuple(path for path in told if path.is_file())
    if len(files) == len(themselves) == 1:
        return CaptureFiles(themselves, None, ())
    places = tuple(dict.fromkeys(told or _usual_places(lake)))
    names = [str(file["file"]) for file in files]
    found: list[Path] = []
    missing = None
    for name in names:
        path = next((place / name for place in places if (place / name).is_file()), None)
        if path is None:
            missing = name
            break
        found.append(path)
    if told and missing is not None and not found:
        named = ", ".join(str(place) for place in places)
        raise CannotExplain("capture", f"there is no {missing} in {named}")
    return CaptureFiles(tuple(found), missing, places)


def has_packets(files: Sequence[Mapping[str, Any]]) -> bool:
    """Whether there is anything in the files to show octets of."""
    return bool(files) and not any(file["format"] in _LOGS for file in files)


def _usual_places(lake: Lake) -> tuple[Path, ...]:
    """The folder one is in, and the one that the lake is in."""
    beside = [Path(lake.root).parent] if lake.filesystem.type_name == "local" else []
    return (Path(), *(Path() if place == Path.cwd() else place for place in beside))
