"""The built-in specifications as tables of a lake: ``LAKE/spec_*/part-0.parquet``, the same for all captures."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_codegen import __version__
from amqp_codegen.api import BUILT_IN, load
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.support.resources import specs_dir

from ..arrow_types import arrow_schema
from ..folder import Lake
from .amqp0.rows import rows_of as rows0
from .amqp0.rows import version_of as version0
from .amqp1.rows import rows_of as rows1
from .amqp1.rows import version_of as version1
from .columns import SPEC_TABLES, Row, Rows

if TYPE_CHECKING:
    from amqp_codegen.api import Specification


def built_in_specifications() -> Iterator[Specification]:
    """Read all of them, which takes a second."""
    for name in BUILT_IN:
        yield load(name)


def built_in_rows() -> Rows:
    """Return the rows of every table, one version after the other."""
    tables: Rows = {table: [] for table in SPEC_TABLES}
    for specification in built_in_specifications():
        for table, rows in specification_rows(specification).items():
            tables[table] += rows
    return tables


def specification_rows(specification: Specification) -> Rows:
    """Return the rows of every table for one version."""
    spec = specification.spec
    if isinstance(spec, spec0.Spec):
        tables, version = rows0(spec), version0(spec)
    else:
        tables, version = rows1(spec), version1(spec)
    sums = [source.sha256 for source in specification.sources]
    common: Row = {
        "title": spec.title,
        "package": spec.package,
        "files": [source.name for source in specification.sources],
        "file_sha256s": sums,
    }
    tables["spec_versions"] = [common | version]
    key = {"version": spec.version, "source_sha256": source_sha256(sums)}
    return {
        table: [{**key, "ordinal": ordinal, **row} for ordinal, row in enumerate(rows)]
        for table, rows in tables.items()
    }


def source_sha256(sums: list[str]) -> str:
    """Return one sum for a specification: that of its file, or for several files that of the lines of their sums."""
    if len(sums) == 1:
        return sums[0]
    return hashlib.sha256("".join(f"{file_sum}\n" for file_sum in sums).encode()).hexdigest()


# Metadata of each file: a fingerprint of what its rows were made from. Comparing it is faster than reading specifications.
_ORIGIN_KEY = b"amqp-codegen specifications"
# Modules that determine the rows, besides the specifications and the version.
_ROW_CODE = ("built_in.py", "columns.py", "amqp0/rows.py", "amqp1/rows.py")


def write_specifications(lake: Lake) -> list[str]:
    """Write the tables that are missing or outdated. Return their names."""
    fingerprint = _fingerprint().encode()
    missing = [table for table in SPEC_TABLES if _origin_of(lake, _path(table)) != fingerprint]
    if missing:
        rows = built_in_rows()
        for table in missing:
            schema = arrow_schema(SPEC_TABLES[table]).with_metadata({_ORIGIN_KEY: fingerprint})
            lake.replace_file(_path(table), _parquet(pa.Table.from_pylist(rows[table], schema=schema)))
    return missing


def _path(table: str) -> str:
    return f"{table}/part-0.parquet"


def _origin_of(lake: Lake, path: str) -> bytes | None:
    """Return the fingerprint in a file; None if the file is missing, damaged or not ours."""
    if path not in lake.files(path.partition("/")[0]):
        return None
    try:
        schema = pq.read_schema(f"{lake.root}/{path}", filesystem=lake.filesystem)
    except (pa.ArrowException, OSError):
        return None
    fingerprint: bytes | None = (schema.metadata or {}).get(_ORIGIN_KEY)
    return fingerprint


def _fingerprint() -> str:
    digest = hashlib.sha256(__version__.encode())
    for octets in _origins():
        digest.update(hashlib.sha256(octets).digest())
    return digest.hexdigest()


def _origins() -> Iterator[bytes]:
    yield from (path.read_bytes() for path in sorted(specs_dir().rglob("*")) if path.is_file())
    yield from ((Path(__file__).parent / name).read_bytes() for name in _ROW_CODE)


def _parquet(rows: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(rows, sink, compression="zstd")
    return sink.getvalue()
