"""The work of ``amqp-codegen SPEC...``: generate, compare, write, and report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..emit.compare import Drift
from ..emit.generate import Generated, Target, drift_of, generate_all, write
from ..support.command_line import print_problems, progress_line, say, what_was_done


def generate_packages(targets: Sequence[Target], output: Path, check: bool) -> int:
    """Generate all targets into the folder ``output``, and return the exit code.

    With ``check``, nothing is written; files that are not current are reported.

    Raises:
        SpecError: A target or the folder has an error; then nothing was written.
    """
    with progress_line() as progress:
        generated, warnings = generate_all(targets, progress)
    print_problems(warnings)
    if check:
        count = len({path for each in generated for path in each.files})
        return _tell_drift(output, drift_of(generated, output), count)
    _tell_written(output, write(generated, output), generated)
    return 0


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
    """Return whether an earlier run of this target wrote a file."""
    folders = tuple(f"{folder}/" for folder in generated.folders)
    return path.startswith(folders) or any(each.covers(path) for each in generated.leftovers)


def _place(generated: Generated) -> str:
    """Return the folder of the package or suite, else the common folder of a user's files."""
    return (*generated.folders, os.path.commonpath(generated.files or [""]))[0]
