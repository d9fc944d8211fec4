"""Where the password comes from, and where it must not be seen."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import termios
import time
from pathlib import Path

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_1_0.sasl import SaslMechanisms
from amqp_codegen.model.problem import SpecError
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.password import PasswordSources
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.reports.forms import REPORTS

from tests.cli.command_calls import ROOT, call, refused
from tests.patience import PATIENCE

from .amqp1 import fake_peer
from .fake_broker import FakeBroker, fake_broker
from .patience import patiently

RULE = ("--rules", "channel.open/state")
SECRET = "s3cr3t-Word"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AMQP_PASSWORD", raising=False)


def login(fake: FakeBroker) -> str:
    """Return the password of the first login that came."""
    starts = [frame for frame in fake.came if isinstance(frame, amqp.methods.ConnectionStartOk)]
    return starts[0].response.split(b"\0")[2].decode()


def test_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{SECRET}\nand what else is there\n", encoding="utf-8")
    with fake_broker() as fake:
        url = f"amqp://someone:other@127.0.0.1:{fake.port}/"
        assert call("conformance", url, *RULE, "--password-file", file).code == 0
        assert login(fake) == SECRET
        fake.came.clear()
        assert call("conformance", url, *RULE, "--password-file", "-", stdin="piped\n").code == 0
        assert login(fake) == "piped"


def test_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMQP_PASSWORD", SECRET)
    with fake_broker() as fake:
        assert call("conformance", f"amqp://someone@127.0.0.1:{fake.port}/", *RULE).code == 0
        assert login(fake) == SECRET
        fake.came.clear()
        assert call("conformance", f"amqp://someone:named@127.0.0.1:{fake.port}/", *RULE).code == 0
        assert login(fake) == "named"


@pytest.mark.parametrize(
    ("url", "sources", "password"),
    [
        ("amqp://host/", PasswordSources(), "guest"),
        ("amqp://host/", PasswordSources(ask=lambda user: "asked"), "guest"),
        ("amqp://me@host/", PasswordSources(), "guest"),
        ("amqp://me@host/", PasswordSources(ask=lambda user: f"asked of {user}"), "asked of me"),
        ("amqp://me@host/", PasswordSources(None, {"AMQP_PASSWORD": "set"}, lambda user: "asked"), "set"),
        ("amqp://me:@host/", PasswordSources(ask=lambda user: "asked"), ""),
        ("amqp://me:a%40b%2F@host/", PasswordSources(), "a@b/"),
    ],
)
def test_what_comes_first(url: str, sources: PasswordSources, password: str) -> None:
    assert read_target(url, sources).password == password


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "No such file or directory"),
        (b"", "its first line is the password, and is empty"),
        (b"\nx", "its first line is the password, and is empty"),
        (b"\xff\xfe", "not UTF-8 text"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, content: bytes | None, says: str) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    (line,) = refused("conformance", "amqp://someone@localhost/", "--password-file", file)
    assert line == f"error: --password-file {file}: {says} [wrong-password-file]"


@pytest.mark.parametrize(
    "url",
    [
        f"http://someone:{SECRET}@localhost/",
        f"someone:{SECRET}@localhost",
        f"amqp:/someone:{SECRET}@localhost",
        f"amqp://someone:{SECRET}@localhost:port/",
        f"amqp://someone:{SECRET}@[::1/",
        f"amqp://someone:{SECRET}@",
        f"amqp://someone:x/{SECRET}@localhost/",
        f"amqp://someone:x@{SECRET}@localhost/",
        f"amqp://someone:x@y/{SECRET}@localhost/",
        f"amqp://someone:x#{SECRET}@localhost/",
        f"amqp://someone:x?{SECRET}@localhost/",
        f"amqp://someone:x[{SECRET}@localhost/",
    ],
)
def test_no_message_shows_it(url: str) -> None:
    with pytest.raises(SpecError) as caught:
        read_target(url)
    assert SECRET not in str(caught.value)
    assert "someone" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_text_form_shows_it() -> None:
    target = read_target(f"amqp://someone:{SECRET}@localhost/")
    assert SECRET not in f"{target} {target!r}"
    assert SECRET not in repr(PasswordSources(None, {"AMQP_PASSWORD": SECRET}))


def hidden(report: str) -> bool:
    return SECRET not in report and SECRET.encode().hex() not in report


@pytest.mark.parametrize("form", sorted(REPORTS))
def test_no_report_shows_it(form: str) -> None:
    with fake_broker() as fake:
        target = read_target(f"amqp://someone:{SECRET}@127.0.0.1:{fake.port}/")
        run = carry_out(prepare(RunRequest(target, "0-9-1", "channel.open/*")))
    assert any(result.evidence for result in run.results)
    assert hidden(REPORTS[form](run, True))


@patiently
def test_no_report_of_1_0_shows_it(monkeypatch: pytest.MonkeyPatch, timeout: float) -> None:
    """Some rules of SASL are tried by octets that no codec makes: these hold the password, too."""
    monkeypatch.setattr(fake_peer, "SaslMechanisms", lambda names: SaslMechanisms(["PLAIN"]))
    with fake_peer.running() as peer:
        target = read_target(peer.url.replace("//", f"//someone:{SECRET}@"))
        run = carry_out(prepare(RunRequest(target, "1.0", "sasl/*", timeout=timeout)))
    sent = [
        exchange for result in run.results for exchange in result.evidence if exchange.direction == "sent"
    ]
    assert any(b"\0someone\0***" in exchange.octets for exchange in sent if "FF FF" in exchange.text)
    for report in REPORTS.values():
        assert hidden(report(run, True))


def ask_on_a_terminal(url: str, typed: str) -> tuple[int, str]:
    """Run the command on a terminal of its own; return exit code and all that the terminal shows."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-B", "-m", "amqp_codegen", "conformance", url, *RULE]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "codegen"), "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(
        command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = ""
    try:
        while "Password of" not in shown:
            shown += os.read(ours, 4096).decode()
        while termios.tcgetattr(ours)[3] & termios.ECHO:  # it is turned off just behind the question
            time.sleep(0.01)
        os.write(ours, f"{typed}\n".encode())
        while True:
            shown += os.read(ours, 4096).decode()
    except OSError:  # the other side is closed
        code = process.wait(PATIENCE)
    finally:
        os.close(ours)
        process.kill()
    return code, shown


def test_asked_for_at_the_terminal() -> None:
    with fake_broker() as fake:
        code, shown = ask_on_a_terminal(f"amqp://someone@127.0.0.1:{fake.port}/", SECRET)
        assert login(fake) == SECRET
    assert code == 0
    assert re.search("Password of someone: ", shown)
    assert "1 passed" in shown
    assert SECRET not in shown


def test_nothing_is_asked_where_there_is_no_terminal() -> None:
    with fake_broker() as fake:
        assert call("conformance", f"amqp://someone@127.0.0.1:{fake.port}/", *RULE).code == 0
        assert login(fake) == "guest"


def test_the_report_of_a_run_is_json(tmp_path: Path) -> None:
    """The address in it is without the password."""
    with fake_broker() as fake:
        url = f"amqp://someone:{SECRET}@127.0.0.1:{fake.port}/"
        result = call("conformance", url, *RULE, "--format", "json")
    assert json.loads("\n".join(result.out))["target"] == f"amqp://someone@127.0.0.1:{fake.port}/"
