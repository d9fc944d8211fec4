"""What differs between two specifications of AMQP 1.0: parts, sections, constants, and the list of types."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ...model.amqp1.spec import Composite, Definition, Part, Primitive, Restricted, Section, Spec, Type
from ..change import Change
from ..classify import change
from ..pairs import pair
from ..text_changes import attribute, doc_change, rule_changes
from .types import shown_descriptors, type_changes


def amqp1_changes(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield every change, part by part: first what was removed, then as the new specification has it."""
    parts = pair(old.parts, new.parts, lambda part: part.name)
    for part in parts.removed:
        yield change("part-removed", part.name, _section(part.name), _part(part), "", (part.position, None))
    for part in parts.added:
        yield change("part-added", part.name, _section(part.name), "", _part(part), (None, part.position))
    found = [*_definitions(old, new), *_types(old, new)]
    for name in dict.fromkeys(part.name for part in (*new.parts, *old.parts)):
        yield from (made for made in found if made.section == _section(name))
        for before, after in parts.both:
            if after.name == name:
                yield from _part_changes(before, after)


def _section(part: str) -> str:
    return f"part {part}"


def _part(part: Part) -> str:
    return f"{len(part.types)} types, {len(part.definitions)} constants"


def _part_changes(before: Part, after: Part) -> Iterator[Change]:
    where = _section(after.name)
    yield from rule_changes(after.name, where, before.rules, after.rules)
    yield from doc_change("part-doc", after.name, where, before, after)
    pairs = pair(before.sections, after.sections, lambda section: section.name)
    for section in pairs.removed:
        yield change("section-removed", section.name, where, _content(section), "", (section.position, None))
    for section in pairs.added:
        yield change("section-added", section.name, where, "", _content(section), (None, section.position))
    for old, new in pairs.both:
        yield from rule_changes(new.name, where, old.rules, new.rules)
        yield from doc_change("section-doc", new.name, where, old, new)


def _content(section: Section) -> str:
    return f"{len(section.types)} types, {len(section.definitions)} constants"


def _definitions(old: Spec, new: Spec) -> Iterator[Change]:
    pairs = pair(
        old.definitions,
        new.definitions,
        lambda definition: (definition.section, definition.name),
        lambda definition: definition.name,
        lambda definition: (definition.section, definition.value),
    )
    for definition in pairs.removed:
        where = definition.name, _section(definition.part)
        yield change("constant-removed", *where, str(definition.value), "", (definition.position, None))
    for definition in pairs.added:
        where = definition.name, _section(definition.part)
        yield change("constant-added", *where, "", str(definition.value), (None, definition.position))
    for both in pairs.both:
        yield from _definition(both)


def _definition(both: tuple[Definition, Definition]) -> Iterator[Change]:
    before, after = both
    where = after.name, _section(after.part)
    yield from attribute("constant-renamed", *where, both, lambda constant: constant.name)
    yield from attribute("constant-value", *where, both, lambda constant: str(constant.value))
    yield from doc_change("constant-doc", *where, before, after)


def _types(old: Spec, new: Spec) -> Iterator[Change]:
    pairs = pair(old.types, new.types, lambda entry: entry.name, _descriptor, _form)
    for entry in pairs.removed:
        rule = "alias-removed" if _is_alias(entry) else "type-removed"
        yield change(rule, entry.name, _section(entry.part), describe(entry), "", (entry.position, None))
    for entry in pairs.added:
        yield change(
            "type-added", entry.name, _section(entry.part), "", describe(entry), (None, entry.position)
        )
    for before, after in pairs.both:
        yield from type_changes(before, after, _section(after.part))


def _is_alias(entry: Type) -> bool:
    """Return whether a type is only another name for a type: no descriptor, no choices."""
    return isinstance(entry, Restricted) and not entry.descriptors and not entry.choices


def _descriptor(entry: Type) -> Hashable | None:
    """Return the descriptor of a type: a type with another name and the same descriptor is the same type."""
    return shown_descriptors(entry) or None


def _form(entry: Type) -> Hashable | None:
    """Return the encodings or the choices of a type, if they identify it."""
    if isinstance(entry, Primitive):
        return tuple(encoding.code for encoding in entry.encodings) or None
    if isinstance(entry, Restricted) and entry.choices:
        return entry.primitive, tuple((choice.name, choice.value) for choice in entry.choices)
    return None


def describe(entry: Type) -> str:
    """Describe a type in one line: ``composite amqp:open:list (0x10): (container-id string, ...)``."""
    descriptor = f" {shown}" if (shown := shown_descriptors(entry)) else ""
    if isinstance(entry, Composite):
        fields = ", ".join(f"{field.name} {field.type.name}" for field in entry.fields)
        return f"composite{descriptor}: ({fields})"
    if isinstance(entry, Restricted):
        choices = f": {', '.join(choice.name for choice in entry.choices)}" if entry.choices else ""
        return f"restricted {entry.source.name}{descriptor}{choices}"
    if isinstance(entry, Primitive):
        return f"primitive: {', '.join(f'0x{encoding.code:02x}' for encoding in entry.encodings)}"
    return f"union of {', '.join(member.name for member in entry.members) or 'any type'}"
