"""How much processor time aiormq takes for a message, in turns: with pamqp, and with our codec in Python and in C.

    .venv/clients/bin/python -m benchmarks.clients [--messages 4000] [--rounds 5]

Needs a RabbitMQ, at AMQP_URL or localhost:5672, and for our codec in C `amqp_native` in the same environment:
``.venv/clients/bin/python -m pip install ./native``. Each turn is a process of its own; the least of all turns is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
CODECS = ("pamqp", "pure", "native")
BODY = bytes(200)
HEADERS = {"kind": "order", "number": 12345, "retry": False}
AT_ONCE = 100


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clients")
    parser.add_argument("--messages", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turn", choices=CODECS, help="one turn, in this process")
    arguments = parser.parse_args()
    if arguments.turn:
        print(json.dumps(turn(arguments.turn, arguments.messages)))
        return
    codecs = CODECS if find_spec("amqp_native") else CODECS[:-1]
    best: dict[str, dict[str, float]] = {codec: {} for codec in codecs}
    for _ in range(arguments.rounds):
        for codec in codecs:
            for name, seconds in run_turn(codec, arguments.messages).items():
                best[codec][name] = min(seconds, best[codec].get(name, seconds))
    for name, pamqp in best["pamqp"].items():
        for codec, times in best.items():
            microseconds = times[name] / arguments.messages * 1e6
            print(f"{name:8} {codec:6} {microseconds:6.1f} us  ratio {pamqp / times[name]:.2f}")


def run_turn(codec: str, messages: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.clients", "--turn", codec, "--messages", str(messages)]
    environment = {**os.environ, "AMQP_PURE": "" if codec == "native" else "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def turn(codec: str, messages: int) -> dict[str, float]:
    """Publish and consume; the processor time of each."""
    if codec != "pamqp":
        sys.path.insert(0, str(ROOT / "generated"))
        from examples import aiormq_adapter

        aiormq_adapter.install()
        aiormq_adapter.read_in_chunks()
    return asyncio.run(publish_and_consume(messages))


async def publish_and_consume(messages: int) -> dict[str, float]:
    import aiormq

    connection = await aiormq.connect(URL)
    channel = await connection.channel(publisher_confirms=False)
    queue = (await channel.queue_declare("", exclusive=True)).queue or ""

    async def publish() -> None:
        for _ in range(messages):
            properties = aiormq.spec.Basic.Properties(headers=HEADERS, content_type="text/plain")
            await channel.basic_publish(BODY, routing_key=queue, properties=properties, wait=False)
        while (await channel.queue_declare(queue, passive=True)).message_count < messages:
            await asyncio.sleep(0.05)

    async def consume() -> None:
        done = asyncio.Event()
        count = 0

        async def receive(message: Any) -> None:
            nonlocal count
            count += 1
            if count % AT_ONCE == 0:
                await channel.basic_ack(message.delivery_tag, multiple=True)
            if count == messages:
                done.set()

        await channel.basic_qos(prefetch_count=2 * AT_ONCE)
        await channel.basic_consume(queue, receive)
        await done.wait()

    times = {"publish": await timed(publish), "consume": await timed(consume)}
    await connection.close()
    return times


async def timed(body: Callable[[], Awaitable[None]]) -> float:
    start = time.process_time()
    await body()
    return time.process_time() - start


if __name__ == "__main__":
    main()
