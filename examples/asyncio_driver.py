"""The engine of AMQP 0-9-1 on a transport of asyncio; ``asyncio_client.py`` makes a client of it."""

import asyncio
from typing import Any

import amqp_0_9_1_rabbitmq as amqp


class Driver(asyncio.Protocol):
    """Moves octets and looks at the clock; events come in a queue, unless ``take`` does something else with them."""

    def __init__(self, settings: amqp.ClientSettings) -> None:
        self.engine, self.loop = amqp.Connection(settings), asyncio.get_running_loop()
        self.events: asyncio.Queue[amqp.client.connection.Event] = asyncio.Queue()
        self.waiting: dict[object, asyncio.Future[Any]] = {}
        self.alarm: asyncio.TimerHandle | None = None
        self.flushed, self.will_flush = asyncio.Event(), False

    @property
    def commands(self) -> amqp.Connection:
        """The engine, for commands: what they have to send leaves at the end of this turn of the loop."""
        if not self.will_flush:
            self.will_flush = True
            self.loop.call_soon(self.flush)
        return self.engine

    async def room(self, channel: int) -> None:
        """Wait until a message may be published; LocalError if the channel is closed."""
        while not self.engine.channel(channel).can_publish:
            self.flushed.clear()
            await self.flushed.wait()

    def take(self, event: amqp.client.connection.Event) -> None:
        self.events.put_nowait(event)

    def wait_for(self, key: object) -> asyncio.Future[Any]:
        self.waiting[key] = future = self.loop.create_future()
        return future

    def resolve(self, keys: list[Any], result: Any) -> None:
        for future in (self.waiting.pop(key, None) for key in keys):
            if future and not future.done():
                (future.set_exception if isinstance(result, Exception) else future.set_result)(result)

    def flush(self) -> None:
        self.will_flush = False
        if self.transport.get_write_buffer_size() <= 1 << 16:  # else resume_writing comes
            self.transport.write(self.engine.data_to_send())
        self.flushed.set()
        due = self.engine.next_timer()
        if due is not None and (self.alarm is None or due < self.alarm.when()):
            if self.alarm is not None:
                self.alarm.cancel()
            self.alarm = self.loop.call_at(due, self.look_at_clock)

    resume_writing = flush

    def look_at_clock(self) -> None:
        self.alarm = None
        self.engine.timer(self.loop.time())
        self.take_events()

    def take_events(self) -> None:
        while (event := self.engine.next_event()) is not None:
            self.take(event)
        self.flush()
        if self.engine.is_closed:
            self.transport.close()

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport
        self.commands.start(self.loop.time())

    def data_received(self, data: bytes) -> None:
        self.engine.receive_data(data, self.loop.time())
        self.take_events()

    def connection_lost(self, exc: Exception | None) -> None:
        self.data_received(b"")
