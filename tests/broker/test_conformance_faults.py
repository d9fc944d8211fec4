"""The drivers of the live runner find out a broker that misbehaves, and blame just the rules that it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from types import ModuleType
from typing import NamedTuple

import amqp_0_8
import amqp_0_9_1_rabbitmq
import pytest
from amqp_codegen.model.amqp0.spec import Spec
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.support.resources import expectations_dir
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.expectations import find_expectations, read_expectations
from amqp_conformance.engine.framing import all_rules
from amqp_conformance.engine.plan import Trial, make_plan
from amqp_conformance.engine.registry import driver_package, find_drivers
from amqp_conformance.engine.run_result import Result, Verdict
from amqp_conformance.engine.runner import TrialRunner

from .client import URL
from .planted_faults import (
    both,
    change,
    close_the_connection_for,
    containing,
    drop,
    more_often_than,
    overtake,
    pretend,
    refuse,
    repeat,
    to_the_broker,
    to_the_client,
    where,
)
from .relay import Fault, Passage, no_fault, relay_to_broker

PACKAGES: dict[str, ModuleType] = {"0-9-1-rabbitmq": amqp_0_9_1_rabbitmq, "0-8": amqp_0_8}
LEFT_OUT = ("connection", "channel")
_SOME = 20
# What the drivers call names that they never declare, and names that are not theirs to declare.
MISSING, RESERVED = "amqp-codegen.missing.", "amq.amqp-codegen."


class Planted(NamedTuple):
    """A fault, the rules that hold without it and fail with it, and those that cannot be tried with it."""

    fault: Fault
    broken: set[str]
    spec: str = "0-9-1-rabbitmq"
    untried: frozenset[str] = frozenset()


EXCHANGES = {
    "unknown types of exchanges are direct": Planted(
        change("exchange.declare", where(type="x-no-such-type"), type="direct"), {"exchange.declare.type/support"}),
    "no exchanges of the type headers": Planted(refuse("exchange.declare", where(type="headers")),
                                                {"exchange/recommended-types"}),
    "reserved names of exchanges are free": Planted(pretend("exchange.declare", containing("exchange", RESERVED)),
                                                    {"exchange.declare.exchange/reserved"}),
    "passive declares create exchanges": Planted(
        change("exchange.declare", passive=False),
        {"exchange.declare.exchange/reserved", "exchange.declare.passive/not-found"}),
    "internal exchanges are open to all": Planted(change("exchange.declare", internal=False),
                                                  {"basic.publish.exchange/02"}),
    "direct exchanges are fanouts": Planted(change("exchange.declare", where(type="direct"), type="fanout"),
                                            {"queue.bind.routing-key/direct-exchange-key-matching"}),
    "exchanges are deleted though in use": Planted(change("exchange.delete", if_unused=False),
                                                   {"exchange.delete.if-unused/in-use"}),
    "the default exchange is deleted": Planted(pretend("exchange.delete", where(exchange="")),
                                               {"exchange/default-access"}),
    "messages by amq.topic come twice": Planted(repeat("basic.publish", where(exchange="amq.topic")),
                                                {"exchange.bind/unique", "queue.bind/unique"}),
    "messages to missing exchanges are dropped": Planted(drop("basic.publish", containing("exchange", MISSING)),
                                                         {"basic.publish.exchange/must-exist"}),
}  # fmt: skip

QUEUES = {
    "reserved names of queues are free": Planted(pretend("queue.declare", containing("queue", RESERVED)),
                                                 {"queue.declare.queue/reserved"}),
    "passive declares create queues": Planted(change("queue.declare", containing("queue", MISSING), passive=False),
                                              {"queue.declare.passive/passive"}),
    "queues are never exclusive": Planted(
        change("queue.declare", containing("queue", "amqp-codegen"), exclusive=False),
        {"queue.declare.exclusive/exclusive"}),
    "queues are deleted though in use": Planted(change("queue.delete", if_unused=False),
                                                {"queue.delete.if-unused/in-use"}),
    "queues are deleted though not empty": Planted(change("queue.delete", if_empty=False),
                                                   {"queue.delete.if-empty/not-empty"}),
    "queues are not purged": Planted(
        pretend("queue.purge"),
        {
            "queue.declare.exclusive/exclusive",
            "queue.purge.queue/must-exist",
            "queue.purge.queue/queue-known",
            "queue.purge/02",
        },
    ),
    "missing queues are bound": Planted(pretend("queue.bind", containing("queue", MISSING)),
                                        {"queue.bind.queue/must-exist"}),
    "missing exchanges are bound to": Planted(pretend("queue.bind", containing("exchange", MISSING)),
                                              {"queue.bind.exchange/exchange-existence"}),
    "three bindings for a queue at most": Planted(
        refuse("queue.bind", more_often_than(3, lambda passage: passage.method.queue)),
        {"queue.bind/binding-count", "exchange/required-instances"}),
    "no bindings to transient exchanges": Planted(refuse("queue.bind", containing("exchange", ".transient.")),
                                                  {"queue.bind/transient-exchange"}),
    "queues that are deleted if unused stay (0-8)": Planted(pretend("queue.delete", where(if_unused=True)),
                                                            {"queue.delete.if-unused/01"}, "0-8"),
}  # fmt: skip

MESSAGES = {
    "returns get lost": Planted(drop("basic.return"), {"basic.publish.mandatory/01", "confirm/unroutable-messages"}),
    "persistent messages overtake others": Planted(
        overtake(
            "basic.publish",
            lambda passage: passage.properties.delivery_mode == 1,
            lambda passage: passage.method.routing_key,
        ),
        {"basic/08"},
    ),
    "the second delivery comes twice": Planted(
        repeat("basic.deliver", where(delivery_tag=2)),
        {"basic.qos.prefetch-count/01", "basic.recover-async/01", "basic.recover/01", "basic/09", "basic/10"}),
    "fetched messages have the tag zero": Planted(change("basic.get-ok", delivery_tag=0), {"delivery-tag/non-zero"}),
    "redelivered is never set": Planted(change("basic.deliver", redelivered=False),
                                        {"basic.recover-async/01", "basic.recover/01", "redelivered/implementation"}),
    "redelivered is always set": Planted(change("basic.deliver", redelivered=True), {"redelivered/implementation"}),
    "no-ack is not heeded": Planted(change("basic.consume", no_ack=False), {"basic/09"}),
    "acknowledgements get lost": Planted(drop("basic.ack", to_the_broker),
                                         {"basic.ack.multiple/exists", "basic/10", "delivery-tag/channel-local"},
                                         untried=frozenset({"basic.qos.prefetch-count/01"})),
    "a nack of no delivery is taken": Planted(drop("basic.nack", where(delivery_tag=4711)),
                                              {"basic.nack.multiple/exists"}),
    "confirms come twice": Planted(repeat("basic.ack", to_the_client), {"confirm/all-messages-acknowledged"}),
    "consumers are never exclusive": Planted(change("basic.consume", exclusive=False),
                                             {"basic.consume.exclusive/01"}),
    "eight consumers for a queue at most": Planted(
        refuse("basic.consume", more_often_than(8, lambda passage: passage.method.queue)), {"basic.consume/01"}),
    "tags in use are free": Planted(
        pretend(
            "basic.consume",
            both(where(consumer_tag="tag"), more_often_than(1, lambda passage: passage.method.queue)),
        ),
        {"basic.consume.consumer-tag/01"},
    ),
    "cancels are refused": Planted(refuse("basic.cancel"), {"basic.cancel/01"},
                                   untried=frozenset({"basic.nack/02", "basic.reject/02"})),
    "commits need no transaction": Planted(pretend("tx.commit"), {"tx.commit/transacted"}),
    "no access to any realm (0-8)": Planted(
        refuse("access.request"),
        {"access.request/02"},
        "0-8",
        untried=frozenset(
            {
                "access.request-ok/01",
                "access.request-ok/02",
                "basic.consume.ticket/01",
                "basic.get.ticket/01",
                "basic.publish.ticket/01",
                "exchange.declare.ticket/01",
                "exchange.delete.ticket/01",
                "queue.purge.ticket/01",
            }
        ),
    ),
}  # fmt: skip

REPLY_CODES = {
    "404 becomes 403": Planted(
        change("channel.close", where(reply_code=404), reply_code=403),
        {
            "basic.publish.exchange/must-exist",
            "exchange.bind.destination/exchange-existence",
            "exchange.bind.source/exchange-existence",
            "exchange.declare.passive/not-found",
            "queue.bind.exchange/exchange-existence",
            "queue.bind.queue/must-exist",
            "queue.bind.queue/queue-known",
            "queue.declare.passive/passive",
            "queue.delete.queue/queue-known",
            "queue.purge.queue/must-exist",
            "queue.purge.queue/queue-known",
            "queue.unbind.queue/queue-known",
        },
    ),
    "405 becomes 404": Planted(
        change("channel.close", where(reply_code=405), reply_code=404), {"queue.declare.exclusive/exclusive"}
    ),
    "403 closes the connection": Planted(
        close_the_connection_for(403),
        {
            "basic.consume.exclusive/01",
            "basic.publish.exchange/02",
            "exchange.declare.exchange/reserved",
            "queue.declare.queue/reserved",
        },
    ),
    "406 closes the connection": Planted(
        close_the_connection_for(406),
        {
            "basic.ack.multiple/exists",
            "basic.nack.multiple/exists",
            "delivery-tag/channel-local",
            "exchange.declare.passive/equivalent",
            "exchange.delete.if-unused/in-use",
            "queue.declare.passive/equivalent",
            "queue.delete.if-empty/not-empty",
            "queue.delete.if-unused/in-use",
            "tx.commit/transacted",
            "tx.rollback/transacted",
        },
    ),
}

FAULTS = {**EXCHANGES, **QUEUES, **MESSAGES, **REPLY_CODES}


@cache
def specification(name: str) -> Spec:
    inputs = resolve_input(name)
    spec = read_specification(inputs.files, inputs.overlays).spec
    assert isinstance(spec, Spec)
    return spec


@cache
def plan(spec: str) -> tuple[Trial, ...]:
    """The trials of everything but connections and channels that need neither a restart nor seconds."""
    model = specification(spec)
    trials = make_plan(model.rules, find_drivers(spec, driver_package(model)), {})
    return tuple(
        trial
        for trial in trials
        if trial.driver
        and not (trial.driver.slow or trial.driver.restarts)
        and not trial.rule.path.startswith(LEFT_OUT)
    )


def direct(spec: str) -> Broker:
    """The broker itself, without a relay before it."""
    return Broker(TrialSetting(read_target(URL), PACKAGES[spec]))


def verdicts(spec: str, fault: Fault, is_expected: Callable[[Result], bool]) -> dict[str, Verdict]:
    """What the runner finds with the fault planted, by the paths of the rules; it tries again what is not expected."""
    with relay_to_broker(PACKAGES[spec], fault) as relay:
        setting = TrialSetting(read_target(relay.url), PACKAGES[spec])
        runner = TrialRunner(setting, Broker, is_expected=is_expected)
        return {result.rule.path: result.verdict for result in runner.run(plan(spec))}


@cache
def usual_verdicts(spec: str) -> dict[str, Verdict]:
    return verdicts(spec, no_fault, lambda result: result.verdict is Verdict.PASSED)


def verdicts_with(planted: Planted) -> dict[str, Verdict]:
    expected = usual_verdicts(planted.spec) | dict.fromkeys(planted.broken, Verdict.FAILED)
    expected |= dict.fromkeys(planted.untried, Verdict.INCONCLUSIVE)
    return verdicts(planted.spec, planted.fault, lambda result: result.verdict is expected[result.rule.path])


def paths_with(verdict: Verdict, found: dict[str, Verdict]) -> set[str]:
    return {path for path, item in found.items() if item is verdict}


@pytest.fixture(scope="session")
def with_faults(request: pytest.FixtureRequest) -> Iterator[dict[str, Future[dict[str, Verdict]]]]:
    """The verdicts with each fault that is asked for; several at a time, as most of it is waiting."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    wanted = [item.callspec.params["name"] for item in items if "with_faults" in item.fixturenames]
    for spec in PACKAGES:
        usual_verdicts(spec)
    with ThreadPoolExecutor(4) as together:
        yield {name: together.submit(verdicts_with, FAULTS[name]) for name in wanted}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_breaks_just_the_rules_that_it_is_about(
    with_faults: dict[str, Future[dict[str, Verdict]]], name: str
) -> None:
    _, broken, spec, untried = FAULTS[name]
    found, usual = with_faults[name].result(), usual_verdicts(spec)
    assert paths_with(Verdict.FAILED, found) - paths_with(Verdict.FAILED, usual) == broken
    assert paths_with(Verdict.INCONCLUSIVE, found) - paths_with(Verdict.INCONCLUSIVE, usual) == untried
    assert not paths_with(Verdict.BROKER_DIED, found)


