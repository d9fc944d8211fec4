"""HTML pages that need no network: their templates extend ``page/page.html.jinja``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from .. import __version__
from .resources import templates_dir
from .wording import visible_lines


def page_environment(
    filters: Mapping[str, Callable[..., Any]], finalize: Callable[[Any], Any] | None = None
) -> Environment:
    """Return the Jinja environment of pages, with additional filters; ``finalize`` makes what is shown of each value."""
    environment = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,  # texts of specifications and brokers are not trusted
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters)
    environment.globals["generator_version"] = __version__
    return environment


def shown_visibly(value: Any) -> Any:
    """Return a value, for ``finalize``, without characters that act instead of being seen; markup stays."""
    return visible_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def render_page(
    template: str,
    filters: Mapping[str, Callable[..., Any]],
    finalize: Callable[[Any], Any] | None = None,
    **variables: Any,
) -> str:
    """Render a page, with its style and script inline.

    Args:
        template: Its path in the folder of templates.
        filters: Filters in addition to those of Jinja.
        finalize: See ``page_environment``.
        variables: Variables in addition to ``generator_version``.
    """
    return page_environment(filters, finalize).get_template(template).render(**variables)
