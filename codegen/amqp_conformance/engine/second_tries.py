"""What is not as expected is tried once more, alone and with more patience, before it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .plan import Trial
from .run_result import Result, Verdict

_COUNTS_AT_ONCE = (Verdict.BROKER_DIED, Verdict.NOT_TESTABLE)


class SecondTries:
    """The results that wait for a second try.

    Of inconclusive results with one cause, such as a method that the broker does not have, one is tried again. The next
    one follows only if that makes a difference.

    Args:
        is_expected: Tells whether a result is what is known of the broker.
    """

    def __init__(self, is_expected: Callable[[Result], bool]) -> None:
        self._is_expected = is_expected
        self._waiting: dict[str, tuple[Trial, Result]] = {}
        self._first: dict[str, Result] = {}
        self._under_way: set[str] = set()
        self._samples: dict[str, str] = {}

    def take(self, trial: Trial, result: Result) -> Result | None:
        """Return what counts for a rule; None if it is to be tried again before that is known."""
        path = trial.rule.path
        first = self._first.get(path)
        if first is None:
            if result.verdict in _COUNTS_AT_ONCE or self._is_expected(result):
                return result
            self._waiting[path] = (trial, result)
            return None
        self._under_way.discard(path)
        if result.detail != first.detail and self._samples.get(first.detail) == path:
            del self._samples[first.detail]
        return merge(first, result)

    def next_round(self) -> list[Trial]:
        """Return what to try again now, each alone; nothing if all is done."""
        due = {
            path: (trial, result)
            for path, (trial, result) in self._waiting.items()
            if self._is_due(path, result)
        }
        for path, (_, result) in due.items():
            self._first[path] = result
            self._under_way.add(path)
            del self._waiting[path]
        return [trial for trial, _ in due.values()]

    def is_under_way(self, path: str) -> bool:
        """Return whether the try of a rule that begins now is its second one."""
        return path in self._under_way

    def rest(self) -> Sequence[Result]:
        """Return the first results of all that were not tried again."""
        cut_off = [self._first[path] for path in sorted(self._under_way)]
        return [*cut_off, *(result for _, result in self._waiting.values())]

    def _is_due(self, path: str, result: Result) -> bool:
        if result.verdict is not Verdict.INCONCLUSIVE:
            return True
        return self._samples.setdefault(result.detail, path) == path


def merge(first: Result, second: Result) -> Result:
    """Return the result of two tries; what passes only once is flaky.

    An answer that was missing beside other trials and comes alone was late. No rule says how fast a broker is.
    """
    if first.is_silence and second.verdict is Verdict.PASSED:
        return second
    both = {first.verdict, second.verdict}
    if both == {Verdict.PASSED, Verdict.FAILED}:
        failed = first if first.verdict is Verdict.FAILED else second
        when = "when first tried" if failed is first else "when tried again"
        return replace(
            failed, verdict=Verdict.FLAKY, detail=f"failed {when}, passed otherwise: {failed.detail}"
        )
    if both == {Verdict.FAILED, Verdict.INCONCLUSIVE} and first.verdict is Verdict.FAILED:
        return replace(second, detail=f"{second.detail}; when first tried, failed: {first.detail}")
    return second
