"""What stands in the way of a migration, by where one wants to go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..audit.rules.catalogue import RULES
from ..audit.rules.rule import AMQP_1_0, RABBITMQ_4_3, TARGETS, AuditRule
from .found_rules import FindingTotals, FoundRule

TITLES: Mapping[str, str] = {RABBITMQ_4_3: "To RabbitMQ 4.3", AMQP_1_0: "To AMQP 1.0"}


@dataclass(frozen=True, slots=True)
class MigrationSheet:
    """One way to go.

    Attributes:
        target: Of ``TARGETS``.
        title: For people.
        found: What is used, the worst first.
        absent: What was looked for, and is not used.
    """

    target: str
    title: str
    found: tuple[FoundRule, ...]
    absent: tuple[AuditRule, ...]

    @property
    def clients(self) -> int:
        """How many clients have something to change."""
        return len({key for each in self.found for key in each.clients})


def migration_sheets(found: FindingTotals) -> tuple[MigrationSheet, ...]:
    """A sheet for each target, from the rules of the catalogue that name it."""
    seen = {each.rule.id for each in found.rules}
    return tuple(
        MigrationSheet(
            target,
            TITLES[target],
            tuple(each for each in found.rules if target in each.rule.targets),
            tuple(rule for rule in RULES.values() if target in rule.targets and rule.id not in seen),
        )
        for target in TARGETS
    )
