"""Sites made in tests, and what is on their pages, read as a browser reads them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.reference.navigation import FILE
from amqp_codegen.reference.site import site_files
from amqp_codegen.resolve.specification import Specification, read_specification

AMQP0 = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq")
_VOID = {"meta", "link", "br", "hr", "img", "input"}
_UNSEEN = {"script", "style"}
_BLOCKS = {"dt", "dd", "td", "th", "tr", "p", "li", "h3", "h4", "pre", "div"}
_ADDRESSES = {"href", "src", "action", "xlink:href", "poster", "data", "srcset"}


@dataclass
class Page(HTMLParser):
    """A page: its ids, its addresses, its elements, and the text that a reader sees."""

    html: str
    ids: list[str] = field(default_factory=list)
    addresses: list[tuple[str, str]] = field(default_factory=list)
    elements: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.html)
        self.close()
        assert self.open == [], "elements that are never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag in _BLOCKS:
            self.texts.append(" ")
        for name, value in attrs:
            self.attributes.append((name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name in _ADDRESSES:
                self.addresses.append((tag, value or ""))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not _UNSEEN & set(self.open):
            self.texts.append(data)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The ids, to look one up among thousands."""
        return frozenset(self.ids)

    @cached_property
    def text(self) -> str:
        """All that is to be read, white space folded."""
        return fold("".join(self.texts))


def fold(text: str) -> str:
    return " ".join(text.split())


def read(*names: str | Path) -> list[Specification]:
    found = (resolve_input(str(name)) for name in names)
    return [read_specification(inputs.files, inputs.overlays) for inputs in found]


def made(specifications: Iterable[Specification]) -> dict[str, str]:
    return site_files(list(specifications), lambda text: None)


@lru_cache
def site(*names: str) -> Mapping[str, str]:
    """The files of a site of built-in specifications."""
    return made(read(*names))


@lru_cache
def parsed(*names: str) -> Mapping[str, Page]:
    return pages(site(*names))


def pages(files: Mapping[str, str]) -> dict[str, Page]:
    return {path: _page(text) for path, text in files.items() if path.endswith(".html")}


@cache
def _page(text: str) -> Page:
    """Many sites have the same pages, and several tests look at each."""
    return Page(text)


def search_entries(files: Mapping[str, str]) -> list[list[str]]:
    """Kind, name, text and address of each; the script is no more than the assignment of a list."""
    match = re.fullmatch(r"//[^\n]*\nwindow\.searchData = (\[.*\]);\n", files[FILE], re.DOTALL)
    assert match
    entries: list[list[str]] = json.loads(match[1])
    return entries


def faults(files: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a site: links that lead nowhere, ids given twice, anything from elsewhere."""
    found = pages(files)
    for path, page in found.items():
        for item in (item for item, count in Counter(page.ids).items() if count > 1):
            yield f"{path}: two elements have the id {item!r}"
        for tag, address in page.addresses:
            if tag == "link" and address.startswith("data:image/svg+xml,"):
                continue  # the icon is in the page
            if tag != "a":
                yield f"{path}: <{tag}> loads {address!r}"
            elif not leads_somewhere(found, path, address):
                yield f"{path}: {address!r} leads nowhere"
        if re.search(r"@import|url\((?!#)", page.html):
            yield f"{path}: its style loads something"
    for _, name, _, address in search_entries(files):
        if not leads_somewhere(found, "index.html", address):
            yield f"search: {name!r} is not at {address!r}"


def leads_somewhere(found: Mapping[str, Page], path: str, address: str) -> bool:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return False
    target = normpath(join(dirname(path), unquote(parts.path))) if parts.path else path
    return target in found and (not parts.fragment or unquote(parts.fragment) in found[target].anchors)
