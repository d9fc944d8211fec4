"""The program of ``examples/fake_broker.py``: a client cannot tell it from a broker."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods as m
from amqp_0_9_1_rabbitmq.client import connection as engine

from tests.patience import PATIENCE

from .programs import ROOT, run_program

PROGRAM = ROOT / "examples" / "fake_broker.py"


@pytest.fixture
def url() -> Iterator[str]:
    command = [sys.executable, "-W", "error", str(PROGRAM), "0"]
    with subprocess.Popen(
        command, env={"PYTHONPATH": str(ROOT / "generated")}, stdout=subprocess.PIPE, text=True
    ) as broker:
        assert broker.stdout is not None
        yield broker.stdout.readline().split()[-1]
        broker.terminate()


def test_the_blocking_client_talks_to_it(url: str) -> None:
    done = run_program(ROOT / "examples" / "blocking_client.py", url, "500")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "connected to fake 1\n500 messages published, 500 confirmed, 500 received\n"


def test_consumers_that_are_gone_and_requests_without_an_answer(url: str) -> None:
    sys.path.append(str(ROOT / "examples"))
    program: Any = import_module("blocking_client")
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port)) as stream:
        client = amqp.Connection(amqp.ClientSettings(login=amqp.PlainLogin("guest", "guest")))
        client.start(time.monotonic())
        program.next_event(client, stream)
        for channel in (client.open_channel(), client.open_channel()):
            assert program.next_event(client, stream) == engine.ChannelOpened(channel)
        client.send(1, m.QueueDeclare("q", no_wait=True))
        client.send(1, m.BasicConsume("q", "first", no_wait=True))
        client.publish(1, m.BasicPublish("", "q"), None, b"one")
        assert program.next_event(client, stream).message.body == b"one"
        client.request(1, m.BasicCancel("first"))
        client.publish(1, m.BasicPublish("", "q"), None, b"lost")
        client.request(1, m.BasicGet("q"))
        client.request(1, m.BasicConsume("q"))
        answers = [program.next_event(client, stream).method for _ in range(3)]
        assert answers[:2] == [m.BasicCancelOk("first"), m.BasicGetEmpty()]
        client.close_channel(1)
        client.publish(2, m.BasicPublish("", "q"), None, b"lost")
        client.request(2, m.QueuePurge("q"))
        assert isinstance(program.next_event(client, stream), engine.ChannelClosed)
        assert program.next_event(client, stream).method == m.QueuePurgeOk()


def test_it_ends_at_once_with_ctrl_c() -> None:
    command = [sys.executable, "-W", "error", str(PROGRAM), "0"]
    environment = {"PYTHONPATH": str(ROOT / "generated")}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as broker:
        assert broker.stdout is not None
        place = urlsplit(broker.stdout.readline().split()[-1])
        with socket.create_connection((place.hostname, place.port)) as stream:
            stream.sendall(amqp.PROTOCOL_HEADER)
            stream.recv(1)  # it is served
            broker.send_signal(signal.SIGINT)
            _, errors = broker.communicate(timeout=PATIENCE)
    assert (broker.returncode, errors) == (0, "")


def test_the_document_has_its_text() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    start, stop = text.index("class Session"), text.index("\n\ndef main")
    assert text[start:stop].rstrip("\n") in (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
