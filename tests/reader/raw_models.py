"""Specifications as they are read, for tests: raw, not resolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp0.raw import RawSource, RawSpec
from amqp_codegen.model.amqp0.wire import Wire
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.model.amqp1.raw import RawSpec as RawSpec1
from amqp_codegen.model.problem import Problem, Problems, SpecError
from amqp_codegen.reader.amqp0.raw_model import read_amqp0
from amqp_codegen.reader.element import Element
from amqp_codegen.reader.inputs import Inputs
from amqp_codegen.reader.load import Document, Loaded, assemble, load
from amqp_codegen.reader.versions import KnownVersion, identify
from amqp_codegen.resolve.amqp0.passes import resolve_amqp0
from amqp_codegen.resolve.amqp1.passes import resolve_amqp1
from amqp_codegen.resolve.amqp1.wire import read_wire1
from amqp_codegen.support.resources import wire_file


def load_amqp0(spec: Path, overlays: Sequence[Path] = ()) -> tuple[RawSpec, list[Problem]]:
    """Load one file and its overlays; return what it says and the warnings."""
    loaded = load_usable([spec], overlays)
    assert isinstance(loaded.raw, RawSpec)
    return loaded.raw, list(loaded.problems)


def load_amqp1(files: Sequence[Path], overlays: Sequence[Path] = ()) -> tuple[RawSpec1, list[Problem]]:
    """Load the parts of 1.0 and their overlays; return what they say and the warnings."""
    loaded = load_usable(files, overlays)
    assert isinstance(loaded.raw, RawSpec1)
    return loaded.raw, list(loaded.problems)


def load_usable(files: Sequence[Path], overlays: Sequence[Path] = ()) -> Loaded:
    """Load what can be resolved.

    Raises:
        SpecError: It has errors.
    """
    loaded = load(Inputs(tuple(files), tuple(overlays)))
    if loaded.raw is None or Problems(loaded.problems).has_errors:
        raise SpecError(loaded.problems)
    return loaded


def read_tree(root: Element, sources: tuple[RawSource, ...] = ()) -> tuple[RawSpec | None, list[Problem]]:
    """Read a 0-x tree, or say why it is none."""
    version = identify(root)
    if isinstance(version, Problem):
        return None, [version]
    problems = Problems()
    return read_amqp0(root, version.name, sources, problems), list(problems)


def read_trees(
    roots: Sequence[Element], sources: tuple[RawSource, ...] = ()
) -> tuple[RawSpec1 | None, list[Problem]]:
    """Read the trees of 1.0; of what is no such tree, say so."""
    source = sources[0] if sources else RawSource("", "")
    files = [Document(root, source, identify(root)) for root in roots]
    loaded = assemble(KnownVersion("1.0", "amqp1"), files, ())
    if loaded.raw is None:
        return None, list(loaded.problems)
    assert isinstance(loaded.raw, RawSpec1)
    return replace(loaded.raw, sources=sources), list(loaded.problems)


def resolved_amqp0(raw: RawSpec, wire: Wire, dialect: str = "") -> tuple[spec0.Spec | None, list[Problem]]:
    """Resolve a 0-x specification."""
    resolution = resolve_amqp0(raw, wire, dialect)
    assert resolution.spec is None or isinstance(resolution.spec, spec0.Spec)
    return resolution.spec, list(resolution.problems)


def resolved_amqp1(raw: RawSpec1) -> tuple[spec1.Spec | None, list[Problem]]:
    """Resolve a 1.0 specification."""
    resolution = resolve_amqp1(raw, read_wire1(*wire_file()))
    assert resolution.spec is None or isinstance(resolution.spec, spec1.Spec)
    return resolution.spec, list(resolution.problems)
