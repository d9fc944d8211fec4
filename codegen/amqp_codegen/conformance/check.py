"""A whole run: from the name of a specification and the address of a broker to a ``Run``."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ..model.problem import Problem, SpecError
from ..packages import load_package
from ..passes.read_specification import read_specification
from ..resources import expectations_dir
from ..spec.inputs import resolve_input
from ..spec.wording import quote
from .broker import PATIENCE, Broker, MakeBroker, Setting
from .expectations import Expectations, find_expectations, judge, read_expectations
from .family import broker_class, driver_package
from .outcome import BrokerDied, OutOfTime, Violation
from .plan import Trial, make_plan, read_not_testable
from .registry import SECONDS, find_drivers
from .restart import restart
from .run import WORKERS, Runner
from .target import Target
from .verdict import Identity, Result, Rule, Run


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for.

    Attributes:
        target: Where the broker is.
        spec: One of ``specifications.SPECS``.
        glob: Which rules, a pattern.
        expectations: A file of known deviations; None to look for the broker's own.
        restart_command: A shell command that restarts the broker; empty when there is none.
        second_virtual_host: Another virtual host where our user may work; empty when there is none.
        workers: How many rules to try at once.
    """

    target: Target
    spec: str
    glob: str = "*"
    expectations: Path | None = None
    restart_command: str = ""
    second_virtual_host: str = ""
    workers: int = WORKERS


@dataclass(frozen=True, slots=True)
class Check:
    """All that a run needs, made before the broker is asked for anything but its name.

    Attributes:
        order: What was asked for.
        broker: What the broker says of itself.
        plan: The rules to try.
        expectations: The known deviations.
        setting: What the trials share.
        make_broker: The family's ``Broker``.
    """

    order: Order
    broker: Identity
    plan: tuple[Trial, ...]
    expectations: Expectations
    setting: Setting
    make_broker: MakeBroker


def prepare(order: Order) -> Check:
    """Reads the specification, finds the drivers, asks the broker who it is and finds what is known of it.

    Raises:
        SpecError: No broker lets us in, the file of expectations is wrong, or no rule fits the pattern.
    """
    inputs = resolve_input(order.spec)
    spec = read_specification(inputs.files, inputs.overlays).spec
    amqp = load_package(spec.package)
    rules: tuple[Rule, ...] = tuple(spec.rules)
    drivers = find_drivers(order.spec, driver_package(spec))
    plan = make_plan(rules, drivers, read_not_testable(order.spec), order.glob)
    if not plan:
        message = f"no rule of {order.spec} fits {quote(order.glob)}"
        raise SpecError([Problem("no-such-rule", message, None, f"a path looks like {rules[0].path}")])
    make_broker: MakeBroker = broker_class(spec)
    setting = Setting(order.target, amqp, second_virtual_host=order.second_virtual_host, patience=PATIENCE)
    if order.restart_command:
        setting = _with_restart(setting, order.restart_command, make_broker)
    broker = _identify(make_broker, setting)
    expectations = _expectations(order, broker, [rule.path for rule in rules])
    return Check(order, broker, plan, expectations, setting, make_broker)


def carry_out(check: Check, tell: Callable[[Result], None] = lambda result: None) -> Run:
    """Tries the rules.

    Args:
        check: What ``prepare`` has made.
        tell: Is told each result when it is there.
    """
    begin = time.monotonic()
    runner = Runner(check.setting, check.make_broker, check.order.workers, tell)
    results = judge(runner.run(check.plan), check.expectations)
    return Run(
        target=str(check.order.target),
        spec=check.order.spec,
        broker=check.broker,
        expectations=check.expectations.name,
        results=results,
        seconds=time.monotonic() - begin,
        remarks=runner.remarks,
    )


def _identify(make_broker: MakeBroker, setting: Setting) -> Identity:
    broker: Broker = make_broker(setting, None, SECONDS)
    try:
        return broker.identify()
    except BrokerDied as error:
        raise SpecError([Problem("no-broker", str(error))]) from None
    except (Violation, OutOfTime) as error:
        message = f"{setting.target} does not let us in: {error}"
        raise SpecError([Problem("no-broker", message)]) from None
    finally:
        broker.close_links()


def _with_restart(setting: Setting, command: str, make_broker: MakeBroker) -> Setting:
    def identify() -> Identity:
        broker: Broker = make_broker(setting, None, SECONDS)
        try:
            return broker.identify()
        finally:
            broker.close_links()

    return replace(setting, restart=lambda: restart(command, identify))


def _expectations(order: Order, broker: Identity, paths: list[str]) -> Expectations:
    file = order.expectations
    if file is None:
        with suppress(FileNotFoundError):
            file = find_expectations(expectations_dir(), broker)
    return read_expectations(file, order.spec, paths) if file else Expectations("", {})
