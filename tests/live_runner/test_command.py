"""The command: what it prints, how it ends, and what it says of a wrong call."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.cli.command_calls import ROOT, call, on_terminal, place, refused
from tests.patience import PATIENCE

from .fake_broker import FakeBroker, fake_broker, hang_up, keep_silent, say

__all__ = ["place"]

# Nobody else writes there while it is looked at.
pytestmark = pytest.mark.usefixtures("place")

OPEN_TWICE = "channel.open/state"
KNOWN = '["0-9-1"]\n"channel.open/state" = { got = "channel.open-ok", reason = "it likes to open" }\n'
# A second channel.open is none of its business.
OPENS_AGAIN = {"channel.open": say(amqp.methods.ChannelOpenOk())}


@pytest.fixture
def fake() -> Iterator[FakeBroker]:
    with fake_broker() as broker:
        yield broker


def test_a_rule_that_holds(fake: FakeBroker) -> None:
    result = call("conformance", fake.url, "--rules", OPEN_TWICE)
    assert (result.code, result.err) == (0, [])
    assert result.out[0].startswith(
        f"Fake 1.2.3 at amqp://guest@127.0.0.1:{fake.port}/, AMQP 0-9-1-rabbitmq, 1 rules"
    )
    assert result.out[-2:] == ["1 passed", "as expected (nothing is known of this broker)"]
    assert "secret" not in "".join(result.out)


def test_a_rule_that_does_not_hold() -> None:
    with fake_broker(OPENS_AGAIN) as fake:
        result = call("conformance", fake.url, "--rules", OPEN_TWICE)
    failure = "expected connection.close 504 (channel-error), got channel.open-ok"
    assert result.code == 1
    assert f"failed               channel.open/state [MUST NOT]: {failure}" in result.out
    assert result.out[-1] == f"  channel.open/state [MUST]: failed: {failure}"


@pytest.mark.parametrize(("level", "code"), [("must", 1), ("should", 1), ("may", 1)])
def test_a_rule_that_says_must_fails_the_run_at_every_level(level: str, code: int) -> None:
    with fake_broker(OPENS_AGAIN) as fake:
        result = call("conformance", fake.url, "--rules", OPEN_TWICE, "--fail-on", level)
    assert result.code == code
    assert result.out[-2].endswith(f"failing the run (--fail-on {level}): 1")


@pytest.mark.parametrize(("level", "code", "count"), [("must", 0, 0), ("should", 0, 0), ("may", 1, 1)])
def test_a_rule_that_says_may_fails_the_run_only_if_asked_for(level: str, code: int, count: int) -> None:
    """The broker has no queues, so it has no levels of priority either."""
    answers = {"queue.declare": say(amqp.methods.ChannelClose(540, "no"))}
    with fake_broker(answers) as fake:
        result = call("conformance", fake.url, "--rules", "basic/07", "--fail-on", level)
    assert (result.code, result.out[2].split()[:2]) == (code, ["inconclusive", "basic/07"])
    assert result.out[-2].endswith(f"failing the run (--fail-on {level}): {count}")


def test_a_deviation_that_is_known_and_one_that_is_gone(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text(KNOWN, encoding="utf-8")
    arguments = ("--rules", OPEN_TWICE, "--expectations", known)
    with fake_broker(OPENS_AGAIN) as fake:
        result = call("conformance", fake.url, *arguments)
    assert (result.code, result.out[-2:]) == (0, ["1 deviates", "as expected (against known.toml)"])
    with fake_broker() as fake:
        result = call("conformance", fake.url, *arguments)
    assert (result.code, result.out[-3:]) == (
        1,
        [
            "1 passed",
            "1 unexpected (against known.toml), failing the run (--fail-on must): 1",
            "  channel.open/state [MUST]: passed, a deviation was expected (channel.open-ok)",
        ],
    )


def test_our_own_expectations_are_found_by_what_the_broker_calls_itself() -> None:
    start = amqp.methods.ConnectionStart(
        0, 9, {"product": "RabbitMQ", "version": "3.10.8"}, b"PLAIN", b"en_US"
    )
    with fake_broker({"protocol header": say(start)}) as fake:
        result = call("conformance", fake.url, "--rules", OPEN_TWICE)
    assert result.out[-1] == "as expected (against rabbitmq-3.10.toml)"


def test_formats_and_files(fake: FakeBroker, tmp_path: Path) -> None:
    def report(form: str) -> str:
        path = tmp_path / f"report.{form}"
        result = call("conformance", fake.url, "--rules", OPEN_TWICE, "--format", form, "-o", path)
        assert (result.code, result.err) == (0, [])
        assert result.out == [f"{path}: 1 rule, all as expected"]
        return path.read_text(encoding="utf-8")

    assert json.loads(report("json"))["rules"][0]["verdict"] == "passed"
    assert ElementTree.fromstring(report("junit")).find("testsuite/testcase") is not None
    assert report("html").startswith("<!doctype html>")
    assert report("text").startswith("Fake 1.2.3 at ")
    printed = call("conformance", fake.url, "--rules", OPEN_TWICE, "--format", "json")
    assert json.loads("\n".join(printed.out))["spec"] == "0-9-1-rabbitmq"
    evidence = call("conformance", fake.url, "--rules", OPEN_TWICE, "--evidence")
    assert any("-> ChannelOpen()" in line for line in evidence.out)


def test_what_a_broker_says_cannot_play_with_the_terminal() -> None:
    with fake_broker({"channel.open": say(amqp.methods.ChannelClose(404, "\x1b[2J\r\n\x07"))}) as fake:
        result = call("conformance", fake.url, "--rules", OPEN_TWICE, "--evidence")
    assert all(line.isprintable() for line in result.out)


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("empty")
def test_no_broker() -> None:
    url = f"amqp://guest:secret@127.0.0.1:{closed_port()}/"
    (line,) = refused("conformance", url)
    assert line == f"error: no connection to {url.replace(':secret', '')}: Connection refused [no-broker]"


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"protocol header": hang_up}, "expected connection.start, but the broker closed the socket"),
        (
            {"connection.start-ok": say(amqp.methods.ConnectionClose(403, "who?"))},
            "got connection.close 403 (who?)",
        ),
        ({"connection.open": keep_silent}, "expected connection.open-ok, got no answer"),
    ],
)
def test_a_broker_that_does_not_let_us_in(answers: dict[str, object], says: str) -> None:
    with fake_broker(answers) as fake:  # type: ignore[arg-type]
        (line,) = refused("conformance", fake.url, "--timeout", "0.4")
    assert line.startswith(f"error: amqp://guest@127.0.0.1:{fake.port}/ does not let us in: ")
    assert line.endswith(f"{says} [no-broker]")


@pytest.mark.usefixtures("empty")
def test_a_broker_of_another_version(fake: FakeBroker) -> None:
    """It answers the protocol header of 1.0 with a frame of 0-9-1, as brokers do that know no other."""
    (line,) = refused("conformance", fake.url, "--spec", "1.0")
    assert "does not let us in: expected the protocol header" in line
    assert line.endswith("(it speaks another version: --spec says which one to try) [no-broker]")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["localhost:5672"], "'localhost:5672' is no URL of a broker (it looks like amqp://"),
        (["http://localhost/"], "'http://localhost/' is no URL of a broker"),
        (["amqp://localhost:port/"], "'amqp://localhost:port/' is no URL of a broker (Port could not be"),
        (["amqp://[::1/"], "'amqp://[::1/' is no URL of a broker"),
        (
            ["amqp://localhost/", "--rules", "no/such"],
            "no rule of 0-9-1-rabbitmq fits 'no/such' (a path looks like",
        ),
        (["amqp://localhost/", "-o", "no/such/report"], "there is no folder 'no/such' for 'no/such/report'"),
    ],
)
def test_wrong_calls(arguments: list[str], says: str) -> None:
    (line,) = refused("conformance", *arguments)
    assert line.startswith(f"error: {says}")


@pytest.mark.usefixtures("empty")
def test_wrong_options() -> None:
    for option in (["--spec", "0-10"], ["--format", "xml"], ["--workers", "0"], ["--no-such"]):
        assert refused("conformance", "amqp://localhost/", *option)
    assert refused("conformance")


def test_expectations_that_are_wrong(fake: FakeBroker, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('["0-9-1"]\n"queue/none" = 1\n', encoding="utf-8")
    result = call("conformance", fake.url, "--expectations", wrong)
    assert (result.code, result.out) == (2, [])
    assert result.err == [f"error: {wrong}: 0-9-1-rabbitmq has no rule 'queue/none' [wrong-expectations]"]
    assert all(frame.NAME.startswith("connection.") for frame in fake.came)


# --- in a process of its own ---


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-B", "-m", "amqp_codegen", "conformance", *arguments]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "codegen"), "TERM": "xterm", "COLUMNS": "80"}


def test_progress_on_a_terminal_only(fake: FakeBroker) -> None:
    arguments = (fake.url, "--rules", OPEN_TWICE)
    shown = on_terminal("conformance", *arguments, stream="stderr", COLUMNS="80")
    assert "[##############################] 1/1 channel.open/state" in shown
    assert shown.endswith("\r\x1b[K")
    piped = subprocess.run(
        command(*arguments), env=ENVIRONMENT, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert b"#" not in piped.stdout


@pytest.mark.parametrize(
    ("number", "code", "says"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")]
)
def test_a_run_cut_short_cleans_up_and_reports_what_is_known(
    number: signal.Signals, code: int, says: str, tmp_path: Path
) -> None:
    """The broker never answers queue.delete of a trial's: that trial waits when the signal comes."""
    asked = threading.Event()

    def wait(conversation: object, channel: int, method: amqp.methods.QueuePurge) -> None:
        asked.set()

    report = tmp_path / "report.json"
    with fake_broker({"queue.purge": wait}) as fake:
        process = subprocess.Popen(
            command(
                fake.url,
                "--rules",
                "queue.[dp]*/[mp]*",
                "--workers",
                "1",
                "--format",
                "json",
                "-o",
                str(report),
            ),
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert asked.wait(PATIENCE)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (code, says)
    rules = {rule["path"]: rule for rule in json.loads(report.read_text(encoding="utf-8"))["rules"]}
    assert rules["queue.declare/minimum-queues"]["verdict"] == "passed"
    assert rules["queue.purge.queue/must-exist"]["verdict"] == "inconclusive"
    assert rules["queue.delete.queue/must-exist"]["detail"] == "not run: interrupted"
    declared = {frame.queue for frame in fake.came if isinstance(frame, amqp.methods.QueueDeclare)}
    deleted = {frame.queue for frame in fake.came if isinstance(frame, amqp.methods.QueueDelete)}
    assert declared
    assert declared <= deleted
