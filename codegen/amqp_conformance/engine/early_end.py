"""Why a run ends before its plan does: its time is over, or its rules fail again and again at the same step of set-up."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable

from .expectations import KNOWN
from .run_result import SET_UP, Result, Verdict

# So many rules have to fail alike before the run ends.
EQUAL_FAILURES = 20
# Reply codes stay: 404 and 540 are two causes. So do the names of methods and conditions.
_VARYING = re.compile(
    r"""'[^']*' | "[^"]*"                          # names and texts in quotes
    | amqp-codegen[\w.-]+                         # names of ours
    | \b(?:[0-9a-f]{2}\ )+[0-9a-f]{2}\b          # octets
    | (?<!\.close\ )\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?)\b""",
    re.VERBOSE,
)


class EndedEarly(Exception):
    """The run ends before its plan does; the message says why."""


def over_time(seconds: float) -> str:
    """Return why a run ends that had so many seconds."""
    return f"the run was over its {seconds:g} s (--max-seconds)"


def same_cause(text: str) -> str:
    """Return what all texts of one cause have in common: the known reason if there is one, else no numbers and names."""
    _, is_known, reason = text.partition(KNOWN)
    return reason if is_known else _VARYING.sub("…", text)


class SetUpFailures:
    """Counts the rules that fail in their set-up, by cause.

    Args:
        limit: How many may fail alike; 0 for any number.
        is_expected: Tells whether a result is what is known of the broker: then it does not count.
    """

    def __init__(self, limit: int, is_expected: Callable[[Result], bool]) -> None:
        self._limit = limit
        self._is_expected = is_expected
        self._rules: defaultdict[str, set[str]] = defaultdict(set)

    def count(self, result: Result) -> None:
        """Count a result.

        Raises:
            EndedEarly: So many rules have failed alike that the others would, too.
        """
        is_set_up = result.verdict is Verdict.INCONCLUSIVE and result.detail.startswith(SET_UP)
        if not (self._limit and is_set_up) or self._is_expected(result):
            return
        rules = self._rules[same_cause(result.detail)]
        rules.add(result.rule.path)
        if len(rules) >= self._limit:
            raise EndedEarly(f"{len(rules)} rules failed alike in their set-up ({result.detail})")
