"""docs/lint.md has the catalogue as it is; ``python -m tests.lint.test_documentation`` writes it there anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from amqp_codegen.lint.catalogue import RULES

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/lint.md"
# The first table comes after this; all before it is written by hand.
MARK = "Ids do not change.\n"


def markdown_catalogue() -> str:
    """A table for each category."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for category, members in groupby(RULES.values(), lambda rule: rule.category):
        yield f"\n### {category}\n"
        yield "| rule | severity | what it finds | example |"
        yield "| --- | --- | --- | --- |"
        for rule in members:
            example = rule.example.replace("|", "\\|")
            yield f"| `{rule.id}` | {rule.severity.value} | {rule.purpose} | `{example}` |"


def test_the_catalogue_is_current() -> None:
    before, _, tables = DOCUMENT.read_text(encoding="utf-8").partition(MARK)
    assert tables == markdown_catalogue()
    assert f"`example` of\n{len(RULES)} rules" in before


def test_every_rule_has_a_row_of_four_cells() -> None:
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(RULES)
    assert all(row.replace("\\|", "").count("|") == 5 for row in rows)


def write() -> None:
    before = DOCUMENT.read_text(encoding="utf-8").partition(MARK)[0]
    DOCUMENT.write_text(f"{before}{MARK}{markdown_catalogue()}", encoding="utf-8")


if __name__ == "__main__":
    write()
