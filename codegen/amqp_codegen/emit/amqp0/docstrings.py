"""Docstrings and comments of generated 0-x classes, from the text of the specification."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.amqp0.spec import Assert, Class, Constant, Field, Method
from ..class_docstrings import INDENT, WIDTH, fitted, rule_lines
from ..python_text import comment_lines, join_words, paragraphs, sentence, wrap


def method_docstring(method: Method, replies: Sequence[str] = ()) -> str:
    """Return the docstring of a method: label, doc, direction, replies, attributes and rules.

    ``replies`` are the class names of what may answer, where the grammar knows more than the file.
    """
    return fitted(lambda shorten: _method_lines(method, replies or method.responses, shorten))


def _method_lines(method: Method, replies: Sequence[str], shorten: Callable[[str], str]) -> list[str]:
    lines = wrap(
        f"{method.full_name} ({method.class_index}, {method.index}): {sentence(method.label or method.name)}",
        WIDTH,
    )
    if method.doc:
        lines += ["", *paragraphs(method.doc, WIDTH)]
    lines += ["", *wrap(" ".join(_facts(method, replies)), WIDTH)]
    if method.arguments:
        lines += ["", "Attributes:"]
        for field in method.arguments:
            lines += _field_lines(field, shorten)
    rules = [*method.rules, *(rule for field in method.fields for rule in field.rules)]
    return [*lines, *rule_lines([rule.path for rule in rules], method.full_name)]


def _facts(method: Method, replies: Sequence[str]) -> list[str]:
    facts = [f"Sent by the {join_words(method.sent_by)}." if method.sent_by else "Nobody is said to send it."]
    if replies:
        facts.append(f"Answered by {join_words([f'``{name}``' for name in replies])}.")
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


def _field_lines(field: Field, shorten: Callable[[str], str]) -> list[str]:
    """Return the lines of an attribute: name, doc, wire type, domain and asserts."""
    parts = [shorten(sentence(field.doc or field.label or field.name)), sentence(_wire_facts(field))]
    if field.aliases:
        parts.append(f"Also known as {join_words([f'``{alias}``' for alias in field.aliases])}.")
    return wrap(" ".join(parts), WIDTH, INDENT * 2, first=f"{INDENT}{field.identifier}: ")


def _wire_facts(field: Field) -> str:
    facts = [field.type.facts.range]
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


def class_docstring(entry: Class) -> str:
    """Return the docstring of the module of a class: label, doc, grammar and rules."""
    lines = wrap(f"Class {entry.name} ({entry.index}): {sentence(entry.label or entry.name)}", WIDTH)
    if entry.doc:
        lines += ["", *paragraphs(entry.doc, WIDTH)]
    for grammar in entry.grammars:
        lines += ["", "Grammar (C: client, S: server):", ""]
        lines += [f"{INDENT}{line.expandtabs()}".rstrip() for line in grammar.strip("\n").split("\n")]
    return "\n".join([*lines, *rule_lines([rule.path for rule in entry.rules], entry.name)])


def properties_docstring(entry: Class) -> str:
    """Return the docstring of the properties of a class."""
    if not entry.properties:
        head = f"Class {entry.name} ({entry.index}) carries content without properties."
        return "\n".join(wrap(head, WIDTH))
    return fitted(lambda shorten: _property_lines(entry, shorten))


def _property_lines(entry: Class, shorten: Callable[[str], str]) -> list[str]:
    head = f"The content properties of class {entry.name} ({entry.index}); None where one is absent."
    lines = [*wrap(head, WIDTH), "", "Attributes:"]
    for property_ in entry.properties:
        lines += _field_lines(property_.field, shorten)
    rules = [rule for property_ in entry.properties for rule in property_.field.rules]
    return [*lines, *rule_lines([rule.path for rule in rules], entry.name)]


def constant_docstring(constant: Constant) -> str:
    """Return the docstring of the error class of a reply code."""
    head = wrap(
        f"{constant.name} ({constant.value}): {sentence(constant.label or constant.doc or constant.name)}",
        WIDTH,
    )
    if constant.doc and constant.label:
        return "\n".join([*head, "", *paragraphs(constant.doc, WIDTH)])
    return "\n".join(head)


def constant_comment(constant: Constant) -> list[str]:
    """Return the comment above a constant."""
    return comment_lines(sentence(constant.doc or constant.label))
