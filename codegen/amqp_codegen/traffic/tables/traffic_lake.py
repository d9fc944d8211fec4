"""A lake from which something can be said about traffic: there is some in it, and its tables are those of this version.

What reads tables leaves out what a file does not have. So tables of another version would not fail, but say too little.
"""

from __future__ import annotations

import pyarrow.parquet as pq
from pyarrow import ArrowInvalid

from .lake import Lake, LakeError, open_lake
from .partition import capture_of
from .schemas import TABLES, table_columns

_STAGING = "_staging"


def open_traffic(place: str) -> Lake:
    """Open a lake, and finish a commit that was killed.

    Args:
        place: Its path or URI.

    Raises:
        LakeError: It is no lake, one of another format, there is no traffic in it, its tables are of another version, or
            it cannot be reached.
    """
    lake = open_lake(place)
    lake.recover()
    if not lake.files("captures"):
        # What was interrupted has left its folder.
        advice = (
            "an ingest was interrupted, or is at work"
            if lake.files(_STAGING)
            else "amqp-codegen traffic ingest puts some there"
        )
        raise LakeError(f"there is no traffic in this lake; {advice}")
    for table in TABLES:
        _check_columns(lake, table)
    return lake


def _check_columns(lake: Lake, table: str) -> None:
    """Look at one file of each capture: all of them were written in one go."""
    wanted = dict(table_columns(table))
    of_captures = {capture_of(path.split("/")[-2]): path for path in reversed(lake.files(table))}
    for path in of_captures.values():
        try:
            with lake.filesystem.open_input_file(f"{lake.root}/{path}") as stream:
                there = pq.read_schema(stream).names
        except ArrowInvalid:
            raise LakeError(f"{path} is no table; ingest its capture again") from None
        missing = sorted(wanted.keys() - set(there))
        if missing:
            raise LakeError(
                f"{path} has no column {missing[0]}: another version has written it; ingest into a new folder with this one"
            )
