"""The audit of AMQP 1.0 on whole captures: nothing is held against clean ones, nor invented where packets are missing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise
from amqp_traffic.tasks.runner import InProcess

from ...real_captures.lake_rows import ingest, rows_of

DAMAGES = {
    "drop": Damage(drop=0.02),
    "late": Damage(skip=200),
    "late-and-drop": Damage(skip=500, drop=0.01),
    "twice": Damage(duplicate=0.05, overlap=0.05),
    "cut-off": Damage(truncate=True),
}


# What happens in them on purpose: the broker detaches links, and not every connection ends as it should.
_ON_PURPOSE = {"link-detached-with-error", "unclean-close", "connection-forced"}


def lake_of(folder: Path, seed: int, damage: Damage | None = None, size: int = 200_000) -> Path:
    """The tables of a synthetic capture."""
    capture = folder / "capture.pcap"
    order = CaptureOrder(seed=seed, size=size, connections=5, mix={"1.0": 1}, damage=damage or Damage())
    with capture.open("wb") as file:
        synthesise(order, file, io.StringIO())
    done = ingest([capture], folder / "lake")
    assert done.code in (0, 2), done.err  # 2 where something had to be left out
    return folder / "lake"


def audit(lake: Path) -> list[AuditFinding]:
    return audit_lake(open_lake(str(lake)), InProcess())


def errors(lake: Path) -> list[tuple[str, str]]:
    return [(item.rule_id, item.evidence) for item in audit(lake) if item.severity == "error"]


@pytest.mark.parametrize("seed", [1, 2])
def test_clean_captures_are_clean(tmp_path: Path, seed: int) -> None:
    lake = lake_of(tmp_path, seed, size=1_000_000)  # so links are drained, and attached again
    transfers = [row for row in rows_of(lake, "performatives") if row["performative"] == "transfer"]
    assert len(transfers) > 30
    assert {item.rule_id for item in audit(lake) if item.severity != "info"} <= _ON_PURPOSE


@pytest.mark.parametrize(("damage", "seed"), [(name, seed) for seed, name in enumerate(DAMAGES, 4)])
def test_nothing_is_invented_where_packets_are_missing(tmp_path: Path, damage: str, seed: int) -> None:
    assert errors(lake_of(tmp_path, seed, DAMAGES[damage])) == []


def test_findings_are_the_same_the_next_time(tmp_path: Path) -> None:
    lake = lake_of(tmp_path, 1)
    assert audit(lake) == audit(lake) != []
