"""The program of ``examples/blocking_client.py``, run as a user would; docs/engine.md begins with it."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import count
from types import SimpleNamespace
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq.client import connection as engine

from .programs import NOWHERE, ROOT, STRANGER, URL, closed_port, error_line, run_program

__all__ = ["closed_port"]
PROGRAM = ROOT / "examples" / "blocking_client.py"


@pytest.mark.broker
@pytest.mark.parametrize("messages", [3, 5000])
def test_it_publishes_and_consumes(messages: int) -> None:
    done = run_program(PROGRAM, URL, str(messages))
    assert (done.returncode, done.stderr) == (0, "")
    connected, told = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert told == f"{messages} messages published, {messages} confirmed, {messages} received"


def test_heartbeats_while_the_broker_never_stops_to_send(monkeypatch: pytest.MonkeyPatch) -> None:
    """A consumer without acknowledgements has nothing else to send."""
    sys.path.append(str(ROOT / "examples"))
    program: Any = import_module("blocking_client")
    clock = count(100.0, 0.1)
    monkeypatch.setattr(program, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    broker = amqp.Connection(amqp.ServerSettings(heartbeat=1))
    client = amqp.Connection(amqp.ClientSettings(login=amqp.PlainLogin("guest", "guest")))
    broker.start(0.0)
    client.start(next(clock))
    sent: list[bytes] = []

    def send(octets: bytes) -> None:
        sent.append(octets)
        if octets and octets != amqp.encode_frame(0, amqp.Heartbeat()):
            broker.receive_data(octets, 0.0)
        while (event := broker.next_event()) is not None:
            if isinstance(event, engine.LoginRequested):
                broker.accept_login()
            elif isinstance(event, engine.OpenRequested):
                broker.accept_open()

    def receive(_: int) -> bytes:
        if len(sent) == 100:
            broker.close()
        return broker.data_to_send() or amqp.encode_frame(0, amqp.Heartbeat())

    stream = SimpleNamespace(settimeout=lambda _: None, sendall=send, recv=receive)
    assert isinstance(program.next_event(client, stream), engine.Opened)
    assert isinstance(program.next_event(client, stream), engine.Closed)
    assert sent.count(amqp.encode_frame(0, amqp.Heartbeat())) > 10


def test_the_document_has_its_text() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    start, stop = text.index("def next_event"), text.index("\n\nif __name__")
    assert text[start:stop].rstrip("\n") in (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")


@pytest.mark.broker
def test_what_the_broker_refuses() -> None:
    assert "403 ACCESS_REFUSED - Login was refused" in error_line(run_program(PROGRAM, STRANGER))
    assert "530 NOT_ALLOWED - vhost no such not found" in error_line(run_program(PROGRAM, NOWHERE))


def test_no_broker(closed_port: int) -> None:
    done = run_program(PROGRAM, f"amqp://127.0.0.1:{closed_port}")
    assert error_line(done).startswith("error: ")
