"""Types that nothing uses, that no value can have, and archetypes that nothing requires."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.raw1 import RawType
from ..finding import Finding
from ..subject import Subject1


def check_types(subject: Subject1) -> Iterator[Finding]:
    """Composites that hold themselves for ever, unused types, and archetypes without a taker."""
    used = _used(subject)
    for each in subject.raw.types:
        if each.type_class in ("composite", "restricted") and not each.provides and each.name not in used:
            message = f"no type, source or archetype leads to {each.type_class} type {each.name!r}"
            yield Finding(
                "unused-type", message, each.position, "use it, let it provide an archetype, or remove it"
            )
        yield from _endless(subject, each)
    yield from _unrequired(subject)


def _used(subject: Subject1) -> set[str]:
    """The types that another type names as its source, or as the type of a field."""
    used = {each.source for each in subject.raw.types}
    return used | {
        field.type for each in subject.raw.types for field in each.fields if field.type != each.name
    }


def _endless(subject: Subject1, entry: RawType) -> Iterator[Finding]:
    """A composite that needs a value of its own type to be complete can never be written."""
    for field in entry.fields:
        todo, seen = [field.type], set[str]()
        while todo and field.mandatory:
            name = todo.pop()
            if name == entry.name:
                message = f"every {entry.name!r} needs another one in its mandatory field {field.name!r}"
                yield Finding("endless-type", message, field.position, "make one of the fields optional")
                break
            if name not in seen and name in subject.types:
                seen.add(name)
                todo += [each.type for each in subject.types[name].raw.fields if each.mandatory]


def _unrequired(subject: Subject1) -> Iterator[Finding]:
    required = {name for each in subject.raw.types for field in each.fields for name in field.requires}
    told: set[str] = set()
    unions = {each.name for each in subject.raw.types if each.type_class == "union"}
    for each in subject.raw.types:
        for name in each.provides:
            if name not in required | told | unions:
                told.add(name)
                message = f"type {each.name!r} provides {name!r}, which no field requires"
                hint = "that is fine for a name that only the text uses"
                yield Finding("unrequired-archetype", message, each.position, hint)