@pytest.mark.parametrize("spec", PACKAGES)
def test_the_relay_itself_breaks_nothing(spec: str) -> None:
    """What fails through the relay is what is known to fail without it."""
    identity = direct(spec).identify()
    file = find_expectations(expectations_dir(), identity)
    if file is None:
        pytest.skip(f"needs a known broker: this one is {identity.product} {identity.version}")
    known = read_expectations(
        file, spec, [rule.path for rule in all_rules(spec, specification(spec))]
    ).deviations
    tried = {trial.rule.path for trial in plan(spec)}
    usual = usual_verdicts(spec)
    assert paths_with(Verdict.FAILED, usual) | paths_with(Verdict.INCONCLUSIVE, usual) == set(known) & tried


@pytest.mark.parametrize("spec", PACKAGES)
def test_nothing_is_left_behind(spec: str) -> None:
    queues, exchanges = set[str](), set[str]()

    def note(passage: Passage) -> list[Passage]:
        if passage.name == "queue.declare-ok":
            queues.add(passage.method.queue)
        elif passage.name == "exchange.declare" and not passage.method.exchange.startswith("amq."):
            exchanges.add(passage.method.exchange)
        return [passage]

    verdicts(spec, note, lambda result: True)
    methods = PACKAGES[spec].methods
    passive_declares = [
        *(methods.QueueDeclare(queue=queue, passive=True) for queue in queues),
        *(methods.ExchangeDeclare(exchange=exchange, type="direct", passive=True) for exchange in exchanges),
    ]
    assert len(queues) > _SOME and len(exchanges) > _SOME
    connection = direct(spec).connect()
    for number, declare in enumerate(passive_declares, 1):
        connection.open_channel(number).expect_refusal(declare, name="not-found")
    connection.close()
