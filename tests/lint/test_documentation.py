"""docs/lint.md has the catalogue as it is; ``python -m tests.lint.test_documentation`` writes it there anew."""

from __future__ import annotations

from pathlib import Path

from amqp_codegen.lint.catalogue import RULES
from amqp_codegen.lint.report_catalogue import markdown_catalogue

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/lint.md"
# The first table comes after this; all before it is written by hand.
MARK = "Ids do not change.\n"


def test_the_catalogue_is_current() -> None:
    before, _, tables = DOCUMENT.read_text(encoding="utf-8").partition(MARK)
    assert tables == markdown_catalogue(RULES.values())
    assert f"`example` of\n{len(RULES)} rules" in before


def test_every_rule_has_a_row_of_four_cells() -> None:
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(RULES)
    assert all(row.replace("\\|", "").count("|") == 5 for row in rows)


def write() -> None:
    before = DOCUMENT.read_text(encoding="utf-8").partition(MARK)[0]
    DOCUMENT.write_text(f"{before}{MARK}{markdown_catalogue(RULES.values())}", encoding="utf-8")


if __name__ == "__main__":
    write()
