"""One try of one rule: the driver runs, and what it raises becomes a verdict."""

from __future__ import annotations

from typing import NamedTuple

from .broker_view import NEEDS_RESTART, BrokerView
from .plan import Trial
from .registry import Driver
from .run_result import (
    BrokerDied,
    Interrupted,
    NoAnswer,
    NotTestable,
    OutOfTime,
    Result,
    SetUpFailed,
    Verdict,
    Violation,
)


def attempt(broker: BrokerView, trial: Trial, driver: Driver) -> Result:
    """Run the driver and close its connections; the caller removes the names.

    Raises:
        Interrupted: The user interrupted the run.
    """
    try:
        outcome = _drive(broker, driver)
        seconds, evidence = broker.transcript.elapsed, broker.transcript.evidence()
        broker.say_goodbye()
    finally:
        broker.close_sockets()
    return Result(
        trial.rule,
        outcome.verdict,
        outcome.detail,
        driver.procedure,
        seconds,
        evidence,
        is_silence=outcome.is_silence,
    )


class _Outcome(NamedTuple):
    """What came of a driver; the fields are as in ``Result``."""

    verdict: Verdict
    detail: str = ""
    is_silence: bool = False


def _drive(broker: BrokerView, driver: Driver) -> _Outcome:
    try:
        driver.function(broker)
    except NotTestable as error:
        return _Outcome(Verdict.NOT_TESTABLE, str(error))
    except OutOfTime:
        return _Outcome(Verdict.INCONCLUSIVE, f"not finished after {driver.seconds:g} s")
    except BrokerDied as error:
        return _Outcome(Verdict.BROKER_DIED, str(error))
    except Interrupted:
        raise
    except (Violation, SetUpFailed) as error:
        if broker.is_interrupted:  # the driver waited on a socket that was closed meanwhile
            raise Interrupted from None
        verdict = Verdict.FAILED if isinstance(error, Violation) else Verdict.INCONCLUSIVE
        return _Outcome(verdict, str(error), isinstance(error, NoAnswer))
    except Exception as error:  # a faulty driver must not end the run, and says nothing of the broker
        return _Outcome(Verdict.INCONCLUSIVE, f"the driver itself failed: {type(error).__name__}: {error}")
    return _Outcome(Verdict.PASSED)


def without_try(trial: Trial, can_restart: bool) -> Result | None:
    """Return the result of a rule that cannot be tried: not testable, or pending; None if its driver can try it."""
    if trial.why_not:
        return Result(trial.rule, Verdict.NOT_TESTABLE, trial.why_not)
    if trial.driver is None:
        return Result(trial.rule, Verdict.PENDING, "no driver has been written for this rule")
    if trial.driver.restarts and not can_restart:
        return Result(trial.rule, Verdict.NOT_TESTABLE, NEEDS_RESTART, trial.driver.procedure)
    return None


def driver_of(trial: Trial) -> Driver:
    """Return the driver of a trial that has one; other trials are never run."""
    assert trial.driver is not None, trial.rule.path
    return trial.driver
