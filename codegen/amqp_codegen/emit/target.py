"""What a run is asked for, what it makes, and how it tells its progress. Imports nothing that is slow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..model.problem import Problem
from .compare import Leftovers

CODECS, CLIENT, COLUMNS, CONFORMANCE, NATIVE = "codecs", "client", "columns", "conformance", "native"
EMITTED = (CODECS, CLIENT, COLUMNS, CONFORMANCE, NATIVE)
# What is generated if nothing is said.
DEFAULT_EMIT = (CODECS, CLIENT)

# Called with the name of a stage when it begins, then with that and what is worked on.
Progress = Callable[[str, str], None]


def silent(stage: str, detail: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Target:
    """One package to generate.

    Attributes:
        overlays: Overlay files, applied in order.
        package: The name of the package; if empty, the default of the version.
        dialect: The default field-table dialect; if empty, the default of the version.
        emit: What to generate: items of ``EMITTED`` (the codec, in folders of it what clients need and rows and VARIANT,
            the suite that tests it, its core in C) and targets of the user's templates. None generates
            ``DEFAULT_EMIT`` and all of the user's targets.
    """

    files: tuple[Path, ...]
    overlays: tuple[Path, ...] = ()
    package: str = ""
    dialect: str = ""
    templates: Path | None = None
    emit: tuple[str, ...] | None = None


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


@dataclass(frozen=True, slots=True)
class Generated:
    """The generated files of a target: package, suite, and files of the user's templates.

    Attributes:
        folders: The folders that hold only generated files, relative to the output folder.
        files: Text by path relative to the output folder.
        leftovers: How to recognise files of the user's own targets that are no longer generated.
    """

    package: str
    folders: tuple[str, ...]
    files: dict[str, str]
    warnings: tuple[Problem, ...]
    leftovers: tuple[Leftovers, ...] = ()


def template_variables(*contexts: Any) -> dict[str, Any]:
    """Return the fields of dataclasses by name: templates see all of them side by side."""
    return {field.name: getattr(context, field.name) for context in contexts for field in fields(context)}
