"""What the catalogue says of a rule of the audit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How bad a finding is.

    An error breaks the protocol. A warning is legal but known to hurt, deprecated, or will be refused by the target of a
    migration. An info is worth knowing.
    """

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """A number by which they can be compared."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}

# What one can move to: ``--target``.
RABBITMQ_4_3, AMQP_1_0 = "rabbitmq-4.3", "amqp-1.0"
TARGETS = (RABBITMQ_4_3, AMQP_1_0)


@dataclass(frozen=True, slots=True)
class AuditRule:
    """One thing that is looked for.

    Attributes:
        id: Its stable kebab-case name.
        severity: How bad a finding is.
        purpose: What it finds, and what for: a sentence without a full stop.
        source: What says so: an element of a specification (``basic.ack.delivery-tag``), a section of a document
            (``0-9-1 4.2.3``), or the documentation of a broker.
        example: Something that it finds.
        targets: What one cannot, or not as it is, move to with this: of ``TARGETS``.
        only_for_target: Whether it is looked for only with such a ``--target``; else it is always.
        category: The group it stands in; the catalogue fills it in.
    """

    id: str
    severity: Severity
    purpose: str
    source: str
    example: str
    targets: tuple[str, ...] = ()
    only_for_target: bool = False
    category: str = ""

    def applies(self, targets: Collection[str]) -> bool:
        """Whether it is looked for with these targets, or without any."""
        return not self.only_for_target or any(target in targets for target in self.targets)
