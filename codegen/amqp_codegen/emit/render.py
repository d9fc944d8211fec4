"""Renders planned files and formats what is Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateError, TemplateSyntaxError

from ..model.position import Position
from ..model.problem import Problem, SpecError
from .plan import PlannedFile
from .python_text import LINE_LENGTH

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
            text = environment.get_template(file.template).render({**variables, **file.context})
        except TemplateSyntaxError as error:
            place = Position(_base_name(error.filename or file.template), error.lineno, 1)
            raise SpecError([Problem("template", f"the template is wrong: {error.message}", place)]) from None
        except TemplateError as error:
            raise SpecError([Problem("template", f"template {file.template}: {error.message}")]) from None
        rendered[file.path] = format_python(text, file.path) if file.path.endswith(".py") else text
    return rendered


def _base_name(path: str) -> str:
    return Path(path).name


def format_python(text: str, path: str) -> str:
    """Formats Python source; the style is pinned by the version of black that this project requires.

    Raises:
        SpecError: A user's template made something that is no Python.
    """
    import black  # slow to import; only generating needs it

    mode = black.Mode(line_length=LINE_LENGTH, target_versions={black.TargetVersion.PY310})
    try:
        return black.format_str(text, mode=mode)
    except black.InvalidInput as error:
        raise SpecError([Problem("template", f"{path} comes out as no Python: {error}")]) from None
