"""The comparison of a tree with its schema: elements, attributes, values and text that are not allowed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from ..model.problem import Problem
from ..support.wording import describe, did_you_mean, listing, quote, show_tag
from .element import Element
from .schema import OVERLAY_ATTRIBUTES, Attribute, ElementSchema, Schema, Value, ValueKind

# A file with a thousand problems is not a specification, and searching a did-you-mean for each of a
# million unknown names would take minutes.
MAX_PROBLEMS = 1000


def limited(problems: Iterable[Problem]) -> list[Problem]:
    """Return the first ``MAX_PROBLEMS`` problems; if there are more, a last one says so."""
    first = list(islice(problems, MAX_PROBLEMS + 1))
    if len(first) > MAX_PROBLEMS:
        first[-1] = Problem("too-many-problems", "there are more problems from here on", first[-1].position)
    return first


_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|0*[0-9]{1,20}")
# No published pattern is longer; a longer one could take long to compile.
_LONGEST_REGEXP = 1000


def parse_number(text: str) -> int | None:
    """Return the number written in decimal, or in hexadecimal after 0x; None for anything else.

    Python's ``int`` accepts more: blanks around, underscores within, digits of any script.
    """
    if not _NUMBER.fullmatch(text):
        return None
    return int(text, 16) if text[1:2] in ("x", "X") else int(text.lstrip("0") or "0")


def complaint(value: Value, text: str) -> tuple[str, str]:
    """Return the fault of a value, to follow "<value>", and a hint; both empty if there is none."""
    return _CHECKS[value.kind](value, text)


def _text(_value: Value, _text: str) -> tuple[str, str]:
    return "", ""


def _name(_value: Value, text: str) -> tuple[str, str]:
    return ("" if text.strip() else "is empty"), ""


def _number(value: Value, text: str) -> tuple[str, str]:
    number = parse_number(text)
    if number is None:
        negative = text.startswith("-") and parse_number(text[1:]) is not None
        return ("is negative" if negative else "is not a number"), ""
    return (f"is larger than {value.maximum}" if number > value.maximum else ""), ""


def _flag(_value: Value, text: str) -> tuple[str, str]:
    return ("" if text in ("0", "1") else "is neither 0 nor 1"), ""


def _word(value: Value, text: str) -> tuple[str, str]:
    if text in value.words:
        return "", ""
    if len(value.words) == 1:
        return f"is not {value.words[0]}", ""
    return f"is not one of {listing(value.words)}", did_you_mean(text, value.words)


def _pattern(value: Value, text: str) -> tuple[str, str]:
    return ("" if re.fullmatch(value.pattern, text) else f"is not {value.meaning}"), ""


def _regexp(_value: Value, text: str) -> tuple[str, str]:
    if len(text) > _LONGEST_REGEXP:
        return f"is longer than {_LONGEST_REGEXP} characters", ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a "[" in a set may mean something else in a later Python
            re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not a regular expression: {error}", ""
    return "", ""


_CHECKS: Mapping[ValueKind, Callable[[Value, str], tuple[str, str]]] = {
    ValueKind.TEXT: _text,
    ValueKind.NAME: _name,
    ValueKind.NUMBER: _number,
    ValueKind.FLAG: _flag,
    ValueKind.WORD: _word,
    ValueKind.PATTERN: _pattern,
    ValueKind.REGEXP: _regexp,
}


def check_schema(root: Element, schema: Schema) -> list[Problem]:
    """Compare a tree with a schema.

    Returns:
        A problem for every unknown element, unknown attribute, missing attribute, bad value and
        misplaced text, in file order; the content of unknown elements is skipped. After
        ``MAX_PROBLEMS`` problems, a last one says that there are more.
    """
    return limited(_check_root(root, schema))


def _check_root(root: Element, schema: Schema) -> Iterator[Problem]:
    if root.tag != schema.root:
        message = f"the root element is <{show_tag(root.tag)}>, expected <{schema.root}>"
        yield Problem("unknown-element", message, root.position)
    elif root.namespace and not schema.namespaces:
        message = f"unknown element <{show_tag(root.tag)}> in namespace {quote(root.namespace)}"
        yield Problem("unknown-element", message, root.position, "these files have no namespace")
    else:
        yield from _check_element(root, schema.rules[schema.root], schema)


def _check_element(element: Element, rule: ElementSchema, schema: Schema) -> Iterator[Problem]:
    yield from _check_attributes(element, rule.attributes)
    for piece in element.content:
        if isinstance(piece, str):
            if not rule.text and piece.strip(" \t\r\n"):
                message = f"text in <{element.tag}>, where none belongs: {quote(piece.strip())}"
                yield Problem("misplaced-text", message, element.position)
        elif piece.namespace != element.namespace:
            message = f"unknown element <{show_tag(piece.tag)}> in namespace {quote(piece.namespace)}"
            yield Problem("unknown-element", message, piece.position)
        elif piece.tag in rule.children:
            yield from _check_element(piece, schema.rules[rule.children[piece.tag]], schema)
        else:
            yield _unknown_element(piece, element, rule, schema)


def _unknown_element(child: Element, parent: Element, rule: ElementSchema, schema: Schema) -> Problem:
    message = f"unknown element <{show_tag(child.tag)}> in <{parent.tag}>"
    hint = did_you_mean(child.tag, rule.children)
    if any(child.tag in other.children for other in schema.rules.values()):
        hint = f"<{show_tag(child.tag)}> belongs elsewhere"
    return Problem("unknown-element", message, child.position, hint)


def _check_attributes(element: Element, known: Mapping[str, Attribute]) -> Iterator[Problem]:
    for name, text in element.attributes.items():
        if name not in known:
            yield _unknown_attribute(element, name, known)
            continue
        wrong, hint = complaint(known[name].value, text)
        if wrong:
            message = f"{describe(element)}: {name} {quote(text)} {wrong}"
            yield Problem("bad-value", message, element.position, hint)
    for name, attribute in known.items():
        if attribute.required and name not in element.attributes:
            message = f"{describe(element)} has no attribute {name!r}"
            yield Problem("missing-attribute", message, element.position)


def _unknown_attribute(element: Element, name: str, known: Mapping[str, Attribute]) -> Problem:
    hint = did_you_mean(name, known)
    if name in OVERLAY_ATTRIBUTES:
        hint = "that belongs in an overlay: a file whose root element has an attribute 'overlay'"
    return Problem(
        "unknown-attribute", f"unknown attribute {quote(name)} of {describe(element)}", element.position, hint
    )
