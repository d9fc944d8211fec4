"""HTML pages that need no network: their templates extend ``page/page.html.jinja``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .. import __version__
from .resources import templates_dir


def page_environment(filters: Mapping[str, Callable[..., Any]]) -> Environment:
    """Return the Jinja environment of pages, with additional filters."""
    environment = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,  # texts of specifications and brokers are not trusted
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters)
    environment.globals["generator_version"] = __version__
    return environment


def render_page(template: str, filters: Mapping[str, Callable[..., Any]], **variables: Any) -> str:
    """Render a page, with its style and script inline.

    Args:
        template: Its path in the folder of templates.
        filters: Filters in addition to those of Jinja.
        variables: Variables in addition to ``generator_version``.
    """
    return page_environment(filters).get_template(template).render(**variables)
