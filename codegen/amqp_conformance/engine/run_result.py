"""The outcome of a trial, and the result of a run: a verdict with its evidence for each rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import types

from .transcript import Exchange


class Violation(Exception):
    """The broker does not do what the rule demands: ``expected ..., got ...``."""


class NoAnswer(Violation):
    """The broker does not answer within the patience of the trial."""


class Disconnected(Violation):
    """The broker closed the socket where an answer was due."""


class NotTestable(Exception):
    """The rule cannot be tried on this broker or in this run; the message says why."""


class BrokerDied(Exception):
    """Nothing answers at the broker's address any more."""


class OutOfTime(Exception):
    """The trial exceeded its time limit."""


class Interrupted(Exception):
    """The user interrupted the run during the trial."""


SpecRule = spec0.Rule | types.Rule


class Verdict(Enum):
    """The verdict on a rule; the value is what reports print."""

    PASSED = "passed"
    FAILED = "failed"
    DEVIATES = "deviates"
    PENDING = "pending"
    NOT_TESTABLE = "not_testable"
    BROKER_DIED = "broker_died"


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one rule.

    Attributes:
        detail: Why, in a sentence; empty if the rule holds.
        procedure: What the driver does, from its docstring; empty if there is no driver.
        surprise: How the verdict differs from what was expected of this broker; empty if it does not.
    """

    rule: SpecRule
    verdict: Verdict
    detail: str = ""
    procedure: str = ""
    seconds: float = 0.0
    evidence: tuple[Exchange, ...] = ()
    surprise: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a broker says of itself; empty where it says nothing."""

    product: str = ""
    version: str = ""

    def __str__(self) -> str:
        return f"{self.product} {self.version}".strip() or "unknown broker"


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run, from which reports are made.

    Attributes:
        target: The address of the broker, without the password.
        spec: The name of the specification, for example ``0-9-1-rabbitmq``.
        expectations: The name of the file of expectations, or empty.
        results: One for each rule of the request, in the order of the specification.
        remarks: What else went wrong, such as entities that could not be removed.
    """

    target: str
    spec: str
    broker: Identity
    expectations: str
    results: tuple[Result, ...]
    seconds: float
    remarks: tuple[str, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """Return the number of rules with this verdict."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def is_as_expected(self) -> bool:
        """True if no result needs attention."""
        return not self.surprises and not self.remarks

    @property
    def surprises(self) -> tuple[Result, ...]:
        """The unexpected results."""
        return tuple(result for result in self.results if result.surprise)
