"""The program of ``examples/asyncio_client.py``, run as a user would, and its types."""

from __future__ import annotations

import re
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .programs import NOWHERE, ROOT, STRANGER, URL, error_line, peer, run_program

PROGRAM = ROOT / "examples" / "asyncio_client.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_program(PROGRAM, *arguments)


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
    assert "403 ACCESS_REFUSED - Login was refused" in error_line(run(STRANGER))
    assert "530 NOT_ALLOWED - vhost no such not found" in error_line(run(NOWHERE))


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
def test_peers_that_are_no_brokers(pieces: list[bytes], says: str) -> None:
    """A peer says a piece for each that it hears; after an empty last one it hangs up."""

    def serve(connection: socket.socket) -> None:
        for piece in filter(None, pieces):
            connection.recv(1 << 16)
            connection.sendall(piece)
        if pieces[-1]:
            with suppress(ConnectionResetError):
                connection.recv(1 << 16)

    with peer(serve) as url:
        assert error_line(run(url)).startswith(says)


def test_a_silent_peer() -> None:
    """A peer that logs us in and says nothing more is given up after two intervals."""
    logins: list[amqp.Method] = [
        m.ConnectionStart(server_properties={"product": "none", "version": "0"}),
        m.ConnectionTune(heartbeat=1),
        m.ConnectionOpenOk(),
    ]

    def serve(connection: socket.socket) -> None:
        for method in logins:
            connection.recv(1 << 16)
            connection.sendall(amqp.encode_frame(0, method))
        while connection.recv(1 << 16):
            pass

    with peer(serve) as url:
        assert error_line(run(url)) == "error: the broker is silent for two intervals"


def test_it_is_short() -> None:
    assert len(PROGRAM.read_text("utf-8").splitlines()) < 200


def test_types(shared: Shared, tmp_path: Path) -> None:
    """Strict mypy has nothing to say, and nothing is hidden from it."""
    assert "type: ignore" not in PROGRAM.read_text("utf-8")
    done = run_mypy(shared, PROGRAM, cwd=tmp_path, path=ROOT / "generated")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
