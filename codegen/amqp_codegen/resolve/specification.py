"""Specification files to the resolved model, for both families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.amqp0 import raw as raw0
from ..model.amqp0 import spec as spec0
from ..model.amqp0.raw import RawSource
from ..model.amqp1 import raw as raw1
from ..model.amqp1 import spec as spec1
from ..model.problem import Problem, Problems, SpecError
from ..reader.inputs import Inputs
from ..reader.load import Documents, load
from ..reader.overlay_causes import with_causes
from ..support.resources import wire_file
from .amqp0.passes import Resolution as Resolution0
from .amqp0.passes import resolve_amqp0
from .amqp0.wire import read_wire
from .amqp1.passes import Resolution as Resolution1
from .amqp1.passes import resolve_amqp1
from .amqp1.wire import read_wire1


@dataclass(frozen=True, slots=True)
class Specification:
    """A resolved specification and its source files.

    Attributes:
        spec: The resolved model; its class tells the family.
        sources: The files it was read from, overlays last.
        warnings: Problems that are not errors.
    """

    spec: spec0.Spec | spec1.Spec
    sources: Sequence[RawSource]
    warnings: tuple[Problem, ...]


def read_specification(
    files: Sequence[Path],
    overlays: Sequence[Path] = (),
    dialect: str = "",
    documents: Documents | None = None,
) -> Specification:
    """Load and resolve a specification.

    Args:
        files: The files of one specification; several for 1.0 only.
        overlays: Overlay files, applied in order.
        dialect: The default field-table dialect of a 0-x version; empty for the version's own.
        documents: The files read so far, for runs that read some of them several times.

    Raises:
        SpecError: With every problem found, if one is an error.
    """
    loaded = load(Inputs(tuple(files), tuple(overlays)), documents)
    if dialect and loaded.version.family == "amqp1":
        message = f"AMQP 1.0 has no field tables, so no dialect {dialect!r}"
        raise SpecError([Problem("no-dialects", message, None, "leave the dialect out")])
    problems = Problems(loaded.problems)
    if problems.has_errors or loaded.raw is None:
        raise SpecError(problems)
    resolution = resolve(loaded.raw, dialect)
    problems.extend(resolution.problems)
    if resolution.spec is None:
        raise SpecError(with_causes(problems, loaded.removals))
    return Specification(resolution.spec, loaded.sources, tuple(problems))


def resolve(raw: raw0.RawSpec | raw1.RawSpec, dialect: str = "") -> Resolution0 | Resolution1:
    """Resolve a raw specification of either family; ``dialect`` as in ``read_specification``."""
    if isinstance(raw, raw0.RawSpec):
        return resolve_amqp0(raw, read_wire(*wire_file()), dialect)
    return resolve_amqp1(raw, read_wire1(*wire_file()))
