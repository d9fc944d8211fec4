"""From a target (specification files and options) to the text of a package."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import __version__
from ..model.problem import Problem, SpecError
from ..model.raw0 import RawSource
from ..passes.amqp0.resolve import resolve_amqp0
from ..passes.amqp1.resolve import resolve_amqp1
from ..resources import specs_dir, templates_dir
from ..spec.element import Element
from ..spec.load import has_errors, load_amqp0, load_amqp1, read_document
from ..spec.versions import identify
from ..spec.wire import read_wire
from ..spec.wire1 import read_wire1
from .amqp0.context import amqp0_files
from .amqp1.context import amqp1_files
from .amqp1.primitives import missing_encodings
from .environment import make_environment
from .header import file_header
from .plan import PlannedFile
from .render import Progress, render_files

# ASCII only: Python normalises other names on import, so the folder might not be found.
_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Target:
    """One package to generate.

    Attributes:
        files: The specification files.
        overlays: Overlay files, applied in order.
        package: The name of the package; empty for the version's own.
        dialect: The default field-table dialect; empty for the version's own.
        templates: A folder of the user's own templates, or None.
    """

    files: tuple[Path, ...]
    overlays: tuple[Path, ...] = ()
    package: str = ""
    dialect: str = ""
    templates: Path | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated package.

    Attributes:
        package: Its name.
        files: Path, starting with the name of the package, to text.
        warnings: What is odd in the specification.
    """

    package: str
    files: dict[str, str]
    warnings: tuple[Problem, ...]


def generate(target: Target, progress: Progress) -> Generated:
    """Reads, resolves and renders; touches no output folder.

    Raises:
        SpecError: Anything is wrong with the input; carries every problem found.
    """
    _check_options(target)
    version = identify(_first_document(target))
    if isinstance(version, Problem):
        raise SpecError([version])
    plan = _plan_amqp1(target) if version.family == "amqp1" else _plan_amqp0(target, version.name)
    header = file_header(__version__, plan.sources, plan.options)
    variables = {"header": header, "generator_version": __version__}
    environment = make_environment(templates_dir(), target.templates)
    files = render_files(environment, plan.files, variables, progress)
    return Generated(plan.package, files, plan.warnings)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be rendered for a target, whatever family it is of."""

    package: str
    files: list[PlannedFile]
    sources: Sequence[RawSource]
    options: Sequence[tuple[str, str]]
    warnings: tuple[Problem, ...]


def _plan_amqp0(target: Target, version: str) -> _Plan:
    if len(target.files) > 1:
        names = ", ".join(path.name for path in target.files)
        raise SpecError([Problem("one-file", f"a specification of this family is one file, not {names}")])
    wire = read_wire(*_wire_file())
    raw, warnings = load_amqp0(target.files[0], target.overlays)
    spec, problems = resolve_amqp0(raw, version, wire, target.dialect)
    warnings += problems
    if spec is None or has_errors(problems):
        raise SpecError(warnings)
    package = target.package or spec.package
    options = [("package", package), ("dialect", spec.dialect.name)]
    return _Plan(package, amqp0_files(spec, package), raw.sources, options, tuple(warnings))


def _plan_amqp1(target: Target) -> _Plan:
    if target.dialect:
        message = f"AMQP 1.0 has no field tables, so no dialect {target.dialect!r}"
        raise SpecError([Problem("no-dialects", message, None, "leave the dialect out")])
    wire = read_wire1(*_wire_file())
    raw, warnings = load_amqp1(target.files, target.overlays)
    spec, problems = resolve_amqp1(raw)
    warnings += problems
    if spec is None or has_errors(problems):
        raise SpecError(warnings)
    problems = missing_encodings(spec)
    if problems:
        raise SpecError([*warnings, *problems])
    package = target.package or spec.package
    files = amqp1_files(spec, package, wire)
    return _Plan(package, files, raw.sources, [("package", package)], tuple(warnings))


def _wire_file() -> tuple[bytes, str]:
    path = specs_dir() / "wire.toml"
    return path.read_bytes(), path.name


def _first_document(target: Target) -> Element:
    """The document that tells the version; if it cannot be read, the others that cannot be are told as well."""
    problems: list[Problem] = []
    for path in (*target.files, *target.overlays):
        try:
            root, _ = read_document(path)
        except SpecError as error:
            problems += error.problems
        else:
            if not problems:
                return root
    raise SpecError(problems)


def _check_options(target: Target) -> None:
    problems = []
    if target.package and (not _PACKAGE.fullmatch(target.package) or keyword.iskeyword(target.package)):
        message = f"{target.package!r} is no name for a package"
        problems.append(Problem("bad-package", message, None, "use a Python identifier"))
    if target.templates is not None and not os.path.isdir(target.templates):
        message = f"there is no folder of templates {str(target.templates)!r}"
        problems.append(Problem("no-such-folder", message))
    if problems:
        raise SpecError(problems)
