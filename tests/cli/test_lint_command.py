"""``amqp-codegen lint``: what it takes, what it prints, how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from amqp_codegen.lint.catalogue import RULES
from amqp_codegen.lint.run import lint
from amqp_codegen.lint.silence import built_in_silences
from amqp_codegen.reader.inputs import resolve_input

from .command_calls import ROOT, call, place, refused, refused_with_one_line, write

__all__ = ["place"]

CLASS = """<class name="c" index="1"><method name="ask" index="1">
<chassis name="server" implement="MUST"/></method></class>"""
CLEAN = f'<amqp major="0" minor="9" revision="1">{CLASS}</amqp>'
NOTE = CLEAN.replace("<class", '<domain name="d" type="octet"/><class', 1)
WARNING = CLEAN.replace('index="1"', 'index="0"', 1)
ERROR = CLEAN.replace("<class", '<domian name="d" type="octet"/><class', 1)
OVERLAY = """<amqp major="0" minor="9" revision="1" overlay="more">
<domain overlay="add" name="d" type="oktet" reason="a test" source="none"/></amqp>"""


@pytest.mark.parametrize(("text", "code"), [(CLEAN, 0), (NOTE, 0), (WARNING, 1), (ERROR, 1)])
def test_exit_codes(place: Path, text: str, code: int) -> None:
    write({"s.xml": text})
    result = call("lint", "s.xml")
    assert (result.code, result.err) == (code, [])


def test_a_finding_is_a_line(place: Path) -> None:
    write({"s.xml": ERROR})
    assert call("lint", "s.xml").out == [
        "s.xml:1:40: error: unknown element <domian> in <amqp> (did you mean 'domain'?) [unknown-element]",
        "s.xml:1:40: note: nothing uses domain 'd' (remove it, or use it) [unused-domain]",
        "1 file: 1 error, 0 warnings, 1 note",
    ]


def test_overlay(place: Path) -> None:
    write({"s.xml": CLEAN, "o.xml": OVERLAY})
    result = call("lint", "s.xml", "--overlay", "o.xml", "--format", "json")
    found = json.loads("\n".join(result.out))["findings"]
    assert [(item["file"], item["rule"]) for item in found] == [
        ("o.xml", "undefined-domain"),
        ("o.xml", "unused-domain"),
    ]
    assert result.code == 1


@pytest.mark.parametrize("name", ["0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0"])
def test_built_in_names(place: Path, name: str) -> None:
    result = call("lint", name, "--format", "json")
    document = json.loads("\n".join(result.out))
    assert document["counts"]["error"] == 0
    assert document["incomplete"] == []
    assert result.err == []


def test_several_specifications(place: Path) -> None:
    """A file of 0-x is a specification of its own; all of 1.0 is one."""
    write({"a.xml": CLEAN, "b.xml": CLEAN})
    assert call("lint", "a.xml", "b.xml").out == ["2 files: 0 errors, 0 warnings, 0 notes"]
    folder = ROOT / "specs/amqp1-0"
    parts = call("lint", folder / "types.xml", folder / "transport.xml", folder / "security.xml")
    assert not any("[undefined-type]" in line for line in parts.out)


def test_files_for_machines(place: Path) -> None:
    write({"s.xml": WARNING})
    call("lint", "s.xml", "--format", "junit", "-o", "report.xml")
    suites = ElementTree.parse("report.xml").getroot()
    assert [suite.get("failures") for suite in suites] == ["1"]
    assert call("lint", "s.xml", "--format", "github").out == [
        "::warning file=s.xml,line=1,col=40,title=index-zero::class 'c' has the index 0 "
        "(close methods name class 0, method 0 when no method was the cause)"
    ]


def test_catalogue(place: Path) -> None:
    document = json.loads("\n".join(call("lint", "--list", "--format", "json").out))
    assert [rule["id"] for rule in document["rules"]] == list(RULES)
    assert "  may-not (warning): MAY NOT, which has two meanings" in call("lint", "--list").out


def test_what_is_no_specification(place: Path) -> None:
    write({"s.xml": "<html/>"})
    result = call("lint", "s.xml")
    assert result.code == 2
    assert len(result.err) == 1
    assert "[unsupported-version]" in result.err[0]


@pytest.mark.parametrize("form", ["text", "json", "github", "junit"])
def test_what_cannot_be_linted_is_said_once_and_counted_nowhere(place: Path, form: str) -> None:
    write({"s.xml": '<amqp major="0" minor="10"/>', "t.xml": CLEAN})
    alone = call("lint", "s.xml", "--format", form)
    assert alone.code == 2
    assert [line for line in alone.err if "AMQP 0-10 is not supported" in line] == alone.err
    text = "\n".join(alone.out)
    if form == "text":
        assert text == ""
        assert call("lint", "s.xml", "t.xml").out == ["1 file: 0 errors, 0 warnings, 0 notes"]
    elif form == "json":
        document = json.loads(text)
        assert (document["files"], document["unread"]) == ([], alone.err)
    elif form == "github":
        assert text == (
            "::error file=s.xml,line=1,col=1,title=unsupported-version::"
            "AMQP 0-10 is not supported: it is described in another language"
        )
    else:
        (suite,) = ElementTree.fromstring(text)
        assert (suite.get("errors"), suite.get("tests")) == ("1", "1")


def test_what_is_not_there(place: Path) -> None:
    assert "[no-such-file]" in refused_with_one_line("lint", "s.xm")
    assert "[no-such-file]" in refused_with_one_line("lint", "0-9-2")
    assert "[no-such-folder]" in refused_with_one_line("lint", "0-9-1", "-o", "no/report")
    assert len(refused("lint", "a.xml", "b.xml")) == 2
    assert "[no-targets]" in refused_with_one_line("lint")


def test_what_is_no_xml_is_a_finding(place: Path) -> None:
    write({"s.xml": "<amqp>"})
    result = call("lint", "s.xml")
    assert result.code == 1
    assert result.out[0].endswith("[xml-not-well-formed]")


TARGET = '[[tool.amqp-codegen.targets]]\nspec = "s.xml"\n'
SILENCE = '[[tool.amqp-codegen.lint.silence]]\nrules = {rules}\nfiles = "*.xml"\nreason = "a test"\n'


def test_targets_and_silences_of_a_project(place: Path) -> None:
    write({"s.xml": WARNING, "pyproject.toml": TARGET})
    assert call("lint").code == 1
    write({"pyproject.toml": TARGET + SILENCE.format(rules='"index-zero"')})
    result = call("lint")
    assert (result.code, result.out) == (0, ["1 file: 0 errors, 0 warnings, 0 notes; 1 silenced"])


@pytest.mark.parametrize(
    "text",
    [
        "[tool.amqp-codegen]\nlint = 1\n",
        "[tool.amqp-codegen.lint]\nsilences = []\n",
        "[tool.amqp-codegen.lint]\nsilence = 1\n",
        SILENCE.format(rules="[]"),
        SILENCE.format(rules="7"),
        SILENCE.format(rules='"may-not"') + "files_ = 1\n",
    ],
)
def test_wrong_settings(place: Path, text: str) -> None:
    write({"s.xml": CLEAN, "pyproject.toml": text})
    assert all("[bad-targets]" in line for line in refused("lint", "s.xml"))


def test_a_project_of_another_tool(place: Path) -> None:
    write({"s.xml": CLEAN, "pyproject.toml": "[project]\nname = 'x'\n"})
    assert call("lint", "s.xml").code == 0


def test_our_own_specifications_are_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for what specs/lint.toml silences, each with a reason."""
    monkeypatch.chdir(ROOT)
    result = call("lint")
    assert result.code == 0, "\n".join(line for line in result.out if ": note: " not in line)


