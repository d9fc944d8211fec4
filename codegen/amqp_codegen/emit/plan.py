"""The output plan: which files come from which templates with which variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to be rendered.

    Attributes:
        path: Where it goes, relative to the output folder, with forward slashes.
        template: The name of its template.
        context: The variables the template sees.
        formatted: Whether it is Python to be formatted; None: if its name ends with ``.py``.
    """

    path: str
    template: str
    context: Mapping[str, Any]
    formatted: bool | None = None

    @property
    def is_formatted(self) -> bool:
        """Whether it is formatted."""
        return self.path.endswith(".py") if self.formatted is None else self.formatted
