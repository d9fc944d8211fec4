"""What keeps a file from being linted at all: told as an error of the call, with the id that the catalogue has."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen import api
from amqp_codegen.lint.catalogue import CALL, RULES
from amqp_codegen.lint.run import lint
from amqp_codegen.model.problem import SpecError
from amqp_codegen.reader.inputs import Inputs, resolve_input
from amqp_codegen.resolve.specification import read_specification

GOOD = '<amqp major="0" minor="9"><class name="c" index="1"/></amqp>'


def unread(*paths: Path) -> list[str]:
    outcome = lint([Inputs(paths)])
    assert outcome.findings == []
    return [problem.rule_id for problem in outcome.unread]


def refused(files: tuple[Path, ...], dialect: str = "") -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_specification(files, (), dialect)
    return [problem.rule_id for problem in caught.value.problems]


def test_no_such_file(tmp_path: Path) -> None:
    assert unread(tmp_path / "s.xml") == ["no-such-file"]


def test_unreadable_file(tmp_path: Path) -> None:
    assert unread(tmp_path) == ["unreadable-file"]


@pytest.mark.parametrize("text", ['<amqp major="0" minor="10"/>', "<html/>", '<amqp overlay="x"/>'])
def test_unsupported_version(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.xml").write_text(text)
    assert unread(tmp_path / "s.xml") == ["unsupported-version"]


def test_what_can_be_linted_is(tmp_path: Path) -> None:
    (tmp_path / "good.xml").write_text(GOOD)
    outcome = lint([Inputs((tmp_path / "bad.xml", tmp_path / "good.xml"))])
    assert [problem.rule_id for problem in outcome.unread] == ["no-such-file"]
    assert [finding.rule for finding in outcome.findings] == ["no-methods"]


def test_wire_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.xml").write_text(GOOD)
    monkeypatch.setattr("amqp_codegen.resolve.specification.wire_file", lambda: (b"x = ", "wire.toml"))
    assert unread(tmp_path / "s.xml") == ["wire-file"]


def test_what_only_generating_asks_for() -> None:
    old, new = resolve_input("0-9-1").files, resolve_input("1.0").files
    ids = [*refused((*old, *old)), *refused(old, "rabit"), *refused(new, "rabbitmq")]
    assert ids == ["one-file", "unknown-dialect", "no-dialects"]
    assert {RULES[item].category for item in ids} == {CALL}


OVERLAY = """<amqp major="0" minor="9" revision="1" overlay="amqp0-9-1.xml">
<domain name="ghost" type="shortstr" overlay="add" reason="r" source="s"/></amqp>"""
PART = """<amqp name="mine"><section name="s"><type name="t" class="composite" source="list" provides="p">
<descriptor name="a:t:list" code="0x00001234:0x00000001"/></type></section></amqp>"""


def test_lint_of_an_overlay_speaks_of_the_overlay_alone(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.xml"
    overlay.write_text(OVERLAY)
    outcome = api.lint("0-9-1", overlays=[overlay])
    assert {(Path(finding.position.file).name, finding.rule) for finding in outcome.findings} == {
        ("mine.xml", "unused-domain")
    }
    assert api.lint("0-9-1").findings != []


def test_lint_of_a_part_beside_the_built_in_ones_speaks_of_the_part_alone(tmp_path: Path) -> None:
    part = tmp_path / "mine.xml"
    part.write_text(PART)
    outcome = api.lint("1.0", part)
    assert {Path(finding.position.file).name for finding in outcome.findings} == {"mine.xml"}
