"""Puts together what has one cause: 33 rules that fail with one message are one thing to look into."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..engine.expectations import KNOWN
from ..engine.run_result import Result, RunResult, Verdict

_TROUBLE = (Verdict.DEVIATES, Verdict.FLAKY, Verdict.INCONCLUSIVE, Verdict.BROKER_DIED)
# Reply codes stay: 404 and 540 are two causes. So do the names of methods and conditions.
_VARYING = re.compile(
    r"""'[^']*' | "[^"]*"                          # names and texts in quotes
    | amqp-codegen[\w.-]+                         # names of ours
    | \b(?:[0-9a-f]{2}\ )+[0-9a-f]{2}\b          # octets
    | (?<!\.close\ )\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?)\b""",
    re.VERBOSE,
)


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


def same_cause(text: str) -> str:
    """Return what all texts of one cause have in common: the known reason if there is one, else no numbers and names."""
    _, is_known, reason = text.partition(KNOWN)
    return reason if is_known else _VARYING.sub("…", text)


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
