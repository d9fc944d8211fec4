"""The Jinja environment: template folders, filters and tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from . import python_text
from .amqp0.filters import amqp0_filters, amqp0_tests
from .amqp1.filters import amqp1_filters, amqp1_tests
from .source_text import c_string, comment_lines


class TemplateLoader(FileSystemLoader):
    """A loader of templates and of plain Python modules that only need a header.

    If there is no ``x.py.jinja``, the loader takes the text of ``x.py`` unchanged, after the header.
    """

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return text, path and a check whether it is current; the text of a module begins with the header."""
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            if not template.endswith(".py.jinja"):
                raise
        text, path, is_current = super().get_source(environment, template.removesuffix(".jinja"))
        verbatim = text.replace("{%", "{% endraw %}{{ '{%' }}{% raw %}")
        return f"{{{{ header }}}}\n{{% raw %}}{verbatim}{{% endraw %}}", path, is_current

    def list_templates(self) -> list[str]:
        """Return the names of all templates."""
        return [f"{name}.jinja" if name.endswith(".py") else name for name in super().list_templates()]


class Missing(StrictUndefined):
    """An undefined variable; raises an error also when it is shown as an item of a list."""

    __slots__ = ()
    __repr__ = StrictUndefined.__str__


def make_environment(templates: Path, user_templates: Path | None = None) -> Environment:
    """Return the environment; templates of the user replace ours of the same name."""
    folders = [folder for folder in (user_templates, templates) if folder is not None]
    environment = Environment(
        loader=ChoiceLoader([TemplateLoader(folder) for folder in folders]),
        undefined=Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # the output is Python; the filters literal and docstring escape text of the specification
    )
    environment.filters.update(
        {
            "import_from": python_text.import_from,
            "literal": python_text.literal,
            "tuple_literal": python_text.tuple_literal,
            "tuple_source": python_text.tuple_source,
            "docstring": python_text.docstring,
            "c_string": c_string,
            "comment": comment_lines,
            "json": json.dumps,
            **amqp0_filters(),
            **amqp1_filters(),
        }
    )
    environment.tests.update({**amqp0_tests(), **amqp1_tests()})
    return environment
