"""The checks of the generated ``validation.py``: the asserts of the fields of methods."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Assert, Class, Field, Method, Spec
from ...model.amqp0.wire import Profile, PropertyCheck

# Not checked: no specification file defines the syntax that these asserts name.
_NOT_CHECKED = frozenset({"syntax"})
# The kinds of checks that are no asserts, of any value: NUL in short strings; NaN and infinity in tables.
VALUE_CHECKS = ("finite", "nul")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression of the module: constant name, source in the specification, text compiled."""

    name: str
    source: str
    text: str


def checked_asserts(field: Field) -> list[Assert]:
    """Return the checked asserts of a field, each once: a domain and its field may state the same one."""
    seen: set[tuple[object, ...]] = set()
    checked = []
    for check in field.asserts:
        key = (check.check, check.number, check.text, check.values, check.method, check.field)
        if check.check not in _NOT_CHECKED and key not in seen:
            seen.add(key)
            checked.append(check)
    return checked


def asserted_methods(spec: Spec) -> list[Method]:
    """Return the methods that have fields to check."""
    return [method for method in spec.methods if any(checked_asserts(field) for field in method.arguments)]


def all_checks(spec: Spec) -> list[str]:
    """Return every kind of assert in the specification, sorted."""
    return sorted(
        {check.check for method in spec.methods for field in method.fields for check in field.asserts}
    )


def value_checks(profile: Profile) -> list[str]:
    """Return the kinds of checks that a profile makes on any value."""
    enforced = {"finite": profile.finite, "nul": "nul" not in profile.skip}
    return [kind for kind in VALUE_CHECKS if enforced[kind]]


def property_checks(profile: Profile, entry: Class) -> list[tuple[str, PropertyCheck]]:
    """Return the properties of a class that a profile checks, by identifier, in the order of the class."""
    checks = {check.path: check for check in profile.properties}
    found = [
        (property_.field, checks.get(f"{entry.name}.properties.{property_.field.name}"))
        for property_ in entry.properties
    ]
    return [(field.identifier, check) for field, check in found if check is not None]


def patterns(spec: Spec) -> list[Pattern]:
    """Return the distinct regular expressions, numbered in order of appearance."""
    texts: dict[str, Pattern] = {}
    for method in asserted_methods(spec):
        for field in method.arguments:
            for check in checked_asserts(field):
                if check.check == "regexp" and check.text not in texts:
                    name = f"PATTERN_{len(texts) + 1}"
                    texts[check.text] = Pattern(name, check.text, strict_end(check.text))
    return list(texts.values())


def strict_end(pattern: str) -> str:
    """Replace a final ``$`` of a pattern by the end of the text: Python's ``$`` accepts a final newline."""
    escapes = len(pattern) - 1 - len(pattern[:-1].rstrip("\\"))
    return f"{pattern[:-1]}\\Z" if pattern.endswith("$") and escapes % 2 == 0 else pattern


def violation(check: Assert, field: Field, spec: Spec) -> str:
    """Return the expression that is true if a field of ``method`` violates an assert that names no other field."""
    value = f"method.{field.identifier}"
    if check.check == "notnull":
        return f"not {value}"
    if check.check == "null":
        return value
    if check.check == "length":
        return f"len({value}) > {check.number}"
    if check.check == "regexp":
        names = {pattern.source: pattern.name for pattern in patterns(spec)}
        text = f'{value}.decode("latin-1")' if field.type is WireType.LONGSTR else value
        return f"not _{names[check.text]}.search({text})"
    return f"{value} >= {len(check.values)}" if check.check == "enum" else f"{value} == {check.number}"


def violation_text(check: Assert) -> str:
    """Return the message for a field that violates an assert."""
    if check.check == "notnull":
        return "must not be empty or zero"
    if check.check == "null":
        return "must be empty or zero"
    if check.check == "length":
        return f"must have at most {check.number} characters"
    if check.check == "regexp":
        return f"must match {check.text}"
    if check.check == "enum":
        return f"must be one of {', '.join(check.values)}, counted from 0"
    return f"must not be {check.number}"
