"""Compares what would be generated with what is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .header import carries_header
from .output_problem import UNTOUCHED, output_problem


@dataclass(frozen=True, slots=True)
class Drift:
    """How a folder differs from what would be generated; paths relative to it, sorted.

    Attributes:
        changed: Files with another content.
        missing: Files that are not there.
        extra: Files that carry our header but are no longer generated.
    """

    changed: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.extra)


def compare(output: Path, files: Mapping[str, str], folders: Sequence[str]) -> Drift:
    """Compares generated files with those in a folder.

    Args:
        output: The folder that everything is generated into.
        files: Path relative to ``output`` to text.
        folders: The folders below it in which files that are no longer generated are looked for.

    Raises:
        SpecError: Something there cannot be read, or the name of the folder cannot be one.
    """
    try:
        changed, missing = _changed_and_missing(output, files)
        extra = _extra(output, files, folders)
    except (OSError, ValueError) as error:
        raise output_problem(output, "read", error, UNTOUCHED) from None
    return Drift(tuple(changed), tuple(missing), tuple(extra))


def _changed_and_missing(output: Path, files: Mapping[str, str]) -> tuple[list[str], list[str]]:
    changed, missing = [], []
    for path, text in sorted(files.items()):
        target = output / path
        if not target.is_file():
            missing.append(path)
        elif target.read_bytes() != text.encode():
            changed.append(path)
    return changed, missing


def _extra(output: Path, files: Mapping[str, str], folders: Sequence[str]) -> list[str]:
    found = []
    for folder in folders:
        for path in sorted((output / folder).rglob("*")):
            name = path.relative_to(output).as_posix()
            if name not in files and path.is_file() and path.suffix != ".pyc" and _is_ours(path):
                found.append(name)
    return found


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return carries_header(file.read(64).decode("ascii", "replace"))
