"""A client of AMQP 0-9-1 with trio on the engine: one task sends, another receives and decides.

PYTHONPATH=generated python examples/trio_client.py [URL [MESSAGES]]
"""

import sys
from contextlib import suppress
from urllib.parse import urlsplit

import amqp_0_9_1_rabbitmq as amqp
import trio
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.methods import (
    BasicConsume,
    BasicPublish,
    ConfirmSelect,
    QueueDeclare,
    QueueDeclareOk,
)

wakeup = trio.lowlevel.ParkingLot()


async def send(connection: amqp.Connection, stream: trio.abc.Stream) -> None:
    """Send what waits as fast as the peer takes it, also while it sends to us; until the connection is closed."""
    while connection.buffered or not connection.is_closed:
        if connection.buffered:
            with suppress(trio.BrokenResourceError):  # receiving tells that
                await stream.send_all(connection.data_to_send(1 << 16))
        else:
            await wakeup.park()


async def next_event(connection: amqp.Connection, stream: trio.abc.Stream) -> engine.Event:
    """Return the next event; receive and look at the clock until there is one."""
    while (event := connection.next_event()) is None:
        wakeup.unpark_all()
        with trio.move_on_at(connection.next_timer() or float("inf")):
            try:
                connection.receive_data(await stream.receive_some(), trio.current_time())
            except trio.BrokenResourceError:
                connection.receive_eof(trio.current_time())
        connection.timer(trio.current_time())
    return event


async def main(url: str = "amqp://guest:guest@localhost:5672", messages: str = "3") -> None:
    count, seen, confirmed, queue, place = int(messages), 0, 0, "", urlsplit(url)
    login = amqp.PlainLogin(place.username or "guest", place.password or "guest")
    connection = amqp.Connection(amqp.ClientSettings(login=login))
    stream = await trio.open_tcp_stream(place.hostname or "localhost", place.port or 5672)
    connection.start(trio.current_time())
    async with stream, trio.open_nursery() as nursery:
        nursery.start_soon(send, connection, stream)
        while not isinstance(event := await next_event(connection, stream), engine.Closed):
            match event:
                case engine.Opened(server):
                    print(f"connected to {server['product']} {server['version']}")
                    connection.open_channel()
                case engine.ChannelOpened(channel):
                    connection.request(channel, QueueDeclare("", exclusive=True))
                case engine.Reply(channel, method=QueueDeclareOk(queue)):
                    connection.request(channel, ConfirmSelect())
                    connection.request(channel, BasicConsume(queue))
                    for number in range(count):
                        connection.publish(channel, BasicPublish("", queue), None, b"message %d" % number)
                case engine.Delivered(channel, delivery_tag=tag):
                    seen += len(connection.ack(channel, tag))
                case engine.Confirmed(numbers=numbers):
                    confirmed += len(numbers)
            if queue and seen == confirmed == count:
                connection.close()
        wakeup.unpark_all()
    print(f"{count} messages published, {confirmed} confirmed, {seen} received")
    sys.exit(f"error: {event.error}" if event.error else 0)


if __name__ == "__main__":
    trio.run(lambda: main(*sys.argv[1:]))
