"""Captures without damage, with one kind of connections each: all that was sent is in the tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from amqp_traffic.synth.mix import KINDS, package_of

from ..synth.made_captures import make
from .lake_tables import Ingested, ingested
from .ledger_checks import check_ledgers

SPOKEN = {
    "amqp_0_8": "amqp_0_8_rabbitmq",
    "amqp_0_9": "amqp_0_9_1_rabbitmq",
    "amqp_0_9_1": "amqp_0_9_1_rabbitmq",
    "amqp_1_0": "amqp_1_0_rabbitmq",
}
_AMQP = [kind for kind in KINDS if package_of(kind)]
_FOREIGN = {"tls": "tls", "http": "http", "0-10": "0-10", "silent": None}


def ingest_kind(kind: str, tmp_path: Path) -> tuple[Ingested, Counter[tuple]]:
    """The tables, and how many frames there are of each name, type and channel."""
    made = make(seed=7, size=120_000, connections=3, mix={kind: 1}, cut=0.3)
    file = tmp_path / "a.pcap"
    file.write_bytes(made.capture)
    found = ingested([file], tmp_path / "lake")
    check_ledgers(found)
    sent = Counter((it["direction"], it["offset"], it["type"], it["channel"]) for it in made.frames)
    assert len(found["connections"]) == len(made.connections)
    return found, sent


@pytest.mark.parametrize("kind", _AMQP)
def test_amqp(kind: str, tmp_path: Path) -> None:
    found, sent = ingest_kind(kind, tmp_path)
    frames = [row for row in found["frames"] if row["name"] != "protocol-header"]
    assert Counter((it["dir"], it["stream_off"], it["type"], it["channel"]) for it in frames) == sent
    assert {row["status"] for row in frames} == {"ok"}
    # The broker says that it is RabbitMQ, and RabbitMQ's variant has all that 0-9-1 has.
    package = package_of(kind)
    package = SPOKEN.get(package or "", package)
    assert {row["package"] for row in found["connections"]} == {package}
    assert {row["start_mode"] for row in found["connections"]} == {"syn"}
    ours, others = ("performatives", "methods") if kind.startswith("1.0") else ("methods", "performatives")
    carried = [
        row for row in frames if (ours == "performatives" and row["name"] != "empty") or row["type"] == 1
    ]
    assert len(found[ours]) == len(carried) > 20
    assert not found[others]
    assert len(found["messages"]) > 5
    assert all(row["complete"] for row in found["messages"] if row["last_ns"] < _last(found, row["conn_id"]))
    assert Counter(row["outcome"] for row in found["exchanges"])["ok"] > 3
    (result,) = found.results
    assert not result.partial


def _last(found: Ingested, connection: str) -> int:
    return max(row["ns"] for row in found["frames"] if row["conn_id"] == connection)


@pytest.mark.parametrize("kind", _FOREIGN)
def test_no_amqp(kind: str, tmp_path: Path) -> None:
    found, _ = ingest_kind(kind, tmp_path)
    assert {row["protocol"] for row in found["connections"]} == {_FOREIGN[kind]}
    assert {row["package"] for row in found["connections"]} == {None}
    assert {row["name"] for row in found["frames"]} <= {"protocol-header"}
    assert not any(found[table] for table in ("methods", "performatives", "messages", "exchanges"))
    (result,) = found.results
    assert not result.partial
    assert result.left_out or kind == "0-10"  # nothing but headers
