"""Annotates AMQP 1.0 values: constructors, sizes, counts, items, described types (1.2 to 1.5)."""

from __future__ import annotations

from dataclasses import replace

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Composite, Restricted
from ...support.wording import counted
from ..amqp0.tables import sized
from ..annotation import Annotation, Element, cut_off, ends_early, left_over, number, unread
from .fields import checked, missing_fields
from .scalars import scalar

MAX_DEPTH = 64
MAX_ITEMS = 65_536
_DESCRIBED = 0x00
# 1.2: the upper half of a format code says how long the data is, or how long its size is.
_DATA_WIDTHS = {0x4: 0, 0x5: 1, 0x6: 2, 0x7: 4, 0x8: 8, 0x9: 16}
_SIZE_WIDTHS = {0xA: 1, 0xB: 4, 0xC: 1, 0xD: 4, 0xE: 1, 0xF: 4}


def encoding_name(encoding: Encoding) -> str:
    """Return ``smalluint``, if the name of the encoding includes the type; else ``float ieee-754``, ``uint``."""
    return encoding.name if encoding.type in encoding.name else f"{encoding.type} {encoding.name}".rstrip()


class ValueReader:
    """Reads values of the types of a specification.

    Attributes:
        octets: All octets; positions are counted in them.
        spec: The specification.
    """

    def __init__(self, octets: bytes, spec: Spec) -> None:
        self.octets = octets
        self.spec = spec
        self._encodings = {each.code: each for each in spec.encodings}
        self._described: dict[int | str, Composite | Restricted] = {}
        for kind in spec.described_types:
            for descriptor in kind.descriptors:
                for key in (descriptor.code, descriptor.symbol):
                    if key is not None and key != "":
                        self._described[key] = kind

    def value(self, name: str, position: int, end: int, depth: int = 1) -> Annotation:
        """Return the value that begins here; its element is its encoding, or its described type."""
        if position >= end:
            return cut_off(name, position, end, 1)
        if depth > MAX_DEPTH:
            return Annotation(position, end, name, error=f"nested deeper than {MAX_DEPTH}")
        code = self.octets[position]
        if code == _DESCRIBED:
            return self._described_value(name, position, end, depth)
        encoding = self._encodings.get(code)
        if encoding is None:
            return self._unknown(name, position, end)
        head = self._format_code(encoding, position)
        value = self._data(name, encoding, position + 1, end, depth, None)
        return replace(value, start=position, children=(head, *value.children))

    def described_type(self, position: int, end: int) -> Composite | Restricted | None:
        """Return the described type whose value begins here, None if none does or it is unknown."""
        if position >= end or self.octets[position] != _DESCRIBED:
            return None
        return self._kind(self.value("descriptor", position + 1, end))

    def _kind(self, descriptor: Annotation) -> Composite | Restricted | None:
        """Return the type that a descriptor names."""
        encoding = descriptor.element
        if not isinstance(encoding, Encoding) or encoding.type not in ("ulong", "symbol"):
            return None
        key = descriptor.value
        return self._described.get(key) if isinstance(key, (int, str)) else None

    def _format_code(self, encoding: Encoding, position: int, name: str = "format code") -> Annotation:
        return Annotation(
            position,
            position + 1,
            name,
            "",
            encoding.code,
            encoding_name(encoding),
            inline=True,
            element=encoding,
        )

    def _unknown(self, name: str, position: int, end: int) -> Annotation:
        """Return a value whose format code is unknown; the code tells its length all the same."""
        code = self.octets[position]
        head = Annotation(
            position,
            position + 1,
            "format code",
            "",
            code,
            inline=True,
            error=f"{self.spec.version} has no format code {code:#04x}",
        )
        stop = end
        if code >> 4 in _DATA_WIDTHS:
            stop = min(end, position + 1 + _DATA_WIDTHS[code >> 4])
        elif code >> 4 in _SIZE_WIDTHS:
            width = _SIZE_WIDTHS[code >> 4]
            size = int.from_bytes(self.octets[position + 1 : min(end, position + 1 + width)], "big")
            stop = min(end, position + 1 + width + size)
        data = (Annotation(position + 1, stop, "data", inline=True),) if position + 1 < stop else ()
        return Annotation(position, stop, name, "unknown", children=(head, *data))

    def _described_value(self, name: str, position: int, end: int, depth: int) -> Annotation:
        """Return a value with its descriptor."""
        constructor = Annotation(position, position + 1, "described", "constructor", inline=True)
        descriptor = replace(self.value("descriptor", position + 1, end, depth + 1), inline=True)
        kind = self._kind(descriptor)
        if isinstance(descriptor.value, int):
            descriptor = replace(descriptor, meaning=kind.name if kind else "")
        head = (constructor, descriptor)
        label = name or (kind.name if kind else "described")
        if ends_early(descriptor, end):
            return Annotation(position, end, label, "described", children=head)
        value = self._content(label, kind, descriptor.end, end, depth)
        if kind is None:
            said = f"descriptor {descriptor.value!r}" if isinstance(descriptor.value, (int, str)) else ""
            return Annotation(
                position,
                value.end,
                label,
                "described",
                meaning=said,
                children=(*head, replace(value, name="value")),
            )
        children = (*head, *(value.children or (replace(value, name="value"),)))
        error = value.error if value.children else ""  # else that of the child
        return replace(value, start=position, children=children, element=kind, error=error)

    def _content(
        self, name: str, kind: Composite | Restricted | None, position: int, end: int, depth: int
    ) -> Annotation:
        """Return the value after a descriptor, with the name of its type."""
        if not isinstance(kind, Composite):
            value = self.value(name, position, end, depth + 1)
            if kind is None:
                return value
            found = value.element.type if isinstance(value.element, Encoding) else "described value"
            error = value.error
            if kind.primitive and not value.is_wrong and found != kind.primitive:
                error = f"{kind.name} describes a {kind.primitive}, not a {found}"
            said = value.type if kind.name in ("", name) else f"{kind.name}, {value.type}"
            return replace(value, type=said, error=error)
        if position >= end:
            return cut_off(name, position, end, 1)
        encoding = self._encodings.get(self.octets[position])
        if encoding is None or encoding.type != "list":
            value = self.value(name, position, end, depth + 1)
            error = (
                value.error
                or f"{kind.name} describes a list; {self.octets[position]:#04x} does not begin one"
            )
            return replace(value, error=error)
        head = self._format_code(encoding, position)
        value = self._data(name, encoding, position + 1, end, depth, kind)
        said = encoding.name if kind.name == name else f"{kind.name}, {encoding.name}"
        return replace(value, type=said, start=position, children=(head, *value.children))

    def _data(
        self,
        name: str,
        encoding: Encoding,
        position: int,
        end: int,
        depth: int,
        kind: Composite | None,
    ) -> Annotation:
        """Return what follows a format code; ``kind`` is the composite whose fields a list has."""
        if encoding.category in ("compound", "array") or encoding.type in ("list", "map", "array"):
            return self._compound(name, encoding, position, end, depth, kind)
        said = encoding_name(encoding)
        children: tuple[Annotation, ...] = ()
        width = encoding.width
        start = position
        if encoding.category == "variable":
            size = sized(self.octets, "size", position, end, encoding.width, end)
            if not isinstance(size.value, int):
                return Annotation(position, end, name, said, children=(size,), element=encoding)
            children, start = (size,), size.end
            width = min(size.value, end - start)
        if end - start < width:
            rest = replace(cut_off("data", start, end, width), inline=True)
            return Annotation(position, end, name, said, children=(rest,), element=encoding)
        value, meaning, error = scalar(encoding, self.octets[start : start + width])
        if any(child.error for child in children):
            error = ""
        if width:
            children = (*children, Annotation(start, start + width, "data", inline=True, error=error))
        return Annotation(
            position, start + width, name, said, value, meaning, children=children, element=encoding
        )

    def _compound(
        self,
        name: str,
        encoding: Encoding,
        position: int,
        end: int,
        depth: int,
        kind: Composite | None,
    ) -> Annotation:
        """Return the size, the count and the items of a list, map, array or composite."""
        said = encoding_name(encoding)
        width = encoding.width
        if not width:  # list0
            missing = missing_fields(kind, 0, position) if kind else ()
            meaning = "no fields" if kind else "empty"
            return Annotation(
                position, position, name, said, meaning=meaning, children=missing, element=encoding
            )
        size = sized(self.octets, "size", position, end, width, end)
        if not isinstance(size.value, int):
            return Annotation(position, end, name, said, children=(size,), element=encoding)
        stop = min(size.end + size.value, end)
        if stop - size.end < width:
            count = replace(cut_off("count", size.end, stop, width), inline=True)
            return Annotation(position, stop, name, said, children=(size, count), element=encoding)
        count = number(self.octets, size.end, width, "count")
        if count.number > MAX_ITEMS:
            count = replace(count, error=f"more than {MAX_ITEMS:,} items are not shown")
            children = (size, count, *unread(count.end, stop, "items"))
            return Annotation(position, stop, name, said, children=children, element=encoding)
        if encoding.type == "map" and count.number % 2:
            count = replace(count, error=f"a map has a value for each key: {count.number} is odd")
        items, meaning = self._items(encoding, count.number, count.end, stop, depth, kind)
        rest: tuple[Annotation, ...] = ()
        if not items or not ends_early(items[-1], stop):
            last = items[-1].end if items else count.end
            rest = left_over(last, stop, counted(count.number, "item"))
            rest += missing_fields(kind, count.number, stop) if kind else ()
        return Annotation(
            position,
            stop,
            name,
            said,
            meaning=meaning,
            children=(size, count, *items, *rest),
            element=encoding,
        )

    def _items(
        self,
        encoding: Encoding,
        count: int,
        position: int,
        end: int,
        depth: int,
        kind: Composite | None,
    ) -> tuple[tuple[Annotation, ...], str]:
        """Return the items of a compound, and their number in words."""
        if encoding.type == "map":
            entries = f"{count // 2:,} {'entry' if count == 2 else 'entries'}"
            return self._entries(count, position, end, depth), entries
        if encoding.type == "array":
            return self._elements(count, position, end, depth), counted(count, "element")
        items: list[Annotation] = []
        for index in range(count):
            field = kind.fields[index] if kind and index < len(kind.fields) else None
            item = self.value(field.name if field else f"[{index}]", position, end, depth + 1)
            if field is not None:
                item = checked(self.spec, field, item)
            elif kind is not None and not item.is_wrong:
                item = replace(item, error=f"{kind.name} has only {counted(len(kind.fields), 'field')}")
            items.append(item)
            position = item.end
            if ends_early(item, end):
                break
        return tuple(items), (
            f"{count} of {counted(len(kind.fields), 'field')}" if kind else counted(count, "item")
        )

    def _entries(self, count: int, position: int, end: int, depth: int) -> tuple[Annotation, ...]:
        """Return the entries of a map, each named after its key."""
        entries: list[Annotation] = []
        seen: set[bytes] = set()
        while 2 * len(entries) < count:
            key = replace(self.value("key", position, end, depth + 1), inline=True)
            name = str(key.value) if isinstance(key.value, (int, str)) else f"[{len(entries)}]"
            if ends_early(key, end) or 2 * len(entries) + 1 == count:
                entries.append(Annotation(position, key.end, name, "entry", children=(key,)))
                break
            if any(not part.inline for part in key.children):  # a list or a described value
                key = replace(key, inline=False)
            octets = self.octets[position : key.end]
            if octets in seen and not key.is_wrong:
                key = replace(key, error="the key occurs twice")
            seen.add(octets)
            value = self.value(name, key.end, end, depth + 1)
            if key.inline and value.children:
                entry = replace(value, start=position, children=(key, *value.children))
            else:
                value = replace(value, name="value", inline=key.inline)
                entry = Annotation(position, value.end, name, "entry", children=(key, value))
            entries.append(entry)
            position = value.end
            if ends_early(value, end):
                break
        return tuple(entries)

    def _elements(self, count: int, position: int, end: int, depth: int) -> tuple[Annotation, ...]:
        """Return the constructor of all elements, and the data of each (1.2.4)."""
        constructor, encoding, kind = self._constructor(position, end, depth)
        if encoding is None or constructor.is_wrong:
            rest = (Annotation(constructor.end, end, "elements"),) if constructor.end < end else ()
            return (constructor, *rest)
        parts = [constructor]
        position = constructor.end
        if not encoding.width and count:  # elements without octets: all alike
            value, _, _ = scalar(encoding, b"")
            return (replace(constructor, meaning=f"{constructor.meaning}, {count:,} times", value=value),)
        composite = kind if isinstance(kind, Composite) else None
        for index in range(count):
            if position >= end:
                parts.append(cut_off(f"[{index}]", position, end, max(1, encoding.width)))
                break
            item = self._data(f"[{index}]", encoding, position, end, depth + 1, composite)
            parts.append(replace(item, element=kind or encoding))
            position = item.end
            if ends_early(item, end):
                break
        return tuple(parts)

    def _constructor(
        self, position: int, end: int, depth: int
    ) -> tuple[Annotation, Encoding | None, Composite | Restricted | None]:
        """Return the constructor of the elements of an array, their encoding and, if they are described, their type."""
        start = position
        parts: list[Annotation] = []
        kind: Composite | Restricted | None = None
        while position < end and self.octets[position] == _DESCRIBED and len(parts) < 2 * MAX_DEPTH:
            descriptor = self.value("descriptor", position + 1, end, depth + 1)
            kind = self._kind(descriptor)
            parts += [Annotation(position, position + 1, "described", "constructor", inline=True)]
            parts += [replace(descriptor, inline=True)]
            position = descriptor.end
            if ends_early(descriptor, end):
                break
        encoding: Encoding | None = None
        if position >= end:
            code = replace(cut_off("format code", position, end, 1), inline=True)
        else:
            encoding = self._encodings.get(self.octets[position])
            if encoding is None:
                error = f"{self.spec.version} has no format code {self.octets[position]:#04x}"
                code = Annotation(position, position + 1, "format code", inline=True, error=error)
            else:
                code = self._format_code(encoding, position)
        element: Element | None = kind or encoding
        said = kind.name if kind else encoding_name(encoding) if encoding else ""
        whole = Annotation(
            start, code.end, "constructor", "", meaning=said, children=(*parts, code), element=element
        )
        return whole, encoding, kind
