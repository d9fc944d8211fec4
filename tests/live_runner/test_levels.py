"""What a rule demands: its level, and what makes a run fail."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_codegen.api import load
from amqp_codegen.model.amqp0.spec import Rule
from amqp_conformance.engine.level import RuleLevel, level_of

from tests.cli.command_calls import call

from .fake_broker import fake_broker, say
from .fake_queues import FakeQueues

# They name what the server answers: "MAY only if" and "MAY NOT" of a client are duties of the server.
DUTIES = {
    "0-9-1": {
        "exchange.declare.exchange/reserved",
        "queue.declare.queue/reserved",
        "queue.declare.passive/passive",
        "queue.declare.exclusive/exclusive",
        "basic.consume.exclusive/01",
    },
    "0-9": {
        "access.request.exclusive/validity",
        "queue.declare.queue/reserved-prefix",
        "queue.declare.passive/passive",
        "queue.declare.exclusive/02",
        "basic.consume.exclusive/01",
        "message.consume.exclusive/01",
    },
}


@pytest.mark.parametrize("spec", DUTIES)
def test_a_permission_with_an_on_failure_code_binds(spec: str) -> None:
    rules = [rule for rule in load(spec).spec.rules if {word.split()[0] for word in rule.levels} == {"MAY"}]
    binding = {rule.path for rule in rules if level_of(rule) is RuleLevel.MUST}
    assert binding == DUTIES[spec]
    assert all(
        level_of(rule) is RuleLevel.MAY for rule in rules if isinstance(rule, Rule) and not rule.on_failure
    )


def test_in_1_0_a_permission_with_a_condition_is_one() -> None:
    """The peer MAY end the session, and then with this condition."""
    rules = {rule.path: rule for rule in load("1.0").spec.rules}
    rule = rules["attach.unsettled/too-large-ends-session"]
    assert rule.on_failure
    assert level_of(rule) is RuleLevel.MAY


def test_a_broker_that_takes_reserved_names_fails_the_run() -> None:
    """It declares a queue amq.something for whoever asks."""
    with fake_broker(FakeQueues().answers) as fake:
        result = call("conformance", fake.url, "--rules", "queue.declare.queue/reserved")
    assert result.code == 1
    assert any("queue.declare.queue/reserved [MUST]: failed" in line for line in result.out)


NO_QUEUES = {"queue.declare": say(amqp.methods.ChannelClose(540, "no"))}


@pytest.mark.parametrize(
    ("options", "code", "level"),
    [
        ([], 0, "must"),
        (["--strict"], 1, "may"),
        (["--fail-on", "may"], 1, "may"),
        (["--strict", "--fail-on", "may"], 1, "may"),
    ],
)
def test_strict_is_short_for_fail_on_may(options: list[str], code: int, level: str) -> None:
    with fake_broker(NO_QUEUES) as fake:
        result = call("conformance", fake.url, "--rules", "basic/07", *options)
    assert result.code == code
    assert f"(--fail-on {level})" in result.out[-2]


def test_strict_and_another_level_contradict_each_other() -> None:
    result = call("conformance", "amqp://localhost/", "--strict", "--fail-on", "should")
    assert (result.code, result.out) == (2, [])
    assert result.err == [
        "error: --strict is --fail-on may, and --fail-on should is given, too [wrong-level]"
    ]
