"""The work of ``amqp-codegen SPEC...``: generate, compare, write, and report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..emit.compare import Drift, refuse_foreign
from ..emit.run import GenerationRun, differs_in_layout_alone, examine, with_texts, write
from ..emit.stamp import Stamp
from ..emit.target import Target
from ..support.cache import Cache
from ..support.command_line import print_problems, progress_line, say, what_was_done
from ..support.wording import counted
from .generate_diff import print_diff

# Work that takes less time shows nothing.
_SILENT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Mode:
    """What a call asks for besides its targets: the options of these names."""

    check: bool = False
    dry_run: bool = False
    diff: bool = False
    force: bool = False
    quiet: bool = False
    verbose: bool = False


def generate_packages(targets: Sequence[Target], output: Path, cache: Cache, mode: Mode) -> int:
    """Generate all targets into the folder ``output``, or tell how it differs; return the exit code.

    Raises:
        SpecError: A target or the folder has an error; then nothing was written.
    """
    writes = not (mode.check or mode.dry_run or mode.diff)
    with progress_line(mode.verbose, _SILENT_SECONDS) as line:
        progress = line.stage_or_detail
        progress(f"cache in {cache.folder}" if cache.folder else f"no cache: {cache.reason}", "")
        run = examine(targets, output, cache, progress)
        if mode.diff or not mode.check or _is_rewritten(run.drift):
            run = with_texts(run, cache, progress)
        if writes:
            write(run, progress, mode.force)
        elif mode.dry_run and not mode.force:
            refuse_foreign(output, run.files, run.drift.changed)
    if run.warnings:
        from ..lint.silence import undeclared  # a run with nothing to do and to say needs no rules

        print_problems(undeclared(run.warnings))
    if mode.diff:
        print_diff(run)
    if mode.check:
        return _tell_drift(run, mode.quiet)
    if mode.dry_run:
        _tell_plan(run)
    elif writes and not mode.quiet:
        _tell_written(run)
    return 0


def _tell_drift(run: GenerationRun, quiet: bool) -> int:
    drift = run.drift
    for kind, paths in (("changed", drift.changed), ("missing", drift.missing), ("extra", drift.extra)):
        for path in paths:
            say(f"{kind}: {run.output / path}")
    if drift:
        if _is_rewritten(drift) and differs_in_layout_alone(run):
            from importlib.metadata import version  # slow to import

            say(f"only the layout differs; black {version('black')} makes another one", error=True)
        say("not current; run amqp-codegen without --check", error=True)
        return 1
    if not quiet:
        count = len({path for package in run.made for path in package.stamp.digests})
        say(f"{counted(count, 'file')} {'is' if count == 1 else 'are'} current")
    return 0


def _is_rewritten(drift: Drift) -> bool:
    """Return whether the folder has all files and no others, some with another text."""
    return bool(drift.changed) and not drift.missing and not drift.extra


def _tell_plan(run: GenerationRun) -> None:
    for path in sorted((*run.drift.changed, *run.drift.missing)):
        say(f"would write: {run.output / path}")
    for path in run.drift.extra:
        say(f"would remove: {run.output / path}")
    if not run.drift:
        say(what_was_done(0, 0))


def _tell_written(run: GenerationRun) -> None:
    for package in run.made:
        stamp = package.stamp
        written = sum(path in stamp.digests for path in (*run.drift.changed, *run.drift.missing))
        removed = sum(_belongs(path, stamp) for path in run.drift.extra)
        say(f"{run.output / _place(stamp)}: {what_was_done(written, removed)}")


def _belongs(path: str, stamp: Stamp) -> bool:
    """Return whether an earlier run of a target wrote a file."""
    folders = tuple(f"{folder}/" for folder in stamp.folders)
    return path.startswith(folders) or any(leftover.covers(path) for leftover in stamp.leftovers)


def _place(stamp: Stamp) -> str:
    """Return the folder of the package or suite, else the common folder of a user's files."""
    return (*stamp.folders, os.path.commonpath(stamp.digests or [""]))[0]
