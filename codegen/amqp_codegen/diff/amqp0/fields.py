"""What differs in the fields of a method and in the content properties of a class of the 0-x family."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from itertools import groupby

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Assert, Class, Field, Method
from ..change import Change
from ..classify import change
from ..pairs import Pairs, moved, pair, places
from ..text_changes import attribute, doc_change, rule_changes

# What a new name means, by whether the field was reserved before and is reserved now.
_RENAMED = {
    (False, False): "renamed",
    (False, True): "retired",
    (True, False): "revived",
    (True, True): "renamed",
}


def signature(fields: Sequence[Field]) -> str:
    """Return ``(queue shortstr, no-wait bit)``."""
    return f"({', '.join(f'{field.name} {field.type.value}' for field in fields)})"


def field_changes(before: Method, after: Method, section: str) -> Iterator[Change]:
    """Yield every change of a field."""
    owner = after.full_name
    pairs = _pairs(before.fields, after.fields)
    in_bits = _same_octets(before.fields, after.fields)
    for field in pairs.removed:
        rule = "bit-removed" if in_bits and field.type is WireType.BIT else "field-removed"
        yield change(rule, f"{owner}.{field.name}", section, _field(field), "", (field.position, None))
    for field in pairs.added:
        rule = "bit-added" if in_bits and field.type is WireType.BIT else "field-added"
        yield change(rule, f"{owner}.{field.name}", section, "", _field(field), (None, field.position))
    place = places(before.fields, after.fields)
    out_of_order = moved([place[id(new)] for _, new in pairs.both])
    for number, (old, new) in enumerate(pairs.both):
        if number in out_of_order:
            was, now = str(place[id(old)] + 1), str(place[id(new)] + 1)
            positions = old.position, new.position
            yield change("field-moved", f"{owner}.{new.name}", section, was, now, positions)
        yield from _field_changes("field", old, new, owner, section)


def property_changes(before: Class, after: Class, section: str) -> Iterator[Change]:
    """Yield every change of a content property."""
    owner = f"{after.name}.properties"
    flags = [
        {flag.field.name: f"word {flag.word}, 0x{flag.mask:04X}" for flag in entry.properties}
        for entry in (before, after)
    ]
    pairs = _pairs([flag.field for flag in before.properties], [flag.field for flag in after.properties])
    for field in pairs.removed:
        path = f"{owner}.{field.name}"
        yield change("property-removed", path, section, _field(field), "", (field.position, None))
    for field in pairs.added:
        path = f"{owner}.{field.name}"
        yield change("property-added", path, section, "", _field(field), (None, field.position))
    for old, new in pairs.both:
        was, now = flags[0][old.name], flags[1][new.name]
        if was != now:
            positions = old.position, new.position
            yield change("property-flag", f"{owner}.{new.name}", section, was, now, positions)
        yield from _field_changes("property", old, new, owner, section)


def _pairs(old: Sequence[Field], new: Sequence[Field]) -> Pairs[Field]:
    """Pair fields by name; else by place and type, which is what peers see.

    Names of reserved fields only count them.
    """
    place = places(old, new)

    def by_name(field: Field) -> str | None:
        return None if field.reserved else field.name

    def by_letters(field: Field) -> str | None:
        """Return the letters of a name: 0-8 writes ``nowait``, 0-9-1 ``no-wait``."""
        return None if field.reserved else field.name.replace("-", "")

    def by_place(field: Field) -> Hashable:
        return place[id(field)], field.type

    return pair(old, new, by_name, by_letters, by_place, lambda field: field.name)


def _same_octets(old: Sequence[Field], new: Sequence[Field]) -> bool:
    """Return whether the lists differ only at the end of runs of bits, and take as many octets as before."""
    runs = [[(kind, list(run)) for kind, run in groupby(fields, _is_bit)] for fields in (old, new)]
    if len(runs[0]) != len(runs[1]):
        return False
    for (kind, one), (other_kind, other) in zip(*runs, strict=True):
        if kind != other_kind:
            return False
        if kind and ((len(one) + 7) // 8 != (len(other) + 7) // 8 or not _begins_alike(one, other)):
            return False
        if not kind and [field.type for field in one] != [field.type for field in other]:
            return False
    return True


def _is_bit(field: Field) -> bool:
    return field.type is WireType.BIT


def _begins_alike(one: Sequence[Field], other: Sequence[Field]) -> bool:
    shorter = min(len(one), len(other))
    return [field.name for field in one[:shorter]] == [field.name for field in other[:shorter]]


def _field_changes(kind: str, old: Field, new: Field, owner: str, section: str) -> Iterator[Change]:
    path, positions = f"{owner}.{new.name}", (old.position, new.position)
    compare = partial(attribute, path=path, section=section, pair_=(old, new))
    if old.name != new.name:
        yield change(
            f"{kind}-{_RENAMED[old.reserved, new.reserved]}", path, section, old.name, new.name, positions
        )
    else:
        yield from compare(f"{kind}-reserved", show=lambda field: "yes" if field.reserved else "no")
    if old.type is not new.type:
        yield from compare(f"{kind}-type", show=lambda field: field.type.value)
    if not new.reserved:  # a field that is always zero has no meaning
        yield from _values(kind, old, new, path, section)
    yield from rule_changes(path, section, old.rules, new.rules)
    yield from doc_change(f"{kind}-doc", path, section, old, new)


def _values(kind: str, old: Field, new: Field, path: str, section: str) -> Iterator[Change]:
    both = old, new
    if old.type is new.type:
        yield from attribute(f"{kind}-domain", path, section, both, _domain)
    # The asserts of a domain are reported once, with the domain.
    if _domain(old) != _domain(new) or _own(old) != _own(new):
        yield from attribute(
            f"{kind}-asserts", path, section, both, lambda field: shown_asserts(field.asserts)
        )


def _domain(field: Field) -> str:
    return field.domain or field.type.value


def _own(field: Field) -> str:
    return shown_asserts(tuple(check for check in field.asserts if check.origin == "field"))


def _field(field: Field) -> str:
    return f"{field.type.value}, reserved" if field.reserved else field.type.value


def shown_asserts(asserts: tuple[Assert, ...]) -> str:
    """Return the asserts as the specification writes them, without their order and repetitions."""
    return ", ".join(sorted(set(map(_assert, asserts)))) or "none"


def _assert(check: Assert) -> str:
    if check.check in ("length", "ne"):
        return f"{check.check} {check.number}"
    words = (check.check, check.text, " | ".join(check.values), check.method, check.field)
    return " ".join(word for word in words if word)
