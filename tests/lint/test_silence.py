"""Silences: what they cover, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.lint.rule import LintFinding
from amqp_codegen.lint.run import lint
from amqp_codegen.lint.silence import Silence
from amqp_codegen.model.problem import Position
from amqp_codegen.reader.inputs import Inputs

PLACE = Position("pyproject.toml", 1, 1)


def finding(file: str, rule: str = "may-not") -> LintFinding:
    return LintFinding(rule, "message", Position(file, 7, 1), "hint")


@pytest.mark.parametrize(
    ("pattern", "file", "covered"),
    [
        ("*", "specs/a.xml", True),
        ("a.xml", "specs/a.xml", True),
        ("specs/*.xml", "/home/me/specs/a.xml", True),
        ("specs/*.xml", "other/a.xml", False),
        ("b.xml", "specs/a.xml", False),
    ],
)
def test_files_of_a_project(pattern: str, file: str, covered: bool) -> None:
    silence = Silence(("may-not",), "why", PLACE, pattern)
    assert silence.covers(finding(file)) is covered
    assert not silence.covers(finding(file, "mixed-levels"))


def test_lines_of_a_file() -> None:
    here = Silence(("may-not",), "why", PLACE, "a.xml", range(5, 8))
    assert here.covers(finding("a.xml"))
    assert not here.covers(finding("x/a.xml"))
    assert not Silence(("may-not",), "why", PLACE, "a.xml", range(8, 9)).covers(finding("a.xml"))


SPEC = """<amqp major="0" minor="9">
<domain name="d" type="octet"/>{comment}
<class name="c" index="1"><method name="ask" index="1"><chassis name="server" implement="MUST"/></method></class>
</amqp>"""


def outcome_of(folder: Path, comment: str, *silences: Silence) -> tuple[list[str], list[str]]:
    path = folder / "s.xml"
    path.write_text(SPEC.format(comment=comment), encoding="utf-8")
    outcome = lint([Inputs((path,))], silences)
    return [finding.rule for finding in outcome.findings], [item.rule for item in outcome.silenced]


def test_what_is_silenced_is_set_aside(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, "") == (["unused-domain"], [])
    comment = "<!-- lint: disable=unused-domain because -->"
    assert outcome_of(tmp_path, comment) == ([], ["unused-domain"])


def test_a_silence_of_the_project_may_be_idle(tmp_path: Path) -> None:
    silences = [Silence((rule,), "why", PLACE, "s.xml") for rule in ("unused-domain", "may-not")]
    assert outcome_of(tmp_path, "", *silences) == ([], ["unused-domain"])


def test_a_silence_of_the_project_must_be_right(tmp_path: Path) -> None:
    wrong = Silence(("unused-doman",), "", PLACE, "s.xml")
    heard, _ = outcome_of(tmp_path, "", wrong)
    assert sorted(heard) == ["silence-reason", "silence-unknown", "unused-domain"]


@pytest.mark.parametrize(
    "comment", ["lint", "lint: disable", "lint: disable=", "lint: disable= unused-domain"]
)
def test_what_is_no_silence(tmp_path: Path, comment: str) -> None:
    heard, unheard = outcome_of(tmp_path, f"<!-- {comment} -->")
    assert unheard == []
    assert heard == (["unused-domain"] if comment == "lint" else ["unused-domain", "silence-form"])


def test_other_comments_are_none_of_ours(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, "<!-- as xmllint: does --><!-- disable=unused-domain -->")[0] == [
        "unused-domain"
    ]
