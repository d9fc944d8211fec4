"""Rules across messages and connections: they find what they should, whoever runs the tasks."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow as pa
from amqp_traffic.audit import lake_audit, shares
from amqp_traffic.audit.find_frames import FindFrames, find_frames
from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.fleet import findings as fleet_findings
from amqp_traffic.audit.fleet.database import ask_fleet
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.report import REPORTS, AuditOutcome, capture_files
from amqp_traffic.audit.rule import TARGETS
from amqp_traffic.audit.tasks import audited_groups, trail_parts_of
from amqp_traffic.lake.folder import Lake
from amqp_traffic.tasks.blobs import BlobFolder
from amqp_traffic.tasks.processes import processes
from amqp_traffic.tasks.runner import InProcess, TaskFailed

from ..explain.explained_lakes import capture, findings_of, lake_of
from ..messages.method_script import client, server
from ..pcap_records import records, with_records
from . import cases_migration
from .audited_methods import capture_of, ready
from .cases_fleet import CASES
from .fleet_lake import fleet_lake


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return fleet_lake(tmp_path_factory.mktemp("audit"))


@pytest.fixture(scope="session")
def findings(lake: Lake) -> list[AuditFinding]:
    return audit_lake(lake, InProcess())


def _rules(findings: list[AuditFinding], rule: str, side: str) -> list[AuditFinding]:
    return [
        finding for finding in findings if finding.capture_id == f"{rule}.{side}" and finding.rule_id == rule
    ]


@pytest.mark.parametrize("rule", CASES)
def test_what_is_wrong_is_found(findings: list[AuditFinding], rule: str) -> None:
    found = _rules(findings, rule, "wrong")
    assert found
    assert all(item.evidence and item.client and item.spec_ref for item in found)
    assert all((item.frame_no is None) == (item.pkt_no is None) for item in found)


@pytest.mark.parametrize("rule", CASES)
def test_what_is_fine_is_not_found(findings: list[AuditFinding], rule: str) -> None:
    assert _rules(findings, rule, "right") == []


def test_what_is_told_of_times_to_wait(findings: list[AuditFinding]) -> None:
    told = {
        item.rule_id: item.evidence
        for rule in ("slow-confirm", "slow-ack", "slow-reply")
        for item in _rules(findings, rule, "wrong")
    }
    # Besides the seconds, a packet and what acknowledges it take a millisecond each.
    assert told == {
        "slow-confirm": "confirms have a p95 of 1502 ms",
        "slow-ack": "acknowledgements have a p95 of 31002 ms",
        "slow-reply": "replies have a p95 of 6002 ms",
    }


def test_what_is_told_of_declarations(findings: list[AuditFinding]) -> None:
    (found,) = _rules(findings, "queue-declared-differently", "wrong")
    settings = "durable=1 exclusive=0 auto-delete=0 arguments="
    text = f"queue 'q' with {settings}{{\"x-max-length\":1}}, before with {settings}{{}}"
    assert found.evidence == text


def test_slices_of_few_rows(
    lake: Lake, findings: list[AuditFinding], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slices are as large as Spark's shuffle takes them well, however many rows there are."""
    _, producers = trail_parts_of(audited_groups(lake))
    before = [len(row[3]) for producer in producers for row in producer()]
    monkeypatch.setattr(shares, "_MOST_SLICE_ROWS", 50)
    monkeypatch.setattr(fleet_findings, "_MOST_SLICE_ROWS", 50)
    after = [len(row[3]) for producer in producers for row in producer()]
    assert max(after) < max(before)
    assert audit_lake(lake, InProcess(), at_least=2) == findings


def test_any_number_of_tasks_finds_the_same(lake: Lake, findings: list[AuditFinding]) -> None:
    assert audit_lake(lake, InProcess(), at_least=7) == findings


def test_the_order_is_that_of_findings(findings: list[AuditFinding]) -> None:
    assert findings == sorted(findings, key=lambda finding: finding.order)