def test_built_in_specifications_are_quiet_about_themselves(place: Path) -> None:
    """Whoever writes an overlay hears of that alone."""
    write({"o.xml": OVERLAY})
    for arguments in (["0-8"], ["0-9"], ["0-9-1"], ["0-9-1-rabbitmq"], ["1.0"], ["1.0-rabbitmq"]):
        assert call("lint", *arguments).code == 0
    result = call("lint", "0-9-1", "--overlay", "o.xml")
    warnings = [line for line in result.out[:-1] if ": note: " not in line]
    assert [line.partition(":")[0] for line in warnings if not line.startswith("/")] == ["o.xml"]


def test_a_copy_of_a_built_in_specification_is_not_silenced(place: Path) -> None:
    text = (ROOT / "specs/amqp0-9-1.xml").read_text(encoding="utf-8")
    write({"amqp0-9-1.xml": text})
    assert call("lint", "amqp0-9-1.xml").code == 1


def test_our_own_silences_are_all_needed() -> None:
    silences = built_in_silences()
    names = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0-rabbitmq")
    quiet = lint([resolve_input(name) for name in names], silences).silenced
    assert silences
    for silence in silences:
        for rule in silence.rules:
            assert any(item.rule == rule and silence.covers(item) for item in quiet), (rule, silence.file)
