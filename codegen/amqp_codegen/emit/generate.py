"""Generate the files of one or several targets: read, resolve, render, format."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment

from .. import __version__
from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..model.problem import Problem, Problems, SpecError
from ..resolve.amqp1.wire import read_wire1
from ..resolve.specification import Specification, read_specification
from ..support.cache import Cache
from ..support.resources import templates_dir, wire_file
from ..support.wording import counted
from .amqp0.context import amqp0_client_files, amqp0_column_files, amqp0_files
from .amqp0.suite import amqp0_suite
from .amqp1.context import amqp1_client_files, amqp1_column_files, amqp1_files
from .amqp1.primitives import missing_encodings
from .amqp1.suite import amqp1_suite
from .environment import is_finished, make_environment
from .format import Fault, format_texts
from .imports import tidy_imports
from .native_core import native_files, native_leftovers
from .options import check_options
from .own_files import chosen_files, own_leftovers, own_planned_files, refuse_clashes
from .render import render_files
from .shipped import shipped_files
from .source_text import file_header
from .suite import Suite, suite_files, suite_folder
from .target import (
    CLIENT,
    CODECS,
    COLUMNS,
    CONFORMANCE,
    DEFAULT_EMIT,
    NATIVE,
    Generated,
    PlannedFile,
    Progress,
    Target,
    silent,
)

_NO_CACHE = Cache()


@dataclass(frozen=True, slots=True)
class _Rendered:
    """What a target makes before black has formatted the files with these paths."""

    generated: Generated
    unformatted: tuple[str, ...]


class _Environments:
    """The Jinja environments of a run. Targets with the same templates share one, which compiles each template once."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._known: dict[Path | None, Environment] = {}

    def of(self, templates: Path | None) -> Environment:
        """Return the environment for a folder of the user's templates, or for none."""
        if templates not in self._known:
            self._known[templates] = make_environment(templates_dir(), templates, self._cache)
        return self._known[templates]


def generate(target: Target, cache: Cache = _NO_CACHE, progress: Progress = silent) -> Generated:
    """Generate the files of one target.

    Raises:
        SpecError: The input is invalid; carries every problem found.
    """
    return generate_all([target], cache, progress)[0]


def generate_unformatted(target: Target, cache: Cache) -> Generated:
    """Generate the files of one target without formatting them, for a package that is only imported.

    Raises:
        SpecError: The input is invalid; carries every problem found.
    """
    return _render_target(target, _Environments(cache), silent, may_copy=False).generated


def package_texts(
    spec: spec0.Spec | spec1.Spec, package: str, has_client: bool, cache: Cache
) -> dict[str, str]:
    """Return the files of a package by path, not formatted: for one that is only imported.

    Raises:
        SpecError: The specification lacks encodings that a codec needs.
    """
    if isinstance(spec, spec0.Spec):
        files = amqp0_files(spec, package, has_client)
        files += amqp0_client_files(spec, package) if has_client else []
    elif problems := missing_encodings(spec):
        raise SpecError(problems)
    else:
        wire = read_wire1(*wire_file())
        files = amqp1_files(spec, package, wire, has_client)
        files += amqp1_client_files(spec, package, wire) if has_client else []
    environment = make_environment(templates_dir(), cache=cache)
    texts = render_files(environment, files, {"header": "", "generator_version": __version__})
    return {path: tidy_imports(text) if path.endswith(".py") else text for path, text in texts.items()}


def generate_all(targets: Sequence[Target], cache: Cache, progress: Progress) -> list[Generated]:
    """Generate the files of targets, in order.

    Raises:
        SpecError: A target is invalid; carries the problems of all targets.
    """
    problems = Problems()
    with _garbage_collector_paused():
        rendered = _render_targets(targets, _Environments(cache), progress, problems)
        if problems.has_errors:
            raise SpecError(problems)
        texts = [rendering.generated.files[path] for rendering in rendered for path in rendering.unformatted]
        results = format_texts(texts, cache, progress)
    generated = [_formatted(rendering, results, problems) for rendering in rendered]
    if problems.has_errors:
        raise SpecError(problems)
    cache.trim()
    return generated


