"""A tree, merged or not, as an XML file for people and other tools."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from amqp_codegen.reader.element import Element, layout

_INDENT = "  "
_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_SPACE = " \t\r\n"


def write_xml(root: Element) -> str:
    """Write a tree as an XML document.

    Elements are indented anew, texts keep their line breaks, and a comment before what an overlay
    put there says why. Reading the result gives the same tree but for positions, origins and white
    space that folds away.
    """
    return '<?xml version="1.0"?>\n' + "".join(_write(root, "", "")) + "\n"


def _write(element: Element, indent: str, namespace: str, inline: bool = False) -> Iterator[str]:
    """Write an element; inside one that is inline all white space stays as it is."""
    yield f"<{element.tag}{_attributes(element, namespace)}"
    inline = inline or _is_inline(element)
    if not (any(_says_something(piece) for piece in element.content) or (inline and element.content)):
        yield "/>"
        return
    yield ">"
    if inline:
        for piece in element.content:
            if isinstance(piece, str):
                yield _escape(piece)
            else:
                yield from _write(piece, "", element.namespace, inline=True)
    elif not element.children and "\n" not in (line := layout("".join(_texts(element)))):
        yield _escape(line)
    else:
        yield from _block(element, indent)
    yield f"</{element.tag}>"


def _block(element: Element, indent: str) -> Iterator[str]:
    """Write the content of an element with everything on lines of its own."""
    inner = indent + _INDENT
    for piece in element.content:
        if isinstance(piece, Element):
            if piece.origin:
                yield f"\n{inner}<!-- {_comment(piece.origin)} -->"
            yield f"\n{inner}"
            yield from _write(piece, inner, element.namespace)
        elif piece.strip(_SPACE):
            lines = _escape(layout(piece)).split("\n")
            yield "".join(f"\n{inner}{line}" if line else "\n" for line in lines)
    yield f"\n{indent}"


def _is_inline(element: Element) -> bool:
    """Tell whether text touches a child without white space between: then none may be put there."""
    if not any(_says_something(piece) for piece in _texts(element)):
        return False
    for left, right in pairwise(element.content):
        if isinstance(left, Element) and isinstance(right, Element):
            return True
        if isinstance(left, str) and left.strip(_SPACE) and left[-1] not in _SPACE:
            return True
        if isinstance(right, str) and right.strip(_SPACE) and right[0] not in _SPACE:
            return True
    return False


def _texts(element: Element) -> Iterator[str]:
    return (piece for piece in element.content if isinstance(piece, str))


def _says_something(piece: Element | str) -> bool:
    return isinstance(piece, Element) or bool(piece.strip(_SPACE))


def _attributes(element: Element, namespace: str) -> str:
    """Write attributes in their order; a namespace that is new here comes first."""
    parts = []
    if element.namespace != namespace:
        parts.append(f' xmlns="{_escape_value(element.namespace)}"')
    for number, (name, value) in enumerate(element.attributes.items()):
        uri, _, local = name.rpartition("}")
        uri = uri[1:]
        if uri == _XML_NAMESPACE:
            local = f"xml:{local}"
        elif uri:
            parts.append(f' xmlns:a{number}="{_escape_value(uri)}"')
            local = f"a{number}:{local}"
        parts.append(f' {local}="{_escape_value(value)}"')
    return "".join(parts)


def _comment(text: str) -> str:
    """Make a text fit for a comment, where two hyphens in a row may not be."""
    while "--" in text:
        text = text.replace("--", "- -")
    return text


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _escape_value(value: str) -> str:
    """Escape an attribute value; a reader would make a blank of a tab or line break."""
    return _escape(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
