"""The sidebar of a page, and the data of the site's search."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .changes import Changes
from .page_plan import Guide, Page, PageLink


@dataclass(frozen=True, slots=True)
class SidebarItem:
    """An entry of the sidebar.

    Attributes:
        target: Its link, relative to the folder of the page.
        open: Whether these are unfolded at first.
        current: Whether it is the page itself.
    """

    title: str
    target: str
    items: tuple[SidebarItem, ...] = ()
    open: bool = False
    current: bool = False


def sidebar(
    guide: Guide, page: Page, guides: Sequence[Guide], changes: Sequence[Changes]
) -> tuple[SidebarItem, ...]:
    """Return the guide's pages with the contents of this one, then the rest of the site."""
    root = "../" if guide.folder else ""
    if len(guide.pages) == 1:
        items = _unfolded(page.contents)
    else:
        items = [_page_item(other, other is page) for other in guide.pages]
    if changes:
        links = (SidebarItem(change.title, f"{root}{change.path}") for change in changes)
        items.append(SidebarItem("Changes", f"{root}{changes[0].path}", tuple(links), True))
    if len(guides) > 1:
        others = (
            SidebarItem(other.title, f"{root}{other.folder}index.html", current=other is guide)
            for other in guides
        )
        items.append(SidebarItem("All guides", f"{root}index.html", tuple(others), True))
    return tuple(items)


def _page_item(page: Page, is_current: bool) -> SidebarItem:
    below = _items(page.contents) if is_current else ()
    return SidebarItem(page.title, page.path, tuple(below), is_current, is_current)


def _unfolded(links: Iterable[PageLink]) -> list[SidebarItem]:
    """Return the contents of a single page; lists that hold lists again are unfolded."""
    return [
        SidebarItem(
            link.title, link.target, tuple(_items(link.items)), any(item.items for item in link.items)
        )
        for link in links
    ]


def _items(links: Iterable[PageLink]) -> list[SidebarItem]:
    return [SidebarItem(link.title, link.target, tuple(_items(link.items))) for link in links]


FILE = "search-data.js"


def search_data(guides: Sequence[Guide]) -> str:
    """Return one line for each entry: kind, name, text, address in the folder of the site."""
    lines = [json.dumps(entry) for entry in _entries(guides)]
    return f"window.searchData = [\n{','.join(f'{line}{chr(10)}' for line in lines)}];\n"


def _entries(guides: Sequence[Guide]) -> Iterator[tuple[str, str, str, str]]:
    for guide in guides:
        label = f", {guide.version}" if len(guides) > 1 else ""
        for page in guide.pages:
            for entry in page.search_entries:
                address = f"{guide.folder}{page.path}#{entry.anchor}"
                yield f"{entry.kind}{label}", entry.name, entry.text, address
