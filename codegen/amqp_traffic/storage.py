"""Where a lake is: a folder of this machine, or of any file system that Arrow knows (s3, gs, hdfs, ...).

The folders of a table: ``date=2026-11-21/capture_id=X``, as Hive and Spark name them.
"""

from __future__ import annotations

import os
import re
from datetime import date, datetime, timezone

import pyarrow as pa
from pyarrow import fs

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# What Hadoop, and so Spark, calls a file system that Arrow calls otherwise.
_SPARK_SCHEMES = {"s3": "s3a"}
# What means more than itself in a path that Spark is given.
_PATTERN = re.compile(r"[\\{}\[\]*?]")


class NoSuchPlace(ValueError):
    """A URI names no file system that this installation can reach."""


def is_uri(place: str) -> bool:
    """Whether it names a file system, and is not just a path."""
    return _SCHEME.match(place) is not None


def filesystem_of(place: str) -> tuple[fs.FileSystem, str]:
    """The file system of a path or URI, and the path in it, without a slash at its end.

    Raises:
        NoSuchPlace: Arrow knows no such file system, or not how to reach it.
    """
    if not is_uri(place):
        return fs.LocalFileSystem(), os.path.abspath(place)
    try:
        filesystem, path = fs.FileSystem.from_uri(place)
    except (pa.ArrowException, ValueError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise NoSuchPlace(f"{place} cannot be reached: {reason}") from None
    return filesystem, path.rstrip("/") or "/"


def spark_path(place: str) -> str:
    """What Spark is to be given for a path or URI, so that it means the same there."""
    if not is_uri(place):
        return "file://" + _PATTERN.sub(r"\\\g<0>", os.path.abspath(place))
    scheme, _, rest = place.partition("://")
    return f"{_SPARK_SCHEMES.get(scheme, scheme)}://" + _PATTERN.sub(r"\\\g<0>", rest.rstrip("/"))


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
