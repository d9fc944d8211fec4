"""What sections make of findings and rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow as pa
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.rule import AuditSeverity
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.report import fixes
from amqp_traffic.report.contents import NothingToReport, gather_contents
from amqp_traffic.report.findings import found_rules, migration_sheets
from amqp_traffic.report.fixes import fix_of
from amqp_traffic.report.priorities import priorities
from amqp_traffic.report.time_span import TimeSpan, find_pauses
from amqp_traffic.report.topology import CONSUMERS, EXCHANGES, PUBLISHERS, QUEUES, picture

from .made_contents import SECOND, TABLES, MadeIndex, client_totals, conn_id, findings, made


def test_every_octet_of_a_stream_is_accounted_for() -> None:
    assert [(octets.side, octets.difference) for octets in made(1).ledger.octets] == [
        ("client", 0),
        ("server", 0),
    ]


def test_findings_are_added_up_by_rule_and_by_client() -> None:
    found = made(6).found
    assert found is not None
    by_id = {rule.rule.id: rule for rule in found.rules}
    # Clients 2 and 5 have none; of the others the even ones have the first rule, the odd ones the second.
    assert dict(by_id["transient-queue"].clients) == {0: 3, 4: 3}
    assert by_id["transient-queue"].occurrences == 6
    assert dict(by_id["global-qos"].clients) == {1: 3, 3: 3}
    assert set(found.blames) == {0, 1, 3, 4}
    assert found.blames[0].deprecated >= 1 and found.blames[0].blockers >= 1
    ranks = [rule.rule.severity.rank for rule in found.rules]
    assert ranks == sorted(ranks, reverse=True)
    assert sum(found.count(severity) for severity in AuditSeverity) == 8


def test_the_migration_sheet_has_every_rule_of_its_target() -> None:
    found = made(6).found
    assert found is not None
    sheets = {sheet.target: sheet for sheet in migration_sheets(found)}
    assert "transient-queue" in {item.rule.id for item in sheets["rabbitmq-4.3"].found}
    assert "frame-max-below-8192" in {rule.id for rule in sheets["rabbitmq-4.3"].absent}
    assert sheets["rabbitmq-4.3"].clients == 4


def test_without_an_audit_there_are_no_findings() -> None:
    assert made(1, audited=False).found is None


def test_an_empty_lake_has_nothing_to_report(tmp_path: Path) -> None:
    with pytest.raises(NothingToReport):
        gather_contents(create_lake(str(tmp_path / "lake")), None)


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


def test_pauses_are_left_out_of_charts() -> None:
    """Three seconds of traffic, 27 idle ones, then five more with small gaps."""
    busy = [(second * SECOND, (second + 1) * SECOND - 1) for second in (0, 1, 2, 30, 31, 33, 34)]
    [pause] = find_pauses(busy)
    assert 3 * SECOND <= pause.start_ns < pause.end_ns <= 30 * SECOND
    assert pause.length > 26 * SECOND
    span = TimeSpan(0, 35 * SECOND, 1, (pause,))
    step = span.step(100)
    assert step < SECOND / 10  # 35 seconds are drawn as 9
    moments = pa.array([0, 2 * SECOND, 30 * SECOND, 35 * SECOND, None], pa.int64())
    first, second, third, last, unknown = span.parts_of(moments, step).to_pylist()
    assert first == 0 and second < third < last <= 99 and unknown is None
    assert third - second < 20
    assert span.seconds == 35


def test_a_steady_capture_has_no_pauses() -> None:
    assert find_pauses([(second * SECOND, second * SECOND) for second in range(20)]) == ()
    assert find_pauses([(5, 5)]) == find_pauses([]) == ()


def test_clients_and_queues_are_ranked_by_severity_and_weight() -> None:
    order = made(12).priorities
    assert order is not None
    assert order.clients and order.queues
    for troubled in (order.clients, order.queues):
        ranks = [(item.errors, item.warnings) for item in troubled]
        assert ranks == sorted(ranks, reverse=True)
        assert all(
            problem.rule.severity is not AuditSeverity.INFO for item in troubled for problem in item.problems
        )
    # The findings of clients with an even number are about a declaration of this queue.
    assert [queue.name for queue in order.queues] == ["orders"]
    assert sum(problem.occurrences for problem in order.queues[0].problems) > 3


def test_clients_of_one_library_with_the_same_trouble_are_one_entry() -> None:
    rule = RULES["transient-queue"]
    own = [
        replace(finding, rule_id=rule.id)
        for finding in findings(60)
        if finding.conn_id in {conn_id(1), conn_id(15)}
    ]
    totals = {client: client_totals(client) for client in (1, 15)}
    order = priorities(TABLES, MadeIndex(), totals, own)
    assert [(client.name, client.clients) for client in order.clients] == [("library 1 1.0", (1, 15))]


def test_every_serious_rule_has_a_fix() -> None:
    finding, *_ = findings(60)
    for rule in RULES.values():
        for side in (0, 1):
            own = replace(finding, rule_id=rule.id, severity=rule.severity.value, dir=side)
            assert fix_of(own).endswith("."), rule.id


def test_what_a_broker_does_is_told_to_its_side() -> None:
    """A client neither has to correct it, nor is it counted among what the client does."""
    rule = RULES["credit-exceeded"]
    finding, *_ = findings(60)
    of_client, of_broker = (
        replace(finding, rule_id=rule.id, severity=rule.severity.value, dir=side) for side in (0, 1)
    )
    assert "vendor of the broker" in fix_of(of_broker)
    assert "client library" in fix_of(of_client)
    totals = {client: client_totals(client) for client in range(60)}
    order = priorities(TABLES, MadeIndex(), totals, [of_broker])
    assert [(entry.name, entry.clients, entry.errors) for entry in order.clients] == [
        ("The broker", (), of_broker.occurrences)
    ]
    assert found_rules(MadeIndex(), [of_broker]).blames == {}
    assert found_rules(MadeIndex(), [of_client]).blames
    assert not set(fixes._OF_RULE) - set(RULES)
