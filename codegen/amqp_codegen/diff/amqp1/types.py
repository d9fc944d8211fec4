"""What differs in a type of AMQP 1.0."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping

from ...model.amqp1.spec import (
    Choice,
    Composite,
    Encoding,
    Field,
    Primitive,
    Restricted,
    Type,
    TypeReference,
)
from ..change import Change
from ..classify import change
from ..pairs import moved, pair, places
from ..text_changes import attribute, doc_change, rule_changes

# By rule: how an attribute of a type is shown.
_ATTRIBUTES: Mapping[str, Callable[[Type], str]] = {
    "type-renamed": lambda entry: entry.name,
    "type-class": lambda entry: type(entry).__name__.lower(),
    "type-part": lambda entry: entry.part,
    "descriptor-changed": lambda entry: shown_descriptors(entry) or "none",
    "type-provides": lambda entry: ", ".join(sorted(entry.provides)) or "nothing",
}

_FIELD_ATTRIBUTES: Mapping[str, Callable[[Field], str]] = {
    "item-renamed": lambda field: field.name,
    "item-type": lambda field: field.type.name,
    "item-mandatory": lambda field: "yes" if field.mandatory else "no",
    "item-multiple": lambda field: "yes" if field.multiple else "no",
    "item-default": lambda field: field.default.text if field.default else "none",
    "item-requires": lambda field: ", ".join(sorted(field.requires)) or "nothing",
}


def type_changes(before: Type, after: Type, section: str) -> Iterator[Change]:
    """Yield every change of a type, its fields, choices and encodings."""
    path, positions = after.name, (before.position, after.position)
    for rule, show in _ATTRIBUTES.items():
        yield from attribute(rule, path, section, (before, after), show)
    if isinstance(before, Composite) and isinstance(after, Composite):
        yield from _fields(before, after, section)
    elif isinstance(before, Restricted) and isinstance(after, Restricted):
        rule = "type-alias" if before.primitive == after.primitive else "type-source"
        if before.source.name != after.source.name:
            yield change(rule, path, section, before.source.name, after.source.name, positions)
        yield from _choices(before, after, section)
    elif isinstance(before, Primitive) and isinstance(after, Primitive):
        yield from _encodings(before, after, section)
    yield from rule_changes(path, section, before.rules, after.rules)
    yield from doc_change("type-doc", path, section, before, after)


def shown_descriptors(entry: Type) -> str:
    """Return ``amqp:open:list (0x10)``; empty for a type that has none."""
    found = entry.descriptors if isinstance(entry, (Composite, Restricted)) else ()
    return ", ".join(
        " ".join(
            filter(None, (descriptor.symbol, "" if descriptor.code is None else f"(0x{descriptor.code:x})"))
        )
        for descriptor in found
    )


def _encodings(before: Primitive, after: Primitive, section: str) -> Iterator[Change]:
    pairs = pair(
        before.encodings,
        after.encodings,
        lambda encoding: encoding.name or None,
        lambda encoding: encoding.code,
        _layout,
    )
    for encoding in pairs.removed:
        path = _encoding_path(after, encoding)
        yield change("encoding-removed", path, section, _layout(encoding), "", (encoding.position, None))
    for encoding in pairs.added:
        path = _encoding_path(after, encoding)
        yield change("encoding-added", path, section, "", _layout(encoding), (None, encoding.position))
    for both in pairs.both:
        path = _encoding_path(after, both[1])
        yield from attribute(
            "encoding-renamed", path, section, both, lambda encoding: encoding.name or "(no name)"
        )
        yield from attribute("encoding-code", path, section, both, lambda encoding: f"0x{encoding.code:02x}")
        yield from attribute("encoding-layout", path, section, both, _layout)
        yield from doc_change("encoding-doc", path, section, *both)


def _encoding_path(owner: Primitive, encoding: Encoding) -> str:
    return f"{owner.name}.{encoding.name or f'0x{encoding.code:02x}'}"


def _layout(encoding: Encoding) -> str:
    return f"{encoding.category}, width {encoding.width}"


def _choices(before: Restricted, after: Restricted, section: str) -> Iterator[Change]:
    pairs = pair(before.choices, after.choices, lambda choice: choice.name, lambda choice: choice.value)
    for choice in pairs.removed:
        rule = "open-choice-removed" if after.open else "choice-removed"
        path = f"{after.name}.{choice.name}"
        yield change(rule, path, section, _value(choice), "", (choice.position, None))
    for choice in pairs.added:
        rule = "open-choice-added" if before.open else "choice-added"
        path = f"{after.name}.{choice.name}"
        yield change(rule, path, section, "", _value(choice), (None, choice.position))
    for both in pairs.both:
        old, new = both
        path = f"{after.name}.{new.name}"
        yield from attribute("choice-renamed", path, section, both, lambda choice: choice.name)
        yield from attribute("choice-value", path, section, both, _value)
        yield from rule_changes(path, section, old.rules, new.rules)
        yield from doc_change("choice-doc", path, section, old, new)


def _value(choice: Choice) -> str:
    return str(choice.value).lower() if isinstance(choice.value, bool) else str(choice.value)


def _fields(before: Composite, after: Composite, section: str) -> Iterator[Change]:
    place = places(before.fields, after.fields)

    def by_place(field: Field) -> Hashable:
        return place[id(field)], field.type.name

    pairs = pair(before.fields, after.fields, lambda field: field.name, by_place)
    for field in pairs.removed:
        path = f"{after.name}.{field.name}"
        yield change("item-removed", path, section, _field(field), "", (field.position, None))
    for field in pairs.added:
        path = f"{after.name}.{field.name}"
        yield change("item-added", path, section, "", _field(field), (None, field.position))
    out_of_order = moved([place[id(new)] for _, new in pairs.both])
    for number, (old, new) in enumerate(pairs.both):
        path = f"{after.name}.{new.name}"
        if number in out_of_order:
            numbers = str(place[id(old)] + 1), str(place[id(new)] + 1)
            yield change("item-moved", path, section, *numbers, (old.position, new.position))
        yield from _field_changes(old, new, path, section)


def _field_changes(old: Field, new: Field, path: str, section: str) -> Iterator[Change]:
    same = _on_the_wire(old.type) == _on_the_wire(new.type)
    for rule, show in _FIELD_ATTRIBUTES.items():
        rule = "item-alias" if rule == "item-type" and same else rule
        yield from attribute(rule, path, section, (old, new), show)
    yield from rule_changes(path, section, old.rules, new.rules)
    yield from doc_change("item-doc", path, section, old, new)


def _on_the_wire(reference: TypeReference) -> Hashable:
    """Return what a value of the type begins with; a descriptor is identified by the type's name."""
    return reference.primitive, reference.name if reference.described else ""


def _field(field: Field) -> str:
    words = [field.type.name]
    words += ["mandatory"] if field.mandatory else []
    words += ["multiple"] if field.multiple else []
    words += [f"default {field.default.text}"] if field.default else []
    return ", ".join(words)
