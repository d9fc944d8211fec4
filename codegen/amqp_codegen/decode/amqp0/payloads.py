"""Annotates the payloads of 0-x frames: methods and content headers, field by field (0-9-1 sections 4.2.4 and 4.2.6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.amqp0.field_types import WireType
from ...model.amqp0.layout import Atom, Octets, Run
from ...model.amqp0.spec import Class, Field, Method, Property, Spec
from ...resolve.amqp0.layout import method_layout
from ...support.wording import counted
from ..annotation import (
    Annotation,
    BitValue,
    Element,
    cut_off,
    ends_early,
    left_over,
    number,
    unread,
)
from .tables import AnnotatedTableReader, moment, string, utf8

_CONTINUATION = 1  # the lowest bit of a word of property flags
_REPLY_CODE, _CLASS_ID, _METHOD_ID = "reply-code", "class-id", "method-id"


class PayloadReader:
    """Reads methods, content headers and tables of one specification.

    Attributes:
        octets: All octets; positions are counted in them.
        spec: The specification.
        tables: The reader of its field tables.
    """

    def __init__(self, octets: bytes, spec: Spec) -> None:
        self.octets = octets
        self.spec = spec
        self.tables = AnnotatedTableReader(octets, spec.dialect)
        self._methods = {method.key: method for method in spec.methods}
        self._classes = {entry.index: entry for entry in spec.classes}
        self._replies = {
            constant.value: constant.name for constant in spec.constants if constant.is_reply_code
        }

    def method(self, position: int, end: int) -> Annotation:
        """Return a method payload: class id, method id, fields."""
        if end - position < 4:
            return cut_off("method", position, end, 4, "method")
        key = int.from_bytes(self.octets[position : position + 4], "big")
        method = self._methods.get(key)
        ids = self._ids(position, method)
        if method is None:
            children = (*ids, *unread(position + 4, end, "arguments"))
            return Annotation(position, end, "unknown method", "method", children=children)
        fields = self.fields(method.fields, method.fields, position + 4, end)
        parts = (*ids, *_with_rest(fields, position + 4, end, method.full_name))
        meaning = f"class {method.class_index}, method {method.index}"
        return Annotation(
            position, end, method.full_name, "method", meaning=meaning, children=parts, element=method
        )

    def _ids(self, position: int, method: Method | None) -> tuple[Annotation, Annotation]:
        """Return the two ids; if they name no method, the one that is wrong says so."""
        index, number_of = (
            int.from_bytes(self.octets[at : at + 2], "big") for at in (position, position + 2)
        )
        class_ = self._classes.get(index)
        class_error = f"{self.spec.version} has no class {index}" if class_ is None else ""
        method_error = "" if method or class_ is None else f"class {class_.name} has no method {number_of}"
        return (
            number(self.octets, position, 2, "class id", "short", class_.name if class_ else "", class_error),
            number(
                self.octets,
                position + 2,
                2,
                "method id",
                "short",
                method.name if method else "",
                method_error,
            ),
        )

    def header(self, position: int, end: int) -> Annotation:
        """Return a content header: class id, weight, body size, flags, properties."""
        if end - position < 14:
            return cut_off("content header", position, end, 14, "header")
        index = int.from_bytes(self.octets[position : position + 2], "big")
        class_ = next((entry for entry in self.spec.content_classes if entry.index == index), None)
        error = "" if class_ else f"{self.spec.version} has no class {index} with content"
        name = class_.name if class_ else ""
        weight = number(self.octets, position + 2, 2, "weight", "short")
        if weight.value:
            weight = replace(weight, error="the weight must be 0")
        head = [
            number(self.octets, position, 2, "class id", "short", name, error),
            weight,
            replace(number(self.octets, position + 4, 8, "body size", "longlong"), inline=False),
        ]
        if class_ is None:
            parts = (*head, *unread(position + 12, end, "properties"))
            return Annotation(position, end, "content header", "header", children=parts)
        parts = (*head, *self._properties(class_, position + 12, end))
        return Annotation(
            position,
            end,
            f"{class_.name} content header",
            "header",
            meaning=f"class {index}",
            children=parts,
            element=class_,
        )

    def _properties(self, class_: Class, position: int, end: int) -> tuple[Annotation, ...]:
        """Return the words of flags and the properties that they announce."""
        words: list[Annotation] = []
        while True:
            if end - position < 2:
                return (*words, cut_off("property flags", position, end, 2, "short"))
            word = self._flags(class_, len(words), position)
            words.append(word)
            position = word.end
            if not isinstance(word.value, int) or not word.value & _CONTINUATION:
                break
        present = [entry for entry in class_.properties if _is_present(entry, words)]
        # A bit has no octets: its flag is its value.
        entries = [entry for entry in present if entry.field.type is not WireType.BIT]
        fields = self.fields(tuple(entry.field for entry in entries), entries, position, end)
        return (*words, *_with_rest(fields, position, end, "the last property"))

    def _flags(self, class_: Class, word: int, position: int) -> Annotation:
        flags = int.from_bytes(self.octets[position : position + 2], "big")
        entries = [entry for entry in class_.properties if entry.word == word]
        known = sum(entry.mask for entry in entries)
        if word + 1 < class_.flag_words:
            known |= _CONTINUATION
        unknown = flags & ~known
        set_ = ", ".join(entry.field.name for entry in entries if flags & entry.mask)
        bits = tuple(
            BitValue(entry.field.name, entry.mask.bit_length() - 1, bool(flags & entry.mask), entry)
            for entry in entries
        )
        error = f"flags of no property: {unknown:#06x}" if unknown else ""
        return Annotation(
            position, position + 2, "property flags", "short", flags, set_ or "none", bits=bits, error=error
        )

    def fields(
        self, fields: tuple[Field, ...], elements: Sequence[Element], position: int, end: int
    ) -> list[Annotation]:
        """Return the parts of consecutive fields, up to the first that the octets do not hold.

        Args:
            fields: The fields.
            elements: What each is in the reference guide: itself, or the property.
            position: Where the first begins.
            end: Where the payload ends.
        """
        element_of = {field.name: element for field, element in zip(fields, elements, strict=True)}
        parts: list[Annotation] = []
        for step in method_layout(fields).steps:
            atoms = step.atoms if isinstance(step, Run) else (None,)
            for atom in atoms:
                if atom is not None and atom.kind in ("length", "discriminator"):
                    continue  # part of the string or content that follows
                field = step.field if not isinstance(step, Run) else atom.fields[0] if atom else fields[0]
                if atom is not None:
                    part = self._atom(atom, element_of, position, end)
                elif isinstance(step, Octets):
                    part = self._octets(step.field, position, end)
                else:
                    part = self.tables.table(field.name, position, end)
                if not part.bits:
                    part = replace(part, element=element_of[field.name])
                if field.reserved and not part.meaning:
                    part = replace(part, meaning="reserved")
                parts.append(self._named(part, parts))
                position = part.end
                if ends_early(part, end):
                    return parts
        return parts

    def _atom(self, atom: Atom, element_of: dict[str, Element], position: int, end: int) -> Annotation:
        """Return a number, or an octet of bits."""
        first = atom.fields[0]
        bits = atom.kind == "bits"
        name = "bits" if bits and len(atom.fields) > 1 else first.name
        if end - position < atom.width:
            return cut_off(name, position, end, atom.width, first.type.value)
        kind = first.type
        part = number(self.octets, position, atom.width, name, kind.value, signed=kind.is_signed)
        part = replace(part, inline=False)
        assert isinstance(part.value, int)
        if bits:
            values = tuple(
                BitValue(field.name, place, bool(part.value >> place & 1), element_of[field.name])
                for place, field in enumerate(atom.fields)
            )
            return replace(part, bits=values)
        per_second = kind.facts.per_second
        return replace(part, meaning=moment(part.value / per_second)) if per_second else part

    def _octets(self, field: Field, position: int, end: int) -> Annotation:
        """Return a string with its length, or a content field, which has the kind of content before that."""
        kind, facts = field.type.value, field.type.facts
        if field.type is not WireType.CONTENT:
            is_text = facts.python == "str"
            return string(self.octets, field.name, kind, position, end, facts.length, text=is_text)
        if position >= end:
            return cut_off(field.name, position, end, 1, kind)
        discriminator = number(self.octets, position, 1, "kind of content")
        content = string(self.octets, field.name, kind, position + 1, end, facts.length, text=False)
        return replace(content, start=position, children=(discriminator, *content.children))

    def _named(self, part: Annotation, before: Sequence[Annotation]) -> Annotation:
        """Return a part with the name that the specification has for its number."""
        if not isinstance(part.value, int) or part.meaning:
            return part
        meaning = ""
        if part.name == _REPLY_CODE:
            meaning = self._replies.get(part.value, "")
        elif part.name == _CLASS_ID and part.value in self._classes:
            meaning = self._classes[part.value].name
        elif part.name == _METHOD_ID and before and isinstance(before[-1].value, int):
            method = self._methods.get(before[-1].value << 16 | part.value)
            meaning = method.name if method else ""
        return replace(part, meaning=meaning)


def body(octets: bytes, position: int, end: int) -> Annotation:
    """Return a content body."""
    content = octets[position:end]
    text = utf8(content)
    meaning = "" if text is not None and text.isprintable() else counted(len(content), "octet")
    return Annotation(position, end, "body", "octets", content, meaning)


def _is_present(entry: Property, words: Sequence[Annotation]) -> bool:
    if entry.word >= len(words):
        return False
    flags = words[entry.word].value
    return isinstance(flags, int) and bool(flags & entry.mask)


def _with_rest(parts: list[Annotation], position: int, end: int, after: str) -> tuple[Annotation, ...]:
    """Return the parts and what is left over after them."""
    last = parts[-1].end if parts else position
    return (*parts, *left_over(last, end, after))
