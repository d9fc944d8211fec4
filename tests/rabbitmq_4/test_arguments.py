"""Each argument of arguments.toml on the broker at hand: it answers what the table says of its version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_codegen.model.amqp0.arguments import QUEUE_TYPES, KnownArgument

from tests.broker.client import Client, Disconnected

from .argument_trials import TABLE, VERSIONS, Trial, trials

pytestmark = pytest.mark.broker
Refusal = (amqp.errors.CloseError, Disconnected)


class Asker:
    """A connection that is made again when the broker has ended it, and names of its own.

    Attributes:
        version: The broker's, of those that the table knows.
    """

    def __init__(self) -> None:
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
        return self._open_channel(Client(amqp).handshake(capabilities={}))

    def _open_channel(self, client: Client) -> Client:
        client.open_channel().call(methods.BasicQos(prefetch_count=1))  # consumers of streams need it
        return client


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    asker = Asker()
    if asker.version not in VERSIONS:
        pytest.skip(f"arguments.toml is not about RabbitMQ {asker.version}")
    yield asker
    asker.cleared()
    asker.close()


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


@pytest.mark.parametrize(
    "argument", TABLE.arguments, ids=[f"{argument.subject}-{argument.name}" for argument in TABLE.arguments]
)
def test_the_broker_answers_what_the_table_says(asker: Asker, argument: KnownArgument) -> None:
    found = {(trial.queue_type, str(trial.value)): answer(asker, trial) for trial in trials(argument)}
    said = {
        (trial.queue_type, str(trial.value)): trial.is_refused(asker.version) for trial in trials(argument)
    }
    assert {key: bool(refusal) for key, refusal in found.items()} == said, found
    for trial in trials(argument):
        # Where this version answers as the newest, validate does; basic.consume does not tell of which queue it is.
        if argument.subject != "consumer" and trial.is_refused(VERSIONS[-1]) == trial.is_refused(
            asker.version
        ):
            violations = amqp.validation.violations(trial.method(asker.queue, asker.exchange), "rabbitmq")
            assert bool(violations) == bool(found[trial.queue_type, str(trial.value)]), (trial, violations)


def test_how_what_is_over_is_refused(asker: Asker) -> None:
    for argument in TABLE.arguments:
        over = argument.until and VERSIONS.index(argument.until) < VERSIONS.index(asker.version)
        if not over or argument.refused not in ("channel", "connection"):
            continue
        queue_type = next(iter(argument.queues))
        refusal = answer(asker, next(trial for trial in trials(argument) if trial.queue_type == queue_type))
        code = int(amqp.ReplyCode.INTERNAL_ERROR if argument.refused == "connection" else 406)
        assert refusal.startswith(amqp.CLOSE_ERRORS[code].__name__)


@pytest.mark.parametrize("queue_type", QUEUE_TYPES)
def test_an_argument_that_another_needs(asker: Asker, queue_type: str) -> None:
    for argument in TABLE.arguments:
        if argument.needs and queue_type in argument.queues:
            arguments = {"x-queue-type": queue_type, argument.name: "key"}
            assert asker.refusal(methods.QueueDeclare(asker.queue, durable=True, arguments=arguments))
            arguments[argument.needs] = "exchange"
            assert not asker.refusal(methods.QueueDeclare(asker.queue, durable=True, arguments=arguments))
            asker.cleared()


def test_a_passive_declare_does_not_look_at_arguments(asker: Asker) -> None:
    assert not asker.refusal(methods.QueueDeclare(asker.queue, durable=True))
    passive = methods.QueueDeclare(asker.queue, passive=True, arguments={"x-max-length": "many"})
    assert amqp.validation.violations(passive, "rabbitmq") == []
    assert not asker.refusal(passive)
    asker.cleared()
