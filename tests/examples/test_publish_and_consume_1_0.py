"""The program of ``examples/publish_and_consume_1_0.py``, run as a user would."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pika
import pytest

from .programs import ROOT, STRANGER, URL, answering, closed_port, error_line, peer, run_program

__all__ = ["closed_port"]
PROGRAM = ROOT / "examples" / "publish_and_consume_1_0.py"
SASL = b"AMQP\x03\x01\x00\x00"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_program(PROGRAM, *arguments, options=("-X", "dev"))


def refusal(url: str) -> str:
    """The one line of an error; nothing else may be said."""
    done = run(url)
    assert done.stdout == ""
    return error_line(done)


@pytest.fixture
def clean_queue() -> Iterator[None]:
    """Nothing is in the program's queue before, and it is gone after."""
    parameters = pika.URLParameters(URL if URL.rpartition("/")[2] else f"{URL}%2F")
    with pika.BlockingConnection(parameters) as connection:
        channel = connection.channel()
        channel.queue_delete("amqp-codegen.example")
        yield
        assert channel.queue_delete("amqp-codegen.example").method.message_count == 0


@pytest.mark.broker
def test_it_says_what_it_does(clean_queue: None) -> None:
    done = run(URL, "-n", "2")
    assert (done.returncode, done.stderr) == (0, "")
    connected, *rest = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    if not connected.startswith("connected to RabbitMQ 3"):
        assert rest.pop(0) == "declared the classic queue amqp-codegen.example"
    assert rest == [
        "published 2 messages, all accepted",
        "received 'Hello, number 1!' with properties {'number': UInt(1), 'even': False}",
        "received 'Hello, number 2!' with properties {'number': UInt(2), 'even': True}",
        "accepted 2 messages",
        "closed",
    ]


@pytest.mark.broker
def test_many_messages(clean_queue: None) -> None:
    done = run(URL, "-n", "500")
    assert (done.returncode, done.stderr) == (0, "")
    assert "published 500 messages, all accepted" in done.stdout
    assert done.stdout.count("received 'Hello") == 500


@pytest.mark.broker
def test_what_the_broker_refuses() -> None:
    assert "the broker refuses user 'nobody'" in refusal(STRANGER)


def test_no_broker(closed_port: int) -> None:
    line = refusal(f"amqp://127.0.0.1:{closed_port}")
    assert line.startswith(f"error: 127.0.0.1:{closed_port}: ")
    assert line.endswith("Connection refused")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"", "it does not speak AMQP 1.0: it answers b''"),
        (b"AMQP\0\0\x09\x01", "it does not speak AMQP 1.0: it answers b'AMQP\\x00\\x00\\t\\x01'"),
        (SASL, "the broker hung up"),
        (SASL + b"HTTP/1.1", "exceeds the maximum"),
        (
            SASL + bytes.fromhex("0000000c 02000000 0053 1845"),
            "SaslMechanisms was due, Close(error=None) came",
        ),
        (SASL + bytes.fromhex("00000011 02010000 0053 40c0 04 01 a3 0158"), "user and a password"),
    ],
    ids=["nothing", "0-9-1", "end", "nonsense", "another frame", "another mechanism"],
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
    assert "publish_and_consume_1_0.py: error: argument " in done.stderr
    assert "Traceback" not in done.stderr
