"""The generator as a library: what the command line does, as functions.

What ``amqp-codegen`` prints as problems, these functions raise: ``SpecError`` carries every problem found, each with
its place and a hint. The names are those of the commands. They live here, not in ``amqp_codegen`` itself, where
``lint``, ``diff`` and ``model`` are packages.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .model.problem import Problem, SpecError
from .reader.inputs import Inputs, gather_inputs

# What a function needs it imports itself: who only reads a specification does not wait for templates.
if TYPE_CHECKING:
    from .diff.change import ConceptMap, SpecComparison
    from .emit.generate import Generated
    from .lint.run import LintOutcome
    from .lint.silence import Silence
    from .resolve.specification import Specification as Specification  # noqa: PLC0414

__all__ = ["Inputs", "Problem", "SpecError", "diff", "generate", "lint", "load", "model"]

# A file, a folder or a built-in name; several are the parts of one specification, which only 1.0 has. ``Inputs`` are
# files that were found already.
Source: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Inputs"


def load(
    spec: Source, *, overlays: Iterable[str | os.PathLike[str]] = (), dialect: str = ""
) -> Specification:
    """Read a specification and resolve what it means.

    Args:
        spec: A file, a folder or a built-in name: 0-8, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0; or several files of 1.0.
        overlays: Files that change it, applied in order.
        dialect: The default field-table dialect of a 0-x version; empty for the version's own.

    Raises:
        SpecError: It is wrong, or not there.
    """
    from .resolve.specification import read_specification

    inputs = _inputs(spec, overlays)
    return read_specification(inputs.files, inputs.overlays, dialect)


def generate(
    spec: Source,
    output: str | os.PathLike[str] | None = None,
    *,
    package: str = "",
    overlays: Iterable[str | os.PathLike[str]] = (),
    dialect: str = "",
    templates: str | os.PathLike[str] | None = None,
    emit: Sequence[str] | None = None,
) -> Generated:
    """Generate the package of a specification.

    Args:
        spec: As for ``load``.
        output: The folder to write to: what an earlier run left there and is no longer made goes. None to write nothing.
        package: The name of the package; empty for the version's own.
        overlays: Files that change the specification, applied in order.
        dialect: The default field-table dialect of a 0-x version; empty for the version's own.
        templates: A folder of your own templates.
        emit: What to generate: ``codecs``, ``conformance``, targets of your templates; None for the codecs and all
            of these targets.

    Returns:
        The text of each file by its path, and the warnings.

    Raises:
        SpecError: Anything is wrong; nothing was written then.
    """
    from .emit.all_targets import generate_all, write
    from .emit.generate import Target

    inputs = _inputs(spec, overlays)
    own = None if templates is None else Path(templates)
    emitted = None if emit is None else tuple(emit)
    target = Target(inputs.files, inputs.overlays, package, dialect, own, emitted)
    generated, _ = generate_all([target], lambda _path: None)
    if output is not None:
        write(generated, Path(output))
    return generated[0]


def lint(
    *specs: Source, overlays: Iterable[str | os.PathLike[str]] = (), silences: Sequence[Silence] = ()
) -> LintOutcome:
    """Look for what is wrong or odd in specifications.

    Args:
        specs: Each as for ``load``; all files of 1.0 are taken as one specification.
        overlays: Files that change each of them.
        silences: What is not to be told, besides what the files themselves silence, and what we do in the built-in ones.

    Raises:
        SpecError: Something that is named is not there.
    """
    from .lint.run import lint as lint_inputs
    from .lint.silence_tables import built_in_silences

    changes = list(overlays)
    inputs: list[Inputs] = []
    problems: list[Problem] = []
    for spec in specs:
        try:
            inputs.append(_inputs(spec, changes))
        except SpecError as error:
            problems += error.problems
    if problems:
        raise SpecError(problems)
    return lint_inputs(inputs, [*silences, *built_in_silences()])


def diff(old: Specification, new: Specification) -> SpecComparison | ConceptMap:
    """Find what differs between two specifications: changes within a family, what stands for what between families."""
    from .diff.compare import compare

    return compare(old, new)


def model(specification: Specification) -> dict[str, Any]:
    """Return what a specification means as JSON has it, in the format that ``docs/model.md`` describes."""
    from .export.model_json import model_document

    return model_document(specification)


def _inputs(spec: Source, overlays: Iterable[str | os.PathLike[str]]) -> Inputs:
    changes = [Path(each) for each in overlays]
    if isinstance(spec, Inputs):
        return Inputs(spec.files, (*spec.overlays, *changes))
    specs = [spec] if isinstance(spec, (str, os.PathLike)) else spec
    inputs, problems = gather_inputs([os.fspath(each) for each in specs], changes)
    if problems:
        raise SpecError(problems)
    return inputs
