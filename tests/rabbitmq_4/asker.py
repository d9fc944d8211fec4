"""Asks a broker whether it takes methods, and what it answers to the trials of arguments."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq import methods

from tests.broker.client import Address, Client, Disconnected

from .argument_trials import Trial

Refusal = (amqp.errors.CloseError, Disconnected)


class Asker:
    """A connection that is made again when the broker has ended it, and names of its own.

    Attributes:
        version: The broker's, of those that the table knows.
    """

    def __init__(self, broker: Address | None = None) -> None:
        """Connect to the broker of AMQP_URL, or to another address."""
        self._broker = broker
        self.queue = self.exchange = f"amqp-codegen.{uuid4().hex}"
        self._client = self._connect()
        self.version = ".".join(self._client.start.server_properties["version"].split(".")[:2])

    def refusal(self, *sent: Any) -> str:
        """Return why the broker refuses one of the methods; empty if it takes them."""
        try:
            for method in sent:
                if isinstance(method, amqp.BasicProperties):
                    self._client.publish(self.queue, properties=method)
                else:
                    self._client.call(method)
            self._client.call(methods.BasicQos(prefetch_count=1))  # which is answered after a publish
        except Refusal as error:
            if isinstance(error, Disconnected) or self._client.socket.fileno() < 0:
                self._client.socket.close()
                self._client = self._connect()
            else:
                self._open_channel(self._client)
            return f"{type(error).__name__}: {error}"
        return ""

    def cleared(self) -> None:
        for method in (methods.QueueDelete(self.queue), methods.ExchangeDelete(self.exchange)):
            assert self.refusal(method) == ""

    def close(self) -> None:
        self._client.close()

    def _connect(self) -> Client:
        return self._open_channel(Client(amqp, broker=self._broker).handshake(capabilities={}))

    def _open_channel(self, client: Client) -> Client:
        client.open_channel().call(methods.BasicQos(prefetch_count=1))  # consumers of streams need it
        return client


def answer(asker: Asker, trial: Trial) -> str:
    """Return why the broker refuses the method of a trial, of which nothing stays."""
    method = trial.method(asker.queue, asker.exchange)
    if trial.argument.subject == "queue":
        refusal = asker.refusal(method)
    elif trial.argument.subject == "consumer":
        declare = methods.QueueDeclare(
            asker.queue, durable=True, arguments={"x-queue-type": trial.queue_type}
        )
        assert asker.refusal(declare) == ""
        refusal = asker.refusal(method)
    elif trial.argument.subject == "binding":
        assert asker.refusal(methods.QueueDeclare(asker.queue, durable=True)) == ""
        refusal = asker.refusal(method)
        to_exchange = methods.ExchangeBind("amq.fanout", "amq.headers", arguments=method.arguments)
        assert bool(asker.refusal(to_exchange)) == bool(refusal)
        assert (
            asker.refusal(methods.ExchangeUnbind("amq.fanout", "amq.headers", arguments=method.arguments))
            == ""
        )
    else:
        refusal = asker.refusal(method)
    asker.cleared()
    return refusal
