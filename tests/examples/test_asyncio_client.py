"""The program of ``examples/asyncio_client.py``, run as a user would, and its types."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.patience import PATIENCE
from tests.shared_folders import Shared
from tests.type_checks import run_mypy

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "examples" / "asyncio_client.py"
URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", str(PROGRAM), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generated"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.broker
@pytest.mark.parametrize("count", [0, 1, 2000])
def test_it_does_what_it_says(count: int) -> None:
    done = run(URL, "-n", str(count))
    assert (done.returncode, done.stderr) == (0, "")
    connected, closed, confirmed, acknowledged = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert closed.startswith("channel 1 closed: 404 NOT_FOUND - no queue 'no-such-queue' in vhost ")
    # The number of the closed channel is used again.
    assert confirmed == f"channel 1: {count} of {count} messages confirmed"
    assert acknowledged.startswith(f"{count} messages acknowledged, 0 left; ")


@pytest.mark.broker
def test_heartbeats_keep_it_alive() -> None:
    """RabbitMQ hangs up after two seconds without an octet; five are enough for it to notice."""
    done = run(URL, "-n", "1", "--idle", "5")
    assert (done.returncode, done.stderr) == (0, "")
    found = re.search(r"0 left; (\d+) heartbeats came$", done.stdout)
    assert found is not None
    assert int(found[1]) >= 4


@pytest.mark.broker
def test_what_the_broker_refuses() -> None:
    parts = urlsplit(URL)
    stranger = parts._replace(netloc=f"nobody:wrong@{parts.netloc.rpartition('@')[2]}")
    assert "403 ACCESS_REFUSED - Login was refused" in error_line(run(stranger.geturl()))
    nowhere = parts._replace(path="/no%20such")
    assert "530 NOT_ALLOWED - vhost no such not found" in error_line(run(nowhere.geturl()))


@pytest.fixture
def server() -> Iterator[tuple[str, list[bytes]]]:
    """The URL of a peer that says what the test puts into the list, one piece for each it hears.

    After an empty last piece it hangs up.
    """
    pieces: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                for piece in filter(None, pieces):
                    connection.recv(1 << 16)
                    connection.sendall(piece)
                if pieces[-1]:
                    with suppress(ConnectionResetError):
                        connection.recv(1 << 16)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"amqp://127.0.0.1:{listener.getsockname()[1]}/", pieces
        thread.join(PATIENCE)


m = amqp.methods


@pytest.mark.parametrize(
    ("pieces", "says"),
    [
        ([b"HTTP/1.1 400 Bad Request\r\n\r\n"], "error: there is no frame type 72"),
        ([b"\x01\0\1\0\0", b""], "error: the broker hung up"),
        (
            [amqp.encode_frame(0, m.ConnectionStart()), amqp.encode_frame(0, m.ConnectionTune(0, 100))],
            "error: frames of 100 octets are proposed, 4096 is the least (502)",
        ),
        (
            [amqp.encode_frame(0, m.ConnectionStart()), amqp.encode_frame(1, amqp.ContentBody(b"x"))],
            "error: channel 1: expected a method, got a content body (505)",
        ),
    ],
)
def test_peers_that_are_no_brokers(server: tuple[str, list[bytes]], pieces: list[bytes], says: str) -> None:
    url, to_send = server
    to_send += pieces
    assert error_line(run(url)).startswith(says)


def test_a_silent_peer() -> None:
    """A peer that logs us in and says nothing more is given up after two intervals."""
    logins: list[amqp.Method] = [
        m.ConnectionStart(server_properties={"product": "none", "version": "0"}),
        m.ConnectionTune(heartbeat=1),
        m.ConnectionOpenOk(),
    ]
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                for method in logins:
                    connection.recv(1 << 16)
                    connection.sendall(amqp.encode_frame(0, method))
                while connection.recv(1 << 16):
                    pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        done = run(f"amqp://127.0.0.1:{listener.getsockname()[1]}/")
        thread.join(PATIENCE)
    assert error_line(done) == "error: the broker is silent for two intervals"


def test_it_is_short() -> None:
    assert len(PROGRAM.read_text("utf-8").splitlines()) < 200


def test_types(shared: Shared, tmp_path: Path) -> None:
    """Strict mypy has nothing to say, and nothing is hidden from it."""
    assert "type: ignore" not in PROGRAM.read_text("utf-8")
    done = run_mypy(shared, PROGRAM, cwd=tmp_path, path=ROOT / "generated")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
