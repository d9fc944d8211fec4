"""The project that is being built: generate its targets, and check that its wheel holds them.

Backends run in the folder of the project, so all paths here are relative to it. Errors are printed as the command
prints them, and end the build: ``SystemExit`` passes through every backend without a traceback.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from ..api import generate_project
from ..model.problem import Problem, SpecError
from ..support.command_line import print_problems, say
from ..support.toml_table import RULE_ID, read_toml
from ..support.wording import counted, listing, quote

PYPROJECT = Path("pyproject.toml")
_OWN_NAME = re.compile(r"\s*amqp[-_.]+codegen(?![\w.-])", re.IGNORECASE)


def is_required_to_build() -> bool:
    """Return whether ``build-system.requires`` of the project names the generator.

    Setuptools and PDM call the plugins of every installed package; this tells the projects that ask for it.
    """
    try:
        document, _ = read_toml(PYPROJECT, RULE_ID)
    except (FileNotFoundError, SpecError):
        return False  # the backend has its own message
    system = document.get("build-system")
    requires = system.get("requires") if isinstance(system, dict) else None
    return isinstance(requires, list) and any(_OWN_NAME.match(str(archetype)) for archetype in requires)


def generate_packages() -> list[Path]:
    """Generate the targets of the project; return the files of all packages.

    Suites and files of the project's own templates are generated, too, but need not be in a wheel.
    """
    try:
        output, generated = generate_project(PYPROJECT)
    except SpecError as error:
        _stop(error)
    print_problems(problem for package in generated for problem in package.warnings)
    files = []
    for package in generated:
        own = [path for path in package.files if path.startswith(f"{package.package}/")]
        say(f"amqp-codegen: {output / package.package} has {counted(len(own), 'generated file')}", error=True)
        files += [output / path for path in own]
    return files


def source_files() -> list[Path]:
    """Return the files of the project that its targets are generated from: they belong into its sdist."""
    from ..emit.targets import read_targets

    try:
        _, targets = read_targets(PYPROJECT)
    except SpecError as error:
        _stop(error)
    files: list[Path] = []
    for target in targets:
        files += [*target.files, *target.overlays]
        files += _files_in(target.templates) if target.templates else ()
    # Built-in specifications are outside of the project: their paths are absolute.
    return sorted({path for path in files if not path.is_absolute()})


def require_in_wheel(files: Collection[Path], wheel: Path, hint: str) -> None:
    """Check that a wheel has all files; if not, remove it and end the build.

    Args:
        files: Paths in the project; a wheel names them from one of their folders on.
        wheel: The file.
        hint: How to make the backend include them.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    missing = [path for path in files if not _tails(path) & names]
    if missing:
        wheel.unlink()
        message = (
            f"the wheel would lack {counted(len(missing), 'generated file')},"
            f" for example {quote(missing[0].as_posix())}"
        )
        _stop(SpecError([Problem("not-in-wheel", message, None, hint)]))


def stop_outside(folder: Path, roots: Iterable[str]) -> NoReturn:
    """End the build: a folder with generated packages is in none of the folders that the backend packs."""
    places = listing(map(quote, roots))
    message = f"{quote(folder.as_posix())} is outside of the packages, which are in {places}"
    hint = "change output in [tool.amqp-codegen]"
    _stop(SpecError([Problem("not-in-wheel", message, None, hint)]))


def stop_without_step(command: str) -> NoReturn:
    """End the build: the project's own command ``build`` does not run the commands that belong to it."""
    message = f"the wheel would lack the generated packages: {command} runs none of the steps of 'build'"
    _stop(SpecError([Problem("not-in-wheel", message, None, "call super().run() in it")]))


def _tails(path: Path) -> set[str]:
    """Return ``src/a/b.py``, ``a/b.py`` and so on, each with a folder at least."""
    return {"/".join(path.parts[start:]) for start in range(len(path.parts) - 1)}


def _files_in(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")


def _stop(error: SpecError) -> NoReturn:
    print_problems(error.problems)
    raise SystemExit(2)
