"""Client and server face to face, whatever they do and however their octets are cut: they never disagree.

Each step is a command that is allowed, or one that is not and changes nothing. ``Conversation`` judges all that is sent.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from .ends import Ends, events

RABBITMQ = "amqp_0_9_1_rabbitmq"
WHOLE = bool(os.environ.get("TEST_ALL"))


class Dialogue(RuleBasedStateMachine):
    """A client that does what it likes, a broker that answers, and a network that cuts octets anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = Ends(RABBITMQ)
        self.told: Counter[str] = Counter()
        self.next_tag: Counter[int] = Counter()
        self.published: dict[int, int] = Counter()
        self.confirmed: dict[int, list[int]] = {}

    @initialize(piece=st.sampled_from([1, 5, 64, 4096]))
    def open(self, piece: int) -> None:
        self.ends = Ends(RABBITMQ, piece=piece)
        client, _ = self.ends.open()
        assert [type(event).__name__ for event in client] == ["Opened"]

    # --- the network ---

    @rule(octets=st.integers(1, 500), to_server=st.booleans())
    def move(self, octets: int, to_server: bool) -> None:
        pair = (self.ends.client, self.ends.server) if to_server else (self.ends.server, self.ends.client)
        self.ends.move(*pair, octets)

    @rule(count=st.integers(1, 5))
    def pull_at_client(self, count: int) -> None:
        for _ in range(count):
            event = self.ends.client.next_event()
            if event is not None:
                self.note(event)

    @rule(count=st.integers(1, 5))
    def pull_at_server(self, count: int) -> None:
        for _ in range(count):
            event = self.ends.server.next_event()
            assert not isinstance(event, self.ends.engine.Closed), event

    def note(self, event: Any) -> None:
        engine = self.ends.engine
        assert not isinstance(event, engine.Closed), event
        self.told[type(event).__name__] += 1
        if isinstance(event, engine.Confirmed):
            self.confirmed.setdefault(event.channel, []).extend(event.numbers)
        elif isinstance(event, engine.ChannelClosed):
            assert event.error is None or event.by_peer, event
            answered = self.confirmed.pop(event.channel, [])
            assert sorted(answered + list(event.unconfirmed)) == list(
                range(1, self.published.pop(event.channel, 0) + 1)
            )

    # --- what the client does ---

    def client_channel(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(open_channels(self.ends.client)))

    def server_channel(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(open_channels(self.ends.server)))

    @precondition(lambda self: len(open_channels(self.ends.client)) < 4)
    @rule()
    def open_channel(self) -> None:
        self.ends.client.open_channel()

    @precondition(lambda self: bool(open_channels(self.ends.client)))
    @rule(
        data=st.data(),
        method=st.sampled_from(["QueueDeclare", "QueuePurge", "BasicConsume", "BasicGet", "BasicRecover"]),
    )
    def request(self, data: st.DataObject, method: str) -> None:
        self.ends.client.request(self.client_channel(data), getattr(self.ends.methods, method)())

    @precondition(lambda self: bool(open_channels(self.ends.client)))
    @rule(data=st.data())
    def ask_for_confirms(self, data: st.DataObject) -> None:
        self.ends.client.request(self.client_channel(data), self.ends.methods.ConfirmSelect())

    @precondition(lambda self: bool(open_channels(self.ends.client)))
    @rule(data=st.data(), size=st.integers(0, 300))
    def publish(self, data: st.DataObject, size: int) -> None:
        channel = self.client_channel(data)
        number = self.ends.client.publish(channel, self.ends.methods.BasicPublish("", "q"), None, b"x" * size)
        if number is not None:
            self.published[channel] += 1
            assert number == self.published[channel]

    @precondition(lambda self: any(waiting(self.ends.client)))
    @rule(data=st.data(), multiple=st.booleans())
    def ack(self, data: st.DataObject, multiple: bool) -> None:
        channel, tags = data.draw(st.sampled_from(waiting(self.ends.client)))
        tag = data.draw(st.sampled_from(tags))
        settled = self.ends.client.ack(channel, tag, multiple=multiple)
        assert tag in settled

    @precondition(lambda self: bool(open_channels(self.ends.client)))
    @rule(data=st.data())
    def do_what_is_not_allowed(self, data: st.DataObject) -> None:
        channel, before = self.client_channel(data), self.ends.client.buffered
        for command in (
            lambda: self.ends.client.ack(channel, 1 << 40),
            lambda: self.ends.client.request(channel, self.ends.methods.QueueDeclareOk()),
            lambda: self.ends.client.request(1000, self.ends.methods.QueuePurge()),
            self.ends.client.accept_open,
        ):
            with pytest.raises(self.ends.engine.LocalError):
                command()
        assert self.ends.client.buffered == before

    @precondition(lambda self: bool(open_channels(self.ends.client)))
    @rule(data=st.data())
    def close_channel(self, data: st.DataObject) -> None:
        self.ends.client.close_channel(self.client_channel(data))

    # --- what the broker does ---

    @precondition(lambda self: bool(asked(self.ends.server)))
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        channel, request = data.draw(st.sampled_from(asked(self.ends.server)))
        methods = self.ends.methods
        kind = request.RESPONSES[0]
        if kind is methods.BasicConsumeOk:
            self.next_tag[channel] += 1
            self.ends.server.reply(channel, kind(f"tag-{self.next_tag[channel]}"))
        elif kind is methods.BasicGetOk:
            self.next_tag[channel] += 1
            self.ends.server.reply(channel, kind(self.next_tag[channel]), None, b"got")
        else:
            self.ends.server.reply(channel, kind())

    @precondition(
        lambda self: any(
            self.ends.server.channel(number).consumers for number in open_channels(self.ends.server)
        )
    )
    @rule(data=st.data(), size=st.integers(0, 300))
    def deliver(self, data: st.DataObject, size: int) -> None:
        server = self.ends.server
        channel = data.draw(
            st.sampled_from([number for number in open_channels(server) if server.channel(number).consumers])
        )
        self.next_tag[channel] += 1
        tag = data.draw(st.sampled_from(sorted(server.channel(channel).consumers)))
        self.ends.deliver(channel, self.next_tag[channel], b"y" * size, tag)

    @precondition(lambda self: any(unconfirmed(self.ends.server)))
    @rule(data=st.data(), multiple=st.booleans(), positive=st.booleans())
    def confirm(self, data: st.DataObject, multiple: bool, positive: bool) -> None:
        channel, numbers = data.draw(st.sampled_from(unconfirmed(self.ends.server)))
        command = self.ends.server.ack if positive else self.ends.server.nack
        command(channel, data.draw(st.sampled_from(numbers)), multiple=multiple)

    @precondition(lambda self: bool(open_channels(self.ends.server)))
    @rule(data=st.data(), active=st.booleans())
    def flow(self, data: st.DataObject, active: bool) -> None:
        del active  # a client that must not publish would stop this test
        self.ends.server.request(self.server_channel(data), self.ends.methods.ChannelFlow(active=True))

    @precondition(lambda self: bool(open_channels(self.ends.server)))
    @rule(data=st.data())
    def close_at_server(self, data: st.DataObject) -> None:
        self.ends.server.close_channel(self.server_channel(data), 404, "NOT_FOUND")

    # --- what must hold ---

    @invariant()
    def both_are_open(self) -> None:
        assert not self.ends.client.is_closed
        assert not self.ends.server.is_closed

    def teardown(self) -> None:
        if not self.ends.sent["client"]:
            return
        client, _ = self.ends.exchange()
        for event in client:
            self.note(event)
        assert open_channels(self.ends.client) == open_channels(self.ends.server)
        for number in open_channels(self.ends.client):
            ours, theirs = self.ends.client.channel(number), self.ends.server.channel(number)
            assert ours.consumers == theirs.consumers
            assert ours.mode == theirs.mode
            assert ours.unconfirmed == theirs.unconfirmed
            assert ours.unacknowledged == theirs.unacknowledged
        judge(self.ends)


