"""The catalogue: every rule by its id, sorted by category. Rules are declared beside their checks and gathered here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType

from .amqp0 import (
    arguments,
    auditor,
    broker_arguments,
    channel,
    content,
    delivery_tags,
    deprecated,
    frames,
    grammar,
    life,
    migration,
    negotiation,
    properties,
)
from .amqp1 import connection, deliveries, link, session
from .amqp1 import frames as frames1
from .fleet import queries
from .rule import AuditRule, declared_in

# The modules that declare rules. Within a category, rules are listed in this order and in that of each module.
_MODULES: tuple[ModuleType, ...] = (
    frames,
    arguments,
    broker_arguments,
    content,
    properties,
    negotiation,
    life,
    queries,
    auditor,
    grammar,
    channel,
    delivery_tags,
    deprecated,
    migration,
    frames1,
    connection,
    session,
    link,
    deliveries,
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
    """Yield all rules in the order of the catalogue."""
    declared = list(declared_in(*map(vars, _MODULES)))
    for category in _CATEGORIES:
        yield from (rule for rule in declared if rule.category == category)


RULES: Mapping[str, AuditRule] = {rule.id: rule for rule in listed()}
