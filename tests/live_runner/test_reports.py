"""The reports: functions of a run, tried on one that has every verdict and hostile text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from amqp_codegen.api import load
from amqp_codegen.reference.site import site_files
from amqp_conformance.engine.framing import read_framing_rules
from amqp_conformance.engine.guide_places import guide_places
from amqp_conformance.engine.level import RuleLevel, level_of
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict
from amqp_conformance.engine.transcript import Exchange
from amqp_conformance.reports.causes import known_causes, same_cause, unexpected_causes
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
    document = json.loads(REPORTS["json"](RUN, False))
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
    assert [rule["verdict"] for rule in rules] == [result.verdict.value for result in RUN.results]
    assert rules[0] == {
        "path": "queue.declare/passes",
        "level": "MUST",
        "levels": ["MUST", "MAY"],
        "actor": "server",
        "text": "The server MUST do it.",
        "scenario": None,
        "on_failure": "",
        "section": "",
        "guide": "",
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
    suites = ElementTree.fromstring(REPORTS["junit"](RUN, False))
    (suite,) = suites
    assert suites.tag == "testsuites"
    assert suite.tag == "testsuite"
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "10",
        "failures": "4",
        "errors": "1",
        "skipped": "4",
    }
    outcome = {
        case.get("name"): [child.tag for child in case if child.tag != "properties"]
        for case in suite.iter("testcase")
    }
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


def test_junit_has_levels() -> None:
    (suite,) = ElementTree.fromstring(REPORTS["junit"](RUN, False))
    properties = {
        element.get("name"): element.get("value") for element in suite.findall("properties/property")
    }
    assert properties["level may"] == "1 failed"
    assert properties["level must"].startswith("2 passed, 1 failed, 1 flaky")
    levels = {
        case.get("name"): case.find("properties/property[@name='level']") for case in suite.iter("testcase")
    }
    assert {name: level.get("value") for name, level in levels.items() if level is not None} == {
        result.rule.name: "may" if result.rule.name == "may-fail" else "must" for result in RUN.results
    }


@pytest.mark.parametrize(
    ("guide", "link"),
    [
        ("", "index.html#rule.queue.declare.fails"),
        ("https://example.org/guide", "https://example.org/guide/index.html#rule.queue.declare.fails"),
        ("../guide/", "../guide/index.html#rule.queue.declare.fails"),
    ],
)
def test_rules_link_into_the_guide(guide: str, link: str) -> None:
    run = replace(
        RUN, guide=guide, guide_places={"queue.declare/fails": "index.html#rule.queue.declare.fails"}
    )
    rules = {rule["path"]: rule["guide"] for rule in json.loads(REPORTS["json"](run, False))["rules"]}
    assert rules.pop("queue.declare/fails") == link
    assert set(rules.values()) == {""}
    properties = ElementTree.fromstring(REPORTS["junit"](run, False)).iterfind(".//property[@name='guide']")
    assert [property_.get("value") for property_ in properties] == [link]
    links = re.findall(r'href="([^"#][^"]*#[^"]*)"', REPORTS["html"](run, False))
    assert links == ([link] if guide else []), "a page without the guide's address cannot lead there"


@pytest.mark.parametrize("version", ["0-9", "0-9-1-rabbitmq", "1.0"])
def test_every_place_in_the_guide_is_there(version: str) -> None:
    specification = load(version)
    catalogue = [rule.rule for rule in read_framing_rules(version).values()]
    places = guide_places(specification, (*specification.spec.rules, *catalogue))
    assert {rule.path for rule in specification.spec.rules} <= places.keys()
    ids = {
        f"{path}#{anchor}"
        for path, text in site_files([specification], lambda text: None).items()
        for anchor in re.findall(r' id="([^"]+)"', text)
    }
    assert set(places.values()) <= ids
    assert ({rule.path for rule in catalogue} <= places.keys()) is (version == "1.0")


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
        return [failure.rule.name for failure in run.failures]

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
    lines = REPORTS["text"](RUN, False).splitlines()
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
    text = REPORTS["text"](RUN, True)
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
    text = REPORTS["text"](run, False)
    assert text.startswith("unknown broker at t, ")
    assert text.endswith(f"1 passed\n{says}\n")


@pytest.mark.parametrize("form", REPORTS)
@pytest.mark.parametrize("evidence", [False, True])
def test_every_form_takes_a_run_without_rules(form: str, evidence: bool) -> None:
    assert "0-8" in REPORTS[form](RunResult("t", "0-8", Identity(), "", (), 0.0), evidence)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("got 3 messages", "got 12 messages", True),
        ("no queue 'a'", "no queue 'b'", True),
        ("no amqp-codegen.queue.1f", "no amqp-codegen.temporary.2e", True),
        ("a refusal of 71 00 00 01", "a refusal of a1 02 c3", True),
        ("got 406; known: any name will do", "got 540; known: any name will do", True),
        ("got channel.close 404", "got channel.close 540", False),
        ("expected queue.bind-ok", "expected queue.declare-ok", False),
        ("got 406; known: so it is", "got 406; known: any name will do", False),
    ],
)
def test_causes_differ_neither_by_numbers_nor_by_names(one: str, other: str, is_same: bool) -> None:
    assert (same_cause(one) == same_cause(other)) is is_same


def failed(name: str, detail: str, level: str = "MUST") -> Result:
    return result(name, Verdict.FAILED, level, detail=detail, surprise=f"failed: {detail}")


MANY = replace(
    RUN,
    results=(
        *(failed(f"may-{number}", "may", "MAY") for number in range(3)),
        failed("alone", "got 406"),
        failed("first", "expected queue.declare-ok, got 1"),
        failed("second", "expected queue.declare-ok, got 2"),
        result("known", Verdict.DEVIATES, detail="got 1; known: that is how it is"),
        result("alike", Verdict.DEVIATES, detail="got another; known: that is how it is"),
        result("set-up", Verdict.INCONCLUSIVE, detail="got 2; known: other"),
    ),
)


def test_what_fails_the_run_is_the_first_cause_then_what_most_rules_have() -> None:
    causes = [
        (cause.why, cause.fails, [result.rule.name for result in cause.results])
        for cause in unexpected_causes(MANY)
    ]
    assert causes == [
        ("failed: expected queue.declare-ok, got 1", True, ["first", "second"]),
        ("failed: got 406", True, ["alone"]),
        ("failed: may", False, ["may-0", "may-1", "may-2"]),
    ]


def test_known_deviations_have_the_cause_that_is_known() -> None:
    causes = [(cause.why, [result.rule.name for result in cause.results]) for cause in known_causes(MANY)]
    assert causes == [("that is how it is", ["known", "alike"]), ("other", ["set-up"])]


def test_the_text_states_a_cause_once() -> None:
    lines = REPORTS["text"](MANY, False).splitlines()
    begin = lines.index("  2 rules: failed: expected queue.declare-ok, got 1")
    assert lines[begin : begin + 4] == [
        "  2 rules: failed: expected queue.declare-ok, got 1",
        "    queue.declare/first [MUST]",
        "    queue.declare/second [MUST]",
        "  queue.declare/alone [MUST]: failed: got 406",
    ]


def words(page: str) -> str:
    """The text that a page shows, without its tags."""
    return " ".join(unescape(re.sub(r"<(style|script)>.*?</\1>|<[^>]+>", " ", page, flags=re.S)).split())


def test_the_page_begins_with_the_unexpected_and_why() -> None:
    text = words(REPORTS["html"](MANY, False))
    begin = text.index("6 unexpected 2 rules failed: expected queue.declare-ok, got 1")
    first = "queue.declare/first MUST queue.declare/second MUST failed: got 406 queue.declare/alone MUST 3 rules failed: may"
    assert first in text[begin:]
    assert "queue.declare/may-2 MAY does not fail the run" in text
    assert begin < text.index("3 rules, 2 causes") < text.index("By class and level")


def test_a_row_of_the_page_has_its_reason() -> None:
    page = REPORTS["html"](MANY, False)
    rows = dict(
        re.findall(r'<details class="rule [^>]*id="([^"]+)"[^>]*>\s*<summary>(.*?)</summary>', page, re.S)
    )
    assert "expected queue.declare-ok, got 2" in rows["queue.declare/second"]
    assert "got 1; known: that is how it is" in rows["queue.declare/known"]


def test_the_page_has_frames_only_with_evidence() -> None:
    assert "QueueDeclare(" not in REPORTS["html"](RUN, False)
    assert "QueueDeclare(" in REPORTS["html"](RUN, True)


def test_the_page_is_below_a_megabyte_if_every_rule_of_1_0_fails() -> None:
    text = "expected a refusal of the octets, got an open, and more in so many words; " * 2
    rules = (*load("1.0").spec.rules, *(rule.rule for rule in read_framing_rules("1.0").values()))
    results = tuple(
        Result(rule, Verdict.FAILED, text, text, 0.123, EVIDENCE * 20, f"failed: {text}") for rule in rules
    )
    assert len(results) > 600
    assert len(REPORTS["html"](replace(RUN, results=results), False).encode()) < 1_000_000
