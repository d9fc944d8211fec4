"""States of connections and channels on a real broker, each with what the engine has to tell when the connection breaks.

The states between two octets that an engine sends at once, START, TUNE and TUNED, are none that a connection stays in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import connection as engine

from .engine_client import EngineClient

MESSAGES = tuple(range(1, 11))
# What is told of each channel that is open then: fields of ChannelClosed.
Channels = list[dict[str, Any]]
Scene = Callable[[EngineClient], Channels]
SCENES: list[Scene] = []


def scene(prepare: Scene) -> Scene:
    SCENES.append(prepare)
    return prepare


each_scene = pytest.mark.parametrize("prepare", SCENES, ids=lambda prepare: prepare.__name__)


@scene
def header(client: EngineClient) -> Channels:
    client.send()
    assert client.connection.state is engine.ConnectionState.HEADER
    return []


@scene
def secure(client: EngineClient) -> Channels:
    client.go_to("SECURE")
    return []


@scene
def opening(client: EngineClient) -> Channels:
    client.go_to("OPENING")
    return []


@scene
def is_open(client: EngineClient) -> Channels:
    client.wait_for(engine.Opened)
    return []


@scene
def channel_opening(client: EngineClient) -> Channels:
    client.wait_for(engine.Opened)
    client.connection.open_channel()
    client.send()
    return [{"unanswered": (1,)}]


@scene
def requests_unanswered(client: EngineClient) -> Channels:
    channel = client.open_channel()
    numbers = [
        client.connection.request(channel, methods.QueueDeclare("", exclusive=True)).number for _ in "12"
    ]
    client.send()
    return [{"unanswered": tuple(numbers)}]


@scene
def confirms_outstanding(client: EngineClient) -> Channels:
    channel = client.open_channel()
    queue = client.declare_queue(channel)
    client.connection.send(channel, methods.ConfirmSelect(no_wait=True))
    for number in MESSAGES:
        assert client.connection.publish(channel, methods.BasicPublish("", queue)) == number
    client.send()
    return [{"unconfirmed": MESSAGES}]


@scene
def deliveries_unacknowledged(client: EngineClient) -> Channels:
    channel = client.open_channel()
    queue = client.declare_queue(channel)
    for _ in MESSAGES:
        client.connection.publish(channel, methods.BasicPublish("", queue))
    client.connection.send(channel, methods.BasicConsume(queue, "c", no_wait=True))
    tags = [client.wait_for(engine.Delivered).delivery_tag for _ in MESSAGES]
    client.connection.ack(channel, tags.pop(0))
    client.send()
    return [{"unacknowledged": tuple(tags)}]


@scene
def channel_closing(client: EngineClient) -> Channels:
    client.connection.close_channel(client.open_channel())
    client.send()
    return [{}]


@scene
def all_at_once(client: EngineClient) -> Channels:
    """A channel that waits for everything, one without anything, one that is being opened."""
    [waiting] = deliveries_unacknowledged(client)
    connection = client.connection
    connection.open_channel()
    client.wait_for(engine.ChannelOpened)
    connection.send(1, methods.ConfirmSelect(no_wait=True))
    number = connection.request(1, methods.QueueDeclare("", exclusive=True)).number
    assert connection.publish(1, methods.BasicPublish("", "nowhere")) == 1
    connection.open_channel()
    client.send()
    return [{**waiting, "unanswered": (number,), "unconfirmed": (1,)}, {}, {"unanswered": (number + 1,)}]


def check(told: list[engine.Event], channels: Channels) -> None:
    """Everything that waited is told, once, and that the peer has gone."""
    *before, closed = told
    assert isinstance(closed, engine.Closed)
    assert closed.by_peer
    assert isinstance(closed.error, engine.ConnectionFailed)
    assert before == [
        engine.ChannelClosed(number, closed.error, True, **waiting)
        for number, waiting in enumerate(channels, 1)
    ]
