"""HTML pages that need no network: their templates extend ``page/page.html.jinja``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .. import __version__
from .resources import templates_dir


def page_environment(filters: Mapping[str, Callable[..., Any]]) -> Environment:
    """What renders pages: the templates, with filters besides those of Jinja."""
    environment = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,  # texts of specifications and of brokers are shown, never obeyed
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters)
    environment.globals["generator_version"] = __version__
    return environment


def render_page(template: str, filters: Mapping[str, Callable[..., Any]], **variables: Any) -> str:
    """The page; all of its style and script is in it.

    Args:
        template: Its path in the folder of templates.
        filters: What it needs besides the filters of Jinja.
        variables: What it shows, besides ``generator_version``.
    """
    return page_environment(filters).get_template(template).render(**variables)
