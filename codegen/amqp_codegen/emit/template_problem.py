"""Errors of a user's template as problems that name the template and the line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    TemplateError,
    TemplateNotFound,
    TemplatesNotFound,
    TemplateSyntaxError,
    UndefinedError,
)

from ..model.problem import Position, Problem
from ..support.wording import did_you_mean, quote

# Jinja's messages for an undefined name, attribute, filter or test.
_NO_NAME = re.compile(r"'(\w+)' is undefined")
_NO_ATTRIBUTE = re.compile(r"'([\w.]+)\.(\w+) object' has no attribute '(\w+)'")
_NO_FILTER = re.compile(r"No (filter|test) named '(\w+)'")
_DOCUMENT_HINT = "docs/templates.md says what templates see"


def template_problem(
    environment: Environment, template: str, error: Exception, names: Collection[str]
) -> Problem:
    """Return the problem for an exception. Templates can call any method, so it may be of any type."""
    hint = _hint(environment, error, names)
    return Problem("template", _message(error), _place(environment, template, error), hint)


def is_ours(environment: Environment) -> bool:
    """Return whether there are only our own templates: then an exception is a bug of ours."""
    return len(_folders(environment)) == 1


def _message(error: Exception) -> str:
    if isinstance(error, TemplateNotFound) and not isinstance(error, TemplatesNotFound):
        return f"there is no template {quote(str(error.name))}"
    if isinstance(error, TemplateError):
        # Name the classes of model objects without their modules, which do not concern users.
        return f"the template is wrong: {_NO_ATTRIBUTE.sub(_without_module, _folded(error.message))}"
    if isinstance(error, RecursionError):
        return "the template nests too deeply, or includes or calls itself without end"
    if isinstance(error, UnicodeDecodeError):
        return f"the template is not UTF-8: {error.reason} at octet {error.start}"
    if isinstance(error, UnicodeEncodeError):
        return f"the template makes what no file can hold: {error.reason}"
    return f"the template fails: {type(error).__name__}: {_folded(error)}"


def _without_module(match: re.Match[str]) -> str:
    return f"{match[2]} has no attribute '{match[3]}'"


def _hint(environment: Environment, error: Exception, names: Collection[str]) -> str:
    """Return what the user may have meant, or the document that lists what exists."""
    message = str(error)
    if isinstance(error, TemplateNotFound):
        return did_you_mean(str(error.name), environment.list_templates())
    if missing := _NO_FILTER.search(message):
        known: Collection[str] = environment.filters if missing[1] == "filter" else environment.tests
        return did_you_mean(missing[2], known) or _DOCUMENT_HINT
    if not isinstance(error, UndefinedError):
        return ""
    if missing := _NO_NAME.search(message):
        return did_you_mean(missing[1], names) or _DOCUMENT_HINT
    if missing := _NO_ATTRIBUTE.search(message):
        owner = getattr(sys.modules.get(missing[1]), missing[2], None)
        return (
            did_you_mean(missing[3], [name for name in dir(owner) if not name.startswith("_")])
            or _DOCUMENT_HINT
        )
    return _DOCUMENT_HINT


def _folded(message: object) -> str:
    return " ".join(str(message or "").split()).rstrip(".")


def _place(environment: Environment, template: str, error: Exception) -> Position:
    """Return the innermost template line in the traceback, else the beginning of the template."""
    if isinstance(error, TemplateSyntaxError):
        return Position(error.filename or error.name or template, error.lineno, 1)
    # Jinja gives compiled code the file names and lines of the templates.
    templates = {each.filename for each in (environment.cache or {}).values()}
    lines = [Position(file, line, 1) for file, line in _calls(error) if file in templates]
    return lines[-1] if lines else Position(_file(environment, template), 1, 1)


def _calls(error: Exception) -> Iterator[tuple[str, int]]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


def _file(environment: Environment, template: str) -> str:
    names = [template, template.removesuffix(".jinja")]  # the latter is a plain module
    paths = [
        os.path.normpath(os.path.join(folder, name)) for folder in _folders(environment) for name in names
    ]
    return next((path for path in paths if os.path.isfile(path)), template)


def _folders(environment: Environment) -> list[str]:
    loader = environment.loader
    loaders = loader.loaders if isinstance(loader, ChoiceLoader) else [loader]
    return [path for each in loaders if isinstance(each, FileSystemLoader) for path in each.searchpath]
