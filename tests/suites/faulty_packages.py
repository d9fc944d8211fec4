"""Generated packages with one fault planted in each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from .suite_runner import GENERATED

_FAULTY = "faulty_package"


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

    def code(self) -> CodeType:
        """The module with the fault in it."""
        path = GENERATED / self.package / self.file
        text = path.read_text("utf-8")
        place = text.index(self.right, text.index(self.after))
        return compile(text[:place] + self.wrong + text[place + len(self.right) :], str(path), "exec")


def mutants(package: str, file: str, *faults: tuple[str, ...]) -> list[Mutant]:
    """Those of one file."""
    return [Mutant(name, package, file, *texts) for name, *texts in faults]


@contextmanager
def planted(mutant: Mutant) -> Iterator[Any]:
    """The package with the fault in it, imported under another name; the imports are undone.

    The other modules are compiled once for all mutants.
    """
    finder = _Finder(mutant)
    sys.meta_path.insert(0, finder)
    try:
        yield import_module(_FAULTY)
    finally:
        sys.meta_path.remove(finder)
        for module in [module for module in sys.modules if module.partition(".")[0] == _FAULTY]:
            del sys.modules[module]


class _Finder:
    """Finds the modules of the faulty package."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        root, *parts = name.split(".")
        folder = (GENERATED / self._mutant.package).joinpath(*parts)
        path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        if root != _FAULTY or not path.exists():
            return None
        return spec_from_file_location(name, path, loader=_Loader(name, path, self._mutant))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: Path, mutant: Mutant) -> None:
        super().__init__(name, str(path))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType | None:
        path = Path(self.path)
        if path == GENERATED / self._mutant.package / self._mutant.file:
            return self._mutant.code()
        return _code(path)


@cache
def _code(path: Path) -> CodeType:
    return compile(path.read_bytes(), str(path), "exec")
