"""The program of ``examples/trio_client.py``, run as a user would."""

from __future__ import annotations

import socket
import threading

import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.patience import PATIENCE

from .programs import NOWHERE, ROOT, STRANGER, URL, closed_port, error_line, peer, run_program

pytest.importorskip("trio")
__all__ = ["closed_port"]
PROGRAM = ROOT / "examples" / "trio_client.py"

m = amqp.methods
# What a broker says to a client that publishes, and then nothing more.
ANSWERS = (
    (0, m.ConnectionStart(0, 9, {"product": "none", "version": "0"}, b"PLAIN")),
    (0, m.ConnectionTune(heartbeat=1)),
    (0, m.ConnectionOpenOk()),
    (1, m.ChannelOpenOk()),
    (1, m.QueueDeclareOk("q")),
)


def test_a_broker_that_takes_nothing_any_more() -> None:
    """It is given up, though what waits to be sent never leaves."""
    is_over = threading.Event()

    def serve(connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for channel, method in ANSWERS:
            connection.recv(1 << 16)
            connection.sendall(amqp.encode_frame(channel, method))
        is_over.wait(PATIENCE)

    with peer(serve) as url:
        done = run_program(PROGRAM, url, "100000")
        is_over.set()
    assert error_line(done) == "error: nothing came for two heartbeats"


@pytest.mark.broker
@pytest.mark.parametrize("messages", [0, 3, 5000])
def test_it_publishes_and_consumes(messages: int) -> None:
    done = run_program(PROGRAM, URL, str(messages))
    assert (done.returncode, done.stderr) == (0, "")
    connected, told = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert told == f"{messages} messages published, {messages} confirmed, {messages} received"


@pytest.mark.broker
def test_what_the_broker_refuses() -> None:
    assert "403 ACCESS_REFUSED - Login was refused" in error_line(run_program(PROGRAM, STRANGER))
    assert "530 NOT_ALLOWED - vhost no such not found" in error_line(run_program(PROGRAM, NOWHERE))


def test_no_broker(closed_port: int) -> None:
    done = run_program(PROGRAM, f"amqp://127.0.0.1:{closed_port}")
    assert error_line(done).startswith("error: ")
