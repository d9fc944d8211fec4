"""Annotates AMQP 1.0 values, as a visitor of the walker of their generated package (1.2 to 1.5)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Composite, Restricted
from ...support.resources import load_package
from ...support.wording import counted
from ..annotation import ABSENT, Absent, Annotation, Element, Value, number
from .meanings import named, scalar
from .package import package_of

_MAX_DEPTH = 64
_MAX_ITEMS = 65_536


def encoding_name(encoding: Encoding) -> str:
    """Return ``smalluint``, if the name of the encoding includes the type; else ``float ieee-754``, ``uint``."""
    return encoding.name if encoding.type in encoding.name else f"{encoding.type} {encoding.name}".rstrip()


@dataclass(slots=True)
class _Open:
    """A part that has not ended.

    Attributes:
        role: Its name by the walker.
        encoding: That of its format code, or of the array that it is an element of.
        kind: The type that its descriptor names.
        is_described: Whether it has a descriptor.
        data: Where the data begins, after the format code.
        count: What the octets of the count say.
        items: The entries, items or elements in it so far.
        has_key: Whether the last part is the key of an entry without a value.
    """

    role: str
    name: str
    start: int
    encoding: Encoding | None = None
    kind: Composite | Restricted | None = None
    is_described: bool = False
    data: int = 0
    count: int = 0
    items: int = 0
    has_key: bool = False
    type: str = ""
    value: Value | Absent = ABSENT
    meaning: str = ""
    error: str = ""
    children: list[Annotation] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Where the octets end that were told so far."""
        return self.children[-1].end if self.children else self.start

    @property
    def is_map(self) -> bool:
        """Whether it is a map, whose parts are keys and values."""
        return self.encoding is not None and self.encoding.type == "map"


class ValueReader:
    """Annotates the values of some octets: the visitor of a walk over them.

    Args:
        octets: All octets; positions are counted in them.
        spec: The specification.
    """

    def __init__(self, octets: bytes, spec: Spec) -> None:
        self._octets = octets
        self._spec = spec
        self._encodings = {encoding.code: encoding for encoding in spec.encodings}
        self._described: dict[Any, Composite | Restricted] = {
            key: kind
            for kind in spec.described_types
            for descriptor in kind.descriptors
            for key in (descriptor.code, descriptor.symbol)
            if key not in (None, "")
        }
        self._amqp: Any = load_package(package_of(spec))
        self._walker: Any = self._amqp.value_walker(
            octets, self, max_depth=_MAX_DEPTH, max_elements=_MAX_ITEMS
        )
        self._open: list[_Open] = []

    def value(self, name: str, position: int, end: int) -> Annotation:
        """Return the value that begins here; its element is its encoding, or its described type."""
        root = _Open("", "", position)
        self._open = [root]
        self._walker.part(name, self._walker.value, position, end, "")
        return root.children[0]

    # --- The visitor ---

    def begin(self, name: str, position: int) -> None:
        """Take the beginning of a part, which is named as the walker says, or in a map by its key."""
        around = self._open[-1]
        part = _Open(name, name, position)
        if around.is_map and name == "value":
            part.name = _key_name(around)
        elif around.encoding is None and around.is_described and name != "descriptor":
            part.name = around.name or (around.kind.name if around.kind else "described")
        elif around.encoding is not None and around.encoding.type == "array" and name != "constructor":
            constructor = around.children[-1 - around.items]
            part.kind, part.encoding = _kind_and_encoding(constructor)
            part.data = position
            part.type = encoding_name(part.encoding) if part.encoding else ""
        self._open.append(part)

    def octets(self, name: str, start: int, stop: int) -> None:
        """Take octets that are not a value by themselves."""
        part = self._open[-1]
        if name == "described":
            part.children.append(Annotation(start, stop, name, "constructor", inline=True))
            part.is_described = True
        elif name == "format code":
            encoding = part.encoding = self._encodings.get(self._octets[start])
            part.data, part.type = stop, encoding_name(encoding) if encoding else "unknown"
            code = number(self._octets, start, 1, name, "", encoding_name(encoding) if encoding else "")
            part.children.append(replace(code, element=encoding))
        elif name in ("size", "count"):
            part.children.append(number(self._octets, start, stop - start, name))
            part.count = part.children[-1].number if name == "count" else 0
        elif name == "data":
            self._data(part, start, stop)
        elif name == "left over" or start < stop or isinstance(part.kind, Composite):
            part.children.append(Annotation(start, stop, name, element=_field_of(part.kind, name)))

    def _data(self, part: _Open, start: int, stop: int) -> None:
        """Take the data of a scalar value."""
        encoding = part.encoding
        if encoding is not None and encoding.type != "list":
            code = bytes((encoding.code,))
            try:
                value = self._amqp.decode(code + self._octets[part.data : stop])[0]
            except self._amqp.errors.DecodeError:
                value = self._octets[start:stop]
            part.value, part.meaning = scalar(value)
        if start < stop:
            part.children.append(Annotation(start, stop, "data", inline=True))

    def fault(self, error: Any) -> None:
        """Mark what an error is about: what is at its offset, or what came last."""
        part, offset = self._open[-1], error.offset
        children = part.children
        if not children:
            part.error = part.error or error.message
            return
        places = range(len(children) - 1, -1, -1)
        place = next(
            (at for at in places if children[at].start <= offset < children[at].end), len(children) - 1
        )
        is_code = children[place].name == "format code" and part.encoding is not None
        if is_code:  # it is known: the whole value should not be here
            part.error = part.error or error.message
        elif not children[place].error:
            children[place] = replace(children[place], error=error.message)

    def lost(self, error: Any, stop: int) -> None:
        """Take octets that cannot be read."""
        part = self._open[-1]
        if not part.children:
            part.error = error.message
        else:
            message = "" if part.children[-1].is_wrong else error.message
            if message or part.end < stop:
                part.children.append(Annotation(part.end, stop, "data", inline=True, error=message))

    def leave(self, position: int) -> None:
        """Take the end of a part, and put it into the part around it."""
        part, around = self._open.pop(), self._open[-1]
        annotation = self._closed(part, position)
        if around.encoding is None and (around.is_described or around.role == "constructor"):
            if part.role == "descriptor":
                self._describe(around, annotation)
            elif part.role == "content":
                _splice(around, annotation)
            else:
                around.children.append(replace(annotation, name="value"))
        elif around.is_map and part.role == "key":
            is_inline = all(child.inline for child in annotation.children)
            around.children.append(replace(annotation, inline=is_inline))
            around.has_key = True
        elif around.is_map and part.role == "value":
            around.children[-1] = _entry(around.children[-1], annotation)
            around.has_key = False
            around.items += 1
        else:
            found = _field_of(around.kind, part.role)
            around.children.append(named(self._spec, found, annotation) if found is not None else annotation)
            around.items += part.role != "constructor"

    def _describe(self, around: _Open, descriptor: Annotation) -> None:
        """Take the descriptor of a value, or of the elements of an array."""
        encoding = descriptor.element
        around.kind = None
        if isinstance(encoding, Encoding) and encoding.type in ("ulong", "symbol"):
            around.kind = self._described.get(descriptor.value)
        meaning = descriptor.meaning
        if isinstance(descriptor.value, int):
            meaning = around.kind.name if around.kind else ""
        around.children.append(replace(descriptor, meaning=meaning, inline=True))

    def _closed(self, part: _Open, end: int) -> Annotation:
        """Return a part as it is when it ends."""
        kind, encoding = part.kind, part.encoding
        children = tuple(part.children)
        element: Element | None = kind or (None if part.is_described else encoding)
        name, type_, meaning, value = part.name, part.type, part.meaning, part.value
        if part.role == "constructor":
            said = kind.name if kind else encoding_name(encoding) if encoding else ""
            element = kind or encoding
            return Annotation(part.start, end, name, "", meaning=said, children=children, element=element)
        if part.is_described:
            name = name or (kind.name if kind else "described")
            if kind is None:
                descriptor = next((child.value for child in children if child.name == "descriptor"), ABSENT)
                meaning = f"descriptor {descriptor!r}" if isinstance(descriptor, (int, str)) else ""
            if kind is None or not type_:
                type_ = "described"
            elif isinstance(kind, Composite) and encoding is not None and encoding.type == "list":
                type_ = encoding.name if kind.name == name else f"{kind.name}, {encoding.name}"
        if encoding is not None and encoding.type in ("list", "map", "array"):
            meaning = meaning or _contents(part, encoding)
            if part.has_key:
                children = (*children[:-1], _entry(children[-1], None, _key_name(part)))
            elif encoding.type == "array" and part.items == 1 and children[-1].start == children[-1].end:
                *rest, constructor, only = children  # elements without octets, all alike
                said = f"{constructor.meaning}, {part.count:,} times"
                children = (*rest, replace(constructor, meaning=said, value=only.value, error=only.error))
        return Annotation(
            part.start, end, name, type_, value, meaning, children=children, error=part.error, element=element
        )


