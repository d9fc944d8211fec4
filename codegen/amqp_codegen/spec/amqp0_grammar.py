"""The schema of 0-8, 0-9 and 0-9-1 files: the union of what the published files contain.

0-8 writes labels as text between the children and has its own ways with rules (``implement``,
``doc name="rule"``, ``test``); from 0-9 on, labels are attributes and rules have names and docs.
Both ways are allowed in all three, because RabbitMQ's 0-9-1 file mixes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from .grammar import (
    FLAG,
    NAME,
    TEXT,
    U8,
    U16,
    U32,
    Attribute,
    ElementRule,
    Schema,
    one_of,
    optional,
    required,
)

_LEVEL = one_of("MUST", "SHOULD", "MAY")
_PEER = one_of("client", "server")
_ERROR_CLASS = one_of("soft-error", "hard-error", "soft error", "hard error")
ASSERT_CHECKS = ("notnull", "null", "length", "regexp", "enum", "ne", "le", "syntax")


def _named(**attributes: Attribute) -> Mapping[str, Attribute]:
    """Return a name, a label, and these; an underscore stands for a hyphen."""
    own = {name.replace("_", "-"): attribute for name, attribute in attributes.items()}
    return {"name": required(NAME), "label": optional(TEXT), **own}


def _children(*tags: str, **ruled: str) -> Mapping[str, str]:
    """Return children whose rule has their tag's name, and others whose rule is named here."""
    return {**{tag: tag for tag in tags}, **ruled}


# 0-8 has rules in docs wherever it has docs: <doc name="rule" test="amq_queue_21">.
_DOC_RULE: Mapping[str, Attribute] = {"name": optional(one_of("rule")), "test": optional(TEXT)}

AMQP0 = Schema(
    root="amqp",
    rules={
        "amqp": ElementRule(
            {
                "major": required(U8),
                "minor": required(U8),
                "revision": optional(U8),
                "port": optional(U16),
                "comment": optional(TEXT),
                "label": optional(TEXT),
            },
            _children("constant", "domain", "class"),
            text=True,
        ),
        "constant": ElementRule(
            {**_named(value=required(U32)), "class": optional(_ERROR_CLASS)},
            _children(doc="plain doc"),
            text=True,  # 0-8: not a label but what 0-9 has in a doc
        ),
        "domain": ElementRule(
            _named(type=required(NAME)),
            _children("doc", "rule", "assert"),
            text=True,
        ),
        "class": ElementRule(
            _named(index=required(U16), handler=optional(NAME)),
            _children("rule", "chassis", "field", "method", doc="class doc"),
            text=True,
        ),
        "method": ElementRule(
            _named(
                index=required(U16),
                synchronous=optional(FLAG),
                content=optional(FLAG),
                deprecated=optional(FLAG),
            ),
            _children("doc", "rule", "chassis", "response", "field"),
            text=True,
        ),
        "field": ElementRule(
            _named(
                type=optional(NAME),
                domain=optional(NAME),
                reserved=optional(FLAG),
                required=optional(FLAG),
            ),
            _children("doc", "rule", "assert", "see", "test"),
            text=True,
        ),
        "chassis": ElementRule({"name": required(_PEER), "implement": required(_LEVEL)}),
        "response": ElementRule({"name": required(NAME)}),
        "see": ElementRule({"name": required(NAME)}),
        "assert": ElementRule(
            {
                "check": required(one_of(*ASSERT_CHECKS)),
                "value": optional(TEXT),
                "method": optional(NAME),
                "field": optional(NAME),
                "rule": optional(NAME),
            },
            _children("value"),
        ),
        "value": ElementRule(_named(), text=True),
        "rule": ElementRule(
            {
                "name": optional(NAME),
                "label": optional(TEXT),
                "implement": optional(_LEVEL),
                "on-failure": optional(NAME),
            },
            _children("test", doc="rule doc"),
            text=True,
        ),
        "test": ElementRule({}, text=True),
        "doc": ElementRule(_DOC_RULE, text=True),
        "plain doc": ElementRule({}, text=True),
        "rule doc": ElementRule({"type": optional(one_of("scenario"))}, text=True),
        "class doc": ElementRule(
            {
                "type": optional(one_of("grammar")),
                "name": optional(one_of("grammar", "rule")),
                "test": optional(TEXT),
            },
            text=True,
        ),
    },
)
