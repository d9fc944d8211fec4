"""The program of ``examples/publish_and_consume.py``, run as a user would."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "examples" / "publish_and_consume.py"
URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-X", "dev", str(PROGRAM), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generated"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of an error; nothing else may be said."""
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture
def port() -> Iterator[int]:
    """A port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def answers() -> Iterator[tuple[int, list[bytes]]]:
    """A port that answers the first octets with what the test puts into the list, then hangs up."""
    answers: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(8)
                connection.sendall(b"".join(answers))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], answers
        thread.join(PATIENCE)


@pytest.mark.broker
def test_it_says_what_it_does() -> None:
    done = run(URL, "-n", "2")
    assert (done.returncode, done.stderr) == (0, "")
    connected, declared, *rest = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert declared.startswith("declared amq.gen-")
    assert rest == [
        "published 2 messages, all confirmed",
        "received 'Hello, number 1!' with headers {'number': 1, 'even': False, 'of': {'total': 2}}",
        "received 'Hello, number 2!' with headers {'number': 2, 'even': True, 'of': {'total': 2}}",
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
    parts = urlsplit(URL)
    stranger = parts._replace(netloc=f"nobody:wrong@{parts.netloc.rpartition('@')[2]}")
    assert "403 ACCESS_REFUSED - Login was refused" in error_line(run(stranger.geturl()))
    nowhere = parts._replace(path="/no%20such")
    assert "530 NOT_ALLOWED - vhost no such not found" in error_line(run(nowhere.geturl()))


def test_no_broker(port: int) -> None:
    line = error_line(run(f"amqp://127.0.0.1:{port}"))
    assert line.startswith(f"error: 127.0.0.1:{port}: ")
    assert line.endswith("Connection refused")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"", "the broker hung up when ConnectionStart was due"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "there is no frame type 72"),
        (b"\x08\0\0\0\0\0\0\xce", "ConnectionStart was due, Heartbeat() came"),
    ],
)
def test_what_listens_is_no_broker(answers: tuple[int, list[bytes]], answer: bytes, says: str) -> None:
    port, to_send = answers
    to_send.append(answer)
    assert says in error_line(run(f"amqp://127.0.0.1:{port}"))


@pytest.mark.parametrize(
    "arguments", [["http://localhost"], ["amqp://localhost:99999"], ["-n", "0"], ["-n", "x"]]
)
def test_wrong_arguments(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "publish_and_consume.py: error: argument " in done.stderr
    assert "Traceback" not in done.stderr
