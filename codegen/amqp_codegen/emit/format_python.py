"""Formats generated Python with black, on several processors where that pays."""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from ..model.problem import Problem, SpecError
from ..support.wording import quote
from .python_text import LINE_LENGTH

# Less source than this is formatted sooner than other processes have started.
_WORTH_SHARING = 50_000
_PLACE = re.compile(r": (\d+):\d+")


def format_python_files(files: Mapping[str, str]) -> dict[str, str]:
    """The formatted text of Python files, by path.

    The style is pinned by the version of black that this project requires.

    Raises:
        SpecError: A user's template made something that is no Python; one problem for each such file.
    """
    import black  # noqa: F401 - slow to import: only here, and once before the other processes are forked

    # The largest first, so that no process is left with it at the end.
    paths = sorted(files, key=lambda path: len(files[path]), reverse=True)
    with _garbage_kept():
        results = _format_all([files[path] for path in paths], paths)
    problems = [
        result for _, result in sorted(zip(paths, results, strict=True)) if isinstance(result, Problem)
    ]
    if problems:
        raise SpecError(problems)
    return {path: text for path, text in zip(paths, results, strict=True) if isinstance(text, str)}


def format_python(text: str, path: str) -> str:
    """The formatted text of one file; see ``format_python_files``."""
    result = _format(text, path)
    if isinstance(result, Problem):
        raise SpecError([result])
    return result


def _format_all(texts: Sequence[str], paths: Sequence[str]) -> list[str | Problem]:
    workers = min(os.cpu_count() or 1, 8) if sum(map(len, texts)) > _WORTH_SHARING else 1
    if workers > 1 and "fork" in multiprocessing.get_all_start_methods():
        try:
            return _format_shared(texts, paths, workers)
        except (OSError, ImportError, BrokenProcessPool):
            pass  # no semaphores or no memory for more processes: this one can do it alone
    return list(map(_format, texts, paths))


def _format_shared(texts: Sequence[str], paths: Sequence[str], workers: int) -> list[str | Problem]:
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("fork"))
    try:
        with _interrupts_held_back():
            results = pool.map(_format, texts, paths)
        return list(results)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Holds the cyclic garbage collector back: it would spend a fifth of the time on finding next to nothing."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Holds Ctrl-C back; processes that start meanwhile never get it.

    A terminal sends it to all of them, and each would print a traceback of its own.
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
        # Limits and faults of black's own, which odd text can reach.
        return Problem("template", f"{path} cannot be formatted: {type(error).__name__}")


def _reason(text: str, message: str) -> str:
    """Black's message on one line: it has the line number, and below it the line and a caret."""
    place = _PLACE.search(message)
    number = int(place[1]) if place else 0
    lines = text.splitlines()
    if not 0 < number <= len(lines):
        return " ".join(message.split())
    return f"line {number} is {quote(lines[number - 1].strip())}"
