"""Trials made by hand: rules that no specification has, and drivers of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
from amqp_codegen.model.amqp0.spec import Rule
from amqp_codegen.model.problem import Position
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.attempt import attempt, driver_of
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.plan import Trial
from amqp_conformance.engine.registry import rule
from amqp_conformance.engine.run_result import Result
from amqp_conformance.engine.runner import TrialRunner

from tests.patience import PATIENCE

from .fake_broker import FakeBroker

# How long to wait for a broker that does not answer; whatever it answers comes at once.
SHORT_PATIENCE = 1.0


def make_rule(path: str, *levels: str, text: str = "The server MUST do it.") -> Rule:
    return Rule(
        path=path,
        name=path.rpartition("/")[2],
        label="",
        text=text,
        levels=levels or ("MUST",),
        actor="server",
        on_failure="",
        scenario=None,
        test=None,
        position=Position("rules.xml", 1, 1),
    )


def make_trial(function: Callable[[Broker], None], path: str = "", **options: Any) -> Trial:
    """A trial of a rule that is named after the function unless told otherwise."""
    path = path or f"queue/{function.__name__}"
    return Trial(make_rule(path), rule({"0-9-1": path}, **options)(function), "")


def make_setting(fake: FakeBroker, **options: Any) -> TrialSetting:
    return TrialSetting(read_target(fake.url), amqp, **{"patience": PATIENCE, **options})


def run(fake: FakeBroker, trials: Sequence[Trial], *, workers: int = 4, **options: Any) -> tuple[Result, ...]:
    return TrialRunner(make_setting(fake, **options), Broker, workers).run(trials)


def run_one(
    fake: FakeBroker, function: Callable[[Broker], None], patience: float = PATIENCE, **options: Any
) -> Result:
    (result,) = run(fake, [make_trial(function, **options)], patience=patience)
    return result


def try_once(
    fake: FakeBroker, function: Callable[[Broker], None], patience: float = PATIENCE, **options: Any
) -> Result:
    """What one try makes of it, without a second one and without the probes between rules."""
    trial = make_trial(function, **options)
    driver = driver_of(trial)
    setting = make_setting(fake, patience=patience)
    return attempt(Broker(setting, trial.rule, driver.seconds), trial, driver)


def declare(broker: Broker) -> None:
    """Declares a queue, which is the trial. Declare-Ok comes."""
    channel = broker.open_channel()
    with broker.trial():
        channel.declare_queue()
