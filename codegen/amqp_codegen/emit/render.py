"""Render planned files with Jinja."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment, TemplateError

from ..model.problem import SpecError
from .environment import is_ours, template_problem
from .target import PlannedFile


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
