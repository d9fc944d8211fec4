"""Queues for the broker on loopback: publish, get, consume and acknowledge, by the default exchange alone.

All that a driver needs whose rule is about something else; a test replaces the answers that are to be odd.
"""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import amqp_0_9_1_rabbitmq as amqp

from .fake_broker import Answer, Conversation, both, close_channel, close_connection, hang_up, say

methods = amqp.methods


@dataclass
class _Channel:
    """What the broker knows of a channel."""

    assembler: amqp.ContentAssembler = field(default_factory=amqp.ContentAssembler)
    unacknowledged: dict[int, tuple[str, bytes]] = field(default_factory=dict)
    consumers: dict[str, bool] = field(default_factory=dict)
    tag: int = 0
    window: int = 0


def _alone(answer: Callable[[FakeQueues, Conversation, int, Any], None]) -> Any:
    """Conversations have a thread each; what changes the queues does so while no other does."""

    @functools.wraps(answer)
    def locked(queues: FakeQueues, conversation: Conversation, channel: int, method: Any) -> None:
        with queues.lock:
            answer(queues, conversation, channel, method)

    return locked


class FakeQueues:
    """The queues of one broker."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.messages: dict[str, deque[bytes]] = {}
        self._channels: dict[tuple[Conversation, int], _Channel] = {}

    @property
    def answers(self) -> Mapping[str, Answer]:
        return {
            "queue.declare": self.declare,
            "queue.bind": self.bind,
            "queue.delete": say(methods.QueueDeleteOk()),
            "basic.qos": self.limit,
            "basic.publish": self.publish,
            "": self.publish,  # the frames of a content
            "basic.get": self.get,
            "basic.consume": self.consume,
            "basic.ack": self.acknowledge,
            "tx.select": close_connection(540, "no transactions"),
            "channel.close": both(self.forget, say(methods.ChannelCloseOk())),
            "channel.close-ok": self.forget,
            "connection.close": both(self.forget_all, say(methods.ConnectionCloseOk()), hang_up),
        }

    @_alone
    def declare(self, conversation: Conversation, channel: int, method: Any) -> None:
        if method.passive and method.queue not in self.messages:
            close_channel(404)(conversation, channel, method)
            return
        name = method.queue or f"amq.gen-{len(self.messages)}"
        self.messages.setdefault(name, deque())
        conversation.say(channel, methods.QueueDeclareOk(name))

    @_alone
    def bind(self, conversation: Conversation, channel: int, method: Any) -> None:
        """There are no exchanges but those that every broker has."""
        known = method.queue in self.messages and (method.exchange or "amq.").startswith("amq.")
        (say(methods.QueueBindOk()) if known else close_channel(404))(conversation, channel, method)

    @_alone
    def limit(self, conversation: Conversation, channel: int, method: Any) -> None:
        self._state(conversation, channel).window = method.prefetch_count
        conversation.say(channel, methods.BasicQosOk())

    @_alone
    def publish(self, conversation: Conversation, channel: int, frame: Any) -> None:
        message: Any = self._state(conversation, channel).assembler.add(channel, frame)
        if isinstance(message, amqp.Message) and message.method.routing_key in self.messages:
            self.messages[message.method.routing_key].append(message.body)
            self._deliver(message.method.routing_key)

    @_alone
    def get(self, conversation: Conversation, channel: int, method: Any) -> None:
        messages = self.messages.get(method.queue)
        if not messages:
            conversation.say(channel, methods.BasicGetEmpty())
            return
        body = messages.popleft()
        tag = self._next_tag(conversation, channel, method.queue, body, method.no_ack)
        conversation.say_message(channel, methods.BasicGetOk(tag, routing_key=method.queue), body)

    @_alone
    def consume(self, conversation: Conversation, channel: int, method: Any) -> None:
        self._state(conversation, channel).consumers[method.queue] = method.no_ack
        conversation.say(channel, methods.BasicConsumeOk("tag"))
        self._deliver(method.queue)

    @_alone
    def acknowledge(self, conversation: Conversation, channel: int, method: Any) -> None:
        state = self._state(conversation, channel)
        if method.delivery_tag not in state.unacknowledged:
            close_channel(406, "unknown delivery tag")(conversation, channel, method)
            return
        first = 1 if method.multiple else method.delivery_tag
        for tag in range(first, method.delivery_tag + 1):
            state.unacknowledged.pop(tag, None)
        for queue in state.consumers:
            self._deliver(queue)

    @_alone
    def forget(self, conversation: Conversation, channel: int, method: Any) -> None:
        """Puts back what was not acknowledged."""
        conversation.channels.discard(channel)
        state = self._channels.pop((conversation, channel), _Channel())
        for queue, body in reversed(state.unacknowledged.values()):
            self.messages[queue].appendleft(body)

    @_alone
    def forget_all(self, conversation: Conversation, channel: int, method: Any) -> None:
        for owner, number in tuple(self._channels):
            if owner is conversation:
                self.forget(owner, number, method)

    def _state(self, conversation: Conversation, channel: int) -> _Channel:
        return self._channels.setdefault((conversation, channel), _Channel())

    def _next_tag(
        self, conversation: Conversation, channel: int, queue: str, body: bytes, no_ack: bool
    ) -> int:
        state = self._state(conversation, channel)
        state.tag += 1
        if not no_ack:
            state.unacknowledged[state.tag] = (queue, body)
        return state.tag

    def _deliver(self, queue: str) -> None:
        for (conversation, channel), state in self._channels.items():
            if queue not in state.consumers:
                continue
            while self.messages[queue] and (not state.window or len(state.unacknowledged) < state.window):
                body = self.messages[queue].popleft()
                tag = self._next_tag(conversation, channel, queue, body, state.consumers[queue])
                delivery = methods.BasicDeliver("tag", tag, routing_key=queue)
                conversation.say_message(channel, delivery, body)