def _render_targets(
    targets: Sequence[Target], environments: _Environments, progress: Progress, problems: Problems
) -> list[_Rendered]:
    """Render targets; add the problems of those that are invalid, and the warnings of the others."""
    rendered: list[_Rendered] = []
    for target in targets:
        try:
            rendered.append(_render_target(target, environments, progress))
        except SpecError as error:
            problems.extend(error.problems)
        else:
            problems.extend(rendered[-1].generated.warnings)
    return rendered


@contextmanager
def _garbage_collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: syntax trees make it take a fifth of the time, and it finds next to nothing."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _formatted(rendered: _Rendered, results: Mapping[str, str | Fault], problems: Problems) -> Generated:
    """Return the formatted files; add the problems of those that are not Python."""
    files = rendered.generated.files
    formatted = {}
    for path in sorted(rendered.unformatted):
        result = results[files[path]]
        if isinstance(result, Fault):
            problems.add(Problem("template", f"{path} {result.reason}"))
        else:
            formatted[path] = result
    return replace(rendered.generated, files={**files, **formatted})


def _render_target(
    target: Target, environments: _Environments, progress: Progress, may_copy: bool = True
) -> _Rendered:
    """Read, resolve and render; or copy what the wheel ships, if there is no difference.

    Raises:
        SpecError: The input is invalid.
    """
    own = check_options(target)
    progress(f"read {' '.join(map(str, (*target.files, *target.overlays)))}", "")
    specification = read_specification(target.files, target.overlays, target.dialect)
    spec, package = specification.spec, target.package or specification.spec.package
    chosen = chosen_files(own, target.emit, spec)
    emit = DEFAULT_EMIT if target.emit is None else target.emit
    folders = {CODECS: package, CONFORMANCE: suite_folder(package)}
    emitted = tuple(folder for output, folder in folders.items() if output in emit)
    shipped = shipped_files(target, package) if may_copy else None
    if shipped is not None:
        return _Rendered(Generated(package, emitted, shipped, specification.warnings), ())
    planned = _plan(specification, package, emit)
    planned += native_files(package) if NATIVE in emit else []
    extra = own_planned_files(chosen, spec, package, __version__)
    refuse_clashes(extra, planned)
    variables = {"header": file_header(__version__), "generator_version": __version__}
    files = [*planned, *extra]
    progress(f"render {package} ({counted(len(files), 'file')})", "")
    environment = environments.of(target.templates)
    texts = render_files(environment, files, variables)
    unformatted = [
        file.path for file in files if file.is_formatted and not is_finished(environment, file.template)
    ]
    ours = {file.path for file in planned}
    texts |= {path: tidy_imports(texts[path]) for path in unformatted if path in ours}
    leftovers = own_leftovers(chosen, package, spec.version)
    leftovers += native_leftovers(package) if NATIVE in emit else ()
    generated = Generated(package, emitted, texts, specification.warnings, leftovers)
    return _Rendered(generated, tuple(unformatted))


def _plan(specification: Specification, package: str, emit: Collection[str]) -> list[PlannedFile]:
    """Return the files of the package, with what clients need, with columns or without, and its suite."""
    spec = specification.spec
    suite: Suite | None = None
    if isinstance(spec, spec0.Spec):
        files = amqp0_files(spec, package, CLIENT in emit) if CODECS in emit else []
        files += amqp0_client_files(spec, package) if CLIENT in emit else []
        files += amqp0_column_files(spec, package) if COLUMNS in emit else []
        suite = amqp0_suite(spec) if CONFORMANCE in emit else None
    else:
        problems = missing_encodings(spec)
        if problems and {CODECS, CONFORMANCE} & set(emit):
            raise SpecError([*specification.warnings, *problems])
        wire = read_wire1(*wire_file())
        files = amqp1_files(spec, package, wire, CLIENT in emit) if CODECS in emit else []
        files += amqp1_client_files(spec, package, wire) if CLIENT in emit else []
        files += amqp1_column_files(spec, package, wire) if COLUMNS in emit else []
        suite = amqp1_suite(spec, wire) if CONFORMANCE in emit else None
    if suite is not None:
        files += suite_files(suite, spec, package, specification.sources)
    return files
