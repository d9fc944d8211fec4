"""A rule of the audit: its entry in the catalogue, and the function that checks it.

A rule is declared by its check::

    _frames = partial(AuditRule, category="frames")

    @_frames("heartbeat-on-channel", ERROR, source="0-9-1 4.2.7", example="a heartbeat on channel 1")
    def heartbeat_on_channel(frame: AuditFrame) -> Told:
        "A heartbeat on a channel other than 0."
        return f"a heartbeat on channel {frame.channel}" if frame.channel else None

The docstring is the purpose. ``FindingLog.judge(heartbeat_on_channel, frame)`` calls the check and notes what it returns.
Where an auditor has found out by itself what is wrong, a rule has no function: it is an ``AuditRule`` with a purpose, and
``judge`` notes the evidence that it is given. ``catalogue.py`` gathers the rules from their modules.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from typing import Any, NamedTuple, TypeAlias


class AuditSeverity(Enum):
    """How bad a finding is.

    An error breaks the protocol. A warning is legal, but known to cause problems, deprecated, or refused by the target of
    a migration. An info is worth knowing.
    """

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """A number for comparison; the worst is the highest."""
        return _RANKS[self]


ERROR, WARNING, INFO = AuditSeverity.ERROR, AuditSeverity.WARNING, AuditSeverity.INFO
_RANKS = {severity: rank for rank, severity in enumerate(AuditSeverity)}

# The targets of a migration: ``--target``.
RABBITMQ_4_3, AMQP_1_0 = "rabbitmq-4.3", "amqp-1.0"
TARGETS = (RABBITMQ_4_3, AMQP_1_0)


class Evidence(NamedTuple):
    """The evidence of a check, where a text alone is not enough.

    Attributes:
        text: What was found, in a few words. Never a secret.
        channel: The channel, if it is not that of the frame.
        spec_ref: The source, if it is more exact than that of the rule.
    """

    text: str
    channel: int | None = None
    spec_ref: str = ""


# The result of a check: the evidence, or None if the rule holds. A list has one evidence for each violation.
Told: TypeAlias = "str | Evidence | list[str] | None"


@dataclass(frozen=True, eq=False, slots=True)
class AuditRule:
    """A rule, and the decorator that makes a function its check.

    Attributes:
        id: Its stable kebab-case name.
        severity: How bad a finding is.
        purpose: What it finds and why that matters: a sentence without a full stop.
        source: An element of a specification (``basic.ack.delivery-tag``), a section of a document (``0-9-1 4.2.3``), or
            the documentation of a broker.
        example: Something that it finds.
        category: The group in which the catalogue lists it.
        targets: The targets, of ``TARGETS``, to which this cannot move, or not unchanged.
        only_for_target: Whether it is checked only with such a ``--target``; otherwise it is always checked.
        by_order: Whether it depends on what was sent before. Its findings are withdrawn if packets turn out to be late.
        on: The methods, performatives or kinds of facts that it is about, if an auditor selects rules by them.
        module: The module that declares it.
        check: Takes the frame (None if there is none) and whatever else the rule needs; returns the evidence, or None. A
            rule without a check of its own takes the evidence.
    """

    id: str
    severity: AuditSeverity
    purpose: str = ""
    _: KW_ONLY
    source: str
    example: str
    category: str
    targets: tuple[str, ...] = ()
    only_for_target: bool = False
    by_order: bool = False
    on: tuple[Hashable, ...] = ()
    module: str = ""
    check: Callable[..., Told] = lambda frame, evidence: evidence

    def __call__(self, check: Callable[..., Told]) -> AuditRule:
        """Return the rule with a check, whose docstring is the purpose."""
        purpose = " ".join((inspect.getdoc(check) or "").split()).removesuffix(".")
        return replace(self, purpose=purpose, module=check.__module__, check=check)

    def applies(self, targets: Collection[str]) -> bool:
        """Return whether the rule is checked with these targets."""
        return not self.only_for_target or any(target in targets for target in self.targets)


def declared_in(*modules: Mapping[str, Any]) -> Iterator[AuditRule]:
    """Yield the rules that modules declare, alone or in tuples, in order; not those that they import.

    Args:
        modules: Their namespaces, as ``vars`` and ``globals`` return them.
    """
    for names in modules:
        values = [value if isinstance(value, tuple) else (value,) for value in names.values()]
        declared = (one for group in values for one in group if isinstance(one, AuditRule))
        yield from dict.fromkeys(one for one in declared if one.module == names["__name__"])


def rules_on(rules: Iterable[AuditRule]) -> dict[Any, tuple[AuditRule, ...]]:
    """Return the rules by what they are about (``on``), each group in their order."""
    by_subject: dict[Any, tuple[AuditRule, ...]] = {}
    for one in rules:
        for subject in one.on:
            by_subject[subject] = (*by_subject.get(subject, ()), one)
    return by_subject
