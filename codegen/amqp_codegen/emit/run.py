"""A run, for the command and the API alike: what targets make, how the output folder differs, and writing it.

What a target makes is known by its stamp, or found out by generating. Nothing is generated where all files are
current or are only checked; else the targets whose files are to be written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.problem import Problem, SpecError
from ..support.cache import Cache
from ..support.wording import quote
from .compare import Drift, refuse_file, refuse_foreign
from .fingerprint import target_fingerprints
from .publish import publish
from .stamp import Stamp, drift_of, generated_of, read_stamp, stamp_of, write_stamp
from .target import Generated, Progress, Target


@dataclass(frozen=True, slots=True)
class _Request:
    """A target and its fingerprint, which is empty if stamps are not to be used."""

    target: Target
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Made:
    """What a target makes; with the texts if it was generated."""

    request: _Request
    stamp: Stamp
    generated: Generated | None = None


@dataclass(frozen=True, slots=True)
class GenerationRun:
    """What targets make, and how the output folder differs from it."""

    output: Path
    made: tuple[Made, ...]
    drift: Drift

    @property
    def warnings(self) -> list[Problem]:
        """The warnings about all specifications."""
        return [problem for result in self.made for problem in result.stamp.warnings]

    @property
    def files(self) -> dict[str, str]:
        """The texts of all files of targets that were generated, by path."""
        generated = [result.generated for result in self.made if result.generated]
        return {path: text for result in generated for path, text in result.files.items()}


def examine(targets: Sequence[Target], output: Path, cache: Cache, progress: Progress) -> GenerationRun:
    """Compare an output folder with what targets make; generate those of which this is not known.

    Raises:
        SpecError: A target or the folder is invalid.
    """
    refuse_file(output)
    fingerprints = target_fingerprints(targets) if cache.folder else [""] * len(targets)
    requests = list(map(_Request, targets, fingerprints))
    return _complete(requests, [_known(request, cache) for request in requests], output, cache, progress)


def _known(request: _Request, cache: Cache) -> Made | None:
    stamp = read_stamp(cache, request.fingerprint) if request.fingerprint else None
    return Made(request, stamp) if stamp else None


def with_texts(run: GenerationRun, cache: Cache, progress: Progress) -> GenerationRun:
    """Return a run in which the targets are generated whose files are changed or missing.

    Raises:
        SpecError: A target became invalid.
    """
    wanted = {*run.drift.changed, *run.drift.missing}
    known = [
        result if result.generated or wanted.isdisjoint(result.stamp.digests) else None for result in run.made
    ]
    if None not in known:
        return run
    return _complete([result.request for result in run.made], known, run.output, cache, progress)


def differs_in_layout_alone(run: GenerationRun) -> bool:
    """Return whether the files that changed have the same code as those in the folder, laid out by another black."""
    files = run.files
    return all(
        _without_layout((run.output / path).read_text(encoding="utf-8", errors="replace"))
        == _without_layout(files[path])
        for path in run.drift.changed
        if path in files
    )


# What black sets, and takes away.
_LAYOUT = re.compile(r"[\s,()'\"\\]+")


def _without_layout(text: str) -> str:
    return _LAYOUT.sub("", text)


def write(run: GenerationRun, progress: Progress, force: bool = False) -> None:
    """Write the files that are changed or missing, and remove those that are extra.

    Args:
        run: From ``with_texts``.
        progress: Is told what is done.
        force: Overwrite files that are not ours.

    Raises:
        SpecError: Such files are in the way, or the folder cannot be written to. Nothing was changed.
    """
    if not run.drift:
        return
    if not force:
        refuse_foreign(run.output, run.files, run.drift.changed)
    progress(f"write to {run.output}", "")
    publish(run.output, run.files, run.drift)


def generate_into(
    targets: Sequence[Target], output: Path, cache: Cache, progress: Progress, force: bool
) -> list[Generated]:
    """Make a folder hold what targets make; return that.

    Raises:
        SpecError: As for ``examine`` and ``write``. Nothing was changed.
    """
    run = with_texts(examine(targets, output, cache, progress), cache, progress)
    write(run, progress, force)
    return [result.generated or generated_of(result.stamp, output) for result in run.made]


def _complete(
    requests: Sequence[_Request],
    known: Sequence[Made | None],
    output: Path,
    cache: Cache,
    progress: Progress,
) -> GenerationRun:
    """Generate what is not known, and compare."""
    warnings = [problem for result in known if result for problem in result.stamp.warnings]
    unknown = [request for request, result in zip(requests, known, strict=True) if result is None]
    generated = iter(_generate(unknown, warnings, cache, progress))
    made = tuple(result or next(generated) for result in known)
    stamps = [result.stamp for result in made]
    _refuse_same_package(stamps)
    progress(f"compare with {output}", "")
    return GenerationRun(output, made, drift_of(stamps, output))


def _generate(
    requests: Sequence[_Request], warnings: Sequence[Problem], cache: Cache, progress: Progress
) -> list[Made]:
    """Generate targets, and keep their stamps; an error carries ``warnings``, too."""
    if not requests:
        return []
    from .generate import generate_all  # slow to import: lxml, Jinja, all that makes text

    targets = [request.target for request in requests]
    try:
        generated = generate_all(targets, cache, progress)
    except SpecError as error:
        raise SpecError([*warnings, *error.problems]) from None
    made = [
        Made(request, stamp_of(generation), generation)
        for request, generation in zip(requests, generated, strict=True)
    ]
    # A file that was saved meanwhile may have been read before that, or after it.
    now = target_fingerprints(targets) if cache.folder else [""] * len(targets)
    for result, fingerprint in zip(made, now, strict=True):
        if fingerprint and fingerprint == result.request.fingerprint:
            write_stamp(cache, fingerprint, result.stamp)
    return made


def _refuse_same_package(stamps: Sequence[Stamp]) -> None:
    warnings = [problem for stamp in stamps for problem in stamp.warnings]
    digests: dict[str, str] = {}
    folders: set[str] = set()
    for stamp in stamps:
        if folders & set(stamp.folders):
            message = f"two targets have the package {stamp.package!r}"
            raise SpecError([*warnings, Problem("same-package", message, None, "name one with package")])
        folders |= set(stamp.folders)
        for path, digest in stamp.digests.items():
            # Files that all suites share have the same text in each.
            if digests.setdefault(path, digest) != digest:
                message = f"two targets make the file {quote(path)}"
                hint = "write {package} into its path in templates.toml"
                raise SpecError([*warnings, Problem("same-package", message, None, hint)])
