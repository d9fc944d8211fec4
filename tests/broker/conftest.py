"""Fixtures for a live RabbitMQ: connections that are closed, and names that are cleaned up, after each test."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import amqp_0_8
import amqp_0_9
import amqp_0_9_1
import amqp_0_9_1_rabbitmq
import pytest

from .client import Client, Connect, Dial
from .live_runs import LiveRuns, all_runs

HERE = Path(__file__).parent
PACKAGES = {
    "0-8": amqp_0_8,
    "0-9": amqp_0_9,
    "0-9-1": amqp_0_9_1,
    "rabbitmq": amqp_0_9_1_rabbitmq,
}


@pytest.hookimpl(tryfirst=True)  # before the marks are looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.broker)
    items.sort(key=uses_live_runs)


def uses_live_runs(item: pytest.Item) -> bool:
    return "live_runs" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session", autouse=True)
def runs_under_way(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Future[LiveRuns] | None]:
    """Begins with the first test here: two minutes, of which most is waiting. What needs the result comes last."""
    if not any(map(uses_live_runs, request.session.items)):
        yield None
        return
    with ThreadPoolExecutor(1) as beside:
        yield beside.submit(all_runs, tmp_path_factory.mktemp("rabbitmq"))


@pytest.fixture
def live_runs(runs_under_way: Future[LiveRuns]) -> LiveRuns:
    return runs_under_way.result()


@pytest.fixture
def dial() -> Iterator[Dial]:
    """Connects and says nothing yet; the socket is cut off after the test."""
    clients: list[Client] = []

    def dial(amqp: Any = amqp_0_9_1_rabbitmq, **options: Any) -> Client:
        clients.append(Client(amqp, **options))
        return clients[-1]

    yield dial
    for client in clients:
        client.socket.close()


@pytest.fixture
def connect(dial: Dial) -> Iterator[Connect]:
    """Opens a connection and its channel 1; it is closed in good order after the test."""
    clients: list[Client] = []

    def connect(
        amqp: Any = amqp_0_9_1_rabbitmq,
        *,
        dialect: str = "rabbitmq",
        lossless: bool = False,
        frame_max: int = 0,
        heartbeat: int = 0,
    ) -> Client:
        client = dial(amqp, dialect=dialect, lossless=lossless)
        clients.append(client.handshake(frame_max=frame_max, heartbeat=heartbeat).open_channel())
        return client

    yield connect
    for client in clients:
        client.close()


@pytest.fixture(params=list(PACKAGES))
def package(request: pytest.FixtureRequest) -> Any:
    """Each of the packages: RabbitMQ speaks 0-8, and takes the header of 0-9 for 0-9-1."""
    return PACKAGES[request.param]


@pytest.fixture
def client(connect: Connect) -> Client:
    """A connection with channel 1 that speaks RabbitMQ's 0-9-1."""
    return connect()


@pytest.fixture
def any_client(connect: Connect, package: Any) -> Client:
    """A connection with channel 1, once for each package."""
    return connect(package)


@pytest.fixture
def fresh_name(connect: Connect) -> Iterator[Callable[[], str]]:
    """Makes names that nobody else uses; exchanges and queues of these names are deleted after the test."""
    names: list[str] = []

    def fresh_name() -> str:
        names.append(f"amqp-codegen.{uuid.uuid4().hex}")
        return names[-1]

    yield fresh_name
    methods = amqp_0_9_1_rabbitmq.methods
    cleaner = connect() if names else None
    for name in names:
        assert cleaner is not None
        cleaner.call(methods.ExchangeDelete(exchange=name))
        with suppress(amqp_0_9_1_rabbitmq.errors.ResourceLockedClose):  # exclusive: goes with its connection
            cleaner.call(methods.QueueDelete(queue=name))
            continue
        cleaner.open_channel()
