"""A guide before it is rendered: its pages, their ids, sidebar entries and search entries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_UNFIT = re.compile(r"[^a-z0-9.]+")


class Ids:
    """Gives out ids that are unique on a page."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last number of each: many elements may want the same id

    def take(self, wanted: str) -> str:
        """Return the wanted id, or that with a number after it."""
        plain = slug(wanted)
        number = self._numbers.get(plain, 1)
        candidate = plain if number == 1 else f"{plain}-{number}"
        while candidate in self._taken:
            number += 1
            candidate = f"{plain}-{number}"
        self._numbers[plain] = number
        self._taken.add(candidate)
        return candidate


def slug(text: str) -> str:
    """Return the text in small letters, digits, dots and hyphens, as an address may hold it."""
    return _UNFIT.sub("-", text.lower()).strip("-.") or "x"


@dataclass(frozen=True, slots=True)
class PageLink:
    """An entry of the sidebar.

    Attributes:
        target: Its link, relative to the folder of the guide: ``#class.queue`` in a guide of one page, else
            ``types.html#type.ubyte``.
        items: The entries folded away below it.
    """

    title: str
    target: str
    items: tuple[PageLink, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that search finds.

    Attributes:
        kind: ``method``, ``field``, ``constant``, ``rule``, ``type``.
        name: What most people look for: ``queue.declare.passive``.
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
    ``page_script``. Besides its variables it gets ``page`` (this), ``guide``, ``root`` (the path from its folder to
    that of the site: empty, or ``../``), ``generator_version``.

    Attributes:
        path: Its file, relative to the folder of the guide; the first page of a guide is ``index.html``.
            No folders: so links between the pages of a guide are file names.
        template: Its path in the folder of templates.
        search_entries: What search finds on it, the most important first.
        contents: Its entries in the sidebar.
        description: What is on it, in a sentence, for search engines and previews.
    """

    path: str
    title: str
    template: str
    variables: Mapping[str, Any]
    search_entries: tuple[SearchEntry, ...] = ()
    contents: tuple[PageLink, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """The guide of one specification.

    Attributes:
        version: ``0-9-1``, or the name of a user's own specification; unique in a site.
        folder: The folder of its pages: empty if it is the only one of the site, else a name and ``/``.
        pages: The first is ``index.html``.
        about: What the specification is and how much is in it, for the first page of a site of several guides.
    """

    version: str
    title: str
    folder: str
    pages: tuple[Page, ...]
    about: str = ""


def sentences(*parts: str) -> str:
    """Join the parts that are not empty, as sentences of one line."""
    folded = (" ".join(part.split()).rstrip(".") for part in parts)
    return ". ".join(part for part in folded if part)