def _contents(part: _Open, encoding: Encoding) -> str:
    """Return how much is in a compound, in words."""
    kind = part.kind if isinstance(part.kind, Composite) else None
    if not encoding.width:
        return "no fields" if kind else "empty"
    if all(child.name != "count" for child in part.children):
        return ""
    if kind is not None:
        return f"{part.count} of {counted(len(kind.fields), 'field')}"
    if encoding.type == "map":
        return f"{part.count // 2:,} {'entry' if part.count == 2 else 'entries'}"
    return counted(part.count, "element" if encoding.type == "array" else "item")


def _splice(around: _Open, content: Annotation) -> None:
    """Show the value that a restricted type describes as that of the type."""
    name = around.kind.name if around.kind else ""
    around.children += content.children or (replace(content, name="value"),)
    around.type = content.type if around.name in ("", name) else f"{name}, {content.type}"
    around.value, around.meaning = content.value, content.meaning
    around.error = content.error if content.children else ""  # else that of the child


def _kind_and_encoding(
    constructor: Annotation,
) -> tuple[Composite | Restricted | None, Encoding | None]:
    """Return the type and the encoding of the elements of an array."""
    code, kind = constructor.children[-1].element, constructor.element
    encoding = code if isinstance(code, Encoding) else None
    return kind if isinstance(kind, (Composite, Restricted)) else None, encoding


def _field_of(kind: Composite | Restricted | None, name: str) -> Any:
    """Return the field of a composite with a name; None for another part."""
    if not isinstance(kind, Composite):
        return None
    return next((candidate for candidate in kind.fields if candidate.name == name), None)


def _key_name(part: _Open) -> str:
    """Return the name of the entry of a map whose key came last."""
    key = part.children[-1].value
    return str(key) if isinstance(key, (int, str)) else f"[{part.items}]"


def _entry(key: Annotation, value: Annotation | None, name: str = "") -> Annotation:
    """Return an entry of a map, which is named after its key."""
    if value is None:
        return Annotation(key.start, key.end, name, "entry", children=(key,))
    if key.inline and value.children:
        return replace(value, start=key.start, children=(key, *value.children))
    shown = replace(value, name="value", inline=key.inline)
    return Annotation(key.start, value.end, value.name, "entry", children=(key, shown))
