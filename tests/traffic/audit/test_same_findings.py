"""However a capture was read, and however many tasks there are, the audit finds the same, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.rule import TARGETS
from amqp_traffic.ingest.inputs import CaptureInput
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.tasks.runner import InProcess

from ..ingest.lake_tables import shared_engine
from ..messages.method_script import client, publish
from ..pcap_records import records, with_records
from ..synth.made_captures import make
from .audited_methods import RST, capture_of, ended

# Shares of the ingest, tasks of the audit.
_WAYS = [(1, 3), (3, 2), (8, 1), (5, 4)]


@pytest.fixture(scope="session")
def capture() -> bytes:
    """All kinds of traffic, some packets of which are missing, and clients that do wrong side by side."""
    synthetic = make(seed=3, size=120_000, connections=9, drop=0.01).capture
    wrong = [client("basic.ack", delivery_tag=9), client("basic.qos", global_=True), *publish(b"x" * 5000)]
    packets = [
        *records(synthetic),
        *records(capture_of(*[ended([wrong] * number, RST) for number in range(1, 9)])),
    ]
    return with_records(synthetic, packets)


def _findings(folder: Path, capture: bytes, shares: int, tasks: int) -> list[AuditFinding]:
    file = folder / "a.pcap"
    file.write_bytes(capture)
    reader = shared_engine(shares, ReadSettings())
    lake = create_lake(str(folder / "lake"))
    list(ingest(lake, [CaptureInput("a", (file,))], reader, lambda octets: None))
    return audit_lake(lake, InProcess(), TARGETS, tasks)


@pytest.fixture(scope="session")
def expected(capture: bytes, tmp_path_factory: pytest.TempPathFactory) -> list[AuditFinding]:
    return _findings(tmp_path_factory.mktemp("expected"), capture, 1, 1)


def test_there_is_something_to_find(expected: list[AuditFinding]) -> None:
    assert len(expected) > 50
    assert {item.severity for item in expected} == {"info", "warning", "error"}
    assert len({item.finding_id for item in expected}) == len(expected)
    assert expected == sorted(expected, key=lambda item: item.order)


@pytest.mark.parametrize(("shares", "tasks"), _WAYS)
def test_findings_are_the_same(
    tmp_path: Path, capture: bytes, expected: list[AuditFinding], shares: int, tasks: int
) -> None:
    assert _findings(tmp_path, capture, shares, tasks) == expected
