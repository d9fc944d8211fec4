"""What ``amqp-codegen SPEC...`` does: generates, compares, writes, and tells what it has done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..emit.compare import Drift, compare
from ..emit.generate import Generated, Target, generate
from ..emit.publish import publish
from ..model.problem import Problem, SpecError
from .console import progress_line, say
from .problems import report


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
    drift = compare(output, files, [folder for each in generated for folder in each.folders])
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
    report(problems)
    return generated


def _refuse_same_package(generated: Sequence[Generated]) -> None:
    names = [each.package for each in generated]
    for name in names:
        if names.count(name) > 1:
            message = f"two targets have the package {name!r}"
            raise SpecError([Problem("same-package", message, None, "name one with package")])


def _tell_drift(output: Path, drift: Drift, count: int) -> int:
    for kind, paths in (("changed", drift.changed), ("missing", drift.missing), ("extra", drift.extra)):
        for path in paths:
            say(f"{kind}: {output / path}")
    if drift:
        say("not current; run amqp-codegen without --check", error=True)
        return 1
    say(f"{count} files are current")
    return 0


def _tell_written(output: Path, drift: Drift, generated: Sequence[Generated]) -> None:
    for each in generated:
        written = sum(path in each.files for path in (*drift.changed, *drift.missing))
        removed = sum(path.startswith(tuple(f"{folder}/" for folder in each.folders)) for path in drift.extra)
        done = [
            f"{count} {'file' if count == 1 else 'files'} {verb}"
            for count, verb in ((written, "written"), (removed, "removed"))
            if count
        ]
        say(f"{output / each.folders[0]}: {', '.join(done) or 'nothing to do, all files are current'}")
