"""The built-in specifications as rows of tables.

The tables of the specifications in a lake: ``LAKE/spec_*/part-0.parquet``, the same for all captures.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_codegen import __version__
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import Specification, read_specification
from amqp_codegen.support.resources import wire_file

from ..arrow_types import arrow_schema
from ..folder import Lake
from .amqp0.rows import rows_of as rows0
from .amqp0.rows import version_of as version0
from .amqp1.rows import rows_of as rows1
from .amqp1.rows import version_of as version1
from .columns import SPEC_TABLES, Row, Rows

BUILT_IN = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0")


def built_in_specifications() -> Iterator[Specification]:
    """Reads all of them; takes a second."""
    for name in BUILT_IN:
        inputs = resolve_input(name)
        yield read_specification(inputs.files, inputs.overlays)


def built_in_rows() -> Rows:
    """The rows of every table, of one version after the other."""
    found: Rows = {table: [] for table in SPEC_TABLES}
    for specification in built_in_specifications():
        for table, rows in specification_rows(specification).items():
            found[table] += rows
    return found


def specification_rows(specification: Specification) -> Rows:
    """The rows of every table, of one version."""
    spec = specification.spec
    if isinstance(spec, spec0.Spec):
        found, version = rows0(spec), version0(spec)
    else:
        found, version = rows1(spec), version1(spec)
    sums = [source.sha256 for source in specification.sources]
    common: Row = {
        "title": spec.title,
        "package": spec.package,
        "files": [source.name for source in specification.sources],
        "file_sha256s": sums,
    }
    found["spec_versions"] = [common | version]
    key = {"version": spec.version, "source_sha256": source_sha256(sums)}
    return {
        table: [{**key, "ordinal": ordinal, **row} for ordinal, row in enumerate(rows)]
        for table, rows in found.items()
    }


def source_sha256(sums: list[str]) -> str:
    """One sum for all files of a specification: that of its file; of several, the sum of the lines of their sums."""
    if len(sums) == 1:
        return sums[0]
    return hashlib.sha256("".join(f"{each}\n" for each in sums).encode()).hexdigest()


# A note in each file: what its rows were made of. Reading the specifications takes seconds, comparing this does not.
_NOTE = b"amqp-codegen specifications"
# What decides what the rows are, besides the specifications and the version.
_OWN_CODE = ("built_in.py", "columns.py", "amqp0/rows.py", "amqp1/rows.py")


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
    yield from ((Path(__file__).parent / name).read_bytes() for name in _OWN_CODE)


def _parquet(rows: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(rows, sink, compression="zstd")
    return sink.getvalue()
