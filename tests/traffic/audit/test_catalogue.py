"""The catalogue: every rule has a case, and the documentation has every rule."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.cli.main import cli
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.rule import TARGETS, AuditRule
from click.testing import CliRunner

from . import cases_conversation, cases_fleet, cases_frame, cases_migration
from .test_overlap import OVERLAP

DOCUMENT = Path(__file__).parents[3] / "docs" / "traffic-audit.md"
MARK = "<!-- The tables are made by tests/traffic/audit/test_catalogue.py -->\n"
CASES = {*cases_frame.CASES, *cases_conversation.CASES, *cases_migration.CASES, *cases_fleet.CASES, OVERLAP}


def markdown_rule_list(rules: Iterable[AuditRule]) -> str:
    """Return a Markdown table for each category."""
    return "\n".join(_tables(rules)) + "\n"


def _tables(rules: Iterable[AuditRule]) -> Iterator[str]:
    for category, members in groupby(rules, lambda rule: rule.category):
        yield f"\n### {category}\n"
        yield "| rule | severity | what it finds | source | example |"
        yield "| --- | --- | --- | --- | --- |"
        for rule in members:
            cells = (rule.purpose, rule.source, rule.example)
            purpose, source, example = (cell.replace("|", "\\|") for cell in cells)
            yield f"| `{rule.id}` | {rule.severity.value} | {purpose} | {source} | {example} |"


def test_every_rule_has_a_case() -> None:
    """Those of 1.0 have theirs in ``amqp1``."""
    others = {rule.id for rule in RULES.values() if "1.0" in rule.category and rule.category != "to-amqp-1.0"}
    assert set(RULES) - others - CASES == set()
    assert CASES - set(RULES) == set()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rules_say_what_they_find(rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
    assert rule.purpose and not rule.purpose.endswith(".")
    assert rule.source and rule.example and rule.category
    assert set(rule.targets) <= set(TARGETS)
    assert rule.targets or not rule.only_for_target


def test_the_documentation_has_the_catalogue() -> None:
    _, _, tables = DOCUMENT.read_text(encoding="utf-8").partition(MARK)
    assert tables == markdown_rule_list(RULES.values())


def test_list_as_text() -> None:
    result = CliRunner().invoke(cli, ["traffic", "audit", "--list"])
    assert result.exit_code == 0
    assert all(
        f"  {rule.id} ({rule.severity.value}): {rule.purpose}\n" in result.stdout for rule in RULES.values()
    )


def test_list_as_json() -> None:
    result = CliRunner().invoke(cli, ["traffic", "audit", "--list", "--format", "json"])
    records = json.loads(result.stdout)["rules"]
    assert [record["id"] for record in records] == list(RULES)


@pytest.mark.parametrize(
    "arguments", [[], ["lake", "--list"], ["--list", "--format", "sarif"], ["lake", "--target", "x"]]
)
def test_wrong_calls(arguments: list[str]) -> None:
    assert CliRunner().invoke(cli, ["traffic", "audit", *arguments]).exit_code == 2


def test_a_folder_that_is_no_lake(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["traffic", "audit", str(tmp_path)])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and "is not a lake" in result.stderr
    assert list(tmp_path.iterdir()) == []


if __name__ == "__main__":
    before, _, _ = DOCUMENT.read_text(encoding="utf-8").partition(MARK)
    DOCUMENT.write_text(f"{before}{MARK}{markdown_rule_list(RULES.values())}", encoding="utf-8")
