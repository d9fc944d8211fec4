"""``validate`` of arguments: what it refuses is what the newest version refuses that was asked, and it says why.

That the versions answer so is proven by ``tests/rabbitmq_4/test_arguments.py`` on a broker.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import amqp_0_9_1
import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import Tagged, Timestamp, methods
from amqp_0_9_1_rabbitmq.validation import violations
from amqp_codegen.model.amqp0.arguments import SUBJECTS, KnownArgument

from tests.rabbitmq_4.argument_trials import TABLE, VERSIONS, Trial, trials


def is_refused(trial: Trial) -> bool:
    """Return whether any queue or the queue of the trial takes it; of a consumer, nothing tells which queue it is."""
    newest = VERSIONS[-1]
    if trial.argument.subject != "consumer":
        return trial.is_refused(newest)
    return all(
        other.is_refused(newest) for other in trials(trial.argument) if repr(other.value) == repr(trial.value)
    )


@pytest.mark.parametrize(
    "argument", TABLE.arguments, ids=[f"{argument.subject}-{argument.name}" for argument in TABLE.arguments]
)
def test_what_the_newest_broker_refuses(argument: KnownArgument) -> None:
    for trial in trials(argument):
        method = trial.method("q", "x")
        found = violations(method, "rabbitmq")
        assert bool(found) == is_refused(trial), (trial, found)
        field = "headers" if argument.subject == "message" else "arguments"
        own = [text for text in found if text.startswith(f"{method.NAME}.{field}.{argument.name} ")]
        assert bool(own) == bool(found)


def declared(**arguments: Any) -> list[str]:
    named = {f"x-{name.replace('_', '-')}": value for name, value in arguments.items()}
    return violations(methods.QueueDeclare("q", arguments=named), "rabbitmq")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_length": "many"}, "x-max-length must be a whole number, not 'many'"),
        ({"max_length": True}, "x-max-length must be a whole number, not True"),
        ({"max_length": -1}, "x-max-length must be at least 0, not -1"),
        ({"max_priority": 256}, "x-max-priority must be at most 255, not 256"),
        ({"queue_type": "lazy"}, "x-queue-type must be 'classic' or 'quorum' or 'stream', not 'lazy'"),
        ({"queue_type": b"quorum"}, "x-queue-type must be text, not b'quorum'"),
        ({"max_age": "1h"}, "x-max-age is for queues of the type stream, not classic"),
        (
            {"queue_type": "quorum", "max_priority": 1},
            "x-max-priority is for queues of the type classic, not quorum",
        ),
        (
            {"queue_type": "stream", "max_age": "1w"},
            "x-max-age must match [0-9]*[1-9][0-9]*[YMDhms], not '1w'",
        ),
        ({"dead_letter_routing_key": "key"}, "x-dead-letter-routing-key needs x-dead-letter-exchange"),
        ({"queue_version": 1}, "x-queue-version must be 2, not 1"),
        ({"queue_master_locator": "random"}, "x-queue-master-locator is refused after version 4.0"),
        ({"max_length": Tagged("S", "1")}, "x-max-length must be a whole number, not '1'"),
    ],
)
def test_messages(arguments: dict[str, Any], message: str) -> None:
    assert declared(**arguments) == [f"queue.declare.arguments.{message}"]


def test_tagged_values_have_the_type_of_their_letter() -> None:
    assert declared(max_length=Tagged("s", 5), overflow=Tagged("S", b"drop-head")) == []


def test_arguments_that_are_not_known() -> None:
    assert declared(my_own=1, max_length=1) == []


def test_a_strange_type_of_queue_is_one_fault() -> None:
    assert len(declared(queue_type="lazy", max_age="1h", max_priority=1)) == 1


def test_all_faults_of_a_method() -> None:
    assert len(declared(max_length=-1, expires=0, overflow="x")) == 3


@pytest.mark.parametrize("offset", ["first", "10m", -1, Timestamp(1), datetime(2026, 1, 1, tzinfo=UTC)])
def test_offsets_of_streams(offset: Any) -> None:
    consume = methods.BasicConsume("q", arguments={"x-stream-offset": offset})
    assert violations(consume, "rabbitmq") == []


def test_no_other_profile_looks() -> None:
    declare = methods.QueueDeclare("q", arguments={"x-max-length": -1})
    for profile in ("off", "wire", "spec"):
        amqp.validate(declare, profile)
    amqp_0_9_1.validate(amqp_0_9_1.methods.QueueDeclare("q", arguments={"x-max-length": -1}), "rabbitmq")


def test_all_subjects_of_the_table_have_trials() -> None:
    assert {argument.subject for argument in TABLE.arguments} == set(SUBJECTS)
