"""From a target (specification files and options) to the text of a package."""

from __future__ import annotations

import keyword
import os
import re
from dataclasses import dataclass
from pathlib import Path

from .. import __version__
from ..model import spec0
from ..model.problem import Problem, SpecError
from ..passes.read_specification import Specification, read_specification
from ..resources import templates_dir, wire_file
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
    specification = read_specification(target.files, target.overlays, target.dialect)
    package = target.package or specification.spec.package
    options, planned = _plan(specification, package)
    header = file_header(__version__, specification.sources, options)
    variables = {"header": header, "generator_version": __version__}
    environment = make_environment(templates_dir(), target.templates)
    files = render_files(environment, planned, variables, progress)
    return Generated(package, files, specification.warnings)


def _plan(specification: Specification, package: str) -> tuple[list[tuple[str, str]], list[PlannedFile]]:
    """The options that the header names, and the files to render."""
    spec = specification.spec
    options = [("package", package)]
    if isinstance(spec, spec0.Spec):
        return [*options, ("dialect", spec.dialect.name)], amqp0_files(spec, package)
    problems = missing_encodings(spec)
    if problems:
        raise SpecError([*specification.warnings, *problems])
    return options, amqp1_files(spec, package, read_wire1(*wire_file()))


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
