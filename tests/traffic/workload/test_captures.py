"""Captures of eight clients at the workload: what they counted is in the tables, and nothing that they do is an error.

``WORKLOAD_CAPTURES=tests/traffic/workload/captures pytest -m broker tests/traffic/workload`` makes the captures again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from tests.clients.workload import PROGRAMS

from .table_counts import AuditedWorkload, audited

CAPTURES = Path(__file__).parent / "captures"


@pytest.fixture(scope="module")
def workload_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], AuditedWorkload]:
    """What tables and audit say of the workload of a client."""
    known: dict[str, AuditedWorkload] = {}

    def of(client: str) -> AuditedWorkload:
        if client not in known:
            known[client] = audited(CAPTURES / f"{client}.pcapng.gz", tmp_path_factory.mktemp(client))
        return known[client]

    return of


@pytest.mark.parametrize("client", PROGRAMS)
def test_counts(client: str, workload_of: Callable[[str], AuditedWorkload]) -> None:
    counted = json.loads((CAPTURES / f"{client}.json").read_text(encoding="utf-8"))
    workload = workload_of(client)
    assert {what: workload.counts[what] for what in counted} == counted


@pytest.mark.parametrize("client", PROGRAMS)
def test_no_false_error(client: str, workload_of: Callable[[str], AuditedWorkload]) -> None:
    findings = workload_of(client).findings
    assert [finding["evidence"] for finding in findings if finding["severity"] == "error"] == []


@pytest.mark.parametrize("client", PROGRAMS)
def test_clean_ends(client: str, workload_of: Callable[[str], AuditedWorkload]) -> None:
    """RabbitMQ answers the FIN of a client with RST, after close and close-ok."""
    assert {row["end_mode"] for row in workload_of(client).connections} == {"fin"}


def test_release_loop(workload_of: Callable[[str], AuditedWorkload]) -> None:
    found = {finding["rule_id"] for finding in workload_of("rhea").findings}
    assert "release-loop" in found
