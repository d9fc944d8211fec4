"""Docstrings and comments of generated 0-x classes, from the text of the specification."""

from __future__ import annotations

from ...model.amqp0.spec import Assert, Class, Constant, Field, Method, Rule
from ..python_text import comment_lines, join_words, paragraphs, sentence, wrap
from .python_types import wire_description

_WIDTH = 102
_INDENT = "    "


def method_docstring(method: Method) -> str:
    """Return the docstring of a method: label, doc, direction, replies, attributes and rules."""
    head = wrap(
        f"{method.full_name} ({method.class_index}, {method.index}): {sentence(method.label or method.name)}",
        _WIDTH,
    )
    lines = [head[0], *head[1:]]
    if method.doc:
        lines += ["", *paragraphs(method.doc, _WIDTH)]
    lines += ["", *wrap(" ".join(_facts(method)), _WIDTH)]
    if method.arguments:
        lines += ["", "Attributes:"]
        for field in method.arguments:
            lines += _field_lines(field)
    lines += _rule_section(
        [*method.rules, *(rule for field in method.fields for rule in field.rules)], method.full_name
    )
    return "\n".join(lines)


def _facts(method: Method) -> list[str]:
    facts = [f"Sent by the {join_words(method.sent_by)}." if method.sent_by else "Nobody is said to send it."]
    if method.responses:
        facts.append(f"Answered by {join_words([f'``{name}``' for name in method.responses])}.")
    elif method.synchronous:
        facts.append("Synchronous, without a reply of its own.")
    if method.has_content:
        facts.append("A content header and body follow.")
    if method.deprecated:
        facts.append("Deprecated.")
    reserved = [field.name for field in method.fields if field.reserved]
    if reserved:
        facts.append(f"Reserved on the wire: {join_words(reserved)}.")
    return facts


def _field_lines(field: Field) -> list[str]:
    """Return the lines of an attribute: name, doc, wire type, domain and asserts."""
    parts = [sentence(field.doc or field.label or field.name), f"{sentence(_wire_facts(field))}"]
    if field.aliases:
        parts.append(f"Also known as {join_words([f'``{alias}``' for alias in field.aliases])}.")
    return wrap(" ".join(parts), _WIDTH, _INDENT * 2, first=f"{_INDENT}{field.identifier}: ")


def _wire_facts(field: Field) -> str:
    facts = [wire_description(field)]
    if field.domain and field.domain != field.type.value:
        facts.append(f"domain {field.domain}")
    facts += [text for text in map(assert_text, field.asserts) if text]
    return "; ".join(facts)


def assert_text(check: Assert) -> str:
    """Return the demand of an assert, as it follows ``must be``; empty if it is unknown."""
    return {
        "notnull": "not empty or zero",
        "null": "empty or zero",
        "length": f"at most {check.number} characters",
        "regexp": f"matching {check.text}",
        "enum": f"one of {join_words([f'{number} ({name})' for number, name in enumerate(check.values)])}",
        "ne": f"not {check.number}",
        "le": f"at most {check.field} of {check.method}",
        "syntax": f"of the syntax {check.text!r}",
    }.get(check.check, "")


def _rule_section(rules: list[Rule], owner: str) -> list[str]:
    if not rules:
        return []
    lines = ["", "Rules:"]
    for rule in rules:
        lines += _rule_lines(rule, owner)
    return lines


def _rule_lines(rule: Rule, owner: str) -> list[str]:
    path = rule.path.removeprefix(f"{owner}.").removeprefix(f"{owner}/")
    failure = f" Violations are reported with {rule.on_failure}." if rule.on_failure else ""
    return wrap(f"{sentence(rule.text)}{failure}", _WIDTH, _INDENT * 2, first=f"{_INDENT}{path}: ")


def class_docstring(entry: Class) -> str:
    """Return the docstring of the module of a class: label, doc, grammar and rules."""
    lines = wrap(f"Class {entry.name} ({entry.index}): {sentence(entry.label or entry.name)}", _WIDTH)
    if entry.doc:
        lines += ["", *paragraphs(entry.doc, _WIDTH)]
    for grammar in entry.grammars:
        lines += ["", "Grammar (C: client, S: server)::", ""]
        lines += [f"{_INDENT}{line.expandtabs()}".rstrip() for line in grammar.strip("\n").split("\n")]
    lines += _rule_section(list(entry.rules), entry.name)
    return "\n".join(lines)


def properties_docstring(entry: Class) -> str:
    """Return the docstring of the properties of a class."""
    lines = wrap(
        f"The content properties of class {entry.name} ({entry.index}); None where one is absent.", _WIDTH
    )
    if not entry.properties:
        lines = wrap(f"Class {entry.name} ({entry.index}) carries content without properties.", _WIDTH)
        return "\n".join(lines)
    lines += ["", "Attributes:"]
    for each in entry.properties:
        lines += _field_lines(each.field)
    lines += _rule_section([rule for each in entry.properties for rule in each.field.rules], entry.name)
    return "\n".join(lines)


def constant_docstring(constant: Constant) -> str:
    """Return the docstring of the error class of a reply code."""
    head = wrap(
        f"{constant.name} ({constant.value}): {sentence(constant.label or constant.doc or constant.name)}",
        _WIDTH,
    )
    if constant.doc and constant.label:
        return "\n".join([*head, "", *paragraphs(constant.doc, _WIDTH)])
    return "\n".join(head)


def constant_comment(constant: Constant) -> list[str]:
    """Return the comment above a constant."""
    return comment_lines(sentence(constant.doc or constant.label))
