"""The catalogue: every rule by its id, category by category. Rules stand beside their checks, and are gathered from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from ..amqp1 import delivery1, frames1, link1, migration1, open1, session1
from ..fleet import fleet_queries
from .rule import AuditRule, declared_in

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
    frames1,
    open1,
    session1,
    link1,
    delivery1,
    migration1,
)

# The categories, in the order in which they are listed.
_CATEGORIES = (
    "frames",
    "arguments",
    "content",
    "properties",
    "negotiation",
    "life",
    "grammar",
    "channels",
    "settlement",
    "deprecated",
    "topology",
    "publishing",
    "consuming",
    "clients",
    "1.0",
    "to-rabbitmq-4.3",
    "to-amqp-1.0",
)


def listed() -> Iterator[AuditRule]:
    """All rules, in the order of the catalogue."""
    declared = list(declared_in(*map(vars, _MODULES)))
    for category in _CATEGORIES:
        yield from (rule for rule in declared if rule.category == category)


RULES: Mapping[str, AuditRule] = {rule.id: rule for rule in listed()}
