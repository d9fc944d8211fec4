"""Tries one rule: runs its driver, turns how that ends into a verdict, and cleans up."""

from __future__ import annotations

from .broker import Broker
from .outcome import BrokerDied, Interrupted, NotTestable, OutOfTime, Violation
from .plan import Trial
from .registry import Driver
from .verdict import Result, Verdict


def attempt(broker: Broker, trial: Trial, driver: Driver) -> tuple[Result, bool]:
    """Runs the driver; its connections are closed afterwards, names are left to the caller.

    Returns:
        The result, and whether all is well with the broker, as far as can be told without asking it.

    Raises:
        Interrupted: The run is broken off.
    """
    try:
        verdict, detail = _drive(broker, driver)
        seconds, evidence = broker.transcript.elapsed, broker.transcript.evidence()
        is_well = broker.say_goodbye() and verdict not in (Verdict.FAILED, Verdict.BROKER_DIED)
    finally:
        broker.close_links()
    return Result(trial.rule, verdict, detail, driver.procedure, seconds, evidence), is_well


def _drive(broker: Broker, driver: Driver) -> tuple[Verdict, str]:
    """The verdict and why."""
    try:
        driver.function(broker)
    except NotTestable as error:
        return Verdict.NOT_TESTABLE, str(error)
    except OutOfTime:
        return Verdict.FAILED, f"not finished after {driver.seconds:g} s"
    except BrokerDied as error:
        return Verdict.BROKER_DIED, str(error)
    except Interrupted:
        raise
    except Violation as error:
        if broker.is_interrupted:  # it waited on a socket that was closed under it
            raise Interrupted from None
        return Verdict.FAILED, str(error)
    except Exception as error:  # a driver that fails must not take the run with it
        return Verdict.FAILED, f"the driver itself failed: {type(error).__name__}: {error}"
    return Verdict.PASSED, ""


def without_driver(trial: Trial) -> Result | None:
    """The result of a rule that needs no broker: not testable, or pending; None when there is a driver."""
    if trial.why_not:
        return Result(trial.rule, Verdict.NOT_TESTABLE, trial.why_not)
    if trial.driver is None:
        return Result(trial.rule, Verdict.PENDING, "no driver has been written for this rule")
    return None
