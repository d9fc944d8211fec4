"""Documents are written for the repository; here is what a site needs to show them as well."""

from __future__ import annotations

import re
from collections.abc import Mapping

_HEADING = re.compile(r"^## (.+)$")
_PAGE = re.compile(r"\]\(([\w.-]+\.md)(?:#[\w.-]+)?\)")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_ESCAPED_BAR = r"\|"
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\s]+)\)")
# Where a link to a file outside docs/ leads.
_ELSEWHERE = {"../README.md": "quickstart.md", "../CHANGELOG.md": "changelog.md"}
GUIDES_PLACE = "<!-- site: guides -->"
_GUIDES = "Here: the [reference guides of all versions](guides.md), with what differs between them."


def sections(index: str) -> dict[str, list[str]]:
    """Return heading to the pages that its part of the index names; a page belongs where it is named first."""
    found: dict[str, list[str]] = {}
    pages: set[str] = set()
    heading = ""
    for line in index.splitlines():
        if match := _HEADING.match(line):
            heading = match[1]
            found[heading] = []
        for page in _PAGE.findall(line):
            if heading and page not in pages:
                pages.add(page)
                found[heading].append(page)
    return found


def title(text: str) -> str:
    """Return the heading of a document; empty if it has none."""
    match = _TITLE.search(text)
    return match[1] if match else ""


def for_site(text: str, titles: Mapping[str, str]) -> str:
    """Return the Markdown of a page as the site's renderer reads it.

    The name of a file after the language of a block becomes its title; a bar that is escaped in the code of a table becomes
    an entity. A link that has the name of a document as its text gets its title; one to a file that is not in the site
    becomes the name of the file.

    Args:
        text: The Markdown.
        titles: Page to its title.
    """
    text = text.replace(GUIDES_PLACE, _GUIDES)
    parts: list[str] = []
    end = 0
    for match in _FENCED.finditer(text):
        parts += _prose(text[end : match.start()], titles), _FENCE.sub(r'``` { .\1 title="\2" }', match[0])
        end = match.end()
    return "".join([*parts, _prose(text[end:], titles)])


def _prose(text: str, titles: Mapping[str, str]) -> str:
    text = _CODE.sub(lambda match: _code(match[1]) if _ESCAPED_BAR in match[1] else match[0], text)
    return _LINK.sub(lambda match: _link(match[1], match[2], titles), text)


def _code(code: str) -> str:
    """Return code as HTML in which nothing is Markdown."""
    text = code.replace(_ESCAPED_BAR, "|")
    return f"<code>{''.join(character if character.isalnum() or character == ' ' else f'&#{ord(character)};' for character in text)}</code>"


def _link(text: str, target: str, titles: Mapping[str, str]) -> str:
    if target.startswith("../") and target not in _ELSEWHERE:
        return f"`{target.removeprefix('../')}`"
    address = _ELSEWHERE.get(target, target)
    shown = titles.get(address.partition("#")[0], "") if text.endswith(".md") else ""
    return f"[{shown or text}]({address})"


def from_root(text: str) -> str:
    """Return a document of the repository's root as if it were in docs/."""

    def moved(link: re.Match[str]) -> str:
        target = link[2] if re.match(r"docs/|#|.*://", link[2]) else f"../{link[2]}"
        return f"[{link[1].removeprefix('docs/')}]({target.removeprefix('docs/')})"

    return _LINK.sub(moved, text)
