"""More ways to break rules than the case of each rule, and odd ones to keep them all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.rule import AuditSeverity

from . import cases_odd, cases_ways
from .amqp1 import cases_ways as cases_ways_of_1_0
from .audited_methods import FIRST_PORT, Steps, audit, capture_of
from .damaged_captures import fleet_rows

WRONG: Mapping[str, tuple[Steps, str]] = {
    **cases_ways.WRONG,
    **{f"1.0: {name}": case for name, case in cases_ways_of_1_0.WRONG.items()},
}
RIGHT: Mapping[str, Steps] = {
    **cases_odd.RIGHT,
    **{f"1.0: {name}": steps for name, steps in cases_ways_of_1_0.RIGHT.items()},
}


@cache
def _findings() -> dict[str, list[AuditFinding]]:
    """What is found in each connection; all are in one capture, and have ports of their own."""
    talks = {**{name: steps for name, (steps, _) in WRONG.items()}, **RIGHT}
    found = audit(*talks.values())
    return {
        name: [item for item in found if item.client.endswith(f":{FIRST_PORT + number})")]
        for number, name in enumerate(talks)
    }


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(name: str) -> None:
    """And nothing else is called an error."""
    rules = set(WRONG[name][1].split())
    assert rules & {finding.rule_id for finding in _findings()[name]}
    assert {finding.rule_id for finding in _findings()[name] if finding.severity == "error"} <= rules


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_odd_is_fine(name: str) -> None:
    """No rule warns of it, either."""
    assert [finding.rule_id for finding in _findings()[name] if finding.severity != "info"] == []


def test_rules_across_messages_find_nothing_in_what_is_odd() -> None:
    """Nor do those across connections, though all of these are of one client."""
    named = {row["rule_id"] for row in fleet_rows(capture_of(*RIGHT.values()))}
    assert {rule for rule in named if RULES[rule].severity is not AuditSeverity.INFO} == set()
