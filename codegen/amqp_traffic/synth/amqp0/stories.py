"""Stories on a channel of a 0-x connection, each with requests and replies in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..setting import ConversationSetting
from ..utterance import CLIENT, SERVER, Said, together
from .vocabulary import Vocabulary

Story = Iterator[Said]

_NOT_FOUND, _NO_ROUTE = 404, 312


class ChannelStories:
    """The stories of a channel.

    Args:
        number: The channel number.
        vocabulary: The methods of the version.
        frame_max: The negotiated frame-max, in octets.
        setting: The client, random choices, bodies and budget.
    """

    def __init__(
        self, number: int, vocabulary: Vocabulary, frame_max: int, setting: ConversationSetting
    ) -> None:
        self._number = number
        self._vocabulary = vocabulary
        self._frame_max = frame_max
        self._chance = setting.chance
        self._bodies = setting.bodies
        self._budget = setting.budget
        self._exchange = f"exchange-{number}"
        self._queue = f"queue-{number}"
        self._published = self._delivered = 0

    def work(self, role: str) -> Story:
        """Open the channel and repeat the stories of a role, one of ``ROLES``, until the budget is spent."""
        yield from self.open()
        yield from self.declare()
        before, stories = ROLES[role]
        for story in before:
            yield from story(self)
        while not self._budget.is_spent:
            yield from self._chance.pick(stories)(self)

    def open(self) -> Story:
        """Open the channel; before 0-9-1 also request an access ticket."""
        yield self._client("channel.open")
        yield self._server("channel.open-ok")
        if not self._vocabulary.extended:
            yield self._client(
                "access.request", realm="/data", passive=True, active=True, write=True, read=True
            )
            yield self._server("access.request-ok", ticket=self._vocabulary.ticket)

    def declare(self) -> Story:
        """Declare an exchange and a queue, and bind them."""
        chance = self._chance
        kind = chance.pick(("direct", "topic", "fanout", "headers"))
        durable = chance.once_in(2)
        yield self._client("exchange.declare", exchange=self._exchange, type=kind, durable=durable)
        yield self._server("exchange.declare-ok")
        arguments = chance.pick(
            ({}, {"x-max-length": 1000}, {"x-message-ttl": 60_000, "x-queue-mode": "lazy"})
        )
        yield self._client("queue.declare", queue=self._queue, durable=durable, arguments=arguments)
        yield self._server("queue.declare-ok", queue=self._queue, message_count=chance.below(100))
        names = {"queue": self._queue, "exchange": self._exchange}
        yield self._client("queue.bind", **names, routing_key="#", arguments={})
        yield self._server("queue.bind-ok")

    def publish(self) -> Story:
        """Publish some messages in one write; the broker does not reply."""
        yield together(self._message_from_client() for _ in range(self._chance.between(1, 4)))

    def select_confirm(self) -> Story:
        """Turn on publisher confirms, if the version has them."""
        if self._vocabulary.has("confirm.select"):
            yield self._client("confirm.select")
            yield self._server("confirm.select-ok")
            self._published = 0

    def publish_confirmed(self) -> Story:
        """Publish some messages; the broker confirms each, or all at once, or sometimes refuses them."""
        count = self._chance.between(1, 8)
        yield together(self._message_from_client() for _ in range(count))
        if not self._vocabulary.has("confirm.select"):
            return
        first, self._published = self._published + 1, self._published + count
        if self._chance.once_in(50):
            yield self._server("basic.nack", delivery_tag=self._published, multiple=count > 1, requeue=False)
        elif self._chance.once_in(2):
            yield self._server("basic.ack", delivery_tag=self._published, multiple=count > 1)
        else:
            tags = range(first, self._published + 1)
            yield together(self._server("basic.ack", delivery_tag=tag) for tag in tags)

    def publish_returned(self) -> Story:
        """Publish a message that no queue receives; the broker returns it."""
        body = self._bodies.next()
        key = "nobody-listens"
        yield self._message(
            CLIENT, "basic.publish", body, exchange=self._exchange, routing_key=key, mandatory=True
        )
        fields = {
            "reply_code": _NO_ROUTE,
            "reply_text": "NO_ROUTE",
            "exchange": self._exchange,
            "routing_key": key,
        }
        back = self._message(SERVER, "basic.return", body, **fields)
        if self._vocabulary.has("confirm.select"):
            self._published += 1
            back = together((back, self._server("basic.ack", delivery_tag=self._published)))
        yield back

    def consume(self) -> Story:
        """Consume some batches of messages, then cancel."""
        tag = f"consumer-{self._number}-{self._delivered}"
        yield self._client("basic.qos", prefetch_count=self._chance.pick((1, 10, 100)))
        yield self._server("basic.qos-ok")
        yield self._client("basic.consume", queue=self._queue, consumer_tag=tag)
        yield self._server("basic.consume-ok", consumer_tag=tag)
        for _ in range(self._chance.between(2, 40)):
            if self._budget.is_spent:
                break
            yield from self._batch(tag)
        yield self._client("basic.cancel", consumer_tag=tag)
        yield self._server("basic.cancel-ok", consumer_tag=tag)

    def _batch(self, consumer_tag: str) -> Story:
        """Deliver some messages; the client settles them."""
        chance = self._chance
        first, count = self._delivered + 1, chance.between(1, 8)
        self._delivered += count
        tags = range(first, first + count)
        yield together(self._delivery(consumer_tag, tag) for tag in tags)
        settlement = chance.below(8)
        if settlement < 3:
            yield together(self._client("basic.ack", delivery_tag=tag) for tag in tags)
        elif settlement < 6:
            yield self._client("basic.ack", delivery_tag=self._delivered, multiple=True)
        elif settlement == 6 or not self._vocabulary.has("basic.nack"):
            yield together(
                self._client("basic.reject", delivery_tag=tag, requeue=tag % 2 == 0) for tag in tags
            )
        else:
            yield self._client("basic.nack", delivery_tag=self._delivered, multiple=True, requeue=True)

    def _delivery(self, consumer_tag: str, tag: int) -> Said:
        return self._message(
            SERVER,
            "basic.deliver",
            self._bodies.any(),
            consumer_tag=consumer_tag,
            delivery_tag=tag,
            redelivered=self._chance.once_in(16),
            exchange=self._exchange,
            routing_key=self._routing_key(),
        )

    def get(self) -> Story:
        """Get one message; sometimes the queue is empty."""
        yield self._client("basic.get", queue=self._queue)
        if self._chance.once_in(4):
            yield self._server("basic.get-empty")
            return
        self._delivered += 1
        fields = {"exchange": self._exchange, "routing_key": self._routing_key(), "message_count": 7}
        yield self._message(
            SERVER, "basic.get-ok", self._bodies.any(), delivery_tag=self._delivered, **fields
        )
        yield self._client("basic.ack", delivery_tag=self._delivered)

    def purge(self) -> Story:
        """Purge the queue."""
        yield self._client("queue.purge", queue=self._queue)
        yield self._server("queue.purge-ok", message_count=self._chance.below(1000))

    def delete(self) -> Story:
        """Delete the queue and declare it again."""
        yield self._client("queue.delete", queue=self._queue)
        yield self._server("queue.delete-ok", message_count=self._chance.below(1000))
        yield from self.declare()

    def select_transactions(self) -> Story:
        """Turn on transactions."""
        yield self._client("tx.select")
        yield self._server("tx.select-ok")

    def transaction(self) -> Story:
        """Publish some messages, then commit or roll back."""
        yield from self.publish()
        end = "tx.rollback" if self._chance.once_in(8) else "tx.commit"
        yield self._client(end)
        yield self._server(f"{end}-ok")

    def stop_and_go(self) -> Story:
        """Stop the client with channel.flow, then let it go on."""
        for active in (False, True):
            yield self._server("channel.flow", active=active)
            yield self._client("channel.flow-ok", active=active)

    def fail(self) -> Story:
        """Declare a missing queue passively: the broker closes the channel, and the client opens it again."""
        asked = self._vocabulary.method("queue.declare", queue="no-such-queue", passive=True)
        yield self._client("queue.declare", queue="no-such-queue", passive=True)
        yield self._server(
            "channel.close",
            reply_code=_NOT_FOUND,
            reply_text="NOT_FOUND - no queue 'no-such-queue' in vhost '/'",
            class_id=asked.CLASS_ID,
            method_id=asked.METHOD_ID,
        )
        yield self._client("channel.close-ok")
        self._delivered = 0
        yield from self.open()

    def close(self) -> Story:
        """Close the channel from the client."""
        yield self._client("channel.close", reply_code=200, reply_text="Normal shutdown")
        yield self._server("channel.close-ok")

    def _client(self, name: str, **fields: Any) -> Said:
        return self._vocabulary.say(CLIENT, self._number, name, **fields)

    def _server(self, name: str, **fields: Any) -> Said:
        return self._vocabulary.say(SERVER, self._number, name, **fields)

    def _message_from_client(self) -> Said:
        names = {"exchange": self._exchange, "routing_key": self._routing_key()}
        return self._message(CLIENT, "basic.publish", self._bodies.any(), **names)

    def _message(self, direction: Any, name: str, body: bytes, **fields: Any) -> Said:
        method = self._vocabulary.method(name, **fields)
        return self._vocabulary.message(
            direction, self._number, method, self._properties(), body, self._frame_max
        )

    def _properties(self) -> Any:
        chance, properties = self._chance, self._vocabulary.amqp.BasicProperties
        kind = chance.below(4)
        if kind == 0:
            return properties()
        if kind == 1:
            return properties(content_type="application/json", delivery_mode=2)
        number = chance.below(1_000_000)
        if kind == 2:
            return properties(
                content_type="text/plain",
                delivery_mode=1,
                priority=number % 10,
                correlation_id=f"request-{number}",
                reply_to="replies",
                expiration="60000",
                message_id=f"message-{number}",
                timestamp=1_700_000_000 + number,
                type="event",
                app_id="synthetic",
            )
        return properties(
            content_type="application/json",
            content_encoding="utf-8",
            headers={"trace": f"{number:08x}", "attempt": number % 5},
            delivery_mode=2,
        )

    def _routing_key(self) -> str:
        return self._chance.pick(("order.created", "order.paid", "mail.sent", "stock.low"))


_Act = Callable[[ChannelStories], Story]

# The stories of each role: those that happen once, and those that are repeated. ``fail`` is only for roles that set no channel mode.
ROLES: dict[str, tuple[Sequence[_Act], Sequence[_Act]]] = {
    "publisher": (
        (ChannelStories.select_confirm,),
        (ChannelStories.publish_confirmed,) * 14
        + (ChannelStories.publish_returned, ChannelStories.stop_and_go),
    ),
    "sender": ((), (ChannelStories.publish,) * 30 + (ChannelStories.fail,)),
    "consumer": ((), (ChannelStories.consume,)),
    "poller": (
        (),
        (ChannelStories.get,) * 20 + (ChannelStories.purge, ChannelStories.delete, ChannelStories.fail),
    ),
    "transactor": ((ChannelStories.select_transactions,), (ChannelStories.transaction,)),
}
