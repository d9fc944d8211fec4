"""What ``amqp-codegen SPEC...`` does: generates, compares, writes, and tells what it has done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..emit.compare import Drift, compare
from ..emit.generate import Generated, Target, generate
from ..emit.publish import publish
from ..model.problem import Problem, SpecError
from ..support.command_line import print_problems, what_was_done
from ..support.console import progress_line, say
from ..support.wording import quote


def generate_packages(targets: Sequence[Target], output: Path, check: bool) -> int:
    """Generates all targets, or none; returns the exit code.

    Args:
        targets: What to generate.
        output: The folder for the packages.
        check: Write nothing, only tell what is not current.

    Raises:
        SpecError: Anything is wrong with a target or the folder; nothing was written then.
    """
    generated = _generate_all(targets)
    _refuse_same_package(generated)
    files = {path: text for each in generated for path, text in each.files.items()}
    folders = [folder for each in generated for folder in each.folders]
    drift = compare(output, files, folders, [one for each in generated for one in each.leftovers])
    if check:
        return _tell_drift(output, drift, len(files))
    if drift:
        publish(output, files, drift)
    _tell_written(output, drift, generated)
    return 0


def _generate_all(targets: Sequence[Target]) -> list[Generated]:
    """Goes on after a target that is wrong, so that what is wrong with the others is told as well."""
    generated: list[Generated] = []
    problems: list[Problem] = []
    with progress_line() as progress:
        for target in targets:
            try:
                generated.append(generate(target, progress))
            except SpecError as error:
                problems += error.problems
            else:
                problems += generated[-1].warnings
    if len(generated) < len(targets):
        raise SpecError(problems)
    print_problems(problems)
    return generated


def _refuse_same_package(generated: Sequence[Generated]) -> None:
    texts: dict[str, str] = {}
    folders: set[str] = set()
    for each in generated:
        if folders & set(each.folders):
            message = f"two targets have the package {each.package!r}"
            raise SpecError([Problem("same-package", message, None, "name one with package")])
        folders |= set(each.folders)
        for path, text in each.files.items():
            # What all suites share is the same for all.
            if texts.setdefault(path, text) != text:
                message = f"two targets make the file {quote(path)}"
                hint = "write {package} into its path in templates.toml"
                raise SpecError([Problem("same-package", message, None, hint)])


def _tell_drift(output: Path, drift: Drift, count: int) -> int:
    for kind, paths in (("changed", drift.changed), ("missing", drift.missing), ("extra", drift.extra)):
        for path in paths:
            say(f"{kind}: {output / path}")
    if drift:
        say("not current; run amqp-codegen without --check", error=True)
        return 1
    say(f"{count} {'file is' if count == 1 else 'files are'} current")
    return 0


def _tell_written(output: Path, drift: Drift, generated: Sequence[Generated]) -> None:
    for each in generated:
        written = sum(path in each.files for path in (*drift.changed, *drift.missing))
        removed = sum(_belongs(path, each) for path in drift.extra)
        say(f"{output / _place(each)}: {what_was_done(written, removed)}")


def _belongs(path: str, generated: Generated) -> bool:
    """Whether a file was made by an earlier run of this target."""
    folders = tuple(f"{folder}/" for folder in generated.folders)
    return path.startswith(folders) or any(each.covers(path) for each in generated.leftovers)


def _place(generated: Generated) -> str:
    """Where its files are: the folder of the package or suite, else what a user's files have in common."""
    return (*generated.folders, os.path.commonpath(generated.files or [""]))[0]
