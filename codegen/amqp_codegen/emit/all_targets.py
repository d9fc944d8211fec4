"""Several targets in one run: generate all or none, compare them with a folder, write them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..model.problem import Problem, Problems, SpecError
from ..support.wording import quote
from .compare import Drift, compare
from .generate import Generated, Target, generate
from .publish import publish
from .render import Progress


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
