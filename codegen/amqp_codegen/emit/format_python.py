"""Formats generated Python with black, on several processors where that pays."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor

from ..model.problem import Problem, SpecError
from .python_text import LINE_LENGTH

# Less source than this is formatted sooner than other processes have started.
_WORTH_SHARING = 50_000


def format_python_files(files: Mapping[str, str]) -> dict[str, str]:
    """The formatted text of every Python file among ``files``, by path.

    The style is pinned by the version of black that this project requires.

    Raises:
        SpecError: A user's template made something that is no Python.
    """
    import black  # noqa: F401 - slow to import: only here, and once before the other processes are forked

    sources = {path: text for path, text in files.items() if path.endswith(".py")}
    # The largest first, so that no process is left with it at the end.
    paths = sorted(sources, key=lambda path: len(sources[path]), reverse=True)
    workers = min(os.cpu_count() or 1, 8) if sum(map(len, sources.values())) > _WORTH_SHARING else 1
    if workers == 1 or "fork" not in multiprocessing.get_all_start_methods():
        return {path: format_python(sources[path], path) for path in paths}
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
        texts = list(pool.map(format_python, [sources[path] for path in paths], paths))
    return dict(zip(paths, texts, strict=True))


def format_python(text: str, path: str) -> str:
    """The formatted text of one file; see ``format_python_files``."""
    from black import Mode, format_str
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    try:
        return format_str(text, mode=Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY310}))
    except InvalidInput as error:
        raise SpecError([Problem("template", f"{path} comes out as no Python: {error}")]) from None
