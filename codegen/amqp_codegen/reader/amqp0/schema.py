"""The schema of 0-8, 0-9 and 0-9-1 files: the union of what the published files contain.

0-8 writes labels as text between the children and has its own notation of rules (``implement``,
``doc name="rule"``, ``test``); since 0-9, labels are attributes and rules have names and docs.
Both notations are allowed in all three versions, because RabbitMQ's 0-9-1 file mixes them.

``check_amqp0`` checks what a schema cannot express: attributes that need or exclude each other, and
labels given twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.problem import Problem
from ...support.wording import describe, listing, quote
from ..check_schema import complaint, limited
from ..element import Element
from ..schema import (
    FLAG,
    NAME,
    REGEXP,
    TEXT,
    U8,
    U16,
    U32,
    Attribute,
    ElementSchema,
    Schema,
    Value,
    children,
    one_of,
    optional,
    required,
)

_LEVEL = one_of("MUST", "SHOULD", "MAY")
_PEER = one_of("client", "server")
_ERROR_CLASS = one_of("soft-error", "hard-error", "soft error", "hard error")
ASSERT_CHECKS = ("notnull", "null", "length", "regexp", "enum", "ne", "le", "syntax")


def _named(**attributes: Attribute) -> Mapping[str, Attribute]:
    """Return the attributes ``name``, ``label`` and these; an underscore stands for a hyphen."""
    own = {name.replace("_", "-"): attribute for name, attribute in attributes.items()}
    return {"name": required(NAME), "label": optional(TEXT), **own}


# 0-8 has rules in docs wherever it has docs: <doc name="rule" test="amq_queue_21">.
_DOC_RULE: Mapping[str, Attribute] = {"name": optional(one_of("rule")), "test": optional(TEXT)}

AMQP0_SCHEMA = Schema(
    root="amqp",
    rules={
        "amqp": ElementSchema(
            {
                "major": required(U8),
                "minor": required(U8),
                "revision": optional(U8),
                "port": optional(U16),
                "comment": optional(TEXT),
                "label": optional(TEXT),
            },
            children("constant", "domain", "class"),
            text=True,
        ),
        "constant": ElementSchema(
            {**_named(value=required(U32)), "class": optional(_ERROR_CLASS)},
            children(doc="plain doc"),
            text=True,  # 0-8: not a label, but what 0-9 writes in a doc
        ),
        "domain": ElementSchema(
            _named(type=required(NAME)),
            children("doc", "rule", "assert"),
            text=True,
        ),
        "class": ElementSchema(
            _named(index=required(U16), handler=optional(NAME)),
            children("rule", "chassis", "field", "method", doc="class doc"),
            text=True,
        ),
        "method": ElementSchema(
            _named(
                index=required(U16),
                synchronous=optional(FLAG),
                content=optional(FLAG),
                deprecated=optional(FLAG),
            ),
            children("doc", "rule", "chassis", "response", "field"),
            text=True,
        ),
        "field": ElementSchema(
            _named(
                type=optional(NAME),
                domain=optional(NAME),
                reserved=optional(FLAG),
                required=optional(FLAG),
            ),
            children("doc", "rule", "assert", "see", "test"),
            text=True,
        ),
        "chassis": ElementSchema({"name": required(_PEER), "implement": required(_LEVEL)}),
        "response": ElementSchema({"name": required(NAME)}),
        "see": ElementSchema({"name": required(NAME)}),
        "assert": ElementSchema(
            {
                "check": required(one_of(*ASSERT_CHECKS)),
                "value": optional(TEXT),
                "method": optional(NAME),
                "field": optional(NAME),
                "rule": optional(NAME),
            },
            children("value"),
        ),
        "value": ElementSchema(_named(), text=True),
        "rule": ElementSchema(
            {
                "name": optional(NAME),
                "label": optional(TEXT),
                "implement": optional(_LEVEL),
                "on-failure": optional(NAME),
            },
            children("test", doc="rule doc"),
            text=True,
        ),
        "test": ElementSchema({}, text=True),
        "doc": ElementSchema(_DOC_RULE, text=True),
        "plain doc": ElementSchema({}, text=True),
        "rule doc": ElementSchema({"type": optional(one_of("scenario"))}, text=True),
        "class doc": ElementSchema(
            {
                "type": optional(one_of("grammar")),
                "name": optional(one_of("grammar", "rule")),
                "test": optional(TEXT),
            },
            text=True,
        ),
    },
)


# The attributes that each check of an assert needs. Without a method, the field of <le> is in the same method.
_ASSERT_NEEDS: Mapping[str, Mapping[str, Value]] = {
    "length": {"value": U32},
    "regexp": {"value": REGEXP},
    "ne": {"value": TEXT},
    "le": {"field": TEXT},
    "syntax": {"rule": TEXT},
}
# Elements whose text is a label. In a constant and in a rule, it is what 0-9 writes in a doc.
_LABELLED_TAGS = frozenset({"amqp", "domain", "class", "method", "field", "value"})


def check_amqp0(root: Element) -> list[Problem]:
    """Return the problems of a 0-x tree that involve several attributes, in file order."""
    return limited(problem for element in root.walk() for problem in _check(element))


def _check(element: Element) -> Iterator[Problem]:
    if element.tag == "field":
        yield from _check_field(element)
    elif element.tag == "assert":
        yield from _check_assert(element)
    elif element.tag == "doc":
        yield from _check_doc(element)
    elif element.tag in ("class", "domain"):
        yield from _check_tests(element)
    if element.tag in _LABELLED_TAGS and "label" in element.attributes and element.text:
        message = f"{describe(element)} has a label and text, which is a label too: {quote(element.text)}"
        yield Problem("misplaced-text", message, element.position, "put the text into a <doc>")


def _check_field(element: Element) -> Iterator[Problem]:
    """Check that a field has either a type or a domain: 0-8 writes 'type' 150 times, 0-9 never."""
    written = {"type", "domain"} & element.attributes.keys()
    if not written:
        message = f"{describe(element)} has neither 'type' nor 'domain'"
        yield Problem("missing-attribute", message, element.position)
    elif len(written) > 1:
        message = f"{describe(element)} has both 'type' and 'domain'"
        yield Problem("conflicting-attributes", message, element.position, "keep the one that is right")


def _check_assert(element: Element) -> Iterator[Problem]:
    check = element.attributes.get("check", "")
    for name, value in _ASSERT_NEEDS.get(check, {}).items():
        text = element.attributes.get(name)
        if text is None:
            message = f"{describe(element)} has no attribute {name!r}"
            yield Problem("missing-attribute", message, element.position)
            continue
        wrong, hint = complaint(value, text)
        if wrong:
            message = f"{describe(element)}: {name} {quote(text)} {wrong}"
            yield Problem("bad-value", message, element.position, hint)
    if check == "enum" and not element.find_all("value"):
        message = f"{describe(element)} has no <value>"
        yield Problem("missing-element", message, element.position)
    if check != "enum" and element.find_all("value"):
        message = f"{describe(element)} has a <value>"
        yield Problem("unknown-element", message, element.position, "only an assert 'enum' has them")


def _check_doc(element: Element) -> Iterator[Problem]:
    kinds = [element.attributes[name] for name in ("type", "name") if name in element.attributes]
    if len(set(kinds)) > 1:
        message = f"doc is of two kinds, {listing(quote(kind) for kind in kinds)}"
        yield Problem("conflicting-attributes", message, element.position)


def _check_tests(element: Element) -> Iterator[Problem]:
    """Check that a doc with a test is a rule; methods are not checked: 0-8's basic.cancel has one on its plain doc."""
    for doc in element.find_all("doc"):
        if "test" in doc.attributes and doc.attributes.get("name") != "rule":
            message = f"doc of {describe(element)} has an attribute 'test' but is not a rule"
            yield Problem("unknown-attribute", message, doc.position, 'only <doc name="rule"> has it here')
