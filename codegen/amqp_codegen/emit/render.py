"""Renders planned files and formats what is Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import Environment, TemplateError

from ..model.problem import SpecError
from .format_python import format_python_files
from .output_file import PlannedFile
from .template_problem import is_ours, template_problem

Progress = Callable[[str], None]


def render_files(
    environment: Environment, files: Sequence[PlannedFile], variables: Mapping[str, Any], progress: Progress
) -> dict[str, str]:
    """The text of every planned file, by path.

    Args:
        environment: With templates and filters.
        files: What to render.
        variables: What every template sees besides its own context.
        progress: Called with the path of each file before it is made.

    Raises:
        SpecError: A user's own template is missing or wrong, or makes something that is no Python.
    """
    rendered = {}
    for file in files:
        progress(file.path)
        rendered[file.path] = _render(environment, file, variables)
    python = {file.path: rendered[file.path] for file in files if file.is_formatted}
    return {**rendered, **format_python_files(python)}


def _render(environment: Environment, file: PlannedFile, variables: Mapping[str, Any]) -> str:
    names = {**variables, **file.context}
    try:
        text = environment.get_template(file.template).render(names)
        text.encode()  # a template may write half a surrogate pair, and a file cannot have that
    except Exception as error:
        if is_ours(environment) and not isinstance(error, TemplateError):
            raise
        raise SpecError([template_problem(environment, file.template, error, names)]) from error
    return text
