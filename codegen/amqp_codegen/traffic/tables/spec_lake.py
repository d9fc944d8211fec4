"""The tables of the specifications in a lake: ``LAKE/spec_*/part-0.parquet``, the same for all captures."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ... import __version__
from ...resources import wire_file
from ...spec.inputs import resolve_input
from .arrow_types import arrow_schema
from .lake import Lake
from .spec_rows import BUILT_IN, built_in_rows
from .spec_schemas import SPEC_TABLES

# A note in each file: what its rows were made of. Reading the specifications takes seconds, comparing this does not.
_NOTE = b"amqp-codegen specifications"
# What decides what the rows are, besides the specifications and the version.
_OWN_CODE = ("spec_row.py", "spec_rows.py", "spec_rows0.py", "spec_rows1.py", "spec_schemas.py")


def write_specifications(lake: Lake) -> list[str]:
    """Writes the tables that are not there, or were made of something else.

    Returns:
        The names of those that were written.
    """
    note = _fingerprint().encode()
    missing = [table for table in SPEC_TABLES if _note_of(lake, _path(table)) != note]
    if missing:
        rows = built_in_rows()
        for table in missing:
            schema = arrow_schema(SPEC_TABLES[table]).with_metadata({_NOTE: note})
            lake.replace_file(_path(table), _parquet(pa.Table.from_pylist(rows[table], schema=schema)))
    return missing


def _path(table: str) -> str:
    return f"{table}/part-0.parquet"


def _note_of(lake: Lake, path: str) -> bytes | None:
    """What a file was made of; None if it is not there, damaged, or not ours."""
    if path not in lake.files(path.partition("/")[0]):
        return None
    try:
        schema = pq.read_schema(f"{lake.root}/{path}", filesystem=lake.filesystem)
    except (pa.ArrowException, OSError):
        return None
    found: bytes | None = (schema.metadata or {}).get(_NOTE)
    return found


def _fingerprint() -> str:
    digest = hashlib.sha256(__version__.encode())
    for octets in _made_of():
        digest.update(hashlib.sha256(octets).digest())
    return digest.hexdigest()


def _made_of() -> Iterator[bytes]:
    for name in BUILT_IN:
        inputs = resolve_input(name)
        yield from (path.read_bytes() for path in (*inputs.files, *inputs.overlays))
    yield wire_file()[0]
    yield from (Path(__file__).with_name(name).read_bytes() for name in _OWN_CODE)


def _parquet(rows: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(rows, sink, compression="zstd")
    return sink.getvalue()
