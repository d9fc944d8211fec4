"""The reports: functions of a run, tried on one that has every verdict and hostile text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from amqp_conformance.engine.level import RuleLevel, level_of
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict
from amqp_conformance.engine.transcript import Exchange
from amqp_conformance.reports.forms import REPORTS

from .made_trials import make_rule

HOSTILE = "]]> <b>&\"' \x00\x1b[31m \ud7ff\ufffe 🐇"
EVIDENCE = (
    Exchange("sent", 0.25, 1, 1, "queue.declare", f"QueueDeclare({HOSTILE})", b"\x01\xff", 2),
    Exchange("received", 0.5, 1, None, "end", "the broker closed the socket"),
)


def result(name: str, verdict: Verdict, level: str = "MUST", **details: Any) -> Result:
    return Result(make_rule(f"queue.declare/{name}", level, "MAY"), verdict, **details)


RUN = RunResult(
    target="amqp://guest@localhost:5672/",
    spec="0-9-1",
    broker=Identity("Fake", "1.2"),
    expectations="fake-1.toml",
    results=(
        result("passes", Verdict.PASSED, procedure="Does it.", seconds=0.5, evidence=EVIDENCE),
        result("fails", Verdict.FAILED, detail=HOSTILE, surprise=f"failed: {HOSTILE}", evidence=EVIDENCE),
        result("passes-now", Verdict.PASSED, surprise="passed, a deviation was expected (406)"),
        result("wavers", Verdict.FLAKY, detail="failed once", surprise="flaky: failed once"),
        result("unknown", Verdict.INCONCLUSIVE, detail="set-up: no", surprise="inconclusive: set-up: no"),
        result("may-fail", Verdict.FAILED, level="MAY", detail="no", surprise="failed: no"),
        result("deviates", Verdict.DEVIATES, detail="got 406; known: so it is"),
        result("waits", Verdict.PENDING, detail="no driver"),
        result("cannot", Verdict.NOT_TESTABLE, detail="why"),
        result("dies", Verdict.BROKER_DIED, detail="gone", surprise="the broker died: gone"),
    ),
    seconds=12.345678,
    remarks=("could not be removed from the broker: amqp-codegen.queue.1",),
)


def test_json() -> None:
    document = json.loads(REPORTS["json"](RUN))
    rules = document.pop("rules")
    assert document == {
        "target": "amqp://guest@localhost:5672/",
        "spec": "0-9-1",
        "broker": {"product": "Fake", "version": "1.2"},
        "expectations": "fake-1.toml",
        "seconds": 12.346,
        "counts": {
            "passed": 2,
            "failed": 2,
            "flaky": 1,
            "deviates": 1,
            "inconclusive": 1,
            "pending": 1,
            "not_testable": 1,
            "broker_died": 1,
        },
        "levels": {
            "must": {
                "passed": 2,
                "failed": 1,
                "flaky": 1,
                "deviates": 1,
                "inconclusive": 1,
                "pending": 1,
                "not_testable": 1,
                "broker_died": 1,
            },
            "may": {"failed": 1},
        },
        "unexpected": 6,
        "fail_on": "must",
        "failing": 5,
        "remarks": list(RUN.remarks),
    }
    assert [rule["verdict"] for rule in rules] == [each.verdict.value for each in RUN.results]
    assert rules[0] == {
        "path": "queue.declare/passes",
        "level": "MUST",
        "levels": ["MUST", "MAY"],
        "actor": "server",
        "text": "The server MUST do it.",
        "scenario": None,
        "on_failure": "",
        "verdict": "passed",
        "detail": "",
        "unexpected": "",
        "fails": False,
        "procedure": "Does it.",
        "seconds": 0.5,
        "evidence": [
            {
                "direction": "sent",
                "seconds": 0.25,
                "connection": 1,
                "channel": 1,
                "name": "queue.declare",
                "text": f"QueueDeclare({HOSTILE})",
                "hex": "01ff",
                "size": 2,
            },
            {
                "direction": "received",
                "seconds": 0.5,
                "connection": 1,
                "channel": None,
                "name": "end",
                "text": "the broker closed the socket",
                "hex": "",
                "size": 0,
            },
        ],
    }
    assert rules[1]["detail"] == HOSTILE


def test_junit_counts_only_what_fails_the_run_as_failures() -> None:
    suites = ElementTree.fromstring(REPORTS["junit"](RUN))
    (suite,) = suites
    assert suites.tag == "testsuites"
    assert suite.tag == "testsuite"
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "10",
        "failures": "4",
        "errors": "1",
        "skipped": "4",
    }
    outcome = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert outcome == {
        "passes": [],
        "fails": ["failure"],
        "passes-now": ["failure"],
        "wavers": ["failure"],
        "unknown": ["failure"],
        "may-fail": ["skipped"],
        "deviates": ["skipped"],
        "waits": ["skipped"],
        "cannot": ["skipped"],
        "dies": ["error"],
    }
    assert {case.get("classname") for case in suite.iter("testcase")} == {"0-9-1.queue.declare"}
    failure = suite.find("testcase/failure")
    assert failure is not None
    legal = HOSTILE.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace("\ufffe", "\ufffd")
    assert failure.get("message") == f"failed: {legal}"
    assert legal in (failure.text or "")
    assert suite.findtext("system-err") == RUN.remarks[0]


def test_a_remark_is_not_good() -> None:
    assert not replace(RUN, results=()).is_good
    assert replace(RUN, results=(), remarks=()).is_good


def test_levels_decide_what_fails_the_run() -> None:
    def results(verdict: Verdict) -> tuple[Result, ...]:
        return tuple(
            result(level, verdict, level, surprise="not as expected")
            for level in ("MAY", "SHOULD NOT", "MUST")
        )

    def failing(verdict: Verdict, level: RuleLevel) -> list[str]:
        run = replace(RUN, results=results(verdict), remarks=(), fail_on=level)
        assert run.is_good is not bool(run.failures)
        return [each.rule.name for each in run.failures]

    assert failing(Verdict.FAILED, RuleLevel.MUST) == ["MUST"]
    assert failing(Verdict.INCONCLUSIVE, RuleLevel.SHOULD) == ["SHOULD NOT", "MUST"]
    assert failing(Verdict.FLAKY, RuleLevel.MAY) == ["MAY", "SHOULD NOT", "MUST"]
    assert failing(Verdict.BROKER_DIED, RuleLevel.MUST) == ["MAY", "SHOULD NOT", "MUST"]


def test_the_strictest_word_of_a_rule_is_its_level() -> None:
    levels = {
        words: level_of(replace(make_rule("queue/rule"), levels=words))
        for words in ((), ("MAY",), ("MAY NOT",), ("MAY", "SHOULD NOT"), ("SHOULD", "MUST NOT"))
    }
    assert list(levels.values()) == [
        RuleLevel.MUST,
        RuleLevel.MAY,
        RuleLevel.MAY,
        RuleLevel.SHOULD,
        RuleLevel.MUST,
    ]


def test_text() -> None:
    lines = REPORTS["text"](RUN).splitlines()
    assert lines[0] == "Fake 1.2 at amqp://guest@localhost:5672/, AMQP 0-9-1, 10 rules in 12.3 s"
    assert "passed               queue.declare/passes [MUST, MAY]" in lines
    assert "deviates             queue.declare/deviates [MUST, MAY]: got 406; known: so it is" in lines
    assert "inconclusive         queue.declare/unknown [MUST, MAY]: set-up: no" in lines
    assert "MAY    1 failed" in lines
    both = "1 flaky, 1 deviates, 1 inconclusive, 1 pending, 1 not testable, 1 broker died"
    assert f"MUST   2 passed, 1 failed, {both}" in lines
    assert f"2 passed, 2 failed, {both}" in lines
    assert "6 unexpected (against fake-1.toml), failing the run (--fail-on must): 5" in lines
    assert "  queue.declare/passes-now [MUST]: passed, a deviation was expected (406)" in lines
    assert lines[-1] == RUN.remarks[0]
    assert "queue.declare/waits" not in "".join(lines)


def test_text_with_evidence() -> None:
    text = REPORTS["evidence"](RUN)
    assert "       0.250 1 #1    -> QueueDeclare(" in text
    assert "       0.500 1       <- the broker closed the socket" in text


@pytest.mark.parametrize(
    ("expectations", "says"),
    [
        ("known.toml", "as expected (against known.toml)"),
        ("", "as expected (nothing is known of this broker)"),
    ],
)
def test_text_of_a_run_without_surprises(expectations: str, says: str) -> None:
    run = RunResult("t", "0-8", Identity(), expectations, RUN.results[:1], 1.0)
    assert run.is_good
    text = REPORTS["text"](run)
    assert text.startswith("unknown broker at t, ")
    assert text.endswith(f"1 passed\n{says}\n")


@pytest.mark.parametrize("form", REPORTS)
def test_every_form_takes_a_run_without_rules(form: str) -> None:
    assert "0-8" in REPORTS[form](RunResult("t", "0-8", Identity(), "", (), 0.0))
