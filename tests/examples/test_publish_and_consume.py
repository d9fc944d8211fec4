"""The program of ``examples/publish_and_consume.py``, run as a user would."""

from __future__ import annotations

import subprocess

import pytest

from .programs import NOWHERE, ROOT, STRANGER, URL, answering, closed_port, error_line, peer, run_program

__all__ = ["closed_port"]
PROGRAM = ROOT / "examples" / "publish_and_consume.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_program(PROGRAM, *arguments, options=("-X", "dev"))


def refusal(url: str) -> str:
    """The one line of an error; nothing else may be said."""
    done = run(url)
    assert done.stdout == ""
    return error_line(done)


@pytest.mark.broker
def test_it_says_what_it_does() -> None:
    done = run(URL, "-n", "2")
    assert (done.returncode, done.stderr) == (0, "")
    connected, declared, *rest = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert declared.startswith("declared amq.gen-")
    assert rest == [
        "published 2 messages, all confirmed",
        "received 'Hello, number 1!' with headers {'even': False, 'number': 1, 'of': {'total': 2}}",
        "received 'Hello, number 2!' with headers {'even': True, 'number': 2, 'of': {'total': 2}}",
        "acknowledged 2 messages, 0 left in the queue",
        "closed",
    ]


@pytest.mark.broker
def test_many_messages() -> None:
    done = run(URL, "-n", "2000")
    assert (done.returncode, done.stderr) == (0, "")
    assert "published 2000 messages, all confirmed" in done.stdout
    assert done.stdout.count("received 'Hello") == 2000


@pytest.mark.broker
def test_what_the_broker_refuses() -> None:
    assert "403 ACCESS_REFUSED - Login was refused" in refusal(STRANGER)
    assert "530 NOT_ALLOWED - vhost no such not found" in refusal(NOWHERE)


def test_no_broker(closed_port: int) -> None:
    line = refusal(f"amqp://127.0.0.1:{closed_port}")
    assert line.startswith(f"error: 127.0.0.1:{closed_port}: ")
    assert line.endswith("Connection refused")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"", "the broker hung up when ConnectionStart was due"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "there is no frame type 72"),
        (b"\x08\0\0\0\0\0\0\xce", "ConnectionStart was due, Heartbeat() came"),
    ],
)
def test_what_listens_is_no_broker(answer: bytes, says: str) -> None:
    with peer(answering(answer)) as url:
        assert says in refusal(url)


@pytest.mark.parametrize(
    "arguments", [["http://localhost"], ["amqp://localhost:99999"], ["-n", "0"], ["-n", "x"]]
)
def test_wrong_arguments(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "publish_and_consume.py: error: argument " in done.stderr
    assert "Traceback" not in done.stderr
