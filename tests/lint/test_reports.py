"""The reports: text, JSON, JUnit, remarks on GitHub; and that no text of a file breaks any of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from amqp_codegen.lint.catalogue import RULES
from amqp_codegen.lint.reports import REPORTS, json_catalogue, text_catalogue
from amqp_codegen.lint.rule import LintFinding
from amqp_codegen.lint.run import LintOutcome
from amqp_codegen.model.problem import Position

from tests.emit.nasty_specifications import TEXTS


def outcome(findings: Sequence[LintFinding], incomplete: Sequence[str] = ()) -> LintOutcome:
    silenced = [LintFinding("may-not", "quiet", Position("a.xml", 9, 9), "why")]
    return LintOutcome(findings, silenced, ["a.xml", "b.xml"], [], incomplete)


FOUND = outcome(
    [
        LintFinding("unknown-element", "no <x>", Position("a.xml", 3, 5), "remove it"),
        LintFinding("may-not", "twofold", Position("a.xml", 4, 1), "say so"),
        LintFinding("mixed-levels", "several", Position("a.xml", 5, 1), "part them"),
    ],
    ["a.xml"],
)
NASTY = 'x]]>\n::error::%0A,"</failure>\u2028\x1b[31m\x00&amp;'


def test_text() -> None:
    assert REPORTS["text"](FOUND).splitlines() == [
        "a.xml:3:5: error: no <x> (remove it) [unknown-element]",
        "a.xml:4:1: warning: twofold (say so) [may-not]",
        "a.xml:5:1: note: several (part them) [mixed-levels]",
        "a.xml: more may be found once these errors are mended",
        "2 files: 1 error, 1 warning, 1 note; 1 silenced",
    ]


def test_text_of_nothing() -> None:
    clean = LintOutcome([], [], ["a.xml"], [], [])
    assert REPORTS["text"](clean) == "1 file: 0 errors, 0 warnings, 0 notes\n"
    assert clean.is_clean


def test_json() -> None:
    document = json.loads(REPORTS["json"](FOUND))
    assert document["counts"] == {"error": 1, "warning": 1, "note": 1}
    assert document["findings"][0] == {
        "file": "a.xml",
        "line": 3,
        "column": 5,
        "rule": "unknown-element",
        "category": "form",
        "severity": "error",
        "message": "no <x>",
        "hint": "remove it",
    }
    assert [item["message"] for item in document["silenced"]] == ["quiet"]
    assert document["files"] == ["a.xml", "b.xml"]
    assert document["incomplete"] == ["a.xml"]


def test_github() -> None:
    assert REPORTS["github"](FOUND).splitlines() == [
        "::error file=a.xml,line=3,col=5,title=unknown-element::no <x> (remove it)",
        "::warning file=a.xml,line=4,col=1,title=may-not::twofold (say so)",
        "::notice file=a.xml,line=5,col=1,title=mixed-levels::several (part them)",
    ]


def test_github_escapes_what_ends_a_command() -> None:
    report = REPORTS["github"](
        outcome([LintFinding("may-not", "50%\r\nmore", Position("a:b,c.xml", 1, 1), "h")])
    )
    assert report == "::warning file=a%3Ab%2Cc.xml,line=1,col=1,title=may-not::50%25%0D%0Amore (h)\n"


def test_junit() -> None:
    first, second = ElementTree.fromstring(REPORTS["junit"](FOUND))
    assert {name: first.get(name) for name in ("name", "tests", "failures", "skipped")} == {
        "name": "a.xml",
        "tests": "3",
        "failures": "2",
        "skipped": "1",
    }
    assert [case.get("name") for case in first] == [
        "unknown-element at 3:5",
        "may-not at 4:1",
        "mixed-levels at 5:1",
    ]
    assert [(case.get("name"), list(case)) for case in second] == [("lint", [])]


def test_junit_leaves_no_finding_out() -> None:
    elsewhere = outcome([LintFinding("silence-reason", "none", Position("pyproject.toml", 1, 1), "say why")])
    suites = ElementTree.fromstring(REPORTS["junit"](elsewhere))
    assert [suite.get("name") for suite in suites] == ["a.xml", "b.xml", "pyproject.toml"]


@pytest.mark.parametrize("form", REPORTS)
def test_nasty_texts_are_text(form: str) -> None:
    """What a file says is in its messages; it must not become part of the form of a report."""

    def report(text: str) -> str:
        return REPORTS[form](outcome([LintFinding("may-not", text, Position(f"{text}.of.xml", 1, 1), text)]))

    plain = report("x")
    for text in (NASTY, *TEXTS):
        nasty = report(text)
        if form == "json":
            [found] = json.loads(nasty)["findings"]
            assert (found["message"], found["file"]) == (text, f"{text}.of.xml")
        elif form == "junit":
            shapes = [
                [element.tag for element in ElementTree.fromstring(xml).iter()] for xml in (plain, nasty)
            ]
            assert shapes[0] == shapes[1], text
        elif form == "github":
            assert len(nasty.split("\n")) == len(plain.split("\n")), text
        else:
            assert text in nasty  # cli/console.py makes one line of each when it prints


def test_catalogue_as_json() -> None:
    rules = json.loads(json_catalogue(RULES.values()))["rules"]
    assert len(rules) == len(RULES) >= 40
    assert all(set(rule) == {"id", "purpose", "category", "severity", "example"} for rule in rules)
    assert {rule["severity"] for rule in rules} == {"error", "warning", "note"}


def test_catalogue_as_text() -> None:
    text = text_catalogue(RULES.values())
    assert all(f"  {rule.id} ({rule.severity.value}): {rule.purpose}\n" in text for rule in RULES.values())
    assert len({line for line in text.splitlines() if not line.startswith(" ")}) == 20
