"""The program of ``examples/asyncio_client.py``, run as a user would, its ``Client``, and their types."""

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

EXAMPLES = ROOT / "examples"
PROGRAM = EXAMPLES / "asyncio_client.py"
DRIVER = EXAMPLES / "asyncio_driver.py"

# What costs the client its channel, another one, and a while in which only heartbeats keep the connection open.
CONVERSATION = """
import asyncio
import sys
from urllib.parse import unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.methods import BasicConsume, BasicPublish, ConfirmSelect, QueueDelete, QueueDeclare
from asyncio_client import Client


class Counting(Client):
    heartbeats = 0

    def look_at_clock(self):
        before = self.engine.buffered
        self.engine.timer(self.loop.time())
        self.heartbeats += self.engine.buffered > before
        super().look_at_clock()


async def main(url, count, idle):
    place = urlsplit(url)
    login = amqp.PlainLogin(unquote(place.username), unquote(place.password))
    settings = amqp.ClientSettings(login=login, heartbeat=1, high_water=4096)
    _, client = await asyncio.get_running_loop().create_connection(
        lambda: Counting(settings), place.hostname, place.port or 5672
    )
    await client.wait_for("opened")
    channel = await client.open_channel()
    try:
        await client.answer(client.commands.request(channel, QueueDeclare("no-such-queue", passive=True)))
    except amqp.errors.CloseError as error:
        print(f"channel {channel} closed: {error}")
        assert (await client.events.get()).error is error
        channel = await client.open_channel()
    await client.answer(client.commands.request(channel, ConfirmSelect()))
    queue = (await client.answer(client.commands.request(channel, QueueDeclare(exclusive=True)))).queue
    confirms = [await client.publish(channel, BasicPublish("", queue), None, b"x" * n) for n in range(count)]
    print(f"channel {channel}: {sum(await asyncio.gather(*confirms))} of {count} messages confirmed")
    await client.answer(client.commands.request(channel, BasicConsume(queue)))
    for number in range(count):
        delivered = await client.events.get()
        assert delivered.message.body == b"x" * number
        client.commands.ack(channel, delivered.delivery_tag)
    await asyncio.sleep(idle)
    left = (await client.answer(client.commands.request(channel, QueueDelete(queue)))).message_count
    print(f"{count} messages acknowledged, {left} left; {client.heartbeats} heartbeats sent")
    await client.close()
    await client.close()


asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_program(PROGRAM, *arguments)


def converse(folder: Path, count: int, idle: float) -> subprocess.CompletedProcess[str]:
    program = folder / "conversation.py"
    program.write_text(f"import sys\nsys.path.append({str(EXAMPLES)!r})\n{CONVERSATION}", encoding="utf-8")
    return run_program(program, URL, str(count), str(idle))


@pytest.mark.broker
@pytest.mark.parametrize("count", [0, 1, 2000])
def test_it_publishes_and_consumes(count: int) -> None:
    done = run(URL, str(count))
    assert (done.returncode, done.stderr) == (0, "")
    connected, told = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert told == f"{count} messages confirmed, {count} received and acknowledged"


@pytest.mark.broker
@pytest.mark.parametrize("count", [0, 1, 2000])
def test_a_channel_that_is_closed(tmp_path: Path, count: int) -> None:
    """The number of the closed channel is used again; two thousand messages need more room than there is at once."""
    done = converse(tmp_path, count, 0)
    assert (done.returncode, done.stderr) == (0, "")
    closed, confirmed, acknowledged = done.stdout.splitlines()
    assert closed.startswith("channel 1 closed: 404 NOT_FOUND - no queue 'no-such-queue' in vhost ")
    assert confirmed == f"channel 1: {count} of {count} messages confirmed"
    assert acknowledged.startswith(f"{count} messages acknowledged, 0 left; ")


@pytest.mark.broker
def test_heartbeats_keep_it_alive(tmp_path: Path) -> None:
    """RabbitMQ hangs up after two seconds without an octet; five are enough for it to notice."""
    done = converse(tmp_path, 1, 5)
    assert (done.returncode, done.stderr) == (0, "")
    found = re.search(r"0 left; (\d+) heartbeats sent$", done.stdout)
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
        ([b"\x01\0\1\0\0", b""], "error: the peer hung up"),
        (
            [
                amqp.encode_frame(0, m.ConnectionStart(0, 9, mechanisms=b"PLAIN")),
                amqp.encode_frame(0, m.ConnectionTune(0, 100)),
            ],
            "error: frames of 100 octets are proposed, 4096 is the least (502)",
        ),
        (
            [
                amqp.encode_frame(0, m.ConnectionStart(0, 9, mechanisms=b"PLAIN")),
                amqp.encode_frame(1, amqp.ContentBody(b"x")),
            ],
            "error: a frame on channel 1 in the state ",
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


def test_they_are_short() -> None:
    for program in (PROGRAM, DRIVER, EXAMPLES / "blocking_client.py", EXAMPLES / "trio_client.py"):
        assert len(program.read_text("utf-8").splitlines()) < 80, program


def test_a_silent_peer() -> None:
    """A peer that logs us in and says nothing more is given up after two intervals."""
    logins: list[amqp.Method] = [
        amqp.methods.ConnectionStart(0, 9, {"product": "none", "version": "0"}, b"PLAIN"),
        amqp.methods.ConnectionTune(heartbeat=1),
        amqp.methods.ConnectionOpenOk(),
    ]

    def serve(connection: socket.socket) -> None:
        for method in logins:
            connection.recv(1 << 16)
            connection.sendall(amqp.encode_frame(0, method))
        while connection.recv(1 << 16):
            pass

    with peer(serve) as url:
        assert error_line(run(url)) == "error: nothing came for two heartbeats"


def test_types(shared: Shared, tmp_path: Path) -> None:
    """Strict mypy has nothing to say, and nothing is hidden from it."""
    assert "type: ignore" not in PROGRAM.read_text("utf-8") + DRIVER.read_text("utf-8")
    for program in (PROGRAM, DRIVER):
        (tmp_path / program.name).write_bytes(program.read_bytes())
    done = run_mypy(shared, PROGRAM.name, DRIVER.name, cwd=tmp_path, path=ROOT / "generated")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
