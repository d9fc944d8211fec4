"""Puts together what has one cause: 33 rules that fail with one message are one thing to look into."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..engine.early_end import same_cause
from ..engine.expectations import KNOWN
from ..engine.run_result import Result, RunResult, Verdict

_TROUBLE = (Verdict.DEVIATES, Verdict.FLAKY, Verdict.INCONCLUSIVE, Verdict.BROKER_DIED)


@dataclass(frozen=True, slots=True)
class Cause:
    """Results that have one cause.

    Attributes:
        why: The reason, as the first of them states it.
        fails: Whether one of them makes the run fail.
    """

    why: str
    results: tuple[Result, ...]
    fails: bool = False


def unexpected_causes(run: RunResult) -> list[Cause]:
    """Return the unexpected results by cause: first what makes the run fail, then what most rules have."""
    causes = _causes(run, run.surprises, lambda result: result.surprise)
    return sorted(causes, key=lambda cause: not cause.fails)


def known_causes(run: RunResult) -> list[Cause]:
    """Return the known deviations by cause."""
    known = [result for result in run.results if result.verdict in _TROUBLE and not result.surprise]
    return _causes(run, known, lambda result: result.detail.partition(KNOWN)[2] or result.detail)


def _causes(run: RunResult, results: Iterable[Result], why: Callable[[Result], str]) -> list[Cause]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(same_cause(why(result)), []).append(result)
    causes = [
        Cause(why(group[0]), tuple(group), any(run.fails(result) for result in group))
        for group in groups.values()
    ]
    return sorted(causes, key=lambda cause: -len(cause.results))
