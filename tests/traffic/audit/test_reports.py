"""The reports: what they tell, and the shape that other programs rely on."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.report import REPORTS, AuditOutcome, findings_of
from amqp_traffic.audit.rule import AuditSeverity

from ..messages.method_script import client, deliver, server
from .audited_methods import audit, ready


@pytest.fixture(scope="module")
def outcome() -> AuditOutcome:
    return AuditOutcome(audit(ready(client("basic.ack", delivery_tag=4))), {("c", 0): "a b.pcap"})


def test_text(outcome: AuditOutcome) -> None:
    lines = REPORTS["text"](outcome).splitlines()
    assert lines[0].startswith("tests 1 (guest@10.0.0.1:40000): connection ")
    (at,) = [number for number, line in enumerate(lines) if "[ack-unknown-tag]" in line]
    assert lines[at] == "  error: basic.ack of delivery-tag 4, the last one delivered is 0 [ack-unknown-tag]"
    assert "channel 1, frame 9, from the client, packet 13 of a b.pcap at " in lines[at + 1]
    assert lines[-1].endswith(": 1 error, 0 warnings, 2 info")


def test_json_and_back(outcome: AuditOutcome) -> None:
    text = REPORTS["json"](outcome)
    assert findings_of(text) == list(outcome.findings)
    record = next(
        finding for finding in json.loads(text)["findings"] if finding["rule_id"] == "ack-unknown-tag"
    )
    assert (record["severity"], record["channel"], record["dir"]) == ("error", 1, 0)
    assert record["bytes_hex"] == "0100010000000d003c0050000000000000000400ce"


def test_what_the_broker_does_is_not_the_clients() -> None:
    """A close with an error is a frame of the broker, too, and tells what the client did."""
    closed = server("channel.close", reply_code=404, reply_text="NOT_FOUND", class_id=50, method_id=10)
    steps = ready(
        deliver(1, consumer_tag="nobody"),
        client("queue.declare", queue="q"),
        closed,
        client("channel.close-ok"),
    )
    outcome = AuditOutcome(audit(steps), {})
    culprits = {finding.rule_id: finding.culprit for finding in outcome.findings}
    assert culprits["deliver-to-nobody"] == "server"
    assert culprits["channel-closed-with-error"] == "client"
    assert "  error, by the broker: " in REPORTS["text"](outcome)
    records = json.loads(REPORTS["json"](outcome))["findings"]
    assert {record["rule_id"]: record["culprit"] for record in records} == culprits
    texts = [
        result["message"]["text"] for result in json.loads(REPORTS["sarif"](outcome))["runs"][0]["results"]
    ]
    assert any(text.startswith("the broker of tests 1 ") for text in texts)


def test_no_report_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a report"):
        findings_of("[]")


def test_sarif(outcome: AuditOutcome) -> None:
    document = json.loads(REPORTS["sarif"](outcome))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result, finding in zip(run["results"], outcome.findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule_id
        assert result["partialFingerprints"] == {"findingId/v1": finding.finding_id}
    (error,) = [result for result in run["results"] if result["level"] == "error"]
    (location,) = error["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "a%20b.pcap"}
    assert location["physicalLocation"]["region"]["byteOffset"] == next(
        finding.pkt_off for finding in outcome.findings if finding.severity == "error"
    )


def test_what_fails_a_run(outcome: AuditOutcome) -> None:
    assert outcome.has(AuditSeverity.ERROR) and outcome.has(AuditSeverity.INFO)
    fine = AuditOutcome([finding for finding in outcome.findings if finding.severity == "info"], {})
    assert fine.has(AuditSeverity.INFO) and not fine.has(AuditSeverity.WARNING)
