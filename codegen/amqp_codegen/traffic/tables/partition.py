"""The folders of a table: ``date=2026-11-21/capture_id=X``, as Hive and Spark name them."""

from __future__ import annotations

import re
from datetime import date, datetime, timezone

# What Spark writes as %XX in the names of such folders, and reads back.
_ESCAPED = re.compile(r"[\x00-\x1f\"#%'*/:=?\\\x7f{\[\]^]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_NANOSECONDS = 1_000_000_000


def partition_folder(day: date, capture_id: str) -> str:
    """The folder, below that of the table, of what one capture has of one day.

    Raises:
        ValueError: The identifier is empty, which is how Hive writes null.
    """
    return f"date={day.isoformat()}/{capture_folder(capture_id)}"


def capture_folder(capture_id: str) -> str:
    """The last part of that.

    Raises:
        ValueError: The identifier is empty.
    """
    if not capture_id:
        raise ValueError("a capture needs an identifier")
    return "capture_id=" + _ESCAPED.sub(lambda found: f"%{ord(found[0]):02X}", capture_id)


def capture_of(folder: str) -> str | None:
    """The identifier of the capture of a folder ``capture_id=X``, None for other folders."""
    name, found, value = folder.partition("=")
    if not found or name != "capture_id":
        return None
    return _ESCAPE.sub(lambda code: chr(int(code[1], 16)), value)


def day_of(ns: int) -> date:
    """The day, UTC, of a moment in nanoseconds since 1970-01-01."""
    return datetime.fromtimestamp(ns // _NANOSECONDS, timezone.utc).date()
