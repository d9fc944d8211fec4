"""Findings about real clients are explained with the octets of the real capture."""

from __future__ import annotations

from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.tasks.runner import InProcess

from ..explain.explained_lakes import explained, frames_in, octets_in
from .conftest import Capture, Lake

RECORD = 1 << 16  # octets of a packet on the loopback interface, at most


def _runs(lines: list[str]) -> list[bytes]:
    """The octets that are shown, each run of them up to one that is hidden."""
    runs: list[bytes] = []
    end = None
    for start, octets in octets_in(lines):
        if start == end:
            runs[-1] += octets
        else:
            runs.append(octets)
        end = start + len(octets)
    return runs


def test_every_rule(capture: Capture, lake: Lake) -> None:
    """The first finding of each rule: read from the capture, it is where the capture has it."""
    opened = open_lake(str(lake.folder))
    first: dict[str, AuditFinding] = {}
    for finding in audit_lake(opened, InProcess()):
        first.setdefault(finding.rule_id, finding)
    assert len(first) > 30
    whole = capture.file.read_bytes()
    compared, elsewhere = 0, set()
    for rule, finding in first.items():
        lines = explained(opened, finding, [capture.file])
        assert any("read from " in line for line in lines), rule
        marked = [number for is_marked, number, *_ in frames_in(lines) if is_marked]
        assert marked == ([] if finding.frame_no is None else [finding.frame_no]), rule
        runs = _runs(lines)
        text = "\n".join(lines)
        if finding.frame_no is not None and runs and "more octets" not in text and "redacted" not in text:
            assert finding.pkt_off is not None
            compared += 1
            near = whole[finding.pkt_off : finding.pkt_off + sum(map(len, runs)) + RECORD]
            if not all(octets in near for octets in runs):
                elsewhere.add(rule)
    assert compared > 15
    assert elsewhere == set()


def test_the_end_of_a_frame(capture: Capture, lake: Lake) -> None:
    """Its client wrote 0xCD instead of 0xCE."""
    opened = open_lake(str(lake.folder))
    (row,) = lake.of(capture.played["frame-end-wrong"])
    (finding,) = (
        item
        for item in audit_lake(opened, InProcess())
        if (item.conn_id, item.rule_id) == (row["conn_id"], "frame-end")
    )
    lines = explained(opened, finding, [capture.file])
    assert lines[-1].startswith("   ")
    assert any(line.endswith("error: the frame must end with 0xce, not 0xcd") for line in lines)
    (mark,) = (number for number, line in enumerate(lines) if line.startswith(">> "))
    assert any("tx.select" in line and line.endswith("class 90, method 10") for line in lines[mark:])
    assert any("connection.close reply_code=501" in line for line in lines[mark:])
