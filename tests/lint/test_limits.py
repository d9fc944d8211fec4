"""Rules about size: what breaks them is too large to stand in a file here."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.lint.run import LintOutcome, lint
from amqp_codegen.reader.check_schema import MAX_PROBLEMS
from amqp_codegen.reader.inputs import Inputs
from amqp_codegen.reader.xml_tree import MAX_BYTES

LIMITED = {"xml-too-large", "too-many-problems", "grammar-too-large", "too-deep-type"}


def lint_text(folder: Path, text: str) -> LintOutcome:
    path = folder / "s.xml"
    path.write_text(text, encoding="utf-8")
    return lint([Inputs((path,))])


def rules(outcome: LintOutcome) -> list[str]:
    return [finding.rule for finding in outcome.findings]


def test_a_file_too_large(tmp_path: Path) -> None:
    outcome = lint_text(tmp_path, f'<amqp major="0" minor="9">{" " * MAX_BYTES}</amqp>')
    assert rules(outcome) == ["xml-too-large"]


def test_a_file_without_end() -> None:
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("needs /dev/zero")
    assert rules(lint([Inputs((endless,))])) == ["xml-too-large"]


def test_too_many_problems(tmp_path: Path) -> None:
    outcome = lint_text(tmp_path, f'<amqp major="0" minor="9">{"<clss/>" * (MAX_PROBLEMS + 1)}</amqp>')
    assert rules(outcome).count("too-many-problems") >= 1
    assert "unknown-element" in rules(outcome)


def test_a_grammar_too_large(tmp_path: Path) -> None:
    doubled = "\n".join(f"p{number} = p{number + 1} p{number + 1}" for number in range(16))
    method = '<method name="ask" index="1"><chassis name="server" implement="MUST"/></method>'
    text = f"""<amqp major="0" minor="9"><class name="c" index="1"><doc type="grammar">
c = p0
{doubled}
p16 = C:ASK
</doc>{method}</class></amqp>"""
    assert rules(lint_text(tmp_path, text)) == ["grammar-too-large"]


def test_a_type_too_deep(tmp_path: Path) -> None:
    types = "".join(
        f'<type name="t{number}" class="restricted" source="t{number + 1}"/>' for number in range(2000)
    )
    outcome = lint_text(tmp_path, f'<amqp name="types"><section name="s">{types}</section></amqp>')
    assert "too-deep-type" in rules(outcome)
