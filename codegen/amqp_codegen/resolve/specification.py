"""From specification files to the resolved model, whatever family they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.amqp0 import spec as spec0
from ..model.amqp0.raw import RawSource
from ..model.amqp1 import spec as spec1
from ..model.problem import Problem, SpecError
from ..reader.element import Element
from ..reader.load import has_errors, load_amqp0, load_amqp1, read_document
from ..reader.versions import identify
from ..support.resources import wire_file
from .amqp0.passes import resolve_amqp0
from .amqp0.wire import read_wire
from .amqp1.passes import resolve_amqp1


@dataclass(frozen=True, slots=True)
class Specification:
    """A resolved specification and where it comes from.

    Attributes:
        spec: What it means; the type tells the family.
        sources: The files it was read from, overlays last.
        warnings: What is odd in it.
    """

    spec: spec0.Spec | spec1.Spec
    sources: Sequence[RawSource]
    warnings: tuple[Problem, ...]


def read_specification(
    files: Sequence[Path], overlays: Sequence[Path] = (), dialect: str = ""
) -> Specification:
    """Reads and resolves.

    Args:
        files: The files of one specification; several only for 1.0.
        overlays: Overlay files, applied in order.
        dialect: The default field-table dialect of a 0-x version; empty for the version's own.

    Raises:
        SpecError: Anything is wrong with the input; carries every problem found.
    """
    version = identify(_first_document(files, overlays))
    if isinstance(version, Problem):
        raise SpecError([version])
    if version.family == "amqp1":
        return _read_amqp1(files, overlays, dialect)
    return _read_amqp0(files, overlays, dialect, version.name)


def _read_amqp0(files: Sequence[Path], overlays: Sequence[Path], dialect: str, version: str) -> Specification:
    if len(files) > 1:
        names = ", ".join(path.name for path in files)
        raise SpecError([Problem("one-file", f"a specification of this family is one file, not {names}")])
    wire = read_wire(*wire_file())
    raw, warnings = load_amqp0(files[0], overlays)
    spec, problems = resolve_amqp0(raw, version, wire, dialect)
    warnings += problems
    if spec is None or has_errors(problems):
        raise SpecError(warnings)
    return Specification(spec, raw.sources, tuple(warnings))


def _read_amqp1(files: Sequence[Path], overlays: Sequence[Path], dialect: str) -> Specification:
    if dialect:
        message = f"AMQP 1.0 has no field tables, so no dialect {dialect!r}"
        raise SpecError([Problem("no-dialects", message, None, "leave the dialect out")])
    raw, warnings = load_amqp1(files, overlays)
    spec, problems = resolve_amqp1(raw)
    warnings += problems
    if spec is None or has_errors(problems):
        raise SpecError(warnings)
    return Specification(spec, raw.sources, tuple(warnings))


def _first_document(files: Sequence[Path], overlays: Sequence[Path]) -> Element:
    """The document that tells the version; if it cannot be read, the others that cannot be are told as well."""
    problems: list[Problem] = []
    for path in (*files, *overlays):
        try:
            root, _ = read_document(path)
        except SpecError as error:
            problems += error.problems
        else:
            if not problems:
                return root
    raise SpecError(problems)
