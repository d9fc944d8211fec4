"""Renders planned files and formats what is Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateError, TemplateSyntaxError

from ..model.position import Position
from ..model.problem import Problem, SpecError
from .format_python import format_python_files
from .plan import PlannedFile

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
        SpecError: A template is missing or wrong; only a user's own template can be.
    """
    rendered = {}
    for file in files:
        progress(file.path)
        try:
            rendered[file.path] = environment.get_template(file.template).render(
                {**variables, **file.context}
            )
        except TemplateSyntaxError as error:
            place = Position(_base_name(error.filename or file.template), error.lineno, 1)
            raise SpecError([Problem("template", f"the template is wrong: {error.message}", place)]) from None
        except TemplateError as error:
            raise SpecError([Problem("template", f"template {file.template}: {error.message}")]) from None
    return {**rendered, **format_python_files(rendered)}


def _base_name(path: str) -> str:
    return Path(path).name
