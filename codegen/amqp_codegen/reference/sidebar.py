"""What the sidebar of a page shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .changes import Changes
from .page_plan import Guide, Page, PageLink


@dataclass(frozen=True, slots=True)
class SidebarItem:
    """An entry.

    Attributes:
        title: What it says.
        target: Where it leads, relative to the folder of the page.
        items: What is below it.
        open: Whether that is unfolded at first.
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
    """The guide's pages with what is on this one, then what else the site has."""
    root = "../" if guide.folder else ""
    if len(guide.pages) == 1:
        items = _unfolded(page.contents)
    else:
        items = [_page_item(each, each is page) for each in guide.pages]
    if changes:
        links = (SidebarItem(each.title, f"{root}{each.path}") for each in changes)
        items.append(SidebarItem("Changes", f"{root}{changes[0].path}", tuple(links), True))
    if len(guides) > 1:
        others = (
            SidebarItem(each.title, f"{root}{each.folder}index.html", current=each is guide)
            for each in guides
        )
        items.append(SidebarItem("All guides", f"{root}index.html", tuple(others), True))
    return tuple(items)


def _page_item(page: Page, is_current: bool) -> SidebarItem:
    below = _items(page.contents) if is_current else ()
    return SidebarItem(page.title, page.path, tuple(below), is_current, is_current)


def _unfolded(links: Iterable[PageLink]) -> list[SidebarItem]:
    """The contents of an only page; of its lists, those are unfolded in which there are lists again."""
    return [
        SidebarItem(
            link.title, link.target, tuple(_items(link.items)), any(each.items for each in link.items)
        )
        for link in links
    ]


def _items(links: Iterable[PageLink]) -> list[SidebarItem]:
    return [SidebarItem(link.title, link.target, tuple(_items(link.items))) for link in links]
