"""Check the built site: every link leads to a file and an anchor that are there, and nothing is loaded from elsewhere.

python -m tools.docs_site.links build/site
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

_STYLE_LOAD = re.compile(r"@import\s+(?:url\()?[\"']?([^\"');]+)|url\([\"']?([^\"')]+)")


class _Page(HTMLParser):
    """The ids of a page, where its links lead, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links, self.loads = set[str](), set[str](), set[str]()
        self.feed(path.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name")[: 1 + (tag == "a")] if name in values}
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        elif tag == "link" and values.get("rel") != "canonical":
            self.loads.add(values.get("href", ""))
        elif "src" in values:
            self.loads.add(values["src"])


def faults(site: Path) -> Iterator[str]:
    """Yield each link that leads nowhere, and each file or page that is loaded from elsewhere."""
    pages = {path.relative_to(site).as_posix(): _Page(path) for path in sorted(site.rglob("*.html"))}
    for name, page in pages.items():
        if name == "404.html":  # its addresses begin at the root of a server
            continue
        for link in sorted(page.links):
            if not urlsplit(link).scheme and not _leads_somewhere(site, pages, name, link):
                yield f"{name}: {link} leads nowhere"
        for address in sorted(page.loads):
            yield from _load_faults(site, name, address)
    for path in sorted(site.rglob("*.css")):
        name = path.relative_to(site).as_posix()
        for match in _STYLE_LOAD.finditer(path.read_text("utf-8")):
            yield from _load_faults(site, name, match[1] or match[2])


def _leads_somewhere(site: Path, pages: Mapping[str, _Page], name: str, link: str) -> bool:
    parts = urlsplit(link)
    target = normpath(join(dirname(name), unquote(parts.path))) if parts.path else name
    if target.startswith("..") or not (site / target).exists():
        return False
    if (site / target).is_dir():
        target = normpath(join(target, "index.html"))
    anchor = unquote(parts.fragment)
    if target not in pages:
        return not anchor and (site / target).is_file()
    return not anchor or anchor in pages[target].ids


def _load_faults(site: Path, name: str, address: str) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme == "data" or address.startswith("#"):
        return
    if parts.scheme or parts.netloc:
        yield f"{name}: {address} is loaded from elsewhere"
    elif not (site / normpath(join(dirname(name), unquote(parts.path)))).is_file():
        yield f"{name}: {address} is not there"


def main(site: Path) -> int:
    """Print the faults; return the exit code."""
    found = list(faults(site))
    for fault in found:
        print(fault)
    print(f"{site}: {len(found)} broken links or requests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
