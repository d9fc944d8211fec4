"""Render planned files with Jinja."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from jinja2 import Environment, TemplateError

from ..model.problem import SpecError
from .environment import is_ours, template_problem


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


def template_variables(*contexts: Any) -> dict[str, Any]:
    """Return the fields of dataclasses by name: templates see all of them side by side."""
    return {each.name: getattr(context, each.name) for context in contexts for each in fields(context)}


def render_files(
    environment: Environment, files: Sequence[PlannedFile], variables: Mapping[str, Any]
) -> dict[str, str]:
    """Return the text of every planned file, by path; every template sees ``variables`` besides its context.

    Raises:
        SpecError: A user's template is missing or faulty.
    """
    return {file.path: _render(environment, file, variables) for file in files}


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
