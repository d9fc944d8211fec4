"""The folder beside a package with the sources of its core in C, and what builds them in projects that vendor both."""

from __future__ import annotations

from pathlib import Path

from .. import __version__
from ..support.resources import native_sources_dir
from .compare import Leftovers
from .source_text import HASH, CommentStyle, file_header
from .target import PlannedFile

_C = CommentStyle("/*", "*/")
_BUILD_FILES = ("build_core.py", "hatch_build.py", "pyproject.toml", "setup.py")


def native_files(package: str) -> list[PlannedFile]:
    """Return every file of the folder. Of the specification they know only the name of the package."""
    folder = native_folder(package)
    context = {"package": package, "header": file_header(__version__, _identity(package))}
    files = [PlannedFile(f"{folder}/{name}", f"native/{name}.jinja", context) for name in _BUILD_FILES]
    header = file_header(__version__, _identity(package), _C)
    return files + [
        PlannedFile(
            f"{folder}/src/{path.name}", "native/source.jinja", {"header": header, "text": _text(path)}
        )
        for path in _sources()
    ]


def native_leftovers(package: str) -> tuple[Leftovers, ...]:
    """Return how to recognise files of earlier versions; a build leaves others beside them."""
    folder, identity = native_folder(package), _identity(package)
    return Leftovers(f"{folder}/*", identity, HASH), Leftovers(f"{folder}/src/*", identity, _C)


def native_folder(package: str) -> str:
    """Return the folder, relative to the output folder."""
    return f"{package}_native"


def _identity(package: str) -> tuple[tuple[str, str], ...]:
    return (("package", package),)


def _sources() -> list[Path]:
    return sorted(path for path in native_sources_dir().iterdir() if path.suffix in (".c", ".h"))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
