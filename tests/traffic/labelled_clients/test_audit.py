"""The audit names what each client does wrong, and holds nothing against those that are within the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pytest
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.rule import AMQP_1_0, TARGETS, AuditSeverity
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.tasks.runner import InProcess

from .conftest import Capture, Lake
from .labels import LEGAL, MISBEHAVING, Label, read_labels

LABELS = read_labels()
OF_0 = ("0-8", "0-9", "0-9-1")
VERSIONS = [pytest.param(OF_0, id="0"), pytest.param(("1.0",), id="1")]
# What only shows across messages and connections.
OF_FLEETS = {
    rule.id for rule in RULES.values() if rule.category in ("topology", "publishing", "consuming", "clients")
}
# What stands in the way of a migration is no fault: who is within the rules may have it, too.
FOR_A_TARGET = {rule.id for rule in RULES.values() if rule.only_for_target}


def audit(lake: Lake, at_least: int = 1) -> list[AuditFinding]:
    """Audit all of it, also for a migration, in so many tasks."""
    return audit_lake(open_lake(str(lake.folder)), InProcess(), TARGETS, at_least)


@pytest.fixture(scope="session")
def findings(lake: Lake) -> list[AuditFinding]:
    """What is found."""
    return audit(lake)


@pytest.fixture(scope="session")
def found(capture: Capture, lake: Lake, findings: list[AuditFinding]) -> dict[str, list[AuditFinding]]:
    """What is found of each client, by its id."""
    clients = {played.address: id for id, played in capture.played.items()}
    by_connection = {row["conn_id"]: clients.get(row["client_ip"], "") for row in lake.connections}
    result: dict[str, list[AuditFinding]] = defaultdict(list)
    for finding in findings:
        result[by_connection[finding.conn_id]].append(finding)
    return result


def of_kind(kind: str, versions: Iterable[str] = (*OF_0, "1.0")) -> list[Label]:
    """The labels of a kind."""
    return [label for label in LABELS.values() if label.kind == kind and label.version in versions]


def rules_of(found: dict[str, list[AuditFinding]], label: Label) -> set[str]:
    """What is found of a client, without what stands in the way of a migration."""
    return {it.rule_id for it in found[label.id]} - FOR_A_TARGET


def not_named(found: dict[str, list[AuditFinding]], labels: list[Label]) -> dict[str, set[str]]:
    """What was found instead of those clients whose violations are not named.

    What is found of every client that is within the rules names nothing.
    """
    legal = [rules_of(found, label) for label in of_kind(LEGAL, {labels[0].version})]
    everywhere = set.intersection(*legal)
    rules = {label.id: rules_of(found, label) - everywhere for label in labels}
    return {label.id: rules[label.id] for label in labels if not rules[label.id] & label.rules}


@pytest.mark.parametrize("versions", VERSIONS)
def test_labels_name_rules_of_the_catalogue(versions: tuple[str, ...]) -> None:
    rules = {rule for label in LABELS.values() if label.version in versions for rule in label.rules}
    assert rules - RULES.keys() == set()


@pytest.mark.parametrize("versions", VERSIONS)
def test_violations_are_named(found: dict[str, list[AuditFinding]], versions: tuple[str, ...]) -> None:
    assert not_named(found, of_kind(MISBEHAVING, versions)) == {}


def test_nothing_is_invented(found: dict[str, list[AuditFinding]]) -> None:
    """Who misbehaves in one way does so in no other."""
    others = {
        (label.id, it.rule_id, it.evidence)
        for label in of_kind(MISBEHAVING)
        for it in found[label.id]
        if it.severity == "error" and it.rule_id not in label.rules
    }
    assert others == set()


def test_nothing_is_held_against_who_is_within_the_rules(found: dict[str, list[AuditFinding]]) -> None:
    held = {
        (label.id, it.rule_id, it.evidence)
        for label in of_kind(LEGAL)
        for it in found[label.id]
        if it.severity != "info" and it.rule_id not in FOR_A_TARGET
    }
    assert held == set()


@pytest.mark.parametrize("rule", sorted({rule for it in LABELS.values() for rule in it.rules} & OF_FLEETS))
def test_rules_across_the_fleet_name_the_client(found: dict[str, list[AuditFinding]], rule: str) -> None:
    expected = {label.id for label in LABELS.values() if rule in label.rules}
    named = {id for id in LABELS if rule in rules_of(found, LABELS[id])}
    assert expected <= named
    if RULES[rule].severity != AuditSeverity.INFO:
        assert named == expected
    for id in expected:
        assert all(it.client.startswith(f"{id} 1.0 (") for it in found[id] if it.rule_id == rule)


def test_who_speaks_1_0_has_nothing_in_the_way_of_that(found: dict[str, list[AuditFinding]]) -> None:
    of_1_0 = {it.rule_id for id in LABELS if LABELS[id].version == "1.0" for it in found[id]}
    assert {rule for rule in of_1_0 & FOR_A_TARGET if AMQP_1_0 in RULES[rule].targets} == set()


def test_clean_traffic_is_clean(capture: Capture, lake: Lake, findings: list[AuditFinding]) -> None:
    clean = {row["conn_id"]: row["connection_name"] or row["product"] for row in lake.clean(capture)}
    held = {
        (clean[it.conn_id], it.rule_id, it.evidence)
        for it in findings
        if it.conn_id in clean and it.severity != "info" and it.rule_id not in FOR_A_TARGET
    }
    assert held == set()


def test_findings_are_the_same_the_next_time(lake: Lake, findings: list[AuditFinding]) -> None:
    """Whatever the number of tasks."""
    assert audit(lake, at_least=3) == findings
