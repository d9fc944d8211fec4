"""``amqp-codegen traffic ingest`` as it is called: rightly, wrongly, with files that are no captures."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from amqp_codegen.cli.main import cli
from amqp_traffic.capture.zstd import MISSING
from click.testing import CliRunner

from tests.cli.command_calls import Result, call
from tests.commands import run_command

from .. import zstd_frames
from ..synth.made_captures import make
from .lake_tables import read_tables

_MAIN = "from amqp_codegen.cli.main import main; main()"


def ingest(*arguments: str | Path) -> Result:
    return call("traffic", "ingest", *arguments, "--engine", "local")


@pytest.fixture(autouse=True)
def capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound capture, and a folder to work in."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    file = Path("good.pcap")
    file.write_bytes(make(size=60_000, connections=4).capture)
    return file


def test_fine(capture: Path) -> None:
    done = ingest(capture, "--out", "lake")
    assert done.code == 0
    assert "1 file" in "".join(done.out + done.err)
    (row,) = read_tables(Path("lake"))["captures"]
    assert (row["file"], row["status"], row["format"]) == ("good.pcap", "complete", "pcap")


@pytest.mark.parametrize(
    "content", [b"", b"x", b"%PDF-1.4 " * 5000, bytes(100_000)], ids=["0", "1", "pdf", "zeros"]
)
def test_not_a_capture(content: bytes, capture: Path) -> None:
    """Beside captures: exit code 2, and the tables say it; the others are ingested all the same."""
    Path("odd.pcap").write_bytes(content)
    done = ingest("odd.pcap", capture, "--out", "lake")
    assert done.code == 2
    rows = {row["file"]: row for row in read_tables(Path("lake"))["captures"]}
    assert rows["good.pcap"]["status"] == "complete"
    odd = rows["odd.pcap"]
    assert (odd["status"], odd["size"], odd["bytes_skipped"]) == ("not-a-capture", len(content), len(content))
    (left_out,) = (row for row in read_tables(Path("lake"))["quarantine"] if row["stage"] == "file")
    assert (left_out["reason"], left_out["length"]) == ("file-corrupt", len(content))


TEXT = "neither pcap nor pcapng: the file begins with 6e 6f 74 20 61 20 63 61"


@pytest.mark.parametrize("engine", ["spark", "local"])
@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("empty.pcap", b"", "the file is empty"),
        ("text.pcap", b"not a capture", TEXT),
        ("text.pcap.gz", gzip.compress(b"not a capture"), TEXT),
        (
            "header.pcap",
            b"\xd4\xc3\xb2\xa1\2\0\4\0",
            "neither pcap nor pcapng: the file begins with d4 c3 b2 a1",
        ),
        ("zeros.pcap", 2 << 30, "neither pcap nor pcapng: the file begins with 00 00 00"),
        ("folder/text", b"not a capture", TEXT),
    ],
    ids=["empty", "text", "gzip of text", "header", "2 GB of zeros", "folder"],
)
def test_nothing_but_files_that_are_no_captures(
    name: str, content: bytes | int, fault: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused as ``show`` does it, before an engine starts: neither a lake is made nor anything else."""
    if engine == "spark":
        pytest.importorskip("pyspark", reason="needs PySpark")
    monkeypatch.setattr("amqp_traffic.cli.ingest._engine", None)  # would fail if it was started
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "folder").mkdir()
    with (tmp_path / name).open("wb") as file:
        if isinstance(content, int):
            file.truncate(content)
        else:
            file.write(content)
    given = tmp_path / name.partition("/")[0]
    before = sorted(tmp_path.rglob("*"))
    done = call("traffic", "ingest", str(given), "--out", str(tmp_path / "lake"), "--engine", engine)
    assert (done.code, done.out) == (2, [])
    (line,) = done.err
    assert line.startswith(f"error: {tmp_path / name}: {fault}")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("engine", ["spark", "local"])
