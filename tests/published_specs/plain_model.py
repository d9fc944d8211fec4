"""A resolved model as plain data, without what may differ between two files that state the same facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from amqp_codegen.model.amqp0.spec import Class, Constant, Domain, Field, Method, Rule, Spec

# Where and in which words it is said. A scenario counts as there or not; a grammar by its symbols, not by what
# is made of it.
_PROSE = frozenset({"label", "doc", "position", "sources", "productions", "automaton"})
_PROSE_OF_RULE = _PROSE | {"text", "scenario"}


def facts(spec: Spec) -> dict[str, Any]:
    """All that a specification states but prose, one entry for each thing, by its path."""
    found: dict[str, Any] = {
        "specification": {**_plain(spec), "constants": None, "domains": None, "classes": None}
    }
    found |= {f"constant {constant.name}": _plain(constant) for constant in spec.constants}
    found |= {f"domain {domain.name}": _plain(domain) for domain in spec.domains}
    for class_ in spec.classes:
        found[f"class {class_.name}"] = {
            **_plain(class_),
            "methods": [method.name for method in class_.methods],
        }
        found |= {f"method {method.full_name}": _plain(method) for method in class_.methods}
    found["order"] = [constant.name for constant in (*spec.constants, *spec.domains, *spec.classes)]
    return found


def identity(found: dict[str, Any]) -> dict[str, Any]:
    """The facts without the name that an overlay of ours gives the specification."""
    named = {"version": None, "title": None, "package": None, "dialect": None}
    return {**found, "specification": {**found["specification"], **named}}


def without_rules(found: Any) -> Any:
    """The facts without rules and grammars, which stripped files lack."""
    if isinstance(found, dict):
        return {key: without_rules(value) for key, value in found.items() if key not in ("rules", "grammars")}
    return [without_rules(value) for value in found] if isinstance(found, list) else found


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What differs, an entry a line, for people to read in a failing test."""
    found = [f"only here: {name}" for name in one if name not in other]
    found += [f"only there: {name}" for name in other if name not in one]
    for name in one:
        if name in other and one[name] != other[name]:
            found.append(f"{name}: {_first_difference(one[name], other[name])}")
    return found


def _first_difference(one: Any, other: Any) -> str:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        key = next(key for key in one if one[key] != other[key])
        return f"{key}: {_first_difference(one[key], other[key])}"
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        number = next(number for number in range(len(one)) if one[number] != other[number])
        return f"[{number}] {_first_difference(one[number], other[number])}"
    return f"{one!r} and {other!r}"


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return _plain_record(value)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _plain_record(value: Any) -> dict[str, Any]:
    prose = _PROSE_OF_RULE if isinstance(value, Rule) else _PROSE
    record = {
        field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.name not in prose
    }
    if isinstance(value, Rule):
        record["has scenario"] = value.scenario is not None
    if isinstance(value, Class):
        record["grammars"] = ["".join(grammar.split()) for grammar in value.grammars]
    return record


def described(spec: Spec) -> list[tuple[str, Constant | Domain | Class | Method | Field]]:
    """Every element that has a label and a doc, with its path."""
    found: list[tuple[str, Constant | Domain | Class | Method | Field]] = []
    found += [(f"constant {constant.name}", constant) for constant in spec.constants]
    found += [(f"domain {domain.name}", domain) for domain in spec.domains if domain.declared]
    for class_ in spec.classes:
        found.append((class_.name, class_))
        found += [
            (f"{class_.name}.properties.{entry.field.name}", entry.field) for entry in class_.properties
        ]
        for method in class_.methods:
            found.append((method.full_name, method))
            found += [(f"{method.full_name}.{field.name}", field) for field in method.fields]
    return found
