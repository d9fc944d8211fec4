"""Each client that is to be had here runs the workload, and what it counts is in the tables."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pika
import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from tests.clients.workload import PROGRAMS
from tests.commands import run_command

from ..loopback_capture import PORT, URL, capturing, catch_up, patiently
from .table_counts import audited

pytestmark = pytest.mark.broker

# Where captures and counts are to be kept: the folder ``captures`` beside this file.
KEPT = os.environ.get("WORKLOAD_CAPTURES")


@pytest.fixture
def name() -> Iterator[str]:
    """A name for queues and exchanges, which are gone at the end, whatever becomes of the program."""
    name = f"workload-{os.getpid()}"
    yield name
    with pika.BlockingConnection(pika.URLParameters(URL)) as connection:
        channel = connection.channel()
        for queue in (name, f"{name}.dead"):
            channel.queue_delete(queue)
            channel.exchange_delete(queue)


@pytest.mark.parametrize("client", PROGRAMS)
def test_counts(client: str, name: str, tmp_path: Path) -> None:
    program = PROGRAMS[client]
    tmp_path.chmod(0o777)
    file, build = tmp_path / f"{client}.pcapng", tmp_path / "build"
    build.mkdir()

    def run() -> dict[str, int]:
        file.unlink(missing_ok=True)
        with capturing("dumpcap", file):
            counts = program.run("127.0.0.1", PORT, name, build)
            catch_up([file])
        return counts

    counts = patiently(run)
    workload = audited(file, tmp_path / "lake", name)
    assert len(workload.connections) == (1 if client == "rhea" else 2)
    assert {what: workload.counts[what] for what in counts} == counts
    assert [finding for finding in workload.findings if finding["severity"] == "error"] == []
    if KEPT:
        keep(file, Path(KEPT) / client, counts, [row["client_port"] for row in workload.connections])


def keep(file: Path, place: Path, counts: dict[str, int], ports: list[int]) -> None:
    """Keep what was captured of some connections, and the counts of the client."""
    wanted = " or ".join(f"tcp.port == {port}" for port in ports)
    chosen = file.with_suffix(".chosen")
    done = run_command(["tshark", "-r", file, "-Y", wanted, "-w", chosen])
    assert done.returncode == 0, done.stderr
    place.with_suffix(".pcapng.gz").write_bytes(gzip.compress(chosen.read_bytes(), mtime=0))
    place.with_suffix(".json").write_text(
        json.dumps(counts, indent=2, sort_keys=True) + "\n", encoding="utf-8"
    )
