"""Copies of generated packages with one fault planted in each."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .suite_runner import GENERATED


class Mutant(NamedTuple):
    """A fault: in a file of a package some text is replaced, which must be there exactly once.

    Attributes:
        name: What is wrong with it.
        package: The package.
        file: The file in it.
        right: The text as generated; its first occurrence after ``after`` is replaced.
        wrong: What it is replaced by.
        after: A text before it that tells which of several is meant.
    """

    name: str
    package: str
    file: str
    right: str
    wrong: str
    after: str = ""


@contextmanager
def planted(mutant: Mutant, folder: Path) -> Iterator[Any]:
    """The package with the fault in it, imported under the name of the fault; the imports are undone."""
    name = f"mutant_{''.join(letter if letter.isalnum() else '_' for letter in mutant.name)}"
    shutil.copytree(GENERATED / mutant.package, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / name / mutant.file
    text = path.read_text("utf-8")
    start = text.index(mutant.after)
    place = text.index(mutant.right, start)
    path.write_text(text[:place] + mutant.wrong + text[place + len(mutant.right) :], "utf-8")
    sys.path.insert(0, str(folder))
    try:
        yield import_module(name)
    finally:
        sys.path.remove(str(folder))
        for module in [each for each in sys.modules if each.partition(".")[0] == name]:
            del sys.modules[module]
