"""The report formats, each a function of a ``RunResult`` to text: terminal text, JSON, JUnit XML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from amqp_codegen.support.json_text import json_text
from amqp_codegen.support.junit import junit_document, legal

from ..engine.level import level_of
from ..engine.run_result import Result, RunResult, Verdict
from ..engine.transcript import Exchange
from .causes import Cause, unexpected_causes
from .html import html_report

_WIDTH = 20
_ARROWS = {"sent": "->", "received": "<-", "event": "--"}


def text_report(run: RunResult, evidence: bool = False) -> str:
    """Return the report as lines of text, with what was sent and received if ``evidence`` is set."""
    return "".join(f"{line}\n" for line in _text_lines(run, evidence))


def _text_lines(run: RunResult, evidence: bool) -> Iterator[str]:
    yield f"{run.broker} at {run.target}, AMQP {run.spec}, {len(run.results)} rules in {run.seconds:.1f} s"
    yield ""
    for result in run.results:
        if result.verdict is not Verdict.PENDING:  # they are many and all alike: the report only counts them
            yield _text_line(result)
            if evidence:
                yield from map(_evidence, result.evidence)
    yield ""
    for level, counts in run.counts_by_level.items():
        yield f"{level.name:6} {_counts(counts)}"
    yield _counts({verdict: count for verdict in Verdict if (count := run.count(verdict))})
    yield from _surprises(run)
    yield from run.remarks


def _counts(counts: Mapping[Verdict, int]) -> str:
    return ", ".join(f"{count} {verdict.words}" for verdict, count in counts.items())


def _text_line(result: Result) -> str:
    level = ", ".join(dict.fromkeys(result.rule.levels))
    line = f"{result.verdict.words:{_WIDTH}} {result.rule.path} [{level or 'no level'}]"
    return f"{line}: {result.detail}" if result.detail else line


def _evidence(exchange: Exchange) -> str:
    channel = "" if exchange.channel is None else f" #{exchange.channel}"
    place = f"{exchange.connection}{channel}"
    return f"    {exchange.seconds:8.3f} {place:7} {_ARROWS[exchange.direction]} {exchange.text}"


def _surprises(run: RunResult) -> Iterator[str]:
    against = f"against {run.expectations}" if run.expectations else "nothing is known of this broker"
    if not run.surprises:
        yield f"as expected ({against})"
        return
    failing = f"failing the run (--fail-on {run.fail_on.word}): {len(run.failures)}"
    yield f"{len(run.surprises)} unexpected ({against}), {failing}"
    for cause in unexpected_causes(run):
        yield from _cause_lines(cause)


def _cause_lines(cause: Cause) -> Iterator[str]:
    """Yield one line for one rule; the cause and then the rules if there are several."""
    names = [f"{result.rule.path} [{level_of(result.rule).name}]" for result in cause.results]
    if len(names) == 1:
        yield f"  {names[0]}: {cause.why}"
        return
    yield f"  {len(names)} rules: {cause.why}"
    yield from (f"    {name}" for name in names)


def json_report(run: RunResult) -> str:
    """Return the report as JSON: ``{"target", "spec", "rules": [{"path", "level", "verdict", ...}], ...}``."""
    document = {
        "target": run.target,
        "spec": run.spec,
        "broker": {"product": run.broker.product, "version": run.broker.version},
        "expectations": run.expectations,
        "seconds": round(run.seconds, 3),
        "counts": {verdict.value: run.count(verdict) for verdict in Verdict},
        "levels": {
            level.word: {verdict.value: count for verdict, count in counts.items()}
            for level, counts in run.counts_by_level.items()
        },
        "unexpected": len(run.surprises),
        "fail_on": run.fail_on.word,
        "failing": len(run.failures),
        "remarks": list(run.remarks),
        "rules": [_rule(result, run) for result in run.results],
    }
    return json_text(document, indent=2, ascii_only=False) + "\n"


def _rule(result: Result, run: RunResult) -> dict[str, Any]:
    rule = result.rule
    return {
        "path": rule.path,
        "level": rule.levels[0] if rule.levels else "",
        "levels": list(rule.levels),
        "actor": rule.actor,
        "text": rule.text,
        "scenario": rule.scenario,
        "on_failure": rule.on_failure,
        "section": getattr(rule, "section", ""),
        "guide": run.guide_link(rule),
        "verdict": result.verdict.value,
        "detail": result.detail,
        "unexpected": result.surprise,
        "fails": run.fails(result),
        "procedure": result.procedure,
        "seconds": round(result.seconds, 3),
        "evidence": [_exchange(exchange) for exchange in result.evidence],
    }


def _exchange(exchange: Exchange) -> dict[str, Any]:
    return {
        "direction": exchange.direction,
        "seconds": round(exchange.seconds, 4),
        "connection": exchange.connection,
        "channel": exchange.channel,
        "name": exchange.name,
        "text": exchange.text,
        "hex": exchange.octets.hex(),
        "size": exchange.size,
    }


def junit_report(run: RunResult) -> str:
    """Return the report as JUnit XML: a test suite with a test case for each rule."""
    cases = [_case(result, run) for result in run.results]
    suite = Element(
        "testsuite",
        name=f"AMQP {run.spec}",
        hostname=legal(run.target),
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors=str(sum(case.find("error") is not None for case in cases)),
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
        time=f"{run.seconds:.3f}",
    )
    properties = SubElement(suite, "properties")
    for name, value in (("broker", str(run.broker)), ("expectations", run.expectations)):
        SubElement(properties, "property", name=name, value=legal(value))
    for level, counts in run.counts_by_level.items():
        SubElement(properties, "property", name=f"level {level.word}", value=_counts(counts))
    suite.extend(cases)
    if run.remarks:
        SubElement(suite, "system-err").text = legal("\n".join(run.remarks))
    return junit_document([suite])


def _case(result: Result, run: RunResult) -> Element:
    owner, _, name = result.rule.path.rpartition("/")
    case = Element("testcase", classname=f"{run.spec}.{owner}", name=name, time=f"{result.seconds:.3f}")
    properties = SubElement(case, "properties")
    SubElement(properties, "property", name="level", value=level_of(result.rule).word)
    if link := run.guide_link(result.rule):
        SubElement(properties, "property", name="guide", value=legal(link))
    if run.fails(result) and result.verdict is Verdict.BROKER_DIED:
        SubElement(case, "error", type="broker_died", message=legal(result.detail))
    elif run.fails(result):
        failure = SubElement(case, "failure", type=result.verdict.value, message=legal(result.surprise))
        failure.text = legal(f"{result.rule.text}\n\n{result.procedure}\n\n{_evidence_text(result)}")
    elif result.verdict is not Verdict.PASSED:
        SubElement(case, "skipped", message=legal(f"{result.verdict.words}: {result.detail}"))
    return case


def _evidence_text(result: Result) -> str:
    return "\n".join(
        f"{exchange.seconds:.3f} {exchange.direction}: {exchange.text}" for exchange in result.evidence
    )


# The second argument: whether to show what was sent and received. JSON always has it, JUnit has it of failures.
REPORTS: Mapping[str, Callable[[RunResult, bool], str]] = {
    "text": text_report,
    "json": lambda run, evidence: json_report(run),
    "junit": lambda run, evidence: junit_report(run),
    "html": html_report,
}
