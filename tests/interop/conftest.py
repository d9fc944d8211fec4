"""Fixtures for a live RabbitMQ with its AMQP 1.0 plugin: connections and queues that are gone after each test."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pika
import pytest

from .client import Peer, Session, address


@pytest.fixture(scope="session")
def plugin() -> None:
    """Skips, or fails where broker tests are asked for, when RabbitMQ does not speak AMQP 1.0."""
    where = address()
    peer = Peer.dial(where.host, where.port)
    try:
        with suppress(Exception):
            peer.log_in(where.user, where.password)
            peer.open()
            peer.close()
            return
    finally:
        peer.stream.close()
    pytest.fail(
        f"{where.host}:{where.port} does not speak AMQP 1.0; as root: rabbitmq-plugins enable rabbitmq_amqp1_0",
        pytrace=False,
    )


@pytest.fixture
def declare() -> Iterator[Callable[[], str]]:
    """Declares queues, which are deleted after the test, and tells their 1.0 addresses."""
    url = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
    parameters = pika.URLParameters(url if url.rpartition("/")[2] else f"{url}%2F")
    names: list[str] = []

    def declare() -> str:
        names.append(f"amqp-codegen.{uuid.uuid4().hex}")
        with pika.BlockingConnection(parameters) as connection:
            connection.channel().queue_declare(names[-1])
        return f"/amq/queue/{names[-1]}"

    yield declare
    if names:
        with pika.BlockingConnection(parameters) as connection:
            channel = connection.channel()
            for name in names:
                channel.queue_delete(name)


@pytest.fixture
def dial(plugin: None, declare: Callable[[], str]) -> Iterator[Callable[[], Peer]]:
    """Connects and says nothing yet; the socket is cut off after the test."""
    peers: list[Peer] = []

    def dial() -> Peer:
        peers.append(Peer.dial(*address()[:2]))
        return peers[-1]

    yield dial
    for peer in peers:
        peer.stream.close()


@pytest.fixture
def connect(dial: Callable[[], Peer]) -> Callable[..., Session]:
    """Logs in, opens a connection and begins a session."""

    def connect(**fields: Any) -> Session:
        peer = dial()
        peer.log_in(*address()[2:])
        peer.open(**fields)
        return peer.begin()

    return connect


@pytest.fixture
def session(connect: Callable[..., Session]) -> Session:
    return connect()


@pytest.fixture
def queue(declare: Callable[[], str]) -> str:
    """The 1.0 address of a queue that nobody else uses. It outlives our connections, not the test."""
    return declare()
