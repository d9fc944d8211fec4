"""The catalogue: every rule by its id, category by category. Rules stand beside their checks, and are gathered from there.

Those that still stand in ``rules_*.py`` come after those that are gathered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType

from ..amqp0 import (
    arguments0,
    auditor0,
    channel0,
    content0,
    deprecated0,
    frames0,
    grammar0,
    life0,
    migration0,
    negotiation0,
    properties0,
    tags0,
)
from ..fleet import fleet_queries
from .rule import AuditRule, declared_in
from .rules_1_0 import RULES_1_0
from .rules_migration import TO_RABBITMQ_4_3

# Where rules are declared. In a category they are listed in this order, and as they stand in each module.
_MODULES: tuple[ModuleType, ...] = (
    frames0,
    arguments0,
    content0,
    properties0,
    negotiation0,
    life0,
    fleet_queries,
    auditor0,
    grammar0,
    channel0,
    tags0,
    deprecated0,
    migration0,
)

# The categories, in the order in which they are listed; with rules that are not declared in ``_MODULES`` yet.
_CATEGORIES: Mapping[str, Sequence[AuditRule]] = {
    "frames": (),
    "arguments": (),
    "content": (),
    "properties": (),
    "negotiation": (),
    "life": (),
    "grammar": (),
    "channels": (),
    "settlement": (),
    "deprecated": (),
    "topology": (),
    "publishing": (),
    "consuming": (),
    "clients": (),
    "1.0": RULES_1_0,
    "to-rabbitmq-4.3": TO_RABBITMQ_4_3,
    "to-amqp-1.0": (),
}


def listed() -> Iterator[AuditRule]:
    """All rules, in the order of the catalogue."""
    declared = list(declared_in(*map(vars, _MODULES)))
    for category, others in _CATEGORIES.items():
        yield from (rule for rule in declared if rule.category == category)
        yield from (replace(rule, category=category) for rule in others)


RULES: Mapping[str, AuditRule] = {rule.id: rule for rule in listed()}
