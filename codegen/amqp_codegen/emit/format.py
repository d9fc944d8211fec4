"""Format generated Python with black: each text once, in several processes, or from the cache.

The header is left out, because it names the hashes of the specifications: a change of one of them changes every
header, but few of the texts below.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache as once

from ..support.cache import Cache, cache_key
from ..support.processors import count_processors
from ..support.resources import templates_dir
from ..support.wording import counted, quote
from .fingerprint import library_version
from .python_text import LINE_LENGTH
from .source_text import split_header
from .target import Progress

# Fewer characters are formatted sooner than other processes start.
_MIN_CHARACTERS_FOR_PROCESSES = 50_000
_LINE_AND_COLUMN = re.compile(r": (\d+):\d+")
# What black sees instead of a header: without a comment it would remove empty lines at the beginning.
_STAND_IN = "# Header\n"
# Between top-level definitions are two empty lines, and black formats each without a look at the others.
_PARTS = re.compile(r"\n\n\n+(?=\S)")
_DEFINITIONS = ("def ", "class ", "@", "async def ")
_TAKES_NEXT = re.compile(r"(\"\"\"|'''|^(import|from) [^\n]*(\n    [^\n]*|\n\))*)\Z", re.MULTILINE)
# Lines of a template between definitions that come out as nothing.
_TAGS = re.compile(r"(\n\{[%#][^\n]*[%#]\})+\n")
# What turns black off may do so for several of them.
_DIRECTIVES = ("fmt:", "yapf:")
_STYLE = f"line length {LINE_LENGTH}, Python 3.11"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text cannot be formatted: the words that follow the name of its file."""

    reason: str


def format_texts(texts: Iterable[str], cache: Cache, progress: Progress) -> dict[str, str | Fault]:
    """Return each text as black formats it. The required version of black determines the style."""
    split = {text: split_header(text) for text in texts}
    seen = {text: f"{_STAND_IN}{body}" if header else body for text, (header, body) in split.items()}
    results = _format_each_once(set(seen.values()), cache, progress)
    return {text: _with_header(split[text][0], results[seen[text]]) for text in split}


def _with_header(header: str, result: str | Fault) -> str | Fault:
    return f"{header}{result.removeprefix(_STAND_IN)}" if header and isinstance(result, str) else result


def _format_each_once(texts: Collection[str], cache: Cache, progress: Progress) -> dict[str, str | Fault]:
    black = library_version("black")
    keys = {text: cache_key("formatted", black, sys.version, _STYLE, text) for text in texts} if black else {}
    results: dict[str, str | Fault] = {}
    for text, key in keys.items():
        known = cache.read(key)
        if known is not None:
            results[text] = known.decode()
    # The largest first: at the end it would keep one process busy while the others wait.
    unknown = sorted((text for text in texts if text not in results), key=lambda text: (-len(text), text))
    if unknown:
        stage = f"format {counted(len(unknown), 'text')} ({len(results):,} known)"
        progress(stage, "")
        for number, (text, result) in enumerate(zip(unknown, _format_all(unknown), strict=True), 1):
            progress(stage, str(number))
            results[text] = result
            if isinstance(result, str) and text in keys:
                cache.write(keys[text], result.encode())
    return results


def _format_all(texts: list[str]) -> Iterator[str | Fault]:
    import black  # noqa: F401 - slow to import: load it once, before the processes are forked

    _template_parts()

    workers = min(count_processors(), 8) if sum(map(len, texts)) > _MIN_CHARACTERS_FOR_PROCESSES else 1
    done = 0
    if workers > 1 and "fork" in multiprocessing.get_all_start_methods() and _has_one_thread():
        try:
            for result in _format_in_processes(texts, workers):
                yield result
                done += 1
        except (OSError, ImportError, BrokenProcessPool):
            pass  # no semaphores or memory for more processes: format the rest in this one
    yield from map(_format, texts[done:])


def _has_one_thread() -> bool:
    """Return whether this process can be forked: a lock that another thread holds would stay locked in its copy."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not Linux
        return threading.active_count() == 1


def _format_in_processes(texts: list[str], workers: int) -> Iterator[str | Fault]:
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("fork"))
    try:
        with _interrupts_blocked():
            results = pool.map(_format, texts)
        yield from results
    finally:
        pool.shutdown(cancel_futures=True)


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


def _format(text: str) -> str | Fault:
    """Format a text: by parts, of which those that our templates have as they are need no black."""
    parts = _parts(text)
    if len(parts) == 1 or any(mark in text for mark in _DIRECTIVES):
        return _format_whole(text)
    formatted = []
    for part in parts:
        result = part if part in _template_parts() else _format_whole(f"{part}\n")
        if isinstance(result, Fault):  # perhaps the parts are those of a string
            return _format_whole(text)
        formatted.append(result.rstrip("\n"))
    return "\n\n\n".join(formatted) + "\n"


def _parts(text: str) -> list[str]:
    """Return the parts of a text; those that end with a docstring or imports with what black moves closer to them."""
    parts: list[str] = []
    for part in _PARTS.split(text.strip("\n")):
        if parts and not part.startswith(_DEFINITIONS) and _TAKES_NEXT.search(parts[-1]):
            parts[-1] += f"\n\n\n{part}"
        else:
            parts.append(part)
    return parts


@once
def _template_parts() -> frozenset[str]:
    """Return the top-level parts of our templates: a test holds them to what black makes of them."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(templates_dir().rglob("*.jinja"))]
    parts = [part for text in texts for part in _parts(_TAGS.sub("\n\n\n", text))]
    return frozenset(part for part in parts if "\n\n\n" not in part)  # a tag within a definition leaves that


def _format_whole(text: str) -> str | Fault:
    from black import Mode, format_str
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    try:
        return format_str(text, mode=Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY311}))
    except InvalidInput as error:
        return Fault(f"comes out as no Python: {_reason(text, str(error))}")
    except SyntaxError as error:  # of a character that Python itself refuses, from 3.15 on
        return Fault(f"comes out as no Python: {error.msg}")
    except (RecursionError, AssertionError, ValueError, LookupError) as error:
        # Limits and bugs of black that unusual text can trigger.
        return Fault(f"cannot be formatted: {type(error).__name__}")


def _reason(text: str, message: str) -> str:
    """Return black's message on one line; the original has the line number, then the line and a caret."""
    place = _LINE_AND_COLUMN.search(message)
    number = int(place[1]) if place else 0
    lines = text.splitlines()
    if not 0 < number <= len(lines):
        return " ".join(message.split())
    return f"line {number} is {quote(lines[number - 1].strip())}"
