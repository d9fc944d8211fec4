"""The catalogue: every rule by its id, group by group. What it says stands in ``rules_*.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .rule import AuditRule
from .rules_1_0 import RULES_1_0
from .rules_conversation import CHANNELS, GRAMMAR, LIFE, NEGOTIATION, SETTLEMENT
from .rules_deprecated import DEPRECATED
from .rules_fleet import CLIENTS, CONSUMING, PUBLISHING, TOPOLOGY
from .rules_frame import ARGUMENTS, CONTENT, FRAMES, PROPERTIES
from .rules_migration import TO_AMQP_1_0, TO_RABBITMQ_4_3

_GROUPS: Mapping[str, Sequence[AuditRule]] = {
    "frames": FRAMES,
    "arguments": ARGUMENTS,
    "content": CONTENT,
    "properties": PROPERTIES,
    "negotiation": NEGOTIATION,
    "life": LIFE,
    "grammar": GRAMMAR,
    "channels": CHANNELS,
    "settlement": SETTLEMENT,
    "deprecated": DEPRECATED,
    "topology": TOPOLOGY,
    "publishing": PUBLISHING,
    "consuming": CONSUMING,
    "clients": CLIENTS,
    "1.0": RULES_1_0,
    "to-rabbitmq-4.3": TO_RABBITMQ_4_3,
    "to-amqp-1.0": TO_AMQP_1_0,
}

RULES: Mapping[str, AuditRule] = {
    rule.id: replace(rule, category=category) for category, rules in _GROUPS.items() for rule in rules
}
