"""Findings, added up as they come: by rule, and by client."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..audit.finding import AuditFinding
from ..audit.rules.catalogue import RULES
from ..audit.rules.rule import AuditRule, AuditSeverity
from .gather import CLIENT, Ask

_DEPRECATED = "deprecated"  # the group of the catalogue
_MOST_EXAMPLES = 40  # of a client, in its timeline

_CLIENTS = f"SELECT c.capture_id, c.conn_id, {CLIENT} AS key FROM connections c"


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that something was found by.

    Attributes:
        rule: The rule.
        findings: How many.
        occurrences: How often, in all of them.
        clients: How often by the key of the client.
        first: The first finding.
    """

    rule: AuditRule
    findings: int
    occurrences: int
    clients: Mapping[int, int]
    first: AuditFinding


@dataclass(frozen=True, slots=True)
class Blame:
    """What was found of a client.

    Attributes:
        rules: How many findings, by rule.
        examples: The first findings, at most 40.
    """

    rules: Mapping[str, int]
    examples: tuple[AuditFinding, ...]

    def count(self, severity: AuditSeverity) -> int:
        """Findings of a severity."""
        return sum(times for rule, times in self.rules.items() if RULES[rule].severity is severity)

    @property
    def deprecated(self) -> int:
        """Rules about deprecated use, by which there is something."""
        return sum(RULES[rule].category == _DEPRECATED for rule in self.rules)

    @property
    def blockers(self) -> int:
        """Rules above info that stand in the way of a migration, by which there is something."""
        return sum(
            bool(RULES[rule].targets) and RULES[rule].severity is not AuditSeverity.INFO
            for rule in self.rules
        )


@dataclass(frozen=True, slots=True)
class FindingTotals:
    """All findings.

    Attributes:
        rules: The worst first, then the most frequent.
        blames: By the key of the client.
    """

    rules: tuple[FoundRule, ...]
    blames: Mapping[int, Blame]

    def count(self, severity: AuditSeverity) -> int:
        """Findings of a severity."""
        return sum(each.findings for each in self.rules if each.rule.severity is severity)


def found_rules(ask: Ask, findings: Iterable[AuditFinding]) -> FindingTotals:
    """Adds up findings.

    Args:
        ask: The tables.
        findings: In their order; those of rules that the catalogue does not have are passed over.
    """
    known = sorted((each for each in findings if each.rule_id in RULES), key=lambda each: each.order)
    if not known:
        return FindingTotals((), {})
    keys = {(row["capture_id"], row["conn_id"]): row["key"] for row in ask(_CLIENTS)}
    counts: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    by_rule: dict[str, Counter[int]] = defaultdict(Counter)
    by_client: dict[int, Counter[str]] = defaultdict(Counter)
    examples: dict[int, list[AuditFinding]] = defaultdict(list)
    firsts: dict[str, AuditFinding] = {}
    for each in known:
        counts[each.rule_id] += 1
        occurrences[each.rule_id] += each.occurrences
        firsts.setdefault(each.rule_id, each)
        key = keys.get((each.capture_id, each.conn_id))
        if key is not None:
            by_rule[each.rule_id][key] += each.occurrences
            by_client[key][each.rule_id] += 1
            if len(examples[key]) < _MOST_EXAMPLES:
                examples[key].append(each)
    ranked = sorted(counts, key=lambda rule: (-RULES[rule].severity.rank, -counts[rule], rule))
    rules = (
        FoundRule(RULES[rule], counts[rule], occurrences[rule], by_rule[rule], firsts[rule])
        for rule in ranked
    )
    return FindingTotals(
        tuple(rules), {key: Blame(by_client[key], tuple(examples[key])) for key in by_client}
    )
