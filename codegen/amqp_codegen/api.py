"""The generator as a library: the commands of ``amqp-codegen`` as functions of the same names.

They raise ``SpecError`` where the commands print problems; it carries every problem found, with its position and a
hint. They are not in ``amqp_codegen`` itself, where ``lint``, ``diff`` and ``model`` are packages.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from .model.problem import Problem, SpecError
from .reader.inputs import BUILT_IN, Inputs, gather_inputs

# Each function imports what it needs, so that reading a specification does not load the templates.
if TYPE_CHECKING:
    from .decode.annotation import Annotation as Annotation  # noqa: PLC0414
    from .decode.reading import Reading as Reading  # noqa: PLC0414
    from .decode.text_view import Piece
    from .diff.change import ConceptMap, SpecComparison
    from .emit.target import Generated
    from .lint.run import LintOutcome
    from .lint.silence import Silence
    from .model.amqp0.arguments import ArgumentTable
    from .resolve.specification import Specification as Specification  # noqa: PLC0414

__all__ = [
    "BUILT_IN",
    "Inputs",
    "Problem",
    "SpecError",
    "decode",
    "diff",
    "generate",
    "generate_project",
    "guide_addresses",
    "import_package",
    "known_arguments",
    "lint",
    "load",
    "model",
    "view",
]

# A file, a folder or a built-in name; several are the parts of one specification (1.0 only). ``Inputs`` are files that
# were found already.
Source: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Inputs"


def load(
    spec: Source, *, overlays: Iterable[str | os.PathLike[str]] = (), dialect: str = ""
) -> Specification:
    """Load a specification and resolve it.

    Args:
        spec: A file, a folder or a built-in name: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0,
            1.0-rabbitmq; or several files of 1.0.
        overlays: Files that change it, applied in order.
        dialect: The default field-table dialect of a 0-x version; empty for the version's own.

    Raises:
        SpecError: It is wrong or missing.
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
    force: bool = False,
    use_cache: bool = True,
) -> Generated:
    """Generate the package of a specification.

    Args:
        spec: As for ``load``.
        output: The folder to write to; files of an earlier run that are no longer generated are removed. None writes
            nothing.
        package: The name of the package; empty for the version's own.
        overlays: Files that change the specification, applied in order.
        dialect: The default field-table dialect of a 0-x version; empty for the version's own.
        templates: A folder of your own templates.
        emit: What to generate: ``codecs``, ``client``, ``columns``, ``conformance``, ``native``, targets of your templates;
            None for codecs, client and all of these targets.
        force: Overwrite files that are not ours.
        use_cache: Use what was computed before, as the command does; ``docs/command-line.md`` says where it is.

    Returns:
        The text of each file by its path, and the warnings.

    Raises:
        SpecError: There is an error; then nothing was written.
    """
    from .emit.run import generate_into
    from .emit.target import Target, silent
    from .support.cache import Cache, open_cache

    inputs = _inputs(spec, overlays)
    own = None if templates is None else Path(templates)
    emitted = None if emit is None else tuple(emit)
    target = Target(inputs.files, inputs.overlays, package, dialect, own, emitted)
    cache = open_cache() if use_cache else Cache()
    if output is not None:
        return generate_into([target], Path(output), cache, silent, force)[0]
    from .emit.generate import generate as generate_target

    return generate_target(target, cache)


def generate_project(
    pyproject: str | os.PathLike[str] = "pyproject.toml", *, force: bool = False, use_cache: bool = True
) -> tuple[Path, list[Generated]]:
    """Generate the targets of a project, as the command without arguments does.

    Args:
        pyproject: The file with the table ``[tool.amqp-codegen]``, to which paths in it are relative.
        force: As for ``generate``.
        use_cache: As for ``generate``.

    Returns:
        The folder that was written to, and for each target what ``generate`` returns.

    Raises:
        SpecError: There is an error; then nothing was written.
    """
    from .emit.run import generate_into
    from .emit.target import silent
    from .emit.targets import read_targets
    from .support.cache import Cache, open_cache

    output, targets = read_targets(Path(pyproject))
    cache = open_cache() if use_cache else Cache()
    return output, generate_into(targets, output, cache, silent, force)


def import_package(specification: Specification) -> ModuleType:
    """Generate the package of a specification, codec and client, and import it; nothing is written.

    Raises:
        SpecError: The specification lacks encodings that a codec needs.
    """
    from .emit.own_package import own_package
    from .support.resources import load_package

    return load_package(own_package(specification.spec, has_client=True))


def lint(
    *specs: Source, overlays: Iterable[str | os.PathLike[str]] = (), silences: Sequence[Silence] = ()
) -> LintOutcome:
    """Find errors and oddities in specifications.

    Args:
        specs: Each as for ``load``; all files of 1.0 are taken as one specification.
        overlays: Files that change each of them.
        silences: Findings to omit, besides those that the files silence, and ours in the built-in ones.

    Raises:
        SpecError: A file, folder or built-in name does not exist.
    """
    from .lint.run import lint as lint_inputs
    from .lint.silence import built_in_silences

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
    """Compare two specifications: changes within a family, corresponding concepts between families."""
    from .diff.compare import compare

    return compare(old, new)


def model(specification: Specification) -> dict[str, Any]:
    """Return a specification as JSON data, in the format that ``docs/model.md`` describes."""
    from .export.model_json import model_document

    return model_document(specification)


def guide_addresses(specification: Specification) -> dict[str, str]:
    """Return where rules are in the reference guide: path to address, relative to the guide's folder.

    In 1.0 the names of the parts have theirs, too.
    """
    from .reference.addresses import guide_addresses as addresses

    return addresses(specification.spec)


def known_arguments() -> ArgumentTable:
    """Return the arguments that RabbitMQ knows in the tables of its methods, with the versions that do."""
    from .resolve.amqp0.arguments import built_in_arguments

    return built_in_arguments()


def decode(octets: bytes, specification: Specification, kind: str = "frames") -> Reading:
    """Read octets as annotations: each range with its name, type and value, an error at its place.

    Args:
        octets: Any octets.
        specification: The version.
        kind: ``frames``, ``method``, ``header``, ``table`` or ``value``; of 1.0 ``frames``, ``message`` or ``value``.

    Raises:
        ValueError: The version does not have this kind of thing.
    """
    from .decode.protocol_headers import known_headers
    from .decode.reading import kinds_of, read_as
    from .model.amqp1.spec import Spec as Spec1

    spec = specification.spec
    if kind not in kinds_of(spec):
        raise ValueError(f"AMQP {spec.version} has no {kind}; it has {', '.join(kinds_of(spec))}")
    return read_as(octets, spec, kind, known_headers(spec if isinstance(spec, Spec1) else None))


def view(reading: Reading, *, width: int = 110, in_full: bool = False) -> Iterator[list[Piece]]:
    """Yield the lines that the command ``decode`` prints, the titles first: each a list of texts and their styles.

    Args:
        reading: What ``decode`` returns.
        width: The columns that there are.
        in_full: Show all octets of long bodies, and the whole of long values.
    """
    from .decode.text_view import view_lines

    return view_lines(reading, lambda _: "", width, in_full)


def _inputs(spec: Source, overlays: Iterable[str | os.PathLike[str]]) -> Inputs:
    changes = [Path(overlay) for overlay in overlays]
    if isinstance(spec, Inputs):
        return Inputs(spec.files, (*spec.overlays, *changes))
    specs = [spec] if isinstance(spec, (str, os.PathLike)) else spec
    inputs, problems = gather_inputs([os.fspath(spec) for spec in specs], changes)
    if problems:
        raise SpecError(problems)
    return inputs
