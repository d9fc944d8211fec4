"""The checks of ``validation.py``: one function for each method that has asserts."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.amqp0.spec import Assert, Field, Method, Spec, WireType
from ..python_text import literal

# Asserts that no machine can check: the syntax they name is defined nowhere.
_NOT_CHECKED = frozenset({"syntax"})


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled regular expression of the module: its name, what the specification says, what is compiled."""

    name: str
    source: str
    text: str


def checked_asserts(field: Field) -> list[Assert]:
    """The asserts of a field that are checked; a domain and its field may state the same one twice."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for check in field.asserts:
        key = (check.check, check.number, check.text, check.values, check.method, check.field)
        if check.check not in _NOT_CHECKED and key not in seen:
            seen.add(key)
            found.append(check)
    return found


def asserted_methods(spec: Spec) -> list[Method]:
    """The methods that have anything to check."""
    return [method for method in spec.methods if any(checked_asserts(field) for field in method.arguments)]


def all_checks(spec: Spec) -> list[str]:
    """Every kind of assert in the specification, sorted."""
    return sorted(
        {check.check for method in spec.methods for field in method.fields for check in field.asserts}
    )


def patterns(spec: Spec) -> list[Pattern]:
    """The distinct regular expressions, numbered in order of appearance."""
    texts: dict[str, Pattern] = {}
    for method in asserted_methods(spec):
        for field in method.arguments:
            for check in checked_asserts(field):
                if check.check == "regexp" and check.text not in texts:
                    name = f"PATTERN_{len(texts) + 1}"
                    texts[check.text] = Pattern(name, check.text, strict_end(check.text))
    return list(texts.values())


def strict_end(pattern: str) -> str:
    """A pattern whose final ``$`` means the end: Python's ``$`` lets a final newline pass."""
    escapes = len(pattern) - 1 - len(pattern[:-1].rstrip("\\"))
    return f"{pattern[:-1]}\\Z" if pattern.endswith("$") and escapes % 2 == 0 else pattern


def check_lines(method: Method, spec: Spec) -> list[str]:
    """The statements that append to ``found`` what is violated."""
    names = {each.source: each.name for each in patterns(spec)}
    lines: list[str] = []
    for field in method.arguments:
        for check in checked_asserts(field):
            lines += _check(method, field, check, names)
    return lines


def _check(method: Method, field: Field, check: Assert, names: dict[str, str]) -> list[str]:
    value = f"method.{field.identifier}"
    if check.check == "le" and check.method == method.class_name:
        return [
            f"if exceeds({value}, method.{check.field}):",
            f'    found.append(("le", "{field.identifier}", f"exceeds the {{method.{check.field}}} of {check.field}"))',
        ]
    if check.check == "le":
        return [
            "for bound in earlier:",
            f"    if isinstance(bound, {check.method}) and exceeds({value}, bound.{check.field}):",
            f'        found.append(("le", "{field.identifier}", f"exceeds the {{bound.{check.field}}} of {check.method}"))',
        ]
    condition, message = _condition(field, check, value, names)
    entry = ", ".join(literal(text) for text in (check.check, field.identifier, message))
    return [f"if {condition}:", f"    found.append(({entry}))"]


def _condition(field: Field, check: Assert, value: str, names: dict[str, str]) -> tuple[str, str]:
    if check.check == "notnull":
        return f"not {value}", "must not be empty or zero"
    if check.check == "null":
        return value, "must be empty or zero"
    if check.check == "length":
        return f"len({value}) > {check.number}", f"must have at most {check.number} characters"
    if check.check == "regexp":
        text = f'{value}.decode("latin-1")' if field.type is WireType.LONGSTR else value
        return f"not _{names[check.text]}.search({text})", f"must match {check.text}"
    if check.check == "enum":
        return f"{value} >= {len(check.values)}", f"must be one of {', '.join(check.values)}, counted from 0"
    return f"{value} == {check.number}", f"must not be {check.number}"
