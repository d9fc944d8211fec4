"""What a guide is before it is rendered: its pages, what the sidebar shows, what search finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PageLink:
    """An entry of the sidebar.

    Attributes:
        title: What it says.
        target: Where it leads, relative to the folder of the guide: ``#class.queue`` of a page that is its
            only one, ``types.html#type.ubyte`` else.
        items: What is folded away below it.
    """

    title: str
    target: str
    items: tuple[PageLink, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that search finds.

    Attributes:
        kind: What it is, for people: ``method``, ``field``, ``constant``, ``rule``, ``type``.
        name: By what most people look for it: ``queue.declare.passive``.
        text: What else is searched and, its beginning, shown: label, doc. One line or several.
        anchor: The id on the page, without ``#``.
    """

    kind: str
    name: str
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a guide.

    Its template extends ``reference/site.html.jinja`` and fills its blocks ``content``, ``page_style`` and
    ``page_script``. What it sees besides its variables: ``page`` (this), ``guide``, ``root`` (what leads
    from its folder to that of the site: empty, or ``../``), ``generator_version``.

    Attributes:
        path: Its file, relative to the folder of the guide; the first page of a guide is ``index.html``.
            No folders: so links between the pages of a guide are file names.
        title: For people.
        template: Its path in the folder of templates.
        variables: What the template shows.
        search_entries: What search finds on it, the most important first.
        contents: What the sidebar shows of it.
    """

    path: str
    title: str
    template: str
    variables: Mapping[str, Any]
    search_entries: tuple[SearchEntry, ...] = ()
    contents: tuple[PageLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Guide:
    """The guide of one specification.

    Attributes:
        version: ``0-9-1``, or what a specification of one's own is called; unique in a site.
        title: For people.
        folder: Where its pages are: empty when it is the only one of the site, else a name and ``/``.
        pages: The first is ``index.html``.
    """

    version: str
    title: str
    folder: str
    pages: tuple[Page, ...]
