"""The audit names what each client does wrong, and holds nothing against those that are within the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pytest
from amqp_codegen.traffic.audit.catalogue import RULES
from amqp_codegen.traffic.audit.connections import audit_connections
from amqp_codegen.traffic.audit.finding import Finding
from amqp_codegen.traffic.audit.rules_fleet import CLIENTS, CONSUMING, PUBLISHING, TOPOLOGY
from amqp_codegen.traffic.ingest.runner import InProcess
from amqp_codegen.traffic.tables.lake import open_lake

from .conftest import Capture, Lake
from .labels import LEGAL, MISBEHAVING, Label, read_labels

LABELS = read_labels()
ENOUGH = 0.9
OF_0 = ("0-8", "0-9", "0-9-1")
VERSIONS = [pytest.param(OF_0, id="0"), pytest.param(("1.0",), id="1")]
# Sessions of RabbitMQ 3.10 in 1.0 may write something after its close: true, and not the client's fault.
_OF_THE_BROKER = ("after-close", "1.0", 1)
# What only shows across connections is not looked for in one.
_OF_FLEETS = {rule.id for rules in (TOPOLOGY, PUBLISHING, CONSUMING, CLIENTS) for rule in rules}


def audit(lake: Lake, at_least: int = 1) -> list[Finding]:
    """Audit each connection, in so many tasks."""
    found = audit_connections(open_lake(str(lake.folder)), InProcess(), at_least=at_least)
    return [it for it in found if (it.rule_id, it.spec, it.dir) != _OF_THE_BROKER]


@pytest.fixture(scope="session")
def findings(lake: Lake) -> list[Finding]:
    """What is found in single connections."""
    return audit(lake)


@pytest.fixture(scope="session")
def found(capture: Capture, lake: Lake, findings: list[Finding]) -> dict[str, list[Finding]]:
    """What is found of each client, by its id."""
    clients = {played.address: id for id, played in capture.played.items()}
    by_connection = {row["conn_id"]: clients.get(row["client_ip"], "") for row in lake.connections}
    result: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        result[by_connection[finding.conn_id]].append(finding)
    return result


def of_kind(kind: str, versions: Iterable[str]) -> list[Label]:
    """The labels of a kind that are about single connections."""
    return [
        label
        for label in LABELS.values()
        if label.kind == kind and label.version in versions and not label.rules & _OF_FLEETS
    ]


def not_named(found: dict[str, list[Finding]], labels: list[Label]) -> dict[str, set[str]]:
    """What was found instead of those clients whose violations are not named.

    What is found of every client that is within the rules names nothing.
    """
    legal = [{it.rule_id for it in found[label.id]} for label in of_kind(LEGAL, {labels[0].version})]
    everywhere = set.intersection(*legal)
    rules = {label.id: {it.rule_id for it in found[label.id]} - everywhere for label in labels}
    return {label.id: rules[label.id] for label in labels if not rules[label.id] & label.rules}


@pytest.mark.parametrize("versions", VERSIONS)
def test_labels_name_rules_of_the_catalogue(versions: tuple[str, ...]) -> None:
    rules = {rule for label in LABELS.values() if label.version in versions for rule in label.rules}
    assert rules - RULES.keys() == set()


@pytest.mark.parametrize("versions", VERSIONS)
def test_violations_are_named(found: dict[str, list[Finding]], versions: tuple[str, ...]) -> None:
    labels = of_kind(MISBEHAVING, versions)
    missed = not_named(found, labels)
    assert len(missed) <= (1 - ENOUGH) * len(labels), missed


def test_nothing_is_invented(found: dict[str, list[Finding]]) -> None:
    """Who misbehaves in one way does so in no other."""
    others = {
        (label.id, it.rule_id, it.evidence)
        for label in of_kind(MISBEHAVING, OF_0)
        for it in found[label.id]
        if it.severity == "error" and it.rule_id not in label.rules
    }
    assert others == set()


def test_nothing_is_held_against_who_is_within_the_rules(found: dict[str, list[Finding]]) -> None:
    held = {
        (label.id, it.rule_id, it.evidence)
        for label in LABELS.values()
        if label.kind == LEGAL
        for it in found[label.id]
        if it.severity != "info"
    }
    assert held == set()


def test_clean_traffic_is_clean(capture: Capture, lake: Lake, findings: list[Finding]) -> None:
    clean = {row["conn_id"]: row["connection_name"] or row["product"] for row in lake.clean(capture)}
    held = {
        (clean[it.conn_id], it.rule_id, it.evidence)
        for it in findings
        if it.conn_id in clean and it.severity != "info"
    }
    assert held == set()


def test_findings_are_the_same_the_next_time(lake: Lake, findings: list[Finding]) -> None:
    """Whatever the number of tasks."""
    assert audit(lake, at_least=3) == findings
