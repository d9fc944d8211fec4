"""The outcome of a trial, and the result of a run: a verdict with its evidence for each rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from .level import RuleLevel, SpecRule, level_of
from .transcript import Exchange


class Violation(Exception):
    """The broker does not do what the rule demands: ``expected ..., got ...``.

    Attributes:
        expected: What was expected, where that matters; else empty.
        got: What came instead, where that matters; else empty.
    """

    def __init__(self, message: str, *, expected: str = "", got: str = "") -> None:
        super().__init__(message)
        self.expected = expected
        self.got = got

    @classmethod
    def unexpected(cls, expected: str, got: str) -> Violation:
        """Return the violation by something else than what was expected."""
        return cls(f"expected {expected}, got {got}", expected=expected, got=got)


class NoAnswer(Violation):
    """The broker does not answer within the patience of the trial."""


class Disconnected(Violation):
    """The broker closed the socket where an answer was due."""


class NotTestable(Exception):
    """The rule cannot be tried on this broker or in this run; the message says why."""


# The message of a failed set-up begins so.
SET_UP = "set-up: "


class SetUpFailed(Exception):
    """Something failed before the trial could begin, so nothing is known of the rule; the message says what."""


class BrokerDied(Exception):
    """Nothing answers at the broker's address any more."""


class OutOfTime(Exception):
    """The trial exceeded its time limit."""


class Interrupted(Exception):
    """The user interrupted the run during the trial."""


class Verdict(Enum):
    """The verdict on a rule; the value is what reports print."""

    PASSED = "passed"
    FAILED = "failed"
    FLAKY = "flaky"
    DEVIATES = "deviates"
    INCONCLUSIVE = "inconclusive"
    PENDING = "pending"
    NOT_TESTABLE = "not_testable"
    BROKER_DIED = "broker_died"

    @property
    def words(self) -> str:
        """The verdict in words."""
        return self.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one rule.

    Attributes:
        detail: Why, in a sentence; empty if the rule holds.
        procedure: What the driver does, from its docstring; empty if there is no driver.
        surprise: How the verdict differs from what was expected of this broker; empty if it does not.
        is_silence: Whether the rule failed because nothing came in time.
    """

    rule: SpecRule
    verdict: Verdict
    detail: str = ""
    procedure: str = ""
    seconds: float = 0.0
    evidence: tuple[Exchange, ...] = ()
    surprise: str = ""
    is_silence: bool = False


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
        fail_on: The lowest level of rules that make the run fail.
        interruption: How the user ended the run early; None if it ran to its end.
        guide: The address of the reference guide of the specification; empty if there is none.
        guide_places: Where rules are in that guide, by path; relative to its folder.
    """

    target: str
    spec: str
    broker: Identity
    expectations: str
    results: tuple[Result, ...]
    seconds: float
    remarks: tuple[str, ...] = ()
    fail_on: RuleLevel = RuleLevel.MUST
    interruption: KeyboardInterrupt | None = None
    guide: str = ""
    guide_places: Mapping[str, str] = field(default_factory=dict)

    def count(self, verdict: Verdict, level: RuleLevel | None = None) -> int:
        """Return the number of rules with this verdict, of one level if it is given."""
        return sum(
            result.verdict is verdict and level in (None, level_of(result.rule)) for result in self.results
        )

    @property
    def counts_by_level(self) -> Mapping[RuleLevel, Mapping[Verdict, int]]:
        """The number of rules with each verdict, by level; verdicts and levels that do not occur are left out."""
        table = {
            level: {verdict: count for verdict in Verdict if (count := self.count(verdict, level))}
            for level in RuleLevel
        }
        return {level: counts for level, counts in table.items() if counts}

    @property
    def surprises(self) -> tuple[Result, ...]:
        """The unexpected results, whatever their level."""
        return tuple(result for result in self.results if result.surprise)

    @property
    def failures(self) -> tuple[Result, ...]:
        """The unexpected results that make the run fail."""
        return tuple(result for result in self.surprises if self.fails(result))

    def fails(self, result: Result) -> bool:
        """Return whether a result makes the run fail: it is unexpected, and its level counts or the broker died."""
        is_grave = result.verdict is Verdict.BROKER_DIED or level_of(result.rule) <= self.fail_on
        return bool(result.surprise) and is_grave

    def guide_link(self, rule: SpecRule) -> str:
        """Return the address of a rule in the reference guide, relative if that of the guide is not known."""
        place = self.guide_places.get(rule.path, "")
        return f"{self.guide.rstrip('/')}/{place}" if self.guide and place else place

    @property
    def is_good(self) -> bool:
        """True if nothing makes the run fail."""
        return not self.failures and not self.remarks
