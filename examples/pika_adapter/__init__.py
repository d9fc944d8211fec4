"""A blocking client with the public names of pika, on the connection engine.

    import pika_adapter

    pika_adapter.install()  # before anybody imports pika
    import pika

    with pika.BlockingConnection(pika.URLParameters("amqp://guest:guest@localhost:5672/")) as connection:
        channel = connection.channel()

``BlockingConnection`` and ``BlockingChannel`` behave as those of pika 1.3; its other adapters are not here, nor is TLS.
The state of the protocol is the engine's: handshake, requests and replies, deliveries, confirms, heartbeats, closes. What is
here: a socket, timers, and the events that wait until ``process_data_events`` calls back.

Methods and properties are those of the generated package: long strings are octets, and ``arguments`` of a request has to be a
keyword. To settle a delivery that does not wait is a ``LocalError``, and closes nothing.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import amqp_0_9_1_rabbitmq as amqp

from . import errors
from .blocking_channel import BlockingChannel, MethodFrame, ReturnedMessage
from .blocking_connection import BlockingConnection
from .parameters import ConnectionParameters, ExchangeType, PlainCredentials, URLParameters

__all__ = ["BlockingChannel", "BlockingConnection", "ConnectionParameters", "URLParameters", "install"]


def install() -> None:
    """Put this client in the place of pika.

    Raises:
        RuntimeError: pika is imported already.
    """
    taken = sys.modules.get("pika")
    if taken is not None and getattr(taken, "CODEC", None) is not amqp:
        raise RuntimeError("pika is imported already; install the adapter before that")
    public = (BlockingConnection, ConnectionParameters, URLParameters, amqp.BasicProperties)
    _module(
        "pika",
        CODEC=amqp,
        __path__=[],
        PlainCredentials=PlainCredentials,
        **{item.__name__: item for item in public},
    )
    _module("pika.adapters", __path__=[], BlockingConnection=BlockingConnection)
    _module(
        "pika.adapters.blocking_connection",
        BlockingChannel=BlockingChannel,
        BlockingConnection=BlockingConnection,
        ReturnedMessage=ReturnedMessage,
    )
    _module("pika.connection", **{item.__name__: item for item in (ConnectionParameters, URLParameters)})
    _module("pika.credentials", PlainCredentials=PlainCredentials)
    _module(
        "pika.exceptions", **{name: item for name, item in vars(errors).items() if isinstance(item, type)}
    )
    _module("pika.exchange_type", ExchangeType=ExchangeType)
    _module("pika.frame", Method=MethodFrame)
    _module("pika.spec", BasicProperties=amqp.BasicProperties, **_method_namespaces())


def _module(name: str, **members: Any) -> None:
    """Make a module that is found by its name, and in the package that it is part of."""
    sys.modules[name] = made = ModuleType(name, "See pika_adapter.")
    vars(made).update(members)
    package, _, last = name.rpartition(".")
    if package:
        setattr(sys.modules[package], last, made)


def _method_namespaces() -> dict[str, SimpleNamespace]:
    """Return the classes of methods by the class of the specification: ``Basic.Publish`` is ``BasicPublish``."""
    spaces: dict[str, SimpleNamespace] = {}
    for method in amqp.METHODS.values():
        class_name = method.NAME.partition(".")[0].capitalize()
        space = spaces.setdefault(class_name, SimpleNamespace())
        setattr(space, method.__name__.removeprefix(class_name), method)
    return spaces
