"""Fields of 1.0 without a default, without a definite type, and the archetypes they require."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp1.raw import RawField
from ..rule import LintSeverity, Remark, reported, rule
from .subject import LintedSpec

_FIELDS, _ARCHETYPES = "fields-1.0", "archetypes-1.0"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE

REPORTED_DEFAULTS = reported(
    _FIELDS,
    ("bad-default", _ERROR, "A default that is not a value, or not a choice, of the type of its field",
     'default="mixd" of the type sender-settle-mode', "correct the default"),
    ("useless-default", _WARNING, "A default of a field that is always sent",
     'mandatory="true" default="0"', "remove one of the two"),
)  # fmt: skip


def _fields(subject: LintedSpec) -> Iterator[tuple[str, RawField]]:
    for owner in subject.raw.types:
        yield from ((f"field {field.name!r} of {owner.name!r}", field) for field in owner.fields)


@rule(_FIELDS, "default-of-multiple", _WARNING, 'multiple="true" default="a"')
def default_of_multiple(subject: LintedSpec) -> Iterator[Remark]:
    """A default of a field with several values."""
    for what, field in _fields(subject):
        if field.multiple and field.default is not None:
            message = f"{what} is multiple and has a default: null already stands for no value"
            yield Remark(message, field.position, "remove the default")


REPORTED_MULTIPLE = reported(
    _FIELDS,
    ("impossible-multiple", _ERROR, "Several values of a type that could not be told from one",
     'type="array" multiple="true"', "wrap the values in a described type"),
)  # fmt: skip


@rule(_FIELDS, "boolean-without-default", _NOTE, '<field name="durable" type="boolean"/>')
def boolean_without_default(subject: LintedSpec) -> Iterator[Remark]:
    """An optional boolean without a default: nothing says what its absence means."""
    for what, field in _fields(subject):
        known = subject.types.get(field.type)
        if known and known.primitive == "boolean" and field.default is None and not field.mandatory:
            message = f"{what} is a boolean without default: nobody knows what null means"
            yield Remark(message, field.position, 'write default="false"')


@rule(_FIELDS, "untyped-field", _NOTE, '<field name="value" type="*"/>')
def untyped_field(subject: LintedSpec) -> Iterator[Remark]:
    """A field of any type that requires no archetype."""
    for what, field in _fields(subject):
        if field.type == "*" and not field.requires:
            hint = "requires= names an archetype, and with it the types that fit"
            yield Remark(f"{what} takes a value of any type", field.position, hint)


# --- archetypes ---

REPORTED_ARCHETYPES = reported(
    _ARCHETYPES,
    ("unprovided-archetype", _WARNING, "A field that no value can fill, since no type provides what it requires",
     'requires="global-tx-id"', "let a type provide it"),
    ("unfit-archetype", _WARNING, "A field whose type and required archetype have no value in common",
     'type="uint" requires="error-condition"', "correct one of the two"),
    ("repeated-archetype", _WARNING, "An archetype that is named twice in a list",
     'provides="source,source"', "name it once"),
)  # fmt: skip


@rule(_ARCHETYPES, "unrequired-archetype", _NOTE, 'provides="lifetime-policy"')
def unrequired_archetype(subject: LintedSpec) -> Iterator[Remark]:
    """An archetype that no field requires."""
    required = {name for owner in subject.raw.types for field in owner.fields for name in field.requires}
    unions = {owner.name for owner in subject.raw.types if owner.type_class == "union"}
    told: set[str] = set()
    for owner in subject.raw.types:
        for name in owner.provides:
            if name not in required | told | unions:
                told.add(name)
                message = f"type {owner.name!r} provides {name!r}, which no field requires"
                hint = "that is fine for a name that only the text uses"
                yield Remark(message, owner.position, hint)
