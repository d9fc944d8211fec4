"""The built-in specifications as rows of tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ...model import spec0
from ...passes.read_specification import Specification, read_specification
from ...spec.inputs import resolve_input
from .spec_row import Row, Rows
from .spec_rows0 import rows0, version0
from .spec_rows1 import rows1, version1
from .spec_schemas import SPEC_TABLES

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
