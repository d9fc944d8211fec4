"""The paths in a lake. Files of a lake that comes from somebody else may name any path: only those that have this form count."""

from __future__ import annotations

import re

from ..schemas import TABLES
from .storage import capture_of

# The folder of checkpoints. It has the layout of a table and belongs to captures, but is not a table.
CHECKPOINTS = "_checkpoints"
STAGING = "_staging"
CAPTURE_FOLDERS = (*TABLES, CHECKPOINTS)

_RUN = re.compile(r"[0-9a-f]{12}")
# In a path of Windows, a colon follows a drive and a backslash separates parts.
_NOT_IN_PARTS = frozenset(":\\\0")
_LEAST_PARTS = 4  # table, day, capture, file


def is_run(name: str) -> bool:
    """Return whether a run may have this name."""
    return _RUN.fullmatch(name) is not None


def staging_folder(run: str) -> str:
    """Return the folder of a run, relative to the lake."""
    return f"{STAGING}/{run}"


def is_text(name: str) -> bool:
    """Return whether a name can be encoded, as Arrow wants to."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def is_staging_folder(path: str) -> bool:
    """Return whether a path, relative to the lake, is the folder of a run."""
    folder, _, run = path.partition("/")
    return folder == STAGING and is_run(run)


def capture_of_file(path: str) -> str | None:
    """Return the capture of a file of a table, or of a checkpoint; None for all other files.

    Args:
        path: The path of the file, relative to the lake: ``frames/date=2026-11-23/capture_id=a/part-0.parquet``.
    """
    if not is_text(path):
        return None
    table, *inner = parts = path.split("/")
    if table not in CAPTURE_FOLDERS or len(parts) < _LEAST_PARTS:
        return None
    if any(part in ("", ".", "..") or not _NOT_IN_PARTS.isdisjoint(part) for part in inner):
        return None
    return capture_of(parts[2])
