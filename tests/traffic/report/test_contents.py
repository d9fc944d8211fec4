"""What sections make of the rows that queries give."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_traffic.audit.rules.rule import AuditSeverity
from amqp_traffic.report.contents import NothingToReport, gather_contents
from amqp_traffic.report.migration import migration_sheets
from amqp_traffic.report.topology import CONSUMERS, EXCHANGES, PUBLISHERS, QUEUES, picture

from .made_contents import made


def test_every_octet_of_a_stream_is_accounted_for() -> None:
    assert [(each.side, each.difference) for each in made(1).ledger.octets] == [("client", 0), ("server", 0)]


def test_findings_are_added_up_by_rule_and_by_client() -> None:
    found = made(6).found
    assert found is not None
    by_id = {each.rule.id: each for each in found.rules}
    # Clients 2 and 5 have none; of the others the even ones have the first rule, the odd ones the second.
    assert dict(by_id["transient-queue"].clients) == {0: 3, 4: 3}
    assert by_id["transient-queue"].occurrences == 6
    assert dict(by_id["global-qos"].clients) == {1: 3, 3: 3}
    assert set(found.blames) == {0, 1, 3, 4}
    assert found.blames[0].deprecated >= 1 and found.blames[0].blockers >= 1
    ranks = [each.rule.severity.rank for each in found.rules]
    assert ranks == sorted(ranks, reverse=True)
    assert sum(found.count(severity) for severity in AuditSeverity) == 8


def test_the_migration_sheet_has_every_rule_of_its_target() -> None:
    found = made(6).found
    assert found is not None
    sheets = {sheet.target: sheet for sheet in migration_sheets(found)}
    assert "transient-queue" in {each.rule.id for each in sheets["rabbitmq-4.3"].found}
    assert "frame-max-below-8192" in {rule.id for rule in sheets["rabbitmq-4.3"].absent}
    assert sheets["rabbitmq-4.3"].clients == 4


def test_without_an_audit_there_are_no_findings() -> None:
    assert made(1, audited=False).found is None


def test_an_empty_lake_has_nothing_to_report() -> None:
    with pytest.raises(NothingToReport):
        gather_contents(lambda query: [{"first_ns": None, "last_ns": None, "connections": 0}], None)


def test_the_picture_joins_what_is_too_much() -> None:
    weights = {(PUBLISHERS, f"c{number}", "e"): 100 - number for number in range(30)}
    found = picture({**weights, (EXCHANGES, "e", "q"): 0, (QUEUES, "q", "taker"): 5})
    columns = [[node.name for node in found.nodes if node.column == column] for column in range(4)]
    assert columns[PUBLISHERS][:2] == ["c0", "c1"] and columns[PUBLISHERS][-1] == "(17 more)"
    assert columns[1:] == [["e"], ["q"], ["taker"]]
    assert sum(edge.messages for edge in found.edges if edge.start.column == PUBLISHERS) == sum(
        weights.values()
    )
    binding = next(edge for edge in found.edges if edge.start.name == "e")
    assert (binding.end.name, binding.messages) == ("q", 0)
    assert next(node.messages for node in found.nodes if node.column == CONSUMERS) == 5
