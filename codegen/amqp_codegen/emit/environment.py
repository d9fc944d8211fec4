"""The Jinja environment: where templates are found and which filters they have."""

from __future__ import annotations

import json
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from . import python_text
from .amqp0.filters import amqp0_filters, amqp0_tests
from .amqp1.filters import amqp1_filters, amqp1_tests
from .source_text import c_string, comment_lines


class Missing(StrictUndefined):
    """What is not there; an error also where it would be shown as part of a list."""

    __slots__ = ()
    __repr__ = StrictUndefined.__str__


def make_environment(templates: Path, user_templates: Path | None = None) -> Environment:
    """The environment.

    Args:
        templates: The folder of our own templates.
        user_templates: A folder that is looked at first, so that any file of ours can be replaced.
    """
    folders = [folder for folder in (user_templates, templates) if folder is not None]
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
        undefined=Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # the output is Python; text of the specification goes through literal and docstring
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
