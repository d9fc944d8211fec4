"""Specifications to the files of a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from jinja2 import Environment

from ..diff.change import LEVELS
from ..diff.reports import FILTERS, report_variables, template_name
from ..model.amqp0 import spec as spec0
from ..resolve.specification import Specification
from ..support.page import page_environment
from ..support.wording import listing
from .about import about
from .amqp0.pages import pages as amqp0_pages
from .amqp1.pages import pages as amqp1_pages
from .changes import Changes, Places, changes_between, neighbours
from .folder import marked_page, marked_script
from .navigation import FILE, search_data, sidebar
from .page_plan import Guide, Page

Progress = Callable[[str], None]


def site_files(specifications: Sequence[Specification], progress: Progress, home: str = "") -> dict[str, str]:
    """Render the whole site, without writing it.

    Args:
        specifications: One guide each. With one, its guide is the site; with several, each has a folder, and
            ``index.html`` leads to them.
        progress: Called with what is being rendered.
        home: The address, relative to the folder of the site, of the documentation that the site is part of: each
            page of a guide then has a link to it.

    Returns:
        Path, relative to the folder of the site, to text. Every file begins with our mark.
    """
    guides = _guides(specifications, progress)
    progress("what has changed")
    pairs = pairwise(specifications) if len(specifications) > 1 else neighbours(specifications[0])
    changes = changes_between(list(pairs))
    environment = page_environment(FILTERS)
    environment.globals["home"] = home
    files = {}
    places = Places(guides, specifications)
    for path, render in _pages(environment, guides, changes, places):
        progress(path)
        files[path] = marked_page(render())
    files[FILE] = marked_script(search_data(guides))
    return files


def _guides(specifications: Sequence[Specification], progress: Progress) -> tuple[Guide, ...]:
    guides: list[Guide] = []
    versions: list[str] = []
    for specification in specifications:
        spec = specification.spec
        progress(f"{spec.version}: pages")
        versions.append(spec.version)
        again = versions.count(spec.version)
        name = f"{spec.version}.{again}" if again > 1 else spec.version
        title = (
            f"{spec.title} ({', '.join(source.name for source in specification.sources)})"
            if again > 1
            else spec.title
        )
        pages = amqp0_pages(spec) if isinstance(spec, spec0.Spec) else amqp1_pages(spec)
        folder = f"{name}/" if len(specifications) > 1 else ""
        guides.append(Guide(name, title, folder, pages, about(specification)))
    return tuple(guides)


def _pages(
    environment: Environment, guides: Sequence[Guide], changes: Sequence[Changes], places: Places
) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield each path with the function that renders it."""
    title = f"{guides[0].title}: reference" if len(guides) == 1 else "AMQP: reference"
    common: dict[str, Any] = {"site_title": title, "guides": guides, "changes": changes}
    if len(guides) > 1:
        description = (
            f"Every element of {listing(guide.title for guide in guides)}, and what differs between them."
        )
        variables = {
            **common,
            "heading": title,
            "root": "",
            "sidebar": (),
            "description": description,
            "levels": LEVELS,
        }
        yield "index.html", _renderer(environment, "reference/overview.html.jinja", variables)
    for guide in guides:
        for page in guide.pages:
            variables = {**page.variables, **common, **_frame(guide, page, guides, changes)}
            yield f"{guide.folder}{page.path}", _renderer(environment, page.template, variables)
    for change in changes:
        variables = {**report_variables(change.found), **common, **_places_of(change, places)}
        template = f"reference/{template_name(change.found)}.html.jinja"
        yield change.path, _renderer(environment, template, variables)


def _places_of(changes: Changes, places: Places) -> dict[str, Callable[..., str]]:
    return {
        "place_of": partial(places.of_change, changes),
        "place_in_old": partial(places.of_name, changes.old),
        "place_in_new": partial(places.of_name, changes.new),
    }


def _frame(guide: Guide, page: Page, guides: Sequence[Guide], changes: Sequence[Changes]) -> dict[str, Any]:
    """Return the variables of the frame around a guide's page."""
    return {
        "page": page,
        "guide": guide,
        "heading": page.title,
        "description": page.description,
        "root": "../" if guide.folder else "",
        "sidebar": sidebar(guide, page, guides, changes),
    }


def _renderer(environment: Environment, template: str, variables: dict[str, Any]) -> Callable[[], str]:
    return lambda: environment.get_template(template).render(variables)
