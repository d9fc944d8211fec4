"""The report for continuous integration: what was not expected is a failure there, and nothing else is."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from ..junit import junit_document, legal
from .verdict import Result, Run, Verdict

_SKIPPED = (Verdict.PENDING, Verdict.NOT_TESTABLE, Verdict.DEVIATES)


def junit_report(run: Run) -> str:
    """The report as JUnit XML: a test suite with a test case for each rule."""
    cases = [_case(result, run.spec) for result in run.results]
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
    suite.extend(cases)
    if run.remarks:
        SubElement(suite, "system-err").text = legal("\n".join(run.remarks))
    return junit_document([suite])


def _case(result: Result, spec: str) -> Element:
    owner, _, name = result.rule.path.rpartition("/")
    case = Element("testcase", classname=f"{spec}.{owner}", name=name, time=f"{result.seconds:.3f}")
    if result.verdict is Verdict.BROKER_DIED:
        SubElement(case, "error", type="broker_died", message=legal(result.detail))
    elif result.surprise:
        failure = SubElement(case, "failure", type=result.verdict.value, message=legal(result.surprise))
        failure.text = legal(f"{result.rule.text}\n\n{result.procedure}\n\n{_evidence(result)}")
    elif result.verdict in _SKIPPED:
        message = f"{result.verdict.value.replace('_', ' ')}: {result.detail}"
        SubElement(case, "skipped", message=legal(message))
    return case


def _evidence(result: Result) -> str:
    return "\n".join(
        f"{exchange.seconds:.3f} {exchange.direction}: {exchange.text}" for exchange in result.evidence
    )
