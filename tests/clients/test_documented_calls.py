"""The calls that ``docs/clients.md`` has for those of pika and py-amqp: each row is run in both ways on RabbitMQ."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq.client import connection as engine

from tests.conftest import AMQP_URL
from tests.patience import PATIENCE

pyamqp = pytest.importorskip("amqp", reason="needs py-amqp")
pika = pytest.importorskip("pika", reason="needs pika")
pytestmark = pytest.mark.broker

DOCUMENT = Path(__file__).parents[2] / "docs" / "clients.md"
PLACE = urlsplit(AMQP_URL)
HOST, PORT = PLACE.hostname or "localhost", PLACE.port or 5672


@pytest.fixture(autouse=True)
def _receiver() -> None:
    """There is no aiormq in these tests, of which each would run twice."""


class Row(NamedTuple):
    """A call of a library, one of the engine, and the event that comes."""

    theirs: str
    ours: str
    event: str


def rows(title: str) -> list[Row]:
    """The first table of a section."""
    section = DOCUMENT.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    table = section.partition("| --- | --- | --- |\n")[2].partition("\n\n")[0]
    found = [re.fullmatch(r"\| `(.+)` \| `(.+)` \| (?:`(\w+)` )?\|", line) for line in table.splitlines()]
    return [Row(match[1], match[2], match[3] or "") for match in found if match is not None]


def names(prefix: str) -> dict[str, Any]:
    return {
        "user": unquote(PLACE.username or "guest"),
        "password": unquote(PLACE.password or "guest"),
        "host": f"{HOST}:{PORT}",
        "exchange": f"amqp-codegen.{prefix}",
        "queue": f"amqp-codegen.{prefix}",
        "key": "a.b",
        "tag": "consumer",
        "body": b"body",
        "properties": None,
        "callback": lambda *_: None,
        "pika": pika,
        "pyamqp": pyamqp,
    }


class Loop:
    """The loop of ``docs/engine.md`` around calls that are made from outside."""

    def __init__(self) -> None:
        self.names = {**names("engine"), **vars(amqp.methods), "amqp": amqp}
        self.stream: socket.socket | None = None

    def call(self, row: Row) -> None:
        """Make a call, and wait for its event."""
        self.names["now"] = time.monotonic()
        if "next_event" not in row.ours:
            exec(row.ours, self.names)  # of our own document
        connection: amqp.Connection = self.names["connection"]
        if self.stream is None:
            self.stream = socket.create_connection((HOST, PORT), PATIENCE)
        if connection.state is engine.ConnectionState.IDLE and row.event:
            connection.start(self.names["now"])
        while row.event:
            while (event := connection.next_event()) is None:
                self.stream.sendall(connection.data_to_send())
                connection.receive_data(self.stream.recv(65536), time.monotonic())
            if type(event).__name__ == row.event:
                return
            assert isinstance(event, engine.Delivered), f"{row.ours}: {event}"


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    if made.stream is not None:
        made.stream.close()


@pytest.mark.parametrize("title", ["From pika", "From py-amqp"])
def test_the_calls_of_the_engine(title: str, loop: Loop) -> None:
    table = rows(title)
    assert len(table) > 20
    for row in table:
        loop.call(row)
    assert loop.names["connection"].is_closed


@pytest.mark.parametrize("title", ["From pika", "From py-amqp"])
def test_the_calls_of_the_library(title: str) -> None:
    theirs = names(title.replace(" ", "-"))
    for row in rows(title):
        exec(row.theirs, theirs)


@pytest.mark.parametrize("title", ["From pika", "From py-amqp"])
def test_no_line_of_the_tables_is_skipped(title: str) -> None:
    section = DOCUMENT.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    table = section.partition("| --- | --- | --- |\n")[2].partition("\n\n")[0]
    assert len(rows(title)) == len(table.splitlines())
