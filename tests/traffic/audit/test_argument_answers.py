"""Arguments that a broker refuses or forgets: the audit says what the table of arguments says, and in which words."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.amqp0.argument_answers import ArgumentAnswers, answers_of, newest_answers

from tests.rabbitmq_4.argument_trials import TABLE, VERSIONS, Trial, trials

from ..messages.method_script import Step, client, publish, server
from .audited_methods import Steps, audit, handshake, method, ready

_DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)


def _answers(trial: Trial, version: str) -> dict[str, bool]:
    """The answers to the arguments of a trial: whether each is refused."""
    argument = trial.argument
    given = {argument.name: trial.value, **({argument.needs: ""} if argument.needs else {})}
    answers = ArgumentAnswers(TABLE, VERSIONS.index(version))
    return {
        answer.name: answer.is_refused for answer in answers.to(argument.subject, given, trial.queue_type)
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_refused_is_what_the_table_says(version: str) -> None:
    for argument in TABLE.arguments:
        for trial in trials(argument):
            is_refused = _answers(trial, version).get(argument.name, False)
            assert is_refused == trial.is_refused(version), (trial, version)


@pytest.mark.parametrize(
    ("product", "version", "number"),
    [
        ("RabbitMQ", "3.8.9", 0),
        ("RabbitMQ", "3.10.8", 0),
        ("RabbitMQ", "3.13.7", 0),
        ("RabbitMQ", "4.0.5", 1),
        ("RabbitMQ", "4.3.0-rc.1", 2),
        ("RabbitMQ", "5.0", 2),
        ("RabbitMQ", "new", 0),
    ],
)
def test_a_broker_answers_as_the_last_version_before_it(product: str, version: str, number: int) -> None:
    answers = answers_of(product, version)
    assert answers is not None and answers.version == number


@pytest.mark.parametrize(("product", "version"), [("LavinMQ", "4.3"), ("RabbitMQ", None), (None, "4.3")])
def test_of_other_brokers_nothing_is_known(product: str | None, version: str | None) -> None:
    assert answers_of(product, version) is None


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (256, "must be at most 255"),
        (-1, "must be at least 0"),
        ("3", "must be a whole number"),
        (True, "must be a whole number"),
        (Decimal(3), "must be a whole number"),
        (None, "must be a whole number"),
        ({"k": 1}, "must be a whole number"),
        ({}, "must be a whole number"),
        ({"$ulonglong": b""}, None),
        (3, None),
    ],
)
def test_values(value: Any, reason: str | None) -> None:
    answers = list(newest_answers().to("queue", {"x-max-priority": value}, "classic"))
    assert [answer.reason for answer in answers] == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (datetime(2026, 1, 1, tzinfo=UTC), None),
        ("10m", None),
        ("soon", "must match first|last|next|[0-9]*[1-9][0-9]*[YMDhms]"),
        (["first"], "must be a whole number or a time or text"),
    ],
)
def test_an_argument_of_several_types(value: Any, reason: str | None) -> None:
    answers = list(newest_answers().to("consumer", {"x-stream-offset": value}, "stream"))
    assert [answer.reason for answer in answers] == ([] if reason is None else [reason])


def _on(version: str, *steps: Any) -> Steps:
    start = {"server_properties": {"product": "RabbitMQ", "version": version}}
    return [*handshake(start=start), *ready(*steps)[len(handshake()) :]]


def _declare(**arguments: Any) -> list[Step]:
    table = {name.replace("_", "-"): value for name, value in arguments.items()}
    return [client("queue.declare", queue="q", durable=True, arguments=table), _DECLARED]


def _consume(**arguments: Any) -> list[Step]:
    table = {name.replace("_", "-"): value for name, value in arguments.items()}
    return [
        client("basic.consume", queue="q", consumer_tag="c", arguments=table),
        server("basic.consume-ok", consumer_tag="c"),
    ]


def _bind(exchange: str) -> list[Step]:
    table = {"x-match": "most"}
    return [
        client("queue.bind", queue="q", exchange=exchange, arguments=table),
        server("queue.bind-ok"),
    ]


def _said(steps: Steps, target: str | None = None) -> dict[str, str]:
    """The evidence of each rule about arguments."""
    findings = audit(steps, target=target)
    return {one.rule_id: one.evidence for one in findings if one.rule_id.startswith("argument-")}


def test_a_finding_names_the_argument_and_what_is_wrong() -> None:
    assert _said(_on("4.3.6", _declare(x_max_priority=256, x_max_lenght=5))) == {
        "argument-refused": "queue 'q' with x-max-priority=256, which must be at most 255",
        "argument-unknown": "queue 'q' with x-max-lenght, which RabbitMQ does not know: did you mean 'x-max-length'?",
    }
    quorum = _declare(x_queue_type="quorum", x_delayed_retry_type="all")
    assert _said(_on("4.0.5", quorum)) == {
        "argument-ignored": "queue 'q' with x-delayed-retry-type='all', which is known from 4.3 on"
    }
    assert _said(_on("4.3.6", quorum)) == {}


def test_a_migration_adds_what_the_broker_at_hand_takes() -> None:
    classic = _on("4.0.5", _declare(x_consumer_timeout=5, x_max_priority=256))
    newly = "queue 'q' with x-consumer-timeout=5, which is for queues of the type quorum, not classic"
    assert _said(classic).keys() == {"argument-ignored", "argument-refused"}
    assert _said(classic, "rabbitmq-4.3")["argument-newly-refused"] == newly
    assert _said(_on("4.3.6", _declare(x_consumer_timeout=5)), "rabbitmq-4.3") == {"argument-refused": newly}


def test_the_type_of_queue_of_a_consumer_is_that_of_its_declaration() -> None:
    stream, consume = _declare(x_queue_type="stream"), _consume(x_consumer_timeout=5)
    expected = (
        "consumer of queue 'q' with x-consumer-timeout=5, which is for queues of the type quorum, not stream"
    )
    assert _said(_on("4.3.6", stream, consume)) == {"argument-refused": expected}
    assert _said(_on("4.3.6", consume)) == {}
    assert _said(_on("4.3.6", _declare(), consume)) == {}  # the virtual host may make it a quorum queue
    asked_only = client("queue.declare", queue="q", passive=True, arguments={"x-max-priority": 256})
    assert _said(_on("4.3.6", asked_only, _DECLARED, consume)) == {}


def test_a_queue_that_does_not_last_is_classic() -> None:
    declare = client("queue.declare", queue="q", exclusive=True)
    assert (
        "not classic"
        in _said(_on("4.3.6", declare, _DECLARED, _consume(x_consumer_timeout=5)))["argument-refused"]
    )


def test_bindings_are_judged_at_exchanges_for_headers() -> None:
    headers = [client("exchange.declare", exchange="h", type="headers"), server("exchange.declare-ok")]
    expected = "which must be 'all' or 'any' or 'all-with-x' or 'any-with-x'"
    assert _said(_on("4.3.6", _declare(), _bind("amq.direct"), _bind("h"))) == {}
    for steps in ([_bind("amq.headers")], [headers, _bind("h")]):
        assert expected in _said(_on("4.3.6", _declare(), *steps))["argument-refused"]


def test_headers_of_messages() -> None:
    wrong = publish(properties={"headers": {"CC": "a"}})
    expected = "message to exchange 'e' with CC='a', which must be an array of texts"
    assert _said(_on("4.3.6", wrong)) == {"argument-refused": expected}
    assert _said(_on("4.3.6", publish(properties={"headers": {"CC": ["a"], "x-mine": 1}}))) == {}


def test_arguments_with_rules_of_their_own_are_told_once() -> None:
    names = {
        "x_queue_version": 1,
        "x_queue_master_locator": "random",
        "x_queue_mode": "lazy",
        "x_ha_policy": "all",
    }
    for name, value in names.items():
        assert _said(_on("4.3.6", _declare(**{name: value})), "rabbitmq-4.3") == {}


def test_declarations_that_do_not_wait_for_each_other() -> None:
    quorum = client("queue.declare", queue="r", durable=True, arguments={"x-queue-type": "quorum"})
    stream = client("queue.declare", queue="q", durable=True, arguments={"x-queue-type": "stream"})
    declared = server("queue.declare-ok", queue="r", message_count=0, consumer_count=0)
    steps = [quorum, stream, declared, _DECLARED, _consume(x_consumer_timeout=5)]
    assert "not stream" in _said(_on("4.3.6", *steps))["argument-refused"]


def test_the_type_of_one_declaration_is_not_that_of_another() -> None:
    plain = client("queue.declare", queue="q", durable=True)
    unnamed = client("queue.declare", arguments={"x-queue-type": "stream"})
    assert _said(_on("4.3.6", plain, unnamed, _DECLARED, _consume(x_consumer_timeout=5))) == {}


def test_a_queue_that_the_server_names() -> None:
    declare = client("queue.declare", arguments={"x-queue-type": "stream"})
    steps = [declare, _DECLARED, _consume(x_consumer_timeout=5)]
    assert "not stream" in _said(_on("4.3.6", *steps))["argument-refused"]


def test_repeated_names_are_not_judged() -> None:
    table = b"\x0ex-max-priorityt\x01" * 2
    declare = method(50, 10, b"\0\0\1q\2" + len(table).to_bytes(4, "big") + table)
    assert _said(_on("4.3.6", declare, _DECLARED)) == {}
