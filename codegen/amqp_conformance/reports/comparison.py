"""Several runs side by side, rule by rule: two versions of a broker, or several brokers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amqp_codegen.model.problem import Problem, SpecError

from ..engine.early_end import same_cause
from ..engine.run_result import Verdict
from .saved_run import SavedResult, SavedRun


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run as a column.

    Attributes:
        name: The broker, with what tells it from the others.
        counts: The number of rules with each verdict that occurs.
    """

    name: str
    run: SavedRun
    counts: Mapping[Verdict, int]


@dataclass(frozen=True, slots=True)
class ComparedRule:
    """A rule as a row.

    Attributes:
        results: One for each run; None if the run did not have the rule.
    """

    path: str
    level: str
    text: str
    results: tuple[SavedResult | None, ...]

    @property
    def differs(self) -> bool:
        """Whether two runs have different verdicts."""
        return len({result.verdict for result in self.results if result}) > 1

    @property
    def differs_in_cause(self) -> bool:
        """Whether the verdicts are the same, and the reasons are not."""
        return not self.differs and len({same_cause(result.detail) for result in self.results if result}) > 1


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Rules by runs."""

    runs: tuple[ComparedRun, ...]
    rules: tuple[ComparedRule, ...]

    @property
    def different(self) -> tuple[ComparedRule, ...]:
        """The rules whose verdicts differ."""
        return tuple(rule for rule in self.rules if rule.differs)

    @property
    def different_in_cause(self) -> tuple[ComparedRule, ...]:
        """The rules whose verdicts are the same for different reasons."""
        return tuple(rule for rule in self.rules if rule.differs_in_cause)

    @property
    def incomplete(self) -> tuple[ComparedRule, ...]:
        """The rules that some runs did not have."""
        return tuple(rule for rule in self.rules if None in rule.results)


def compare(runs: Sequence[SavedRun]) -> RunComparison:
    """Put runs side by side: rules in the order of the first run, then those that only later ones have.

    Raises:
        SpecError: No rule is in two of them.
    """
    paths = dict.fromkeys(path for run in runs for path in run.results)
    rules = tuple(_rule(path, [run.results.get(path) for run in runs]) for path in paths)
    if not any(sum(result is not None for result in rule.results) > 1 for rule in rules):
        specs = ", ".join(f"{run.file}: AMQP {run.spec}" for run in runs)
        raise SpecError([Problem("nothing-to-compare", f"these runs have no rule in common ({specs})")])
    return RunComparison(tuple(map(_column, _names(runs), runs)), rules)


def _rule(path: str, results: Sequence[SavedResult | None]) -> ComparedRule:
    one = next(result for result in results if result)
    return ComparedRule(path, one.level, one.text, tuple(results))


def _column(name: str, run: SavedRun) -> ComparedRun:
    counts = Counter(result.verdict for result in run.results.values())
    return ComparedRun(name, run, {verdict: counts[verdict] for verdict in Verdict if counts[verdict]})


def _names(runs: Sequence[SavedRun]) -> list[str]:
    """Return the broker of each run, with specification and file where these are needed to tell them apart."""
    forms: tuple[Callable[[SavedRun], str], ...] = (
        lambda run: str(run.broker),
        lambda run: f"{run.broker}, AMQP {run.spec}",
        lambda run: f"{run.broker} ({run.file.stem})",
        lambda run: f"{run.broker} ({run.file})",
    )
    for form in forms:
        names = [form(run) for run in runs]
        if len(set(names)) == len(names):
            return names
    return [f"{number}. {name}" for number, name in enumerate(names, 1)]


def comparison_text(comparison: RunComparison) -> str:
    """Return the comparison as lines of text: only what differs."""
    return "".join(f"{line}\n" for line in _lines(comparison))


def _lines(comparison: RunComparison) -> Iterator[str]:
    for column in comparison.runs:
        counts = ", ".join(f"{count} {verdict.words}" for verdict, count in column.counts.items())
        yield f"{column.name}, AMQP {column.run.spec} ({column.run.file}): {counts}"
    yield from _section("different verdicts", comparison, comparison.different)
    yield from _section("the same verdict for different reasons", comparison, comparison.different_in_cause)
    if comparison.incomplete:
        yield f"{len(comparison.incomplete)} of {len(comparison.rules)} rules are not in all runs"


def _section(title: str, comparison: RunComparison, rules: Sequence[ComparedRule]) -> Iterator[str]:
    yield ""
    yield f"{len(rules)} of {len(comparison.rules)} rules with {title}"
    for rule in rules:
        yield f"  {rule.path} [{rule.level or 'no level'}]"
        for column, result in zip(comparison.runs, rule.results, strict=True):
            if result:
                reason = f": {result.detail}" if result.detail else ""
                yield f"    {column.name}: {result.verdict.words}{reason}"