def test_all_targets_at_once(tmp_path: Path) -> None:
    lake = lake_of(tmp_path, capture(tmp_path, *(case.wrong for case in cases_migration.CASES.values())))
    alone = [{item.finding_id: item for item in findings_of(lake, target)} for target in TARGETS]
    assert all(one.keys() - other.keys() for one, other in permutations(alone, 2))
    both = audit_lake(lake, InProcess(), TARGETS)
    assert {item.finding_id: item for item in both} == {**alone[0], **alone[1]}
    assert len(both) == len({item.finding_id for item in both})


def test_processes_find_the_same(
    lake: Lake, findings: list[AuditFinding], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(lake_audit, "_MOST_ROWS_IN_PROCESS", 0)
    assert lake_audit.audit_here(lake, told.append) == findings
    assert any(line.startswith("audit: ") for line in told)
    assert list(Path(lake.root, "_staging").iterdir()) == []


def test_a_table_that_cannot_be_read(lake: Lake, tmp_path: Path) -> None:
    gone = FindFrames(lake.filesystem, (f"{tmp_path}/gone",), "c", frozenset({("0", 1)}))
    place = BlobFolder(lake.filesystem, str(tmp_path))
    with processes(place, lambda text: None) as runner, pytest.raises(TaskFailed, match="gone"):
        runner.run("frames", [gone])


def test_small_lakes_need_no_spark(lake: Lake) -> None:
    assert not lake_audit.is_large(lake)


def test_reports_tell_packets_and_files(lake: Lake, findings: list[AuditFinding]) -> None:
    outcome = AuditOutcome(findings, capture_files(lake))
    (record,) = [
        finding
        for finding in json.loads(REPORTS["json"](outcome))["findings"]
        if (finding["rule_id"], finding["capture_id"]) == ("unroutable-publish", "unroutable-publish.wrong")
    ]
    assert record["file"] == "unroutable-publish.wrong.pcap"
    assert record["pkt_no"] and record["bytes_hex"]
    assert f"packet {record['pkt_no']} of {record['file']}" in REPORTS["text"](outcome)


def test_frames_that_are_not_there_are_not_found(lake: Lake, findings: list[AuditFinding]) -> None:
    (one,) = [
        finding
        for finding in findings
        if finding.capture_id == "large-message.wrong" and finding.frame_no is not None
    ][:1]
    here = one.capture_id, one.conn_id, one.frame_no or 0
    found = find_frames(
        lake, InProcess(), {here, (one.capture_id, one.conn_id, 1 << 30), ("none", one.conn_id, 0)}
    )
    assert set(found) == {here}
    assert found[here].pkt_no == one.pkt_no


def test_a_capture_without_traffic() -> None:
    assert ask_fleet(iter(())) == []
    assert ask_fleet([("used", pa.table({"conn_id": ["0"]}))]) == []


def test_findings_have_ids_of_their_own(findings: list[AuditFinding]) -> None:
    assert len({replace(finding, occurrences=0).finding_id for finding in findings}) == len(findings)


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_deletion_between_two_declarations(is_lost: bool, tmp_path: Path) -> None:
    """Both are valid; where a packet of a client is lost, a deletion may be in it."""
    delete = client("queue.delete", queue="q"), server("queue.delete-ok")
    changed = client("queue.declare", queue="q", auto_delete=True), server("queue.declare-ok", queue="q")
    declare = client("queue.declare", queue="q"), server("queue.declare-ok", queue="q")
    made = capture_of(ready(*declare, *delete, *changed))
    kept = [record for record in records(made) if not (is_lost and b"\x00\x32\x00\x28" in record[1])]
    assert len(kept) == len(list(records(made))) - is_lost
    path = tmp_path / "a.pcap"
    path.write_bytes(with_records(made, kept))
    rules = {item.rule_id for item in findings_of(lake_of(tmp_path, path))}
    assert "queue-declared-differently" not in rules
