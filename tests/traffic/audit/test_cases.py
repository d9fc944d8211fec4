"""Every rule about connections of 0-x: it finds what it is for, and nothing in what looks like it."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_traffic.audit.rules.catalogue import RULES

from . import cases_conversation, cases_frame, cases_migration
from .audited_methods import audit
from .rule_case import Case

CASES: dict[str, Case] = {**cases_frame.CASES, **cases_conversation.CASES, **cases_migration.CASES}


@pytest.mark.parametrize("rule", CASES)
def test_what_is_wrong_is_found(rule: str) -> None:
    case = CASES[rule]
    found = [each for each in audit(case.wrong, target=case.target) if each.rule_id == rule]
    assert len(found) == 1
    (finding,) = found
    assert finding.severity == RULES[rule].severity.value
    assert finding.evidence and finding.spec_ref and finding.client


@pytest.mark.parametrize("rule", CASES)
def test_what_is_fine_is_not_found(rule: str) -> None:
    case = CASES[rule]
    found = audit(case.right, target=case.target)
    assert rule not in {each.rule_id for each in found}
    assert [each for each in found if each.severity == "error"] == []


@pytest.mark.parametrize("rule", [rule for rule, case in CASES.items() if case.target])
def test_rules_for_a_target_are_silent_without(rule: str) -> None:
    assert rule not in {each.rule_id for each in audit(CASES[rule].wrong)}
