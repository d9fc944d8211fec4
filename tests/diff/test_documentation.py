"""docs/diff.md has the catalogue as it is; ``python -m tests.diff.test_documentation`` writes it there anew."""

from __future__ import annotations

from pathlib import Path

from amqp_codegen.diff.classify import CATALOGUE
from amqp_codegen.diff.reports import what

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/diff.md"
# The table comes after this; all before it is written by hand.
MARK = "Ids do not change.\n"


def markdown_catalogue() -> str:
    rows = (
        f"| `{entry.id}` | {entry.level.name} | {what(entry)} | {entry.reason} |\n"
        for entry in CATALOGUE.values()
    )
    return "\n| id | level | what happened | why |\n| --- | --- | --- | --- |\n" + "".join(rows)


def test_the_catalogue_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8").partition(MARK)[2] == markdown_catalogue()


def write() -> None:
    before = DOCUMENT.read_text(encoding="utf-8").partition(MARK)[0]
    DOCUMENT.write_text(f"{before}{MARK}{markdown_catalogue()}", encoding="utf-8")


if __name__ == "__main__":
    write()
