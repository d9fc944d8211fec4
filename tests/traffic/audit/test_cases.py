"""Every rule about connections of 0-x: it finds what it is for, and nothing in what looks like it."""

from __future__ import annotations

from functools import cache

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.finding import AuditFinding

from . import cases_conversation, cases_frame, cases_migration
from .audited_methods import FIRST_PORT, audit
from .rule_case import Case

CASES: dict[str, Case] = {**cases_frame.CASES, **cases_conversation.CASES, **cases_migration.CASES}
OF_TARGETS = [rule for rule, case in CASES.items() if case.target]


@cache
def _findings(side: str, target: str | None) -> dict[str, list[AuditFinding]]:
    """What is found in the connection of each case, by its rule; all are in one capture, and have ports of their own."""
    cases = {rule: case for rule, case in CASES.items() if target in (None, case.target)}
    found = audit(*(getattr(case, side) for case in cases.values()), target=target)
    return {
        rule: [item for item in found if item.client.endswith(f":{FIRST_PORT + number})")]
        for number, rule in enumerate(cases)
    }


@pytest.mark.parametrize("rule", CASES)
def test_what_is_wrong_is_found(rule: str) -> None:
    found = [finding for finding in _findings("wrong", CASES[rule].target)[rule] if finding.rule_id == rule]
    assert len(found) == 1
    (finding,) = found
    assert finding.severity == RULES[rule].severity.value
    assert finding.evidence and finding.spec_ref and finding.client


@pytest.mark.parametrize("rule", CASES)
def test_what_is_fine_is_not_found(rule: str) -> None:
    found = _findings("right", CASES[rule].target)[rule]
    assert rule not in {item.rule_id for item in found}
    assert [item for item in found if item.severity == "error"] == []


@pytest.mark.parametrize("rule", OF_TARGETS)
def test_rules_for_a_target_are_silent_without(rule: str) -> None:
    assert rule not in {finding.rule_id for finding in _findings("wrong", None)[rule]}
