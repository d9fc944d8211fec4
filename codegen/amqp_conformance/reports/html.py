"""The report of a run, and several runs side by side, as HTML pages that need no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from amqp_codegen.model.amqp1 import types
from amqp_codegen.support.page import render_page
from amqp_codegen.support.wording import listing

from ..engine.level import SpecRule
from ..engine.run_result import Result, RunResult, Verdict
from .causes import known_causes, unexpected_causes
from .comparison import RunComparison

_MARKS = {
    Verdict.PASSED: "✓",
    Verdict.FAILED: "✗",
    Verdict.FLAKY: "~",
    Verdict.INCONCLUSIVE: "?",
    Verdict.DEVIATES: "≠",
    Verdict.BROKER_DIED: "†",
    Verdict.PENDING: "○",
    Verdict.NOT_TESTABLE: "⊘",
}
_ARROWS = {"sent": "→", "received": "←", "event": "·"}
_LEVELS = ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "MAY NOT")
_NO_LEVEL = "none"
# Longer contents are cut: a reader looks at the first octets of a body only.
_OCTETS_SHOWN, _OCTETS_A_LINE = 512, 16


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of results with each verdict that occurs, worst first."""

    counts: tuple[tuple[Verdict, int], ...]

    @property
    def size(self) -> int:
        """The number of results."""
        return sum(count for _, count in self.counts)

    @property
    def shares(self) -> Iterator[tuple[Verdict, int]]:
        """Return the same in the order of the marks, for a bar: good ones at its left."""
        counts = dict(self.counts)
        return ((verdict, counts[verdict]) for verdict in _MARKS if verdict in counts)

    @property
    def words(self) -> str:
        """Return ``3 passed, 1 failed``."""
        return ", ".join(f"{count} {verdict.words}" for verdict, count in self.counts)


@dataclass(frozen=True)
class Group:
    """The results of one class (0-x) or section (1.0)."""

    name: str
    results: tuple[Result, ...]

    @cached_property
    def all(self) -> Tally:
        """Return the tally over all levels."""
        return _tally(self.results)

    def tally(self, level: str) -> Tally:
        """Return the tally of the rules of one level."""
        return _tally(result for result in self.results if _level(result.rule) == level)


def html_report(run: RunResult, evidence: bool = False) -> str:
    """Return the report as one HTML page with its style and script in it.

    What was sent and received is most of the text by far, so it is there only if ``evidence`` is set.
    """
    filters: dict[str, Callable[..., Any]] = {
        "mark": _MARKS.__getitem__,
        "words": attrgetter("words"),
        "arrow": _ARROWS.__getitem__,
        "level": _level,
        "duration": _duration,
        "hex_dump": hex_dump,
        "beyond": _beyond,
    }
    present = {_level(result.rule) for result in run.results}
    return render_page(
        "conformance_report/report.html.jinja",
        filters,
        title=f"Conformance of {run.broker} to AMQP {run.spec}",
        run=run,
        evidence=evidence,
        unexpected=unexpected_causes(run),
        known=known_causes(run),
        total=_tally(run.results),
        levels=[level for level in (*_LEVELS, _NO_LEVEL) if level in present],
        groups=_groups(run.results),
        grouping="section" if any(isinstance(result.rule, types.Rule) for result in run.results) else "class",
    )


def comparison_page(comparison: RunComparison) -> str:
    """Return runs side by side as one HTML page: a matrix of rules by runs."""
    return render_page(
        "conformance_report/comparison.html.jinja",
        {"mark": _MARKS.__getitem__, "words": attrgetter("words")},
        title=f"Conformance of {listing(column.name for column in comparison.runs)}",
        comparison=comparison,
        columns=[(column, _ranked(column.counts)) for column in comparison.runs],
    )


def hex_dump(octets: bytes) -> str:
    """Return lines of offset, octets in hexadecimal, and their printable ASCII."""
    lines = []
    for start in range(0, min(len(octets), _OCTETS_SHOWN), _OCTETS_A_LINE):
        part = octets[start : start + _OCTETS_A_LINE]
        text = "".join(chr(octet) if 0x20 <= octet < 0x7F else "." for octet in part)
        lines.append(f"{start:04x}  {part.hex(' '):<{_OCTETS_A_LINE * 3 - 1}}  {text}")
    if len(octets) > _OCTETS_SHOWN:
        lines.append(f"... {len(octets) - _OCTETS_SHOWN} octets more")
    return "\n".join(lines)


def _groups(results: Iterable[Result]) -> list[Group]:
    """Return the results by class or section, in order of appearance."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(_group_name(result.rule), []).append(result)
    return [Group(name, tuple(group)) for name, group in groups.items()]


def _group_name(rule: SpecRule) -> str:
    """Return the class in a path such as ``queue.declare/name``; of 1.0, the first two numbers of the section."""
    if isinstance(rule, types.Rule):
        return ".".join(rule.section.split(".")[:2])
    return rule.path.partition("/")[0].partition(".")[0]


def _level(rule: SpecRule) -> str:
    return rule.levels[0] if rule.levels else _NO_LEVEL


def _tally(results: Iterable[Result]) -> Tally:
    return _ranked(Counter(result.verdict for result in results))


def _ranked(counts: Mapping[Verdict, int]) -> Tally:
    bad = (Verdict.BROKER_DIED, Verdict.FAILED, Verdict.FLAKY, Verdict.INCONCLUSIVE)
    ranked = (*bad, Verdict.DEVIATES, Verdict.PASSED, Verdict.PENDING, Verdict.NOT_TESTABLE)
    return Tally(tuple((verdict, counts[verdict]) for verdict in ranked if counts.get(verdict)))


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def _beyond(text: str, name: str) -> str:
    """Return a text without the name that it begins with, since that is shown before it."""
    return text[len(name) :].strip() if text.startswith(name) else text
