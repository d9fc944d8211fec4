"""Runs acceptance tests of pika on ``examples/pika_adapter``, in a process of its own, where ``tests`` is the folder of pika.

    python pika_stand_ins.py FOLDER

What they read of pika itself, besides its public names, has stand-ins here, as far as the engine has the same: its private
connection and channel, its events, and its clock. Prints what came of each test as JSON.
"""

from __future__ import annotations

import json
import sys
import time
import unittest
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client import connection as engine

from examples import pika_adapter
from examples.pika_adapter.blocking_connection import BlockingChannel, BlockingConnection, Timer

MOST_BETWEEN_LOOKS = 0.1


class PatientClock:
    """A clock that goes on by a tenth of a second at most between two looks.

    The tests want many things to take less than a quarter of a second, which a busy machine cannot promise.
    """

    def __init__(self) -> None:
        self.seen = time.monotonic()
        self.shown = 0.0

    def __call__(self) -> float:
        now = time.monotonic()
        self.shown += min(now - self.seen, MOST_BETWEEN_LOOKS)
        self.seen = now
        return self.shown


class Implementation:
    """What the tests read of the connection below a ``BlockingConnection``: here that is the engine."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.ioloop = SimpleNamespace(poll=None, process_timeouts=None)
        self.params = connection.parameters
        self.is_closing = connection.engine.state is engine.ConnectionState.CLOSING
        self._channels = connection._channels
        self._transport = None if connection.is_closed else SimpleNamespace(_sock=connection._socket)

    def _on_connection_blocked(self, _: object, frame: Any) -> None:
        self.connection.engine.receive_data(amqp.encode_frame(0, frame.method), time.monotonic())


def channel_implementation(channel: Any) -> SimpleNamespace:
    """What the tests read of the channel below a ``BlockingChannel``."""
    state = channel._state
    return SimpleNamespace(
        is_closing=state.state is engine.ChannelState.CLOSING,
        _consumers={} if channel.is_closed else state.consumers,
    )


def connect(test: Any, parameters: Any, *_: object) -> BlockingConnection:
    """Connect as the tests do, but without their time limits."""
    for choice in parameters if isinstance(parameters, list) else [parameters]:
        choice.socket_timeout = choice.stack_timeout = None
    connection = BlockingConnection(parameters)
    test.addCleanup(lambda: connection.close() if connection.is_open else None)
    return connection


def put_stand_ins() -> None:
    pika_adapter.install()
    compat: Any = ModuleType("pika.compat")
    compat.PY3, compat.xrange = True, range
    compat.as_bytes = lambda value: value if isinstance(value, bytes) else value.encode()
    compat.time_now = PatientClock()
    sys.modules["pika.compat"] = sys.modules["pika"].compat = compat  # type: ignore[attr-defined]
    adapter: Any = sys.modules["pika.adapters.blocking_connection"]
    adapter._TimerEvt = Timer
    adapter._ConsumerDeliveryEvt = engine.Delivered
    adapter._ConsumerCancellationEvt = engine.ConsumerCancelled
    adapter._ReturnedMessageEvt = engine.Returned
    private: list[tuple[Any, Any]] = [
        (BlockingConnection, Implementation),
        (BlockingChannel, channel_implementation),
    ]
    for cls, view in private:
        cls._impl = property(view)


class Result(unittest.TestResult):
    """What came of each test, by the name of its class."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: dict[str, str] = {}

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        told = [text for found, text in (*self.failures, *self.errors) if found is test]
        self.outcomes[type(test).__name__] = "\n".join(told)


def main(folder: str) -> None:
    put_stand_ins()
    sys.path.remove(str(Path(__file__).parents[2]))  # its tests are ours
    sys.path.insert(0, folder)
    tests: Any = __import__("tests.acceptance.blocking_adapter_test", fromlist=["BlockingTestCaseBase"])
    tests.BlockingTestCaseBase._connect_params = connect
    result = Result()
    unittest.defaultTestLoader.loadTestsFromModule(tests).run(result)
    print(json.dumps(result.outcomes))


if __name__ == "__main__":
    main(*sys.argv[1:])
