"""Findings, counted by rule, by client, and by migration target."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..audit.catalogue import RULES
from ..audit.connection_frames import CLIENT
from ..audit.finding import AuditFinding
from ..audit.rule import AMQP_1_0, RABBITMQ_4_3, TARGETS, AuditRule, AuditSeverity
from ..capture.stream_data import SIDES
from .clients import ClientIndex

_DEPRECATED = "deprecated"  # a category of the catalogue
_MOST_EXAMPLES_PER_CLIENT = 40


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that has findings.

    Attributes:
        occurrences: The occurrences in all findings.
        clients: The occurrences by the key of the client, without what brokers did.
        first: The first finding.
    """

    rule: AuditRule
    findings: int
    occurrences: int
    clients: Mapping[int, int]
    first: AuditFinding


@dataclass(frozen=True, slots=True)
class Blame:
    """The findings of a client.

    Attributes:
        rules: The number of findings by rule.
        examples: The first findings, at most 40.
    """

    rules: Mapping[str, int]
    examples: tuple[AuditFinding, ...]

    def count(self, severity: AuditSeverity) -> int:
        """Return the number of findings of a severity."""
        return sum(times for rule, times in self.rules.items() if RULES[rule].severity is severity)

    @property
    def deprecated(self) -> int:
        """The number of rules about deprecated use that have findings."""
        return sum(RULES[rule].category == _DEPRECATED for rule in self.rules)

    @property
    def blockers(self) -> int:
        """The number of rules above info with findings that prevent a migration."""
        return sum(
            bool(RULES[rule].targets) and RULES[rule].severity is not AuditSeverity.INFO
            for rule in self.rules
        )


@dataclass(frozen=True, slots=True)
class FoundRules:
    """All findings.

    Attributes:
        rules: The worst first, then the most frequent.
        blames: By the key of the client.
    """

    rules: tuple[FoundRule, ...]
    blames: Mapping[int, Blame]

    def count(self, severity: AuditSeverity) -> int:
        """Return the number of findings of a severity."""
        return sum(rule.findings for rule in self.rules if rule.rule.severity is severity)


def found_rules(index: ClientIndex, findings: Iterable[AuditFinding]) -> FoundRules:
    """Count findings.

    Args:
        index: The connections.
        findings: The findings, sorted; those of rules that are not in the catalogue are ignored.
    """
    known = [finding for finding in findings if finding.rule_id in RULES]
    if not known:
        return FoundRules((), {})
    keys = index.keys_of((finding.capture_id, finding.conn_id) for finding in known)
    counts: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    by_rule: dict[str, Counter[int]] = defaultdict(Counter)
    by_client: dict[int, Counter[str]] = defaultdict(Counter)
    examples: dict[int, list[AuditFinding]] = defaultdict(list)
    firsts: dict[str, AuditFinding] = {}
    for finding in known:
        counts[finding.rule_id] += 1
        occurrences[finding.rule_id] += finding.occurrences
        firsts.setdefault(finding.rule_id, finding)
        key = keys.get((finding.capture_id, finding.conn_id))
        if key is not None and finding.culprit == SIDES[CLIENT]:
            by_rule[finding.rule_id][key] += finding.occurrences
            by_client[key][finding.rule_id] += 1
            if len(examples[key]) < _MOST_EXAMPLES_PER_CLIENT:
                examples[key].append(finding)
    ranked = sorted(counts, key=lambda rule: (-RULES[rule].severity.rank, -counts[rule], rule))
    rules = (
        FoundRule(RULES[rule], counts[rule], occurrences[rule], by_rule[rule], firsts[rule])
        for rule in ranked
    )
    return FoundRules(tuple(rules), {key: Blame(by_client[key], tuple(examples[key])) for key in by_client})


TITLES: Mapping[str, str] = {RABBITMQ_4_3: "To RabbitMQ 4.3", AMQP_1_0: "To AMQP 1.0"}


@dataclass(frozen=True, slots=True)
class MigrationSheet:
    """A migration target, and what prevents the migration.

    Attributes:
        target: One of ``TARGETS``.
        found: The rules with findings, the worst first.
        absent: The rules without findings.
    """

    target: str
    title: str
    found: tuple[FoundRule, ...]
    absent: tuple[AuditRule, ...]

    @property
    def clients(self) -> int:
        """The number of clients that must be changed."""
        return len({key for rule in self.found for key in rule.clients})


def migration_sheets(found: FoundRules) -> tuple[MigrationSheet, ...]:
    """Return a sheet for each target, with the rules of the catalogue that name it."""
    seen = {found_rule.rule.id for found_rule in found.rules}
    return tuple(
        MigrationSheet(
            target,
            TITLES[target],
            tuple(found_rule for found_rule in found.rules if target in found_rule.rule.targets),
            tuple(rule for rule in RULES.values() if target in rule.targets and rule.id not in seen),
        )
        for target in TARGETS
    )
