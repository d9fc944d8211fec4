r"""The docs of AMQP 1.0 files: markup to plain paragraphs.

``\n\n`` separates paragraphs; their only line breaks are those of ``br``. An item of a list is a
paragraph that begins with ``- `` or ``1. ``; the rest of the item, including nested lists, is indented
by two blanks. An entry of a definition list reads ``term: description``. A picture keeps its lines, each
indented by four blanks. A title is a separate paragraph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..element import Element, fold, join_paragraphs, layout

_NESTED_INDENT = "  "
_PICTURE_INDENT = "    "


def plain_text(docs: Iterable[Element]) -> str:
    """Return the paragraphs of some ``doc`` elements."""
    return join_paragraphs(paragraph for doc in docs for paragraph in _block(doc))


def _block(element: Element) -> Iterator[str]:
    """Yield the paragraphs of a block element."""
    if title := fold(element.attributes.get("title", "")):
        yield title
    if element.tag == "p":
        yield _lines(element)
    elif element.tag == "picture":
        yield "\n".join(
            f"{_PICTURE_INDENT}{line}".rstrip() for line in layout(element.direct_text).split("\n")
        )
    elif element.tag == "dl":
        yield from _entries(element)
    elif element.tag in ("ul", "ol"):
        for number, item in enumerate(element.find_all("li"), start=1):
            yield from _item("- " if element.tag == "ul" else f"{number}. ", _mixed(item))
    else:
        for child in element.children:
            yield from _block(child)


def _item(marker: str, blocks: Iterable[str]) -> Iterator[str]:
    """Yield the paragraphs of an item, the first with the marker before it."""
    for number, block in enumerate(block for block in blocks if block):
        if number:
            yield _indented(block)
        elif block.startswith(_PICTURE_INDENT):
            yield marker.rstrip()
            yield _indented(block)
        else:
            yield f"{marker}{block}"


def _indented(block: str) -> str:
    return "\n".join(f"{_NESTED_INDENT}{line}" if line else "" for line in block.split("\n"))


def _mixed(item: Element) -> Iterator[str]:
    """Yield the paragraphs of an item, which may have text between its blocks."""
    for piece in item.content:
        if isinstance(piece, str):
            yield fold(piece)
        else:
            yield from _block(piece)


def _entries(element: Element) -> Iterator[str]:
    """Yield the entries of a definition list; a term without a description is an entry too."""
    marker = ""
    for child in element.children:
        if child.tag == "dt":
            if marker:
                yield marker.rstrip()
            marker = f"{child.text}: "
        else:
            blocks = (paragraph for piece in child.children for paragraph in _block(piece))
            yield from _item(marker, blocks)
            marker = ""
    if marker:
        yield marker.rstrip()


def _lines(element: Element) -> str:
    """Return a paragraph, each of its lines folded."""
    lines = (fold(line) for line in "".join(_inline(element)).split(_BREAK_MARK))
    return "\n".join(line for line in lines if line)


# Replaces <br/> until the white space around it is folded; XML cannot contain this character.
_BREAK_MARK = "\0"


def _inline(element: Element) -> Iterator[str]:
    """Yield the text of an element within a paragraph."""
    for piece in element.content:
        if isinstance(piece, str):
            yield piece
        elif piece.tag == "br":
            yield _BREAK_MARK
        elif piece.tag == "xref":
            yield piece.text or piece.attributes.get("choice") or piece.attributes.get("name", "")
        elif piece.tag in ("sup", "sub"):
            yield _raised("^" if piece.tag == "sup" else "_", "".join(_inline(piece)).strip())
        else:
            yield from _inline(piece)


def _raised(mark: str, text: str) -> str:
    """Write ``2^8`` or ``x_(n+1)``."""
    return f"{mark}{text}" if text.isalnum() else f"{mark}({text})" if text else ""
