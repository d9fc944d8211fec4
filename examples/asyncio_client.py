"""A client of AMQP 0-9-1 with asyncio, to copy with ``asyncio_driver.py``: asyncio_client.py [URL [MESSAGES]]."""

import asyncio
import sys
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.methods import BasicConsume, BasicPublish, ConfirmSelect, MethodBase, QueueDeclare
from asyncio_driver import Driver

Answer = TypeVar("Answer", bound=MethodBase)


class Client(Driver):
    """A connection: answers and confirms are awaited; all other events, and what ends channels, come in a queue."""

    def take(self, event: engine.Event) -> None:
        match event:
            case engine.Opened(server):
                self.resolve(["opened"], server)
            case engine.Reply(number=number):
                self.resolve([number], event)
            case engine.Confirmed(channel, numbers, positive):
                self.resolve([(channel, number) for number in numbers], positive)
            case engine.ChannelOpened(channel):
                self.resolve([(channel, 0)], channel)
            case engine.ChannelClosed(channel, error, _, unanswered, unconfirmed):
                keys = [*unanswered, *((channel, number) for number in (0, *unconfirmed))]
                self.resolve(keys, error or engine.LocalError("we closed the channel"))
            case engine.Closed(error):
                self.resolve([*self.waiting], error)
        if not isinstance(event, engine.Opened | engine.Reply | engine.Confirmed | engine.ChannelOpened):
            super().take(event)

    async def open_channel(self) -> int:
        return int(await self.wait_for((self.commands.open_channel(), 0)))

    async def answer(self, request: engine.Request[Answer]) -> Answer:
        return request.answer(await self.wait_for(request.number))

    async def publish(self, channel: int, method: BasicPublish, *content: Any) -> asyncio.Future[bool]:
        """Publish properties and body when there is room; the future tells whether the broker has the message."""
        await self.room(channel)
        return self.wait_for((channel, self.commands.publish(channel, method, *content)))

    async def close(self) -> None:
        if not self.engine.is_closed:
            self.commands.close()
            await self.wait_for("closed")


async def main(url: str = "amqp://localhost", messages: str = "100") -> None:
    place, count, loop = urlsplit(url), int(messages), asyncio.get_running_loop()
    login = amqp.PlainLogin(unquote(place.username or "guest"), unquote(place.password or "guest"))
    settings = amqp.ClientSettings(login=login, virtual_host=unquote(place.path[1:]) or "/")
    host, port = place.hostname or "localhost", place.port or 5672
    _, client = await loop.create_connection(lambda: Client(settings), host, port)
    server = await client.wait_for("opened")
    print("connected to", server["product"], server["version"])
    channel = await client.open_channel()
    queue = (await client.answer(client.commands.request(channel, QueueDeclare(exclusive=True)))).queue
    await client.answer(client.commands.request(channel, ConfirmSelect()))
    await client.answer(client.commands.request(channel, BasicConsume(queue)))
    confirms = [await client.publish(channel, BasicPublish("", queue), None, b"x" * n) for n in range(count)]
    for _ in confirms:
        if not isinstance(event := await client.events.get(), engine.Delivered):
            break  # the channel or the connection is closed: the confirms tell why
        client.commands.ack(channel, event.delivery_tag)
    print(sum(await asyncio.gather(*confirms)), "messages confirmed,", count, "received and acknowledged")
    await client.close()


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except (amqp.CodecError, amqp.errors.CloseError, engine.ConnectionFailed) as error:
        sys.exit(f"error: {error}")
