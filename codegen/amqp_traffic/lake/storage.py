"""The place of a lake: a folder of this machine, or of any file system that Arrow supports (s3, gs, hdfs, ...).

Below a table, folders are named as by Hive and Spark: ``date=2026-11-21/capture_id=X``.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime

import pyarrow as pa
from pyarrow import fs

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# Schemes of Arrow that have another name in Hadoop and Spark.
_SPARK_SCHEMES = {"s3": "s3a"}
# Characters with a special meaning in paths of Spark.
_PATTERN = re.compile(r"[\\{}\[\]*?]")


class NoSuchPlace(ValueError):
    """A URI whose file system cannot be reached with this installation."""


def is_uri(place: str) -> bool:
    """Return whether a place is a URI, not a path."""
    return _SCHEME.match(place) is not None


def filesystem_of(place: str) -> tuple[fs.FileSystem, str]:
    """Return the file system of a path or URI, and the path in it without a slash at its end.

    Raises:
        NoSuchPlace: Arrow does not support the file system, or cannot reach it.
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
    """Return a path or URI in the form that means the same to Spark."""
    if not is_uri(place):
        return "file://" + _PATTERN.sub(r"\\\g<0>", os.path.abspath(place))
    scheme, _, rest = place.partition("?")[0].partition("://")  # the options after ? are those of Arrow
    return f"{_SPARK_SCHEMES.get(scheme, scheme)}://" + _PATTERN.sub(r"\\\g<0>", rest.rstrip("/"))


def inside(place: str, path: str) -> str:
    """Return the path or URI of something in a folder given as path or URI; options after ``?`` stay at the end."""
    if not is_uri(place):
        return f"{place.rstrip('/')}/{path}"
    folder, mark, options = place.partition("?")
    return f"{folder.rstrip('/')}/{path}{mark}{options}"


# Characters that Spark escapes as %XX in names of partition folders.
_ESCAPED = re.compile(r"[\x00-\x1f\"#%'*/:=?\\\x7f{\[\]^]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_NANOSECONDS = 1_000_000_000


def partition_folder(day: date, capture_id: str) -> str:
    """Return the folder, relative to the table, for the rows of a capture and day.

    Raises:
        ValueError: The identifier is empty, which means null to Hive.
    """
    return f"date={day.isoformat()}/{capture_folder(capture_id)}"


def capture_folder(capture_id: str) -> str:
    """Return the last part of the partition folder of a capture.

    Raises:
        ValueError: The identifier is empty.
    """
    if not capture_id:
        raise ValueError("a capture needs an identifier")
    return "capture_id=" + _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", capture_id)


def capture_of(folder: str) -> str | None:
    """Return the identifier of the capture of a folder ``capture_id=X``; None for other folders."""
    name, separator, value = folder.partition("=")
    if not separator or name != "capture_id":
        return None
    return _ESCAPE.sub(lambda code: chr(int(code[1], 16)), value)


def day_of(ns: int) -> date:
    """Return the day, UTC, of a time in nanoseconds since 1970-01-01."""
    return datetime.fromtimestamp(ns // _NANOSECONDS, UTC).date()
