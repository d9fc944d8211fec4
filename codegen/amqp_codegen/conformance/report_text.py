"""The report for a terminal: a line for each rule, then the counts, then what was not expected."""

from __future__ import annotations

from collections.abc import Iterator

from .transcript import Exchange
from .verdict import Result, Run, Verdict

_WIDTH = 20
_ARROWS = {"sent": "->", "received": "<-", "event": "--"}
# Pending rules are many and all alike: they are only counted, unless everything is asked for.
_LISTED = (Verdict.PASSED, Verdict.FAILED, Verdict.DEVIATES, Verdict.NOT_TESTABLE, Verdict.BROKER_DIED)


def text_report(run: Run, evidence: bool = False) -> str:
    """The report as lines of text.

    Args:
        run: What was found.
        evidence: Tell of each rule what was sent and received.
    """
    return "".join(f"{line}\n" for line in _lines(run, evidence))


def _lines(run: Run, evidence: bool) -> Iterator[str]:
    yield f"{run.broker} at {run.target}, AMQP {run.spec}, {len(run.results)} rules in {run.seconds:.1f} s"
    yield ""
    for result in run.results:
        if result.verdict in _LISTED:
            yield _line(result)
            if evidence:
                yield from map(_evidence, result.evidence)
    yield ""
    yield ", ".join(f"{run.count(verdict)} {_words(verdict)}" for verdict in Verdict if run.count(verdict))
    yield from _surprises(run)
    yield from run.remarks


def _line(result: Result) -> str:
    level = ", ".join(dict.fromkeys(result.rule.levels))
    line = f"{_words(result.verdict):{_WIDTH}} {result.rule.path} [{level or 'no level'}]"
    return f"{line}: {result.detail}" if result.detail else line


def _evidence(exchange: Exchange) -> str:
    channel = "" if exchange.channel is None else f" #{exchange.channel}"
    place = f"{exchange.connection}{channel}"
    return f"    {exchange.seconds:8.3f} {place:7} {_ARROWS[exchange.direction]} {exchange.text}"


def _surprises(run: Run) -> Iterator[str]:
    against = f"against {run.expectations}" if run.expectations else "nothing is known of this broker"
    if not run.surprises:
        yield f"as expected ({against})"
        return
    yield f"{len(run.surprises)} unexpected ({against}):"
    for result in run.surprises:
        yield f"  {result.rule.path}: {result.surprise}"


def _words(verdict: Verdict) -> str:
    return verdict.value.replace("_", " ")
