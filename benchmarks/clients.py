"""How much processor time a client takes for a message, compared with aiormq on pamqp, in turns.

    make bench-clients [BENCH_FLAGS="--messages 4000 --rounds 5"]

A message is published with a confirm, consumed and acknowledged, a hundred at a time. ``aiormq`` is that client as it is;
``adapter`` is its public interface on the engine, by ``examples/aiormq_adapter.py``; ``engine`` is
``examples/asyncio_client.py``. Needs a RabbitMQ, at AMQP_URL or localhost:5672, and for the core in C ``amqp_native``. Each turn is
a process of its own; the least of all turns is printed, and what part of aiormq's it is. The exit code is 1 when the engine takes
more than is wanted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
CLIENTS = ("aiormq", "adapter", "engine")
BODY = bytes(200)
HEADERS: dict[str, Any] = {"kind": "order", "number": 12345, "retry": False}
AT_ONCE = 100
WANTED = 0.5  # what part of aiormq's time the engine may take


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clients")
    parser.add_argument("--messages", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turn", choices=CLIENTS, help="one turn, in this process")
    arguments = parser.parse_args()
    if arguments.turn:
        print(json.dumps(asyncio.run(turn(arguments.turn, arguments.messages))))
        return
    cores = ("in C", "in Python") if find_spec("amqp_native") else ("in Python",)
    turns = [("aiormq", "with pamqp"), *((client, core) for client in CLIENTS[1:] for core in cores)]
    best = dict.fromkeys(turns, float("inf"))
    for _ in range(arguments.rounds):
        for client, core in turns:
            best[client, core] = min(best[client, core], run_turn(client, core, arguments.messages))
    missed = False
    for (client, core), seconds in best.items():
        ratio = seconds / best[turns[0]]
        told = f", wanted {WANTED}: {'yes' if ratio <= WANTED else 'NO'}" if client == "engine" else ""
        missed = missed or "NO" in told
        print(f"{client:8} {core:10} {seconds / arguments.messages * 1e6:6.1f} us  ratio {ratio:.2f}{told}")
    sys.exit(missed)


def run_turn(client: str, core: str, messages: int) -> float:
    command = [sys.executable, "-m", "benchmarks.clients", "--turn", client, "--messages", str(messages)]
    path = os.pathsep.join(
        (str(ROOT / "generated"), str(ROOT / "examples"), os.environ.get("PYTHONPATH", ""))
    )
    environment = {**os.environ, "AMQP_PURE": "" if core == "in C" else "1", "PYTHONPATH": path}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return float(json.loads(done.stdout))


async def turn(client: str, messages: int) -> float:
    """Publish, consume and acknowledge; return the processor time of it."""
    return await (with_engine(messages) if client == "engine" else with_aiormq(messages, client))


async def with_aiormq(messages: int, client: str) -> float:
    if client == "adapter":
        import aiormq_adapter

        aiormq_adapter.install()
    import aiormq

    connection = await aiormq.connect(URL)
    channel = await connection.channel()
    queue = (await channel.queue_declare("", exclusive=True)).queue or ""
    seen, done = 0, asyncio.Event()

    async def receive(message: Any) -> None:
        nonlocal seen
        await channel.basic_ack(message.delivery_tag)
        seen += 1
        if seen == messages:
            done.set()

    def publish() -> Any:
        properties = aiormq.spec.Basic.Properties(headers=HEADERS, content_type="text/plain")
        return channel.basic_publish(BODY, routing_key=queue, properties=properties)

    start = time.process_time()
    await channel.basic_consume(queue, receive)
    for _ in range(messages // AT_ONCE):
        await asyncio.gather(*(publish() for _ in range(AT_ONCE)))
    await done.wait()
    seconds = time.process_time() - start
    await connection.close()
    return seconds


async def with_engine(messages: int) -> float:
    import amqp_0_9_1_rabbitmq as amqp
    from amqp_0_9_1_rabbitmq.client.connection import Delivered
    from amqp_0_9_1_rabbitmq.methods import BasicConsume, BasicPublish, ConfirmSelect, QueueDeclare
    from asyncio_client import Client

    place, loop = urlsplit(URL), asyncio.get_running_loop()
    login = amqp.PlainLogin(place.username or "guest", place.password or "guest")
    address = place.hostname or "localhost", place.port or 5672
    _, client = await loop.create_connection(lambda: Client(amqp.ClientSettings(login=login)), *address)
    await client.events.get()
    channel = await client.open_channel()
    queue = (await client.answer(client.commands.request(channel, QueueDeclare(exclusive=True)))).queue
    await client.answer(client.commands.request(channel, ConfirmSelect()))

    async def receive() -> None:
        seen = 0
        while seen < messages:
            event = await client.events.get()
            if isinstance(event, Delivered):
                client.commands.ack(channel, event.delivery_tag)
                seen += 1

    async def publish() -> asyncio.Future[bool]:
        properties = amqp.BasicProperties(headers=HEADERS, content_type="text/plain")
        return await client.publish(channel, BasicPublish("", queue), properties, BODY)

    start = time.process_time()
    await client.answer(client.commands.request(channel, BasicConsume(queue)))
    received = asyncio.ensure_future(receive())
    for _ in range(messages // AT_ONCE):
        await asyncio.gather(*[await publish() for _ in range(AT_ONCE)])
    await received
    seconds = time.process_time() - start
    await client.close()
    return seconds


if __name__ == "__main__":
    main()
