"""Render planned files with Jinja, and format generated Python with black."""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, TemplateError

from ..model.problem import Problem, SpecError
from ..support.wording import quote
from .environment import is_ours, template_problem
from .python_text import LINE_LENGTH

# Fewer characters are formatted sooner than other processes start.
_MIN_CHARACTERS_FOR_PROCESSES = 50_000
_LINE_AND_COLUMN = re.compile(r": (\d+):\d+")


def format_python_files(files: Mapping[str, str]) -> dict[str, str]:
    """Return the formatted text of Python files, by path.

    The required version of black determines the style.

    Raises:
        SpecError: A user's template rendered invalid Python; one problem for each such file.
    """
    import black  # noqa: F401 - slow to import: load it once, before the processes are forked

    # The largest first: at the end it would keep one process busy while the others wait.
    paths = sorted(files, key=lambda path: len(files[path]), reverse=True)
    with _garbage_collector_paused():
        results = _format_all([files[path] for path in paths], paths)
    problems = [
        result for _, result in sorted(zip(paths, results, strict=True)) if isinstance(result, Problem)
    ]
    if problems:
        raise SpecError(problems)
    return {path: text for path, text in zip(paths, results, strict=True) if isinstance(text, str)}


def _format_all(texts: Sequence[str], paths: Sequence[str]) -> list[str | Problem]:
    workers = min(os.cpu_count() or 1, 8) if sum(map(len, texts)) > _MIN_CHARACTERS_FOR_PROCESSES else 1
    if workers > 1 and "fork" in multiprocessing.get_all_start_methods():
        try:
            return _format_in_processes(texts, paths, workers)
        except (OSError, ImportError, BrokenProcessPool):
            pass  # no semaphores or memory for more processes: format in this one
    return list(map(_format, texts, paths))


def _format_in_processes(texts: Sequence[str], paths: Sequence[str], workers: int) -> list[str | Problem]:
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("fork"))
    try:
        with _interrupts_blocked():
            results = pool.map(_format, texts, paths)
        return list(results)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _garbage_collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: it takes a fifth of the time and finds next to nothing."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block SIGINT; processes that start meanwhile inherit this and never receive it.

    A terminal sends Ctrl-C to all processes, and each would print its own traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _format(text: str, path: str) -> str | Problem:
    from black import Mode, format_str
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    try:
        return format_str(text, mode=Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY310}))
    except InvalidInput as error:
        return Problem("template", f"{path} comes out as no Python: {_reason(text, str(error))}")
    except (RecursionError, AssertionError, ValueError, LookupError) as error:
        # Limits and bugs of black that unusual text can trigger.
        return Problem("template", f"{path} cannot be formatted: {type(error).__name__}")


def _reason(text: str, message: str) -> str:
    """Return black's message on one line; the original has the line number, then the line and a caret."""
    place = _LINE_AND_COLUMN.search(message)
    number = int(place[1]) if place else 0
    lines = text.splitlines()
    if not 0 < number <= len(lines):
        return " ".join(message.split())
    return f"line {number} is {quote(lines[number - 1].strip())}"


Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to be rendered.

    Attributes:
        path: Relative to the output folder, with forward slashes.
        context: The variables that the template sees.
        formatted: True if black formats it; None if the ending ``.py`` decides.
    """

    path: str
    template: str
    context: Mapping[str, Any]
    formatted: bool | None = None

    @property
    def is_formatted(self) -> bool:
        """True if black formats the file."""
        return self.path.endswith(".py") if self.formatted is None else self.formatted


def render_files(
    environment: Environment, files: Sequence[PlannedFile], variables: Mapping[str, Any], progress: Progress
) -> dict[str, str]:
    """Return the text of every planned file, by path; every template sees ``variables`` besides its context.

    Raises:
        SpecError: A user's template is missing or faulty, or renders invalid Python.
    """
    rendered = {}
    for file in files:
        progress(file.path)
        rendered[file.path] = _render(environment, file, variables)
    python = {file.path: rendered[file.path] for file in files if file.is_formatted}
    return {**rendered, **format_python_files(python)}


def _render(environment: Environment, file: PlannedFile, variables: Mapping[str, Any]) -> str:
    names = {**variables, **file.context}
    try:
        text = environment.get_template(file.template).render(names)
        text.encode()  # fails for a lone surrogate, which a template may render and no file can hold
    except Exception as error:
        if is_ours(environment) and not isinstance(error, TemplateError):
            raise
        raise SpecError([template_problem(environment, file.template, error, names)]) from error
    return text
