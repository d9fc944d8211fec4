"""Generate the files of one or several targets, compare them with a folder, write them."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import __version__
from ..model.amqp0 import spec as spec0
from ..model.problem import Problem, Problems, SpecError
from ..resolve.amqp1.wire import read_wire1
from ..resolve.specification import Specification, read_specification
from ..support.resources import templates_dir, wire_file
from ..support.wording import did_you_mean, listing, quote
from .amqp0.context import amqp0_files
from .amqp0.suite import amqp0_suite
from .amqp1.context import amqp1_files
from .amqp1.primitives import missing_encodings
from .amqp1.suite import amqp1_suite
from .compare import Drift, Leftovers, compare
from .environment import make_environment
from .manifest import OwnFile, read_manifest
from .own_files import chosen_files, own_leftovers, own_planned_files, refuse_clashes
from .publish import publish
from .render import PlannedFile, Progress, render_files
from .source_text import file_header
from .suite import Suite, suite_files, suite_folder

# ASCII only: Python normalises other names on import, and may then not find the folder.
_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

CODECS, CONFORMANCE = "codecs", "conformance"
EMITTED = (CODECS, CONFORMANCE)


@dataclass(frozen=True, slots=True)
class Target:
    """One package to generate.

    Attributes:
        overlays: Overlay files, applied in order.
        package: The name of the package; if empty, the default of the version.
        dialect: The default field-table dialect; if empty, the default of the version.
        emit: What to generate: items of ``EMITTED`` (the package, the suite that tests it) and targets of the
            user's templates. None generates the package and all of the user's targets.
    """

    files: tuple[Path, ...]
    overlays: tuple[Path, ...] = ()
    package: str = ""
    dialect: str = ""
    templates: Path | None = None
    emit: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """The generated files of a target: package, suite, and files of the user's templates.

    Attributes:
        folders: The folders that hold only generated files, relative to the output folder.
        files: Text by path relative to the output folder.
        leftovers: How to recognise files of the user's own targets that are no longer generated.
    """

    package: str
    folders: tuple[str, ...]
    files: dict[str, str]
    warnings: tuple[Problem, ...]
    leftovers: tuple[Leftovers, ...] = ()


def generate(target: Target, progress: Progress) -> Generated:
    """Read, resolve and render; write nothing.

    Raises:
        SpecError: The input is invalid; carries every problem found.
    """
    own = _check_options(target)
    specification = read_specification(target.files, target.overlays, target.dialect)
    spec, package = specification.spec, target.package or specification.spec.package
    chosen = chosen_files(own, target.emit, spec)
    emit = (CODECS,) if target.emit is None else target.emit
    options = [("dialect", spec.dialect.name)] if isinstance(spec, spec0.Spec) else []
    planned = _plan(specification, package, emit)
    extra = own_planned_files(chosen, specification, package, __version__, options)
    refuse_clashes(extra, planned)
    header = file_header(__version__, specification.sources, [("package", package), *options])
    variables = {"header": header, "generator_version": __version__}
    environment = make_environment(templates_dir(), target.templates)
    files = render_files(environment, [*planned, *extra], variables, progress)
    folders = {CODECS: package, CONFORMANCE: suite_folder(package)}
    emitted = tuple(folders[each] for each in EMITTED if each in emit)
    leftovers = own_leftovers(chosen, package, spec.version)
    return Generated(package, emitted, files, specification.warnings, leftovers)


def _plan(specification: Specification, package: str, emit: Collection[str]) -> list[PlannedFile]:
    """Return the files of the package and its suite."""
    spec = specification.spec
    suite: Suite | None = None
    if isinstance(spec, spec0.Spec):
        files = amqp0_files(spec, package) if CODECS in emit else []
        suite = amqp0_suite(spec) if CONFORMANCE in emit else None
    else:
        problems = missing_encodings(spec)
        if problems and {CODECS, CONFORMANCE} & set(emit):
            raise SpecError([*specification.warnings, *problems])
        wire = read_wire1(*wire_file())
        files = amqp1_files(spec, package, wire) if CODECS in emit else []
        suite = amqp1_suite(spec, wire) if CONFORMANCE in emit else None
    if suite is not None:
        files += suite_files(suite, spec, package, specification.sources)
    return files


def _check_options(target: Target) -> tuple[OwnFile, ...]:
    """Check the options of a target; return the files that the manifest of the user's templates names.

    Raises:
        SpecError: The manifest or another option is invalid.
    """
    problems: list[Problem] = []
    own: tuple[OwnFile, ...] = ()
    if target.templates is not None and not os.path.isdir(target.templates):
        message = f"there is no folder of templates {str(target.templates)!r}"
        problems.append(Problem("no-such-folder", message))
    elif target.templates is not None:
        own = read_manifest(target.templates, EMITTED)
    problems += _emit_problems(target, own)
    if target.package and (not _PACKAGE.fullmatch(target.package) or keyword.iskeyword(target.package)):
        message = f"{target.package!r} is not a valid name for a package"
        problems.append(Problem("bad-package", message, None, "use a Python identifier"))
    if problems:
        raise SpecError(problems)
    return own


def _emit_problems(target: Target, own: Sequence[OwnFile]) -> list[Problem]:
    if target.emit is None:
        return []
    problems = []
    known = (*EMITTED, *dict.fromkeys(each.target for each in own))
    if not target.emit:
        message = "nothing is to be emitted"
        problems.append(Problem("bad-emit", message, None, f"name one or several of {listing(known)}"))
    for each in target.emit:
        if each not in known:
            hint = did_you_mean(each, known) or f"known are {listing(known)}"
            problems.append(Problem("bad-emit", f"{quote(each)} is nothing that can be emitted", None, hint))
    if target.package == CONFORMANCE and CONFORMANCE in target.emit:
        message = f"a package cannot be called {CONFORMANCE!r} where suites are in a folder of that name"
        problems.append(Problem("bad-package", message, None, "choose another name"))
    return problems


def generate_all(targets: Sequence[Target], progress: Progress) -> tuple[list[Generated], Problems]:
    """Generate targets; return the packages and the warnings.

    Raises:
        SpecError: A target is invalid; carries the problems of all targets.
    """
    generated: list[Generated] = []
    problems = Problems()
    for target in targets:
        try:
            generated.append(generate(target, progress))
        except SpecError as error:
            problems.extend(error.problems)
        else:
            problems.extend(generated[-1].warnings)
    if len(generated) < len(targets):
        raise SpecError(problems)
    _refuse_same_package(generated, problems)
    return generated, problems


def drift_of(generated: Sequence[Generated], output: Path) -> Drift:
    """Return the differences between a folder and the generated files."""
    folders = [folder for package in generated for folder in package.folders]
    leftovers = [pattern for package in generated for pattern in package.leftovers]
    return compare(output, _files(generated), folders, leftovers)


def write(generated: Sequence[Generated], output: Path) -> Drift:
    """Write the generated files into a folder; return the differences that it had before.

    Raises:
        SpecError: The folder cannot be written to.
    """
    drift = drift_of(generated, output)
    if drift:
        publish(output, _files(generated), drift)
    return drift


def _files(generated: Sequence[Generated]) -> dict[str, str]:
    return {path: text for package in generated for path, text in package.files.items()}


def _refuse_same_package(generated: Sequence[Generated], problems: Problems) -> None:
    texts: dict[str, str] = {}
    folders: set[str] = set()
    for each in generated:
        if folders & set(each.folders):
            message = f"two targets have the package {each.package!r}"
            problem = Problem("same-package", message, None, "name one with package")
            raise SpecError([*problems, problem])
        folders |= set(each.folders)
        for path, text in each.files.items():
            # Files that all suites share have the same text in each.
            if texts.setdefault(path, text) != text:
                message = f"two targets make the file {quote(path)}"
                hint = "write {package} into its path in templates.toml"
                raise SpecError([*problems, Problem("same-package", message, None, hint)])
