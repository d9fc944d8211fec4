"""The audit on Spark: what it finds in connections is what this process finds, and rules across them find what they should."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.traffic.audit.connections import audit_connections
from amqp_codegen.traffic.audit.finding import Finding
from amqp_codegen.traffic.audit.outcome import Outcome, capture_files
from amqp_codegen.traffic.audit.reports import REPORTS
from amqp_codegen.traffic.ingest.inputs import CaptureInput
from amqp_codegen.traffic.ingest.run import ingest, local_engine
from amqp_codegen.traffic.ingest.runner import InProcess
from amqp_codegen.traffic.ingest.settings import ReadSettings
from amqp_codegen.traffic.tables.lake import Lake, create_lake

from ..audit.cases_fleet import CASES
from ..audit.talk import capture_of
from ..synth.making import plain


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """A capture for each side of each case, and a synthetic one."""
    folder = tmp_path_factory.mktemp("audit")
    captures = {
        f"{rule}.{side}": getattr(case, side) for rule, case in CASES.items() for side in ("wrong", "right")
    }
    files = [folder / f"{name}.pcap" for name in captures] + [folder / "synthetic.pcap"]
    for file, talks in zip(files, captures.values(), strict=False):
        file.write_bytes(capture_of(*talks))
    files[-1].write_bytes(plain().capture)
    lake = create_lake(str(folder / "lake"))
    inputs = [CaptureInput(file.stem, (file,)) for file in files]
    list(ingest(lake, inputs, local_engine(ReadSettings()), lambda octets: None))
    return lake


@pytest.fixture(scope="module")
def findings(spark: Any, lake: Lake) -> list[Finding]:
    from amqp_codegen.traffic.spark.audit import audit_on_spark  # needs PySpark, which not every Python has

    return audit_on_spark(spark, lake, lambda text: None)


def _rules(findings: list[Finding], rule: str, side: str) -> list[Finding]:
    return [each for each in findings if each.capture_id == f"{rule}.{side}" and each.rule_id == rule]


@pytest.mark.parametrize("rule", CASES)
def test_what_is_wrong_is_found(findings: list[Finding], rule: str) -> None:
    found = _rules(findings, rule, "wrong")
    assert found
    assert all(each.evidence and each.client and each.spec_ref for each in found)
    assert all((each.frame_no is None) == (each.pkt_no is None) for each in found)


@pytest.mark.parametrize("rule", CASES)
def test_what_is_fine_is_not_found(findings: list[Finding], rule: str) -> None:
    assert _rules(findings, rule, "right") == []


def test_connections_are_audited_as_in_this_process(lake: Lake, findings: list[Finding]) -> None:
    alone = audit_connections(lake, InProcess(), at_least=3)
    assert alone == [each for each in findings if each.rule_id not in CASES]


def test_the_order_is_that_of_findings(findings: list[Finding]) -> None:
    assert findings == sorted(findings, key=lambda each: each.order)


def test_nothing_is_left_in_the_lake(lake: Lake, findings: list[Finding]) -> None:
    assert list(Path(lake.root, "_staging").iterdir()) == []


def test_reports_tell_packets_and_files(lake: Lake, findings: list[Finding]) -> None:
    outcome = Outcome(findings, capture_files(lake))
    (record,) = [
        each
        for each in json.loads(REPORTS["json"](outcome))["findings"]
        if (each["rule_id"], each["capture_id"]) == ("unroutable-publish", "unroutable-publish.wrong")
    ]
    assert record["file"] == "unroutable-publish.wrong.pcap"
    assert record["pkt_no"] and record["bytes_hex"]
    assert f"packet {record['pkt_no']} of {record['file']}" in REPORTS["text"](outcome)
