"""XML bytes to elements with exact positions, safe against hostile documents.

lxml parses the document. It has no columns, so one scan of the text finds every start tag, end tag and comment, in
the order of the tree (``markup_places``). What no specification needs is refused before lxml reads it: document
type declarations (and so all entities), unusual encodings, huge files.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import starmap
from typing import Any

from lxml import etree

from ..model.problem import Position, Problem, SpecError
from ..support.wording import quote, show_tag
from .element import Comment, Element, TextRun
from .markup_places import Extent, MarkupPlaces, open_tags

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 64
MAX_ELEMENTS = 250_000
# Reading all attributes of an element from lxml takes quadratic time.
_MAX_ATTRIBUTES = 200

_ENCODINGS = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"})
# The first octets of a file and the codec they mean; without them, the declaration names it.
_SIGNATURES = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
# UTF-32, with a byte order mark and without.
_UTF_32 = (b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"<\0\0\0", b"\0\0\0<")
_BYTE_ORDER_MARK = "\ufeff"
_DECLARATION = re.compile(r"""<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)""")
_MAX_DECLARATION_OCTETS = 1000
_PROLOG = re.compile(r"\s+|<!--.*?-->|<\?.*?\?>", re.DOTALL)
_START_TAG = re.compile(r"<[^\s/!?]")
_JSON_HINT = "RabbitMQ's JSON is not read: name 0-9-1-rabbitmq, which is built in, or the XML"
# What the parser says of a file that is cut off: within a tag, an attribute, a comment, CDATA, or between them.
_AT_END = frozenset(
    (
        etree.ErrorTypes.ERR_TAG_NOT_FINISHED,
        etree.ErrorTypes.ERR_GT_REQUIRED,
        etree.ErrorTypes.ERR_ATTRIBUTE_NOT_STARTED,
        etree.ErrorTypes.ERR_ATTRIBUTE_NOT_FINISHED,
        etree.ErrorTypes.ERR_ATTRIBUTE_WITHOUT_VALUE,
        etree.ErrorTypes.ERR_COMMENT_NOT_FINISHED,
        etree.ErrorTypes.ERR_CDATA_NOT_FINISHED,
        etree.ErrorTypes.ERR_PI_NOT_FINISHED,
        etree.ErrorTypes.ERR_LT_REQUIRED,
        etree.ErrorTypes.ERR_DOCUMENT_END,
        etree.ErrorTypes.ERR_NAME_REQUIRED,
        etree.ErrorTypes.ERR_ENTITYREF_SEMICOL_MISSING,
    )
)
# A message of the parser may contain a name as long as the file.
_MAX_MESSAGE_LENGTH = 200


def read_xml(
    data: bytes,
    file: str,
    *,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> Element:
    """Read an XML document and return its root element.

    Args:
        data: The bytes of the file.
        file: The name of the file, for positions.
        max_bytes: The largest size of a document.
        max_depth: The largest depth of nested elements.
        max_elements: The largest number of elements; start tags within comments count too.

    Raises:
        SpecError: With one problem: the input is not well-formed, is refused, or is over a limit.
    """
    start = Position(file, 1, 1)
    if len(data) > max_bytes:
        raise _refusal("xml-too-large", f"the file has more than {max_bytes} octets", start)
    if data.startswith(_UTF_32):
        raise _refusal(
            "xml-encoding", "the encoding UTF-32 is not supported", start, "save the file as UTF-8"
        )
    if not data.strip():
        raise _refusal("xml-not-well-formed", "the file is empty", start, "an AMQP specification is expected")
    if data.lstrip().startswith((b"{", b"[")):
        message = "this is JSON, not XML"
        raise _refusal("xml-not-well-formed", message, start, _JSON_HINT)
    text = _decode(data, file).replace("\r\n", "\n").replace("\r", "\n")
    _refuse_doctype(text, file)
    _refuse_many_elements(text, file, max_elements)
    root = _parse(text, data, file, max_depth)
    return _Builder(MarkupPlaces(text, file), max_depth).build(root)


def _decode(data: bytes, file: str) -> str:
    """Decode a document: by its first octets, else by its declaration, else as UTF-8."""
    codec = next((codec for signature, codec in _SIGNATURES if data.startswith(signature)), "")
    head = data[:_MAX_DECLARATION_OCTETS].decode(codec or "iso-8859-1", "replace").lstrip(_BYTE_ORDER_MARK)
    declaration = _DECLARATION.match(head)
    declared = declaration[1].lower() if declaration else ""
    start = Position(file, 1, 1)
    if declaration and declared not in _ENCODINGS:
        message = f"the encoding {quote(declaration[1])} is not supported"
        is_misspelt = declared.replace("_", "").replace("-", "") == "utf8"
        hint = 'write encoding="UTF-8"' if is_misspelt else "save the file as UTF-8"
        raise _refusal("xml-encoding", message, start, hint)
    if declared and declared.startswith("utf-16") != codec.startswith("utf-16"):
        raise _not_well_formed("encoding specified in XML declaration is incorrect", start)
    codec = codec or declared or "utf-8"
    try:
        return data.decode(codec).lstrip(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(codec, "replace").lstrip(_BYTE_ORDER_MARK)
        octet = f"octet 0x{data[error.start]:02x} at offset {error.start}"
        hint = f"{octet} is not UTF-8; save the file as UTF-8" if codec == "utf-8" else ""
        message = f"the text is not {codec.upper()}"
        raise _not_well_formed(message, _end_of(before, file), _binary_hint(data) or hint) from None


def _refuse_doctype(text: str, file: str) -> None:
    """Refuse a document type declaration; it can only stand before the root element."""
    at = 0
    while misc := _PROLOG.match(text, at):
        at = misc.end()
    if text.startswith("<!DOCTYPE", at):
        message = "a document type declaration is not allowed"
        raise _refusal("xml-doctype", message, _end_of(text[:at], file), "remove the <!DOCTYPE ...>")


def _refuse_many_elements(text: str, file: str, max_elements: int) -> None:
    for number, tag in enumerate(_START_TAG.finditer(text)):
        if number == max_elements:
            place = _end_of(text[: tag.start()], file)
            raise _refusal("xml-too-large", "the file has too many elements", place)


def _parse(text: str, data: bytes, file: str, max_depth: int) -> Any:
    # Encoded again, so that the parser reads the text that is scanned; "encoding" overrides the declaration.
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        collect_ids=False,
    )
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        place = Position(file, max(1, line), max(1, column))
        if error.code == etree.ErrorTypes.ERR_UNDECLARED_ENTITY:
            message = "reference to an entity that is not declared"
            hint = "write the character itself, or its number as &#...;"
            raise _refusal("xml-entity", message, place, hint) from None
        if (
            len(open_tags(_up_to(text, line, column))) > max_depth
        ):  # libxml2 has a limit of its own, far above ours
            raise _too_deep(max_depth, place) from None
        if error.code in _AT_END and (line, column) >= _last_place(text) and (tags := open_tags(text)):
            raise _ends_too_early(*tags[-1], text, place) from None
        message = (error.msg or "unknown error").removesuffix(f", line {line}, column {column}")
        raise _not_well_formed(message, place, _binary_hint(data)) from None


def _up_to(text: str, line: int, column: int) -> str:
    """Return the text before a place, both counted from 1."""
    lines = text.split("\n", line)
    return "\n".join([*lines[: line - 1], lines[line - 1][:column]])


class _Builder:
    """The conversion of lxml nodes to elements, each with the next extent of the scan."""

    def __init__(self, places: MarkupPlaces, max_depth: int) -> None:
        self._places = places
        self._max_depth = max_depth
        self._extents = iter(places.extents)
        self._started: list[Extent] = []
        # Each comment with the number of elements that begin before it.
        self._comments: list[tuple[str, Extent, int]] = []

    def build(self, root: Any) -> Element:
        """Return the root element, with the comments of the whole document."""
        for node in reversed(list(root.itersiblings(preceding=True))):
            self._note_comment(node, next(self._extents))
        element = self._element(root, next(self._extents), 1)
        for node in root.itersiblings():
            self._note_comment(node, next(self._extents))
        return replace(element, comments=tuple(starmap(self._comment, self._comments)))

    def _element(self, node: Any, extent: Extent, depth: int) -> Element:
        position = self._places.position(extent.start)
        if depth > self._max_depth:
            raise _too_deep(self._max_depth, position)
        if len(node.attrib) > _MAX_ATTRIBUTES:
            message = f"an element has more than {_MAX_ATTRIBUTES} attributes"
            raise _refusal("xml-too-large", message, position)
        self._started.append(extent)
        content: list[Element | str] = []
        runs: list[TextRun] = []
        texts = [node.text or ""]
        text_start = extent.inside
        for child in node:
            inner = next(self._extents)
            runs += self._places.text_runs(text_start, inner.start)
            if isinstance(child.tag, str):
                content += filter(None, ["".join(texts)])
                content.append(self._element(child, inner, depth + 1))
                texts.clear()
            else:
                self._note_comment(child, inner)  # it does not split the text around it
            texts.append(child.tail or "")
            text_start = inner.end
        runs += self._places.text_runs(text_start, extent.end_tag)
        content += filter(None, ["".join(texts)])
        namespace, _, tag = node.tag.removeprefix("{").rpartition("}")
        return Element(tag, dict(node.items()), tuple(content), position, namespace, runs=tuple(runs))

    def _note_comment(self, node: Any, extent: Extent) -> None:
        if node.tag is etree.Comment:
            self._comments.append((node.text, extent, len(self._started)))

    def _comment(self, text: str, extent: Extent, begun: int) -> Comment:
        line = self._places.line
        beside = begun > 0 and line(self._started[begun - 1].start) == line(extent.start)
        meant = self._started[begun - beside : begun - beside + 1]
        first, last = (line(meant[0].start), line(meant[0].end_tag)) if meant else (0, 0)
        return Comment(text, self._places.position(extent.start), first, last)


def _last_place(text: str) -> tuple[int, int]:
    return text.count("\n") + 1, len(text) - text.rfind("\n") - 1


def _ends_too_early(tag: str, offset: int, text: str, place: Position) -> SpecError:
    began = _end_of(text[:offset], place.file)
    message = f"the file ends too early: {show_tag(tag)}, which begins at line {began.line}, column {began.column}, is still open"
    return _not_well_formed(message, place, "the rest of the file is missing, or an end tag")


def _end_of(text: str, file: str) -> Position:
    """Return the position behind the first text of a file."""
    return Position(file, text.count("\n") + 1, len(text) - text.rfind("\n"))


def _binary_hint(data: bytes) -> str:
    looks_binary = b"\x00" in data and not data.startswith(tuple(signature for signature, _ in _SIGNATURES))
    return "this looks like a binary file" if looks_binary else ""


def _too_deep(max_depth: int, position: Position) -> SpecError:
    return _refusal("xml-too-deep", f"elements are nested more than {max_depth} deep", position)


def _not_well_formed(message: str, position: Position, hint: str = "") -> SpecError:
    words = " ".join(message.split())
    shown = words if len(words) <= _MAX_MESSAGE_LENGTH else f"{words[:_MAX_MESSAGE_LENGTH]}..."
    return _refusal("xml-not-well-formed", f"not well-formed XML: {shown}", position, hint)


def _refusal(rule_id: str, message: str, position: Position, hint: str = "") -> SpecError:
    return SpecError([Problem(rule_id, message, position, hint)])
