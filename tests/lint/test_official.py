"""The published files: linted, and docs/spec-errata.md tells every finding, neither more nor less."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from amqp_codegen.lint.catalogue import RULES
from amqp_codegen.lint.rule import LintSeverity
from amqp_codegen.lint.run import LintOutcome, lint
from amqp_codegen.reader.inputs import Inputs

from tests.published_specs.published_files import DEBIAN, PARTS, needs_debian, needs_published, published_file
from tests.published_specs.spec_sources import FULL, OFFICIAL, STRIPPED, needs_official

ERRATA = Path(__file__).resolve().parents[2] / "docs/spec-errata.md"
HEADINGS = {
    "0-8": "AMQP 0-8",
    "0-9": "AMQP 0-9",
    "0-9-1": "AMQP 0-9-1",
    "extended": "RabbitMQ's 0-9-1",
}
ROW = re.compile(r"^\| (?P<lines>[\w:, -]+) \| `(?P<rule>[a-z-]+)` \| .+ \|$", re.MULTILINE)
# What a stripped file cannot have: it has neither rules nor grammars nor docs.
OF_TEXTS = {"demands", "grammar-0-x", "words"}


def told(heading: str) -> dict[str, set[str]]:
    """The lines that the document tells under a heading, by rule."""
    text = ERRATA.read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = {match["rule"]: set(match["lines"].split(", ")) for match in ROW.finditer(section)}
    assert rows
    assert len(rows) == section.count("\n| ") - 2, f"a row of {heading} is not understood"
    return rows


def found(outcome: LintOutcome, name_files: bool = False) -> dict[str, set[str]]:
    assert (outcome.unread, outcome.incomplete) == ([], [])
    lines: dict[str, set[str]] = {}
    for finding in outcome.findings:
        assert finding.hint
        place = f"{Path(finding.position.file).name.partition('.')[0]}:" if name_files else ""
        lines.setdefault(finding.rule, set()).add(f"{place}{finding.position.line}")
    return lines


def lint_file(path: Path) -> LintOutcome:
    return lint([Inputs((path,))])


@needs_official
@pytest.mark.parametrize("name", HEADINGS)
def test_errata(name: str) -> None:
    assert told(HEADINGS[name]) == found(lint_file(published_file(FULL[name])))


@needs_published(*PARTS)
def test_errata_of_1_0() -> None:
    files = tuple(map(published_file, PARTS))
    assert told("AMQP 1.0") == found(lint([Inputs(files)]), name_files=True)


@needs_official
@pytest.mark.parametrize("name", STRIPPED)
def test_stripped_files_have_what_concerns_no_text(name: str) -> None:
    full, stripped = (lint_file(published_file(names[name])) for names in (FULL, STRIPPED))
    expected = [finding.rule for finding in full.findings if RULES[finding.rule].category not in OF_TEXTS]
    assert sorted(finding.rule for finding in stripped.findings) == sorted(expected)


@needs_official
def test_no_published_file_has_an_error() -> None:
    for name in OFFICIAL:
        assert lint_file(published_file(name)).count(LintSeverity.ERROR) == 0, name


@needs_debian
def test_copies_of_debian() -> None:
    """Qpid's variants refer to a domain ``queue name`` that is declared as ``queue-name``."""
    for name in ("0-9-qpid/amqp0-9-qpid.stripped.xml", "0-9-1-qpid/amqp0-9-1.stripped.xml"):
        messages = [
            finding.message
            for finding in lint_file(DEBIAN / name).findings
            if finding.rule == "other-spelling"
        ]
        assert len(messages) == 1
        assert "'queue name', which is declared as 'queue-name'" in messages[0]