def open_channels(connection: Any) -> list[int]:
    return [
        number for number, channel in connection._channels.items() if number and channel.state.value == "OPEN"
    ]


def waiting(connection: Any) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (number, tags)
        for number in open_channels(connection)
        if (tags := connection.channel(number).unacknowledged)
    ]


def unconfirmed(connection: Any) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (number, found)
        for number in open_channels(connection)
        if (found := connection.channel(number).unconfirmed)
    ]


def asked(connection: Any) -> list[tuple[int, Any]]:
    return [
        (number, found[0])
        for number in open_channels(connection)
        if (found := connection.channel(number)._asked)
    ]


def judge(ends: Ends) -> None:
    """No content of either side is out of order, by the grammar's own judge."""
    assembler = ends.amqp.ContentAssembler()
    for octets in ends.sent.values():
        for channel, frame in ends.amqp.FrameDecoder().feed(octets):
            if not isinstance(frame, ends.amqp.ProtocolHeader):
                assembler.add(channel, frame)
        assembler = ends.amqp.ContentAssembler()


TestDialogue = Dialogue.TestCase
TestDialogue.settings = settings(
    max_examples=1000 if WHOLE else 60,
    stateful_step_count=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("side", ["client", "server"])
def test_no_octet_of_a_peer_raises(side: str) -> None:
    """Random conversations with flipped bits: no exception, and at most one ``Closed``, the last event."""
    chance = random.Random(f"{side} 1")
    for _ in range(2000 if WHOLE else 150):
        ends = Ends(RABBITMQ, server_channel_max=10)
        ends.open()
        channel = ends.open_channel()
        ends.consume(channel)
        for tag in range(1, 4):
            ends.deliver(channel, tag, b"x" * chance.randrange(100))
            ends.client.publish(
                channel, ends.methods.BasicPublish("", "q"), None, b"y" * chance.randrange(100)
            )
        ends.client.request(channel, ends.methods.QueueDeclare("q"))
        victim, octets = (
            (ends.client, ends.server.data_to_send())
            if side == "client"
            else (ends.server, ends.client.data_to_send())
        )
        spoiled = bytearray(octets)
        for _ in range(chance.randrange(1, 6)):
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        victim.receive_data(bytes(spoiled), ends.now)
        found = list(events(victim))
        victim.receive_eof(ends.now)
        found += events(victim)
        kinds = [type(event) for event in found]
        assert kinds.count(ends.engine.Closed) == 1
        assert kinds[-1] is ends.engine.Closed
        victim.data_to_send()
        assert victim.buffered == 0
