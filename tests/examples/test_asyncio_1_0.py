"""The program of ``examples/asyncio_1_0.py``, run as a user would: with proton on the other side, and with RabbitMQ."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import amqp_1_0 as amqp
import pika
import pytest
from amqp_1_0.performatives import Begin, Flow, Open
from amqp_1_0.sasl import SaslCode, SaslMechanisms, SaslOutcome

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .programs import ROOT, URL, closed_port, error_line, peer, run_program

__all__ = ["closed_port"]
PROGRAM = ROOT / "examples" / "asyncio_1_0.py"
QUEUE = "amqp-codegen.asyncio-example"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_program(PROGRAM, *arguments)


@pytest.fixture(scope="module")
def proton_url() -> Iterator[str]:
    pytest.importorskip("proton", reason="python-qpid-proton is not installed: pip install .[peers]")
    from tests.live_runner.amqp1 import proton_broker

    with proton_broker.running() as url:
        yield url


@pytest.mark.parametrize("count", [1, 50, 400])
def test_with_proton(proton_url: str, count: int) -> None:
    """400 messages are eight times the credit, and more frames than two session windows."""
    done = run(proton_url, f"queue-{count}", str(count))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "connected to proton-broker, frames of up to 32768 octets",
        f"sent {count} messages, {count} accepted",
        f"received and accepted {count} messages, the same",
        "closed",
    ]


def test_a_node_that_is_not_there(proton_url: str) -> None:
    assert "no node 'not/there'" in error_line(run(proton_url, "not/there", "1"))


@pytest.mark.broker
def test_with_rabbitmq() -> None:
    parameters = pika.URLParameters(URL if URL.rpartition("/")[2] else f"{URL}%2F")
    with pika.BlockingConnection(parameters) as connection:
        channel = connection.channel()
        channel.queue_delete(QUEUE)
        channel.queue_declare(QUEUE)
        try:
            is_new = not connection._impl.server_properties["version"].startswith("3")
            done = run(URL, f"/queues/{QUEUE}" if is_new else f"/amq/queue/{QUEUE}", "400")
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout.splitlines()[1:] == [
                "sent 400 messages, 400 accepted",
                "received and accepted 400 messages, the same",
                "closed",
            ]
        finally:
            assert channel.queue_delete(QUEUE).method.message_count == 0


def test_no_broker(closed_port: int) -> None:
    assert "Connect call failed" in error_line(run(f"amqp://127.0.0.1:{closed_port}", "queue", "1"))


BEGIN = Begin(remote_channel=0, next_outgoing_id=0, incoming_window=1, outgoing_window=1)
FLOW = Flow(next_incoming_id=2**31, incoming_window=1, next_outgoing_id=0, outgoing_window=1)


@pytest.mark.parametrize(
    ("mechanisms", "answers", "says"),
    [
        (["PLAIN"], [], "the peer only offers PLAIN"),
        (["ANONYMOUS"], [Open("peer"), BEGIN], "the peer hung up"),
        (["ANONYMOUS"], [Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1)], "Open was due"),
        (["ANONYMOUS"], [Open("peer"), BEGIN, FLOW], "amqp:invalid-field"),
    ],
    ids=["another mechanism", "end", "no open", "an id that cannot be"],
)
def test_a_peer_that_breaks_the_rules(mechanisms: list[str], answers: list[Any], says: str) -> None:
    octets = [
        amqp.PROTOCOL_HEADERS["sasl"] + amqp.encode_frame(0, SaslMechanisms(mechanisms)),
        amqp.encode_frame(0, SaslOutcome(SaslCode.OK)),
        amqp.PROTOCOL_HEADERS["amqp"] + b"".join(amqp.encode_frame(0, answer) for answer in answers),
    ]

    def serve(connection: socket.socket) -> None:
        with suppress(OSError):  # the program may have gone
            for piece in octets:
                connection.recv(4096)
                connection.sendall(piece)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass

    with peer(serve) as url:
        assert says in error_line(run(url, "queue", "1"))


def test_it_is_short() -> None:
    assert len(PROGRAM.read_text("utf-8").splitlines()) < 200


def test_it_is_typed(shared: Shared, tmp_path: Path) -> None:
    done = run_mypy(shared, PROGRAM, cwd=tmp_path, path=ROOT / "generated")
    assert done.returncode == 0, done.stdout
