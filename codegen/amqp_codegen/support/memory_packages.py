"""Packages whose modules are texts in memory, for specifications that no folder has a package of."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from .resources import load_package


class _TextFinder(MetaPathFinder, InspectLoader):
    """The finder and loader of the modules of one package."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of the package; None for others."""
        return spec_from_loader(fullname, self) if self._path(fullname) in self._texts else None

    def is_package(self, fullname: str) -> bool:
        """Return whether a module is a package."""
        return f"{fullname.replace('.', '/')}/__init__.py" in self._texts

    def get_source(self, fullname: str) -> str:
        """Return the text of a module."""
        return self._texts[self._path(fullname)]

    def _path(self, fullname: str) -> str:
        ending = "/__init__.py" if self.is_package(fullname) else ".py"
        return fullname.replace(".", "/") + ending


def load_from_texts(name: str, texts: Mapping[str, str]) -> ModuleType:
    """Return a package that is imported from texts by path, such as ``amqp_x/frames.py``.

    ``load_package`` and ``load_module`` find it from now on. Of a name that is known, the first texts count.
    """
    if name not in sys.modules:
        sys.meta_path.append(_TextFinder(texts))
        __import__(name)
    return load_package(name)
