"""What commands print: JSON, XML, lines for people and for GitHub, Markdown, graphs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.command_calls import call
from tests.emit.nasty_specifications import TEXTS, folded

from .conftest import Corpus


def printed(*arguments: Any, code: int = 0) -> str:
    """What a command prints; all lines of it that are for people can be seen."""
    result = call(*arguments)
    assert result.code == code, result.err[:3]
    assert all(line.isprintable() for line in result.err)
    return "\n".join(result.out)


def document(folder: Path, *arguments: Any) -> Any:
    """What a command writes as JSON."""
    output = folder / "out.json"
    assert call(*arguments, "-o", output).code == 0
    return json.loads(output.read_text(encoding="utf-8"))


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON document."""
    if isinstance(value, dict):
        yield from (text for item in (*value, *value.values()) for text in texts_in(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in texts_in(item))
    elif isinstance(value, str):
        yield folded(value)


def skeleton(document: str) -> list[tuple[str, list[str]]]:
    """The elements of an XML document, and the names of their attributes."""
    return [
        (element.tag, sorted(element.attrib)) for element in ElementTree.fromstring(document.encode()).iter()
    ]


# --- lint ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def findings(corpus: Corpus) -> list[dict[str, Any]]:
    document = json.loads(printed("lint", corpus.named("nasty"), "--format", "json", code=1))
    found: list[dict[str, Any]] = document["findings"]
    assert {item["file"] for item in found} <= set(map(str, corpus.nasty))
    return found


def test_lint_text_has_a_line_for_each_finding(corpus: Corpus, findings: list[dict[str, Any]]) -> None:
    lines = printed("lint", corpus.named("nasty"), code=1).splitlines()
    assert all(line.isprintable() for line in lines)
    assert len([line for line in lines if line.startswith(tuple(map(str, corpus.nasty)))]) == len(findings)


def test_lint_github_has_a_command_for_each_finding(corpus: Corpus, findings: list[dict[str, Any]]) -> None:
    lines = printed("lint", corpus.named("nasty"), "--format", "github", code=1).splitlines()
    commands = [line for line in lines if re.match(r"::(error|warning|notice) file=", line)]
    assert len(commands) == len(findings) == len(lines)


def test_lint_junit_has_a_case_for_each_finding(corpus: Corpus, findings: list[dict[str, Any]]) -> None:
    shape = skeleton(printed("lint", corpus.named("nasty"), "--format", "junit", code=1))
    assert {tag for tag, _ in shape} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "skipped",
        "system-out",
    }
    assert len([tag for tag, _ in shape if tag == "failure"]) <= len(findings)
    assert len([tag for tag, _ in shape if tag == "testcase"]) >= len(findings)


# --- diff ------------------------------------------------------------------------------------------


def test_diff_json(corpus: Corpus, tmp_path: Path) -> None:
    found, usual = (
        document(tmp_path, "diff", corpus.named("tame"), corpus.named(new), "--format", "json")
        for new in ("nasty", "other")
    )
    assert found.keys() == usual.keys()
    said = " ".join(texts_in(found))
    assert [text for text in TEXTS if len(text) < 60 and folded(text) not in said] == []


def test_diff_text(corpus: Corpus) -> None:
    lines = printed("diff", corpus.named("tame"), corpus.named("nasty")).splitlines()
    assert len(lines) > len(TEXTS)
    assert all(line.isprintable() for line in lines)


def test_diff_markdown(corpus: Corpus) -> None:
    """Every row of a table has as many cells as its head, and nothing in one is markup."""
    text = printed("diff", corpus.named("tame"), corpus.named("nasty"), "--format", "markdown")
    tables = re.findall(r"(?:^\|.*\n)+", f"{text}\n", re.MULTILINE)
    rows = [re.sub(r"\\[!-/:-@\[-`{-~]", "", table).splitlines() for table in tables]
    assert sum(map(len, rows)) > len(TEXTS)
    assert all({line.count("|") for line in table} == {table[0].count("|")} for table in rows)
    assert [line for table in rows for line in table if re.search(r"<[a-z/!]", line)] == []


# --- model -----------------------------------------------------------------------------------------


def test_model_json(corpus: Corpus, tmp_path: Path) -> None:
    found = set(texts_in(document(tmp_path, "model", corpus.named("nasty"))))
    assert [text for text in TEXTS if folded(text) not in found] == []


def test_model_rabbitmq_json(corpus: Corpus) -> None:
    if corpus.family == "amqp1":
        pytest.skip("AMQP 1.0 has no such form")
    nasty, tame = (
        json.loads(printed("model", corpus.named(which), "--format", "rabbitmq-json"))
        for which in ("nasty", "tame")
    )
    assert nasty.pop("copyright") != tame.pop("copyright")
    assert nasty == tame


# --- grammar ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "dot", "json"])
def test_grammar(corpus: Corpus, form: str) -> None:
    """A grammar names methods and states, whose names are plain; its texts are not shown as they are."""
    if corpus.family == "amqp1":
        pytest.skip("AMQP 1.0 has no class grammars")
    nasty, tame = (printed("grammar", corpus.named(which), "--format", form) for which in ("nasty", "tame"))
    assert all(line.isprintable() for line in nasty.splitlines())
    if form == "json":
        said = " ".join(texts_in(json.loads(nasty)))
        assert json.loads(nasty).keys() == json.loads(tame).keys()
        assert "C:M0" in said
    elif form == "dot":
        assert nasty == tame
    else:
        assert len(nasty.splitlines()) >= len(tame.splitlines())
