"""The catalogue: every rule by its id, category by category. Rules stand beside their checks, and are gathered from there.

Those that still stand in ``rules_*.py`` come after those that are gathered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType

from ..amqp0 import arguments, channel, content, delivery_tags, frames, properties
from ..amqp1 import connection, deliveries, link, session
from ..amqp1 import frames as frames1
from .conversation import GRAMMAR, LIFE, NEGOTIATION
from .deprecated import DEPRECATED
from .fleet import CLIENTS, CONSUMING, PUBLISHING, TOPOLOGY
from .migration import TO_AMQP_1_0, TO_RABBITMQ_4_3
from .rule import AuditRule, declared_in

# Where rules are declared. In a category they are listed in this order, and as they stand in each module.
_MODULES: tuple[ModuleType, ...] = (
    frames,
    arguments,
    content,
    properties,
    channel,
    delivery_tags,
    frames1,
    connection,
    session,
    link,
    deliveries,
)

# The categories, in the order in which they are listed; with rules that are not declared in ``_MODULES`` yet.
_CATEGORIES: Mapping[str, Sequence[AuditRule]] = {
    "frames": (),
    "arguments": (),
    "content": (),
    "properties": (),
    "negotiation": NEGOTIATION,
    "life": LIFE,
    "grammar": GRAMMAR,
    "channels": (),
    "settlement": (),
    "deprecated": DEPRECATED,
    "topology": TOPOLOGY,
    "publishing": PUBLISHING,
    "consuming": CONSUMING,
    "clients": CLIENTS,
    "1.0": (),
    "to-rabbitmq-4.3": TO_RABBITMQ_4_3,
    "to-amqp-1.0": TO_AMQP_1_0,
}


def listed() -> Iterator[AuditRule]:
    """All rules, in the order of the catalogue."""
    declared = list(declared_in(*map(vars, _MODULES)))
    for category, others in _CATEGORIES.items():
        yield from (rule for rule in declared if rule.category == category)
        yield from (replace(rule, category=category) for rule in others)


RULES: Mapping[str, AuditRule] = {rule.id: rule for rule in listed()}
