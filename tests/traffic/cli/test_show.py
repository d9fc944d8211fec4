"""``amqp-codegen traffic show``: what is printed where, and exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from amqp_codegen.cli.main import cli
from amqp_traffic.synth.damage import Damage
from click.testing import CliRunner

from tests.cli.command_calls import ROOT, call, refused_with_one_line
from tests.patience import PATIENCE
from tests.traffic.show.lines import method, raw, shown, synthetic

HEADER = b"AMQP\x00\x00\x09\x01"
SAMPLES = ROOT / "tests" / "traffic" / "samples" / "rabbitmq-3.10.8"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_capture(place: Path) -> None:
    path = synthetic(place / "a.pcap")
    result = call("traffic", "show", path)
    assert (result.code, result.err) == (0, [])
    assert result.out == [line.rstrip() for line in shown(path)[0]]


def test_options(place: Path) -> None:
    path = synthetic(place / "a.pcap")
    result = call(
        "traffic",
        "show",
        path,
        "--connection",
        "7",
        "--frame",
        "2",
        "-v",
        "--bodies",
        "--server-port",
        "5672",
    )
    assert result.code == 0
    assert result.out == [
        line.rstrip() for line in shown(path, connection=7, frame=2, details=True, bodies=True)[0]
    ]
    assert len(result.out) > 5


def test_damage_is_exit_code_2(place: Path) -> None:
    path = synthetic(place / "a.pcap", damage=Damage(garbage=1))
    result = call("traffic", "show", path)
    assert (result.code, result.err) == (2, [])
    assert any(line.startswith("!! file-corrupt") for line in result.out)


@pytest.mark.parametrize(
    ("name", "octets", "message"),
    [
        ("none", None, "none: No such file or directory"),
        ("empty", b"", "empty: the file is empty"),
        ("text", b"hello", "text: neither pcap nor pcapng"),
        ("x.raw", b"AMQP", "x.raw: the name of a raw stream"),
        ("log", (SAMPLES / "trace-text.log").read_bytes(), "log: is a log of rabbitmq_tracing"),
        ("log", (SAMPLES / "trace-json.log").read_bytes(), "log: is a log of rabbitmq_tracing"),
    ],
)
def test_what_is_no_capture(place: Path, name: str, octets: bytes | None, message: str) -> None:
    if octets is not None:
        (place / name).write_bytes(octets)
    assert f"error: {message}" in refused_with_one_line("traffic", "show", name)


def test_a_folder_is_no_capture(place: Path) -> None:
    assert "Is a directory" in refused_with_one_line("traffic", "show", ".")


def test_wrong_calls(place: Path) -> None:
    for arguments in ([], ["a", "--connection", "0"], ["a", "--frame", "-1"], ["a", "--server-port", "0"]):
        assert call("traffic", "show", *arguments).code == 2


def test_standard_input(place: Path) -> None:
    path = synthetic(place / "a.pcap")
    program = [sys.executable, "-B", "-m", "amqp_codegen", "traffic", "show", "-"]
    environment = {"PYTHONPATH": str(ROOT / "codegen"), "PATH": ""}
    done = subprocess.run(
        program, input=path.read_bytes(), capture_output=True, check=False, timeout=PATIENCE, env=environment
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [line.rstrip() for line in shown(path)[0]]


def test_a_pipe_that_is_closed(place: Path) -> None:
    path = synthetic(place / "a.pcap", size=2_000_000)
    program = [sys.executable, "-B", "-m", "amqp_codegen", "traffic", "show", str(path)]
    environment = {"PYTHONPATH": str(ROOT / "codegen"), "PATH": ""}
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"-- connection")
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 141


def test_nothing_but_text_reaches_a_terminal(place: Path) -> None:
    client = HEADER + method("queue.declare", queue="\x1b[2J\r\nq\u202e")
    result = call("traffic", "show", raw(place, client))
    assert result.code == 0
    assert all(line.isprintable() for line in result.out)
    assert "\\x1b[2J" in result.out[2]


def test_colours_on_a_terminal_only(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = raw(place, HEADER + method("channel.open"))
    plain = call("traffic", "show", path).out
    monkeypatch.setattr("amqp_traffic.cli.show._is_terminal", lambda: True)
    coloured = CliRunner().invoke(cli, ["traffic", "show", str(path)], color=True).stdout
    assert "\x1b[1mchannel.open\x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert CliRunner().invoke(cli, ["traffic", "show", str(path)], color=True).stdout.splitlines() == plain


def test_it_needs_neither_spark_nor_pyarrow(place: Path) -> None:
    path = raw(place, HEADER + method("channel.open"))
    program = (
        "import sys; sys.modules.update(pyspark=None, pyarrow=None, pandas=None)\n"
        "from amqp_codegen.cli.main import main\n"
        f"sys.argv = ['amqp-codegen', 'traffic', 'show', {str(path)!r}]\n"
        "main()"
    )
    environment = {"PYTHONPATH": str(ROOT / "codegen"), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"channel.open" in done.stdout
