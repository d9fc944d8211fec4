"""Each argument of arguments.toml on the broker at hand: it answers what the table says of its version."""

from __future__ import annotations

from collections.abc import Iterator

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_codegen.model.amqp0.arguments import QUEUE_TYPES, KnownArgument

from .argument_trials import TABLE, VERSIONS, trials
from .asker import Asker, answer

pytestmark = pytest.mark.broker


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    asker = Asker()
    if asker.version not in VERSIONS:
        pytest.skip(f"arguments.toml is not about RabbitMQ {asker.version}")
    yield asker
    asker.cleared()
    asker.close()


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
