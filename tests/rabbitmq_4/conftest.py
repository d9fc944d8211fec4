"""A connection to the RabbitMQ of AMQP_URL, which must be of version 4: `make brokers` runs these tests on several."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from tests.patience import PATIENCE

from .example import ANSWERS, DEFAULT_URL, REQUESTS, Connection, management


class Managed(Connection):
    """A connection with a pair of links to the management."""

    version: tuple[int, ...]

    def open_management(self, url: str) -> None:
        product, _, version = self.open(urlsplit(url)).partition(" ")
        if not self.has_management:
            pytest.skip(f"needs RabbitMQ 4, this is {product} {version}")
        self.version = tuple(map(int, version.split(".")[:2]))
        for attach in management.attach_pair("management", REQUESTS, ANSWERS):
            self.attach(attach)

    def ask(self, request: Any) -> Any:
        self.grant(ANSWERS)
        self.transfer(REQUESTS, request.message("1"), settled=True)
        return request.result(management.read_answer(self.next_message(ANSWERS)[1]))


@contextmanager
def connected() -> Iterator[Managed]:
    url = os.environ.get("AMQP_URL", DEFAULT_URL)
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname or "localhost", parts.port or 5672), PATIENCE) as stream:
        connection = Managed(stream)
        connection.open_management(url)
        yield connection


@pytest.fixture
def broker() -> Iterator[Managed]:
    with connected() as connection:
        yield connection


@pytest.fixture
def name() -> Iterator[str]:
    """A name with characters that addresses encode; its queue and its exchange are gone afterwards."""
    unique = f"amqp-codegen test/{uuid4().hex} é"
    yield unique
    with connected() as cleaner:
        with suppress(management.ManagementError):  # the test has deleted it
            cleaner.ask(management.delete_queue(unique))
        cleaner.ask(management.delete_exchange(unique))
