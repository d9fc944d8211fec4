"""Fields whose absence says nothing, or whose type does."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Finding
from ..subject import Subject1


def check_fields(subject: Subject1) -> Iterator[Finding]:
    """Booleans without default, values of any type, and defaults of several values."""
    for owner in subject.raw.types:
        for field in owner.fields:
            what = f"field {field.name!r} of {owner.name!r}"
            known = subject.types.get(field.type)
            if known and known.primitive == "boolean" and field.default is None and not field.mandatory:
                message = f"{what} is a boolean without default: nobody knows what null means"
                yield Finding("boolean-without-default", message, field.position, 'write default="false"')
            if field.type == "*" and not field.requires:
                message = f"{what} takes a value of any type"
                hint = "requires= names an archetype, and with it the types that fit"
                yield Finding("untyped-field", message, field.position, hint)
            if field.multiple and field.default is not None:
                message = f"{what} is multiple and has a default: null already stands for no value"
                yield Finding("default-of-multiple", message, field.position, "remove the default")
