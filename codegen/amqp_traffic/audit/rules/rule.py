"""A rule of the audit: what the catalogue says of it, and the function that checks it.

A rule is declared where it is checked::

    @rule(
        "heartbeat-on-channel",
        Severity.ERROR,
        category="frames",
        source="0-9-1 4.2.7",
        example="a heartbeat on channel 1",
    )
    def heartbeat_on_channel(frame: TrailFrame) -> Told:
        "A heartbeat on another channel than 0."
        return f"a heartbeat on channel {frame.channel}" if frame.channel else None

The docstring is the purpose. ``Notes.judge(heartbeat_on_channel, frame)`` calls the check and notes what it returns.
``catalogue.py`` gathers the rules from their modules.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeAlias


class AuditSeverity(Enum):
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


_RANKS = {severity: rank for rank, severity in enumerate(AuditSeverity)}

# What one can move to: ``--target``.
RABBITMQ_4_3, AMQP_1_0 = "rabbitmq-4.3", "amqp-1.0"
TARGETS = (RABBITMQ_4_3, AMQP_1_0)


class Evidence(NamedTuple):
    """What a check found, where the text alone does not say enough.

    Attributes:
        text: What is there, in a few words. Never a secret.
        channel: The channel, if it is about another one than that of the frame.
        spec_ref: What says so, if that is more exact than the source of the rule.
    """

    text: str
    channel: int | None = None
    spec_ref: str = ""


# What a check returns: what is there, or None if all is well.
Told: TypeAlias = "str | Evidence | None"


@dataclass(frozen=True, eq=False, slots=True)
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
        category: The group in which the catalogue lists it.
        check: Takes the frame (None if it is about none) and what else the rule needs to know; returns what is there,
            or None.
        by_order: Whether it goes by what was sent before. Such findings are withdrawn if packets turn out to be late.
        on: What it is asked about, if an auditor asks by that: methods, performatives, or kinds of facts.
    """

    id: str
    severity: AuditSeverity
    purpose: str
    source: str
    example: str
    targets: tuple[str, ...] = ()
    only_for_target: bool = False
    category: str = ""
    check: Callable[..., Told] = lambda *_: None
    by_order: bool = False
    on: tuple[Hashable, ...] = ()

    def applies(self, targets: Collection[str]) -> bool:
        """Whether it is looked for with these targets, or without any."""
        return not self.only_for_target or any(target in targets for target in self.targets)


def rule(
    rule_id: str,
    severity: AuditSeverity,
    *,
    category: str,
    source: str,
    example: str,
    targets: tuple[str, ...] = (),
    only_for_target: bool = False,
    by_order: bool = False,
    on: tuple[Hashable, ...] = (),
) -> Callable[[Callable[..., Told]], AuditRule]:
    """Declare a function as the check of a rule, its docstring as the purpose; see ``AuditRule``."""

    def declare(check: Callable[..., Told]) -> AuditRule:
        purpose = " ".join((inspect.getdoc(check) or "").split()).removesuffix(".")
        return AuditRule(
            rule_id,
            severity,
            purpose,
            source,
            example,
            targets,
            only_for_target,
            category,
            check,
            by_order,
            on,
        )

    return declare


def declared_in(*modules: Mapping[str, Any]) -> Iterator[AuditRule]:
    """The rules that modules declare, in order; not those that they take from others.

    Args:
        modules: Their names, as ``vars`` and ``globals`` have them.
    """
    for names in modules:
        for value in list(names.values()):
            if isinstance(value, AuditRule) and value.check.__module__ == names["__name__"]:
                yield value


def rules_on(rules: Iterable[AuditRule]) -> dict[Hashable, tuple[AuditRule, ...]]:
    """Rules by what they are asked about, in their order."""
    found: dict[Hashable, tuple[AuditRule, ...]] = {}
    for each in rules:
        for subject in each.on:
            found[subject] = (*found.get(subject, ()), each)
    return found
