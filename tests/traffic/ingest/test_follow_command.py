"""``amqp-codegen traffic ingest --follow`` as a process: stopped, killed, and with a real dumpcap."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pika
import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_traffic.ingest.ring import list_ring
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.schemas import TABLES

from tests.cli.command_calls import call

from ..loopback_capture import PORT, URL, capturing, until_captured
from .capture_rings import plain_ring, read_tables, tables_of, write
from .lake_tables import assert_same_tables, ingested

_MAIN = "from amqp_codegen.cli.main import main; main()"
_SECONDS = 120


@contextmanager
def following(folder: Path, place: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A process that follows a ring."""
    command = [
        *(sys.executable, "-c", _MAIN, "traffic", "ingest", "--follow"),
        *(str(folder), "--out", str(place), *options),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def files_in(place: Path) -> int:
    """How many files of the ring are in the lake for good."""
    return len(create_lake(str(place)).files("captures")) if (place / "_lake.json").exists() else 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_in_order(tmp_path: Path, how: signal.Signals) -> None:
    ring = plain_ring()
    names = list(ring)
    folder, place = write(tmp_path / "ring", {name: ring[name] for name in names[:3]}), tmp_path / "lake"
    with following(folder, place) as process:
        wait_for(lambda: files_in(place) >= 2)
        process.send_signal(how)
        out, err = process.communicate(timeout=_SECONDS)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[:2] == names[:2]
    assert "2 files" in out.splitlines()[2]
    # What is open has its rows.
    first_two = {name: ring[name] for name in names[:2]}
    assert_same_tables(read_tables(place), tables_of(first_two, tmp_path), tuple(TABLES))

    write(folder, ring)
    done = call("traffic", "ingest", "--follow", folder, "--out", place, "--idle", "0")
    assert done.code == 0
    assert_same_tables(read_tables(place), tables_of(ring, tmp_path), tuple(TABLES))


def _more_than(place: Path, before: int, process: subprocess.Popen[str]) -> Callable[[], bool]:
    """Another file is in the lake, or the process is at its end."""
    return lambda: files_in(place) > before or process.poll() is not None


def test_killed_again_and_again(tmp_path: Path) -> None:
    ring = plain_ring(24, 900_000, 15)
    folder, place = write(tmp_path / "ring", ring), tmp_path / "lake"
    expected = tables_of(ring, tmp_path)
    chance = random.Random(1)
    kills = 0
    for _ in range(8):
        before = files_in(place)
        with following(folder, place, "--idle", "0") as process:
            # Any moment while one of the next files is being read or committed.
            wait_for(lambda: (place / "_staging").exists() or process.poll() is not None)
            wait_for(_more_than(place, before, process))
            time.sleep(chance.random() * 0.03)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate(timeout=_SECONDS)
    assert kills > 3
    done = call("traffic", "ingest", "--follow", folder, "--out", place, "--idle", "0")
    assert done.code == 0, done.err
    assert_same_tables(read_tables(place), expected, tuple(TABLES))


def test_damage_is_told_by_the_exit_code(tmp_path: Path) -> None:
    ring = dict(plain_ring(3, 60_000, 4))
    first = next(iter(ring))
    ring[first] = ring[first][:-5]
    done = call("traffic", "ingest", "--follow", write(tmp_path / "ring", ring), "--out", "l", "--idle", "0")
    assert done.code == 2
    assert "file-truncated 1" in "".join(done.out)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name captures to read, or a ring to --follow"),
        (["--idle", "1", "x.pcap"], "--idle goes with --follow"),
        (["--follow", ".", "x.pcap"], "--follow is given instead of PATHS; name one of them"),
        (["--follow", ".", "--engine", "local"], "--follow does not go with --engine"),
        (
            ["--follow", ".", "--one-capture", "--master", "local"],
            "--follow does not go with --master, --one-capture",
        ),
        (["--follow", ".", "--shuffle"], "--follow does not go with --shuffle"),
        (["x.pcap", "--shuffle", "--engine", "local"], "--shuffle goes with --engine spark"),
        (["--follow", "nowhere"], "nowhere: there is no such folder"),
    ],
)
def test_calls_that_are_wrong(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = call("traffic", "ingest", *arguments, "--out", tmp_path / "lake")
    assert done.code == 2
    assert message in "".join(done.err)
    assert not (tmp_path / "lake").exists()


@pytest.mark.broker
def test_a_ring_of_dumpcap(tmp_path: Path) -> None:
    """Connections of pika that last longer than files do; messages by which they are known."""
    folder, place = tmp_path / "ring", tmp_path / "lake"
    folder.mkdir()
    folder.chmod(0o777)  # some versions of dumpcap give up their rights
    tmp_path.chmod(0o777)
    application, last = uuid.uuid4().hex, uuid.uuid4().hex
    body = b"x" * 5000
    with (
        capturing("dumpcap", folder / "live.pcapng", options=["-b", "filesize:200"]),
        following(folder, place) as process,
    ):
        with pika.BlockingConnection(pika.URLParameters(URL)) as connection:
            channel = connection.channel()
            channel.confirm_delivery()
            queue = channel.queue_declare("", exclusive=True).method.queue
            properties = pika.BasicProperties(app_id=application)
            sent = 0
            while files_in(place) < 3:  # it follows while the connection lasts
                channel.basic_publish("", queue, body, properties)
                sent += 1
                if sent % 100 == 0:
                    time.sleep(0.05)
            # A capture is cut where dumpcap is stopped; the last of these messages is well before that.
            channel.basic_publish("", queue, last.encode())
            until_captured(last.encode(), lambda: list(folder.iterdir()))
        wait_for(lambda: len(list_ring(folder)) > 3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=_SECONDS)
        assert (process.returncode, err) == (0, "")
    done = call("traffic", "ingest", "--follow", folder, "--out", place, "--idle", "0")
    assert done.code == 0, done.err
    found = read_tables(place)
    published = [
        row for row in found["messages"] if row["app_id"] == application and row["kind"] == "publish"
    ]
    assert len(published) == sent
    assert {row["confirm"] for row in published} == {"ack"}
    assert len({row["conn_id"] for row in published}) == 1
    whole = ingested([folder], tmp_path / "whole").tables
    assert_same_tables(found, whole, tuple(TABLES))
    assert PORT in {row["server_port"] for row in found["connections"]}
