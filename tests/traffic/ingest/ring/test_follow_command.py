"""``amqp-codegen traffic ingest --follow`` as a process: stopped, killed, and with a real dumpcap."""

from __future__ import annotations

import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pika
import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.ingest.ring.ring import list_ring
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.schemas import TABLES

from tests.cli.command_calls import call
from tests.patience import PATIENCE

from ...loopback_capture import PORT, URL, capturing, until_captured
from ...waiting import wait_until
from ..lake_tables import assert_same_tables, ingested
from .capture_rings import plain_ring, read_tables, tables_of, write

_MAIN = "from amqp_codegen.cli.main import main; main()"


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


def files_in(place: Path) -> int:
    """How many files of the ring are in the lake for good."""
    return len(create_lake(str(place)).files("captures")) if (place / "_lake.json").exists() else 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_in_order(tmp_path: Path, how: signal.Signals) -> None:
    ring = plain_ring()
    names = list(ring)
    folder, place = write(tmp_path / "ring", {name: ring[name] for name in names[:3]}), tmp_path / "lake"
    with following(folder, place) as process:
        wait_until(lambda: files_in(place) >= 2, "two files are in the lake", process)
        process.send_signal(how)
        out, err = process.communicate(timeout=PATIENCE)
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


def _staged(place: Path) -> set[Path]:
    """What is being written, or was left by a process that was killed."""
    return set((place / "_staging").glob("*"))


def _has_more_staged(place: Path, before: set[Path]) -> bool:
    return bool(_staged(place) - before)


def _has_more_files(place: Path, before: int) -> bool:
    return files_in(place) > before


def test_killed_again_and_again(tmp_path: Path) -> None:
    """While it reads a file, and while it goes on after it has committed one. It never ends of its own."""
    ring = plain_ring(12, 480_000, 15)
    names, folder, place = list(ring), tmp_path / "ring", tmp_path / "lake"
    for kill, first in enumerate(range(0, len(names), 3)):
        write(folder, {name: ring[name] for name in names[first : first + 3]})
        files, staged = files_in(place), _staged(place)
        with following(folder, place) as process:
            if kill % 2:
                wait_until(partial(_has_more_staged, place, staged), "it writes tables", process)
            else:
                wait_until(partial(_has_more_files, place, files), "one more file is in the lake", process)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL
    done = call("traffic", "ingest", "--follow", folder, "--out", place, "--idle", "0")
    assert done.code == 0, done.err
    assert_same_tables(read_tables(place), tables_of(ring, tmp_path), tuple(TABLES))


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
            # A capture is cut where dumpcap is stopped; the last of these messages is well before that.
            channel.basic_publish("", queue, last.encode())
            until_captured(last.encode(), lambda: list(folder.iterdir()))
        wait_until(lambda: len(list_ring(folder)) > 3, "dumpcap writes the next file", process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
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
