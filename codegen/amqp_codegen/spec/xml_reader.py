"""XML bytes to elements with exact positions, and nothing that XML can do to harm a reader.

Built on expat: lxml knows no columns and, told not to resolve entities, drops them without a word;
ElementTree knows no positions at all. What a specification never needs is refused: document type
declarations (and with them every entity), deep nesting, huge files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from ..model.position import Position
from ..model.problem import Problem, SpecError
from .element import Element, TextRun
from .wording import quote, show_tag

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 64
MAX_ELEMENTS = 250_000

# The encodings expat reads itself. It would hand any other name to Python's codecs, where some are
# nothing like a character encoding.
_ENCODINGS = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"})
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
# A namespace name and a local name are joined with this; no local name has it.
_SEPARATOR = "}"


def read_xml(
    data: bytes,
    file: str,
    *,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> Element:
    """Read one XML document.

    Args:
        data: The bytes of the file.
        file: The name of the file, for positions.
        max_bytes: The most bytes a document may have.
        max_depth: How many elements may be open at once.
        max_elements: The most elements a document may have.

    Returns:
        The root element.

    Raises:
        SpecError: With one problem: the input is not well-formed, is refused, or is over a limit.
    """
    start = Position(file, 1, 1)
    if len(data) > max_bytes:
        raise _refusal("xml-too-large", f"the file has more than {max_bytes} octets", start)
    if not data.strip():
        raise _refusal("xml-not-well-formed", "the file is empty", start, "an AMQP specification is expected")
    return _Reader(data, file, max_depth, max_elements).read()


@dataclass(slots=True)
class _Open:
    """An element whose end tag has not come yet."""

    tag: str
    namespace: str
    attributes: dict[str, str]
    position: Position
    content: list[Element | str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    starts: list[tuple[int, Position]] = field(default_factory=list)
    runs: list[TextRun] = field(default_factory=list)

    def end_text(self) -> None:
        """Make one piece of the text so far; expat gives it in many, and comments do not part it."""
        if self.text:
            self.content.append("".join(self.text))
            ends = [start for start, _ in self.starts[1:]]
            for (start, position), end in zip(self.starts, [*ends, len(self.text)], strict=True):
                run = "".join(self.text[start:end])
                if not run.isspace():
                    self.runs.append(TextRun(run, position))
            self.text.clear()
            self.starts.clear()

    def close(self) -> Element:
        self.end_text()
        content, runs = tuple(self.content), tuple(self.runs)
        return Element(self.tag, self.attributes, content, self.position, self.namespace, runs=runs)


class _Reader:
    """One run of expat over one document."""

    def __init__(self, data: bytes, file: str, max_depth: int, max_elements: int) -> None:
        self._data = data
        self._file = file
        self._max_depth = max_depth
        self._elements_left = max_elements
        self._run_begins = True
        self._open: list[_Open] = []
        self._root: Element | None = None
        # Expat counts a byte order mark as a column.
        self._mark = int(data.startswith(_BYTE_ORDER_MARKS))
        self._parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.XmlDeclHandler = self._declaration
        # Whatever has no handler of its own comes here token by token, "<!DOCTYPE" among it;
        # StartDoctypeDeclHandler would be called later, at some place behind the name.
        self._parser.DefaultHandler = self._other
        self._parser.EntityDeclHandler = self._entity

    def read(self) -> Element:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            raise SpecError([self._explain(error)]) from None
        if self._root is None:  # expat has already refused a document without a root element
            raise _refusal("xml-not-well-formed", "the file has no root element", Position(self._file, 1, 1))
        return self._root

    def _position(self, line: int, offset: int) -> Position:
        return Position(self._file, line, max(1, offset + 1 - (self._mark if line == 1 else 0)))

    def _here(self) -> Position:
        return self._position(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            message = f"the encoding {quote(encoding)} is not supported"
            raise _refusal("xml-encoding", message, self._here(), "save the file as UTF-8")

    def _other(self, data: str) -> None:
        self._run_begins = True
        if data.startswith("<!DOCTYPE"):
            message = "a document type declaration is not allowed"
            raise _refusal("xml-doctype", message, self._here(), "remove the <!DOCTYPE ...>")

    def _entity(self, *_declaration: object) -> None:
        raise _refusal("xml-entity", "an entity declaration is not allowed", self._here())

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        position = self._here()
        if len(self._open) >= self._max_depth:
            message = f"elements are nested more than {self._max_depth} deep"
            raise _refusal("xml-too-deep", message, position)
        self._elements_left -= 1
        if self._elements_left < 0:
            raise _refusal("xml-too-large", "the file has too many elements", position)
        if self._open:
            self._open[-1].end_text()
        self._run_begins = True
        namespace, _, tag = name.rpartition(_SEPARATOR)
        # Expat joins as in the names of elements; "{uri}local" is how Python's libraries write it.
        named = {"{" + key if _SEPARATOR in key else key: value for key, value in attributes.items()}
        self._open.append(_Open(tag, namespace, named, position))

    def _end(self, _name: str) -> None:
        element = self._open.pop().close()
        self._run_begins = True
        if self._open:
            self._open[-1].content.append(element)
        else:
            self._root = element

    def _text(self, data: str) -> None:
        innermost = self._open[-1]
        if self._run_begins:
            innermost.starts.append((len(innermost.text), self._here()))
            self._run_begins = False
        innermost.text.append(data)

    def _explain(self, error: expat.ExpatError) -> Problem:
        """Say in our words what expat did not like."""
        position = self._position(error.lineno, error.offset)
        codes = expat.errors.codes
        if error.code == codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
            hint = "write the character itself, or its number as &#...;"
            return Problem("xml-entity", "reference to an entity that is not declared", position, hint)
        what = expat.ErrorString(error.code) or "unknown error"
        hint = ""
        if error.code == codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
            hint = _encoding_hint(self._data)
        elif error.code in (
            codes[expat.errors.XML_ERROR_NO_ELEMENTS],
            codes[expat.errors.XML_ERROR_TAG_MISMATCH],
        ):
            what = _MESSAGES.get(error.code, what)
            hint = self._open_hint()
        return Problem("xml-not-well-formed", f"not well-formed XML: {what}", position, hint)

    def _open_hint(self) -> str:
        if not self._open:
            return ""
        innermost = self._open[-1]
        place = f"line {innermost.position.line}, column {innermost.position.column}"
        return f"<{show_tag(innermost.tag)}> at {place} is still open"


_MESSAGES = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]: "the file ends too early",
    expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]: "an end tag that matches no start tag",
}


def _encoding_hint(data: bytes) -> str:
    """Explain an invalid token that is a matter of encoding."""
    if b"\x00" in data and not data.startswith(_BYTE_ORDER_MARKS):
        return "this looks like a binary file"
    if re.match(rb"<\?xml[^>]*encoding", data):  # then it may well be right not to be UTF-8
        return ""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"octet 0x{data[error.start]:02x} at offset {error.start} is not UTF-8; save the file as UTF-8"
    return ""


def _refusal(rule_id: str, message: str, position: Position, hint: str = "") -> SpecError:
    return SpecError([Problem(rule_id, message, position, hint)])