def test_a_place_that_cannot_be_a_lake_is_refused_before_the_work(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    monkeypatch.setattr("amqp_traffic.cli.ingest._engine", None)  # would fail if it was started
    Path("mine.txt").write_text("mine")
    done = call("traffic", "ingest", "good.pcap", "--out", "mine.txt", "--engine", engine)
    assert (done.code, done.out) == (2, [])
    assert done.err == ["error: mine.txt is a file, not a folder for tables [lake]"]


def test_an_engine_that_does_not_start_leaves_no_lake(monkeypatch: pytest.MonkeyPatch) -> None:
    from amqp_traffic.tasks.spark.requirements import SparkUnavailable

    def broken(*_: object) -> None:
        raise SparkUnavailable("no Java")

    monkeypatch.setattr("amqp_traffic.cli.ingest._engine", broken)
    assert ingest("good.pcap", "--out", "lake").err == ["error: no Java [no-spark]"]
    assert not Path("lake").exists()


def test_standard_input(capture: Path) -> None:
    done = CliRunner().invoke(
        cli, ["traffic", "ingest", "-", "--out", "lake", "--engine", "local"], input=capture.read_bytes()
    )
    assert (done.exit_code, done.stderr) == (0, "")
    (row,) = read_tables(Path("lake"))["captures"]
    assert (row["file"], row["status"]) == ("stdin", "complete")


def test_a_line_for_each_stage_with_verbose(capture: Path) -> None:
    assert ingest(capture, "--out", "lake").err == []
    assert ingest(capture, "--out", "lake", "-v").err == [
        "reading 1 capture, 0.1 MB",
        "writing the specifications",
    ]


def test_partly(capture: Path) -> None:
    octets = capture.read_bytes()
    Path("cut.pcap").write_bytes(octets[: len(octets) // 2 + 7])
    done = ingest("cut.pcap", "--out", "lake")
    assert done.code == 2
    assert any("file-truncated 1" in line for line in done.out + done.err)
    assert len(read_tables(Path("lake"))["frames"]) > 10


def test_raw_streams(capture: Path) -> None:
    header, frame = b"AMQP\x00\x00\x09\x01", b"\x08\0\0\0\0\0\0\xce"
    Path("a.client.raw").write_bytes(header + frame * 3)
    Path("a.server.raw").write_bytes(frame * 2)
    Path("b.server.raw").write_bytes(frame)
    done = ingest("a.client.raw", "a.server.raw", "b.server.raw", "--out", "lake")
    assert done.code == 0
    tables = read_tables(Path("lake"))
    assert {(row["file"], row["format"]) for row in tables["captures"]} == {
        ("a.client.raw", "raw"),
        ("a.server.raw", "raw"),
        ("b.server.raw", "raw"),
    }
    assert len(tables["frames"]) == 7
    assert {(row["client_frames"], row["server_frames"]) for row in tables["connections"]} == {(4, 2), (0, 1)}


# --- Wrong calls: one line, exit code 2, and no lake


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.pcap"], "none.pcap: there is no such file"),
        (["good.pcap", "../here/good.pcap"], "there twice; give each file once"),
        (["good.pcap", "."], "there twice; give each file once"),
        (["good.pcap", "copy/good.pcap"], "give each once"),
        (["none"], "none: there is no such file"),
        (["nothing"], "there is no file to read"),
        (["good.pcap", "--bodies", "some"], "--bodies"),
        (["other/bad.raw"], ".client.raw or .server.raw"),
    ],
)
def test_wrong(arguments: list[str], says: str) -> None:
    Path("other").mkdir()
    Path("nothing").mkdir()
    Path("other/bad.raw").write_bytes(b"x")
    Path("copy").mkdir()
    Path("copy/good.pcap").write_bytes(Path("good.pcap").read_bytes())
    done = ingest(*arguments, "--out", "lake")
    assert (done.code, done.out) == (2, [])
    assert says in " ".join(done.err)
    assert not list(Path().glob("lake/*/*"))


def test_no_lake(capture: Path) -> None:
    Path("full").mkdir()
    Path("full/letter.txt").write_text("mine")
    for place in ("full", "good.pcap"):
        done = ingest(capture, "--out", place)
        assert (done.code, done.out) == (2, [])
        assert place in " ".join(done.err)
    assert [it.name for it in Path("full").iterdir()] == ["letter.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable(capture: Path) -> None:
    capture.chmod(0)
    done = ingest(capture, "--out", "lake")
    assert (done.code, done.out) == (2, [])
    assert "good.pcap" in " ".join(done.err)


def test_a_file_that_vanishes(capture: Path) -> None:
    Path("link.pcap").symlink_to("gone")
    done = ingest("link.pcap", "--out", "lake")
    assert (done.code, done.out) == (2, [])


@pytest.mark.parametrize(
    ("modules", "file", "hint"),
    [
        (["pyarrow"], "good.pcap", "pip install '.[traffic]'"),
        (["compression.zstd", "zstandard"], "good.pcap.zst", MISSING),
    ],
)
def test_missing_extra(modules: list[str], file: str, hint: str) -> None:
    Path("good.pcap.zst").write_bytes(zstd_frames.compress(Path("good.pcap").read_bytes()))
    command = f"import sys; sys.modules.update(dict.fromkeys({modules})); {_MAIN}"
    done = _run(command, "traffic", "ingest", file, "--out", "lake", "--engine", "local")
    assert (done.returncode, done.stdout) == (2, "")
    assert hint in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 2


def _run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_command([sys.executable, "-c", code, *arguments])


# --- Killed

_WHILE_READING = "from amqp_traffic.capture.ledgers import FileLedger as at; name = 'check'"
_BEFORE_COMMIT = "from amqp_traffic.lake.folder import Lake as at; name = 'commit'"


@pytest.mark.parametrize("where", [_WHILE_READING, _BEFORE_COMMIT], ids=["reading", "commit"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed(how: signal.Signals, where: str) -> None:
    """What the lake had before, it has still, and nothing else; what is left is not in the way of the next one."""
    assert ingest("good.pcap", "--out", "lake").code == 0
    before = read_tables(Path("lake"))
    Path("other.pcap").write_bytes(make(seed=4, size=60_000, connections=4).capture)
    killed = f"import os; {where}; setattr(at, name, lambda *_: os.kill(os.getpid(), {how.value})); {_MAIN}"
    arguments = ("traffic", "ingest", "good.pcap", "other.pcap", "--out", "lake", "--engine", "local")
    done = _run(killed, *arguments)
    assert done.returncode not in (0, 2, 3)
    assert "Traceback" not in done.stderr
    assert read_tables(Path("lake")) == before
    left = list(Path("lake/_staging").rglob("*.parquet"))
    assert bool(left) == (how == signal.SIGKILL and where == _BEFORE_COMMIT)
    assert call(*arguments).code == 0
    assert {row["file"] for row in read_tables(Path("lake"))["captures"]} == {"good.pcap", "other.pcap"}
