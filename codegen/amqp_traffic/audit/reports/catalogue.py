"""The catalogue as text, and as the tables of ``docs/traffic-audit.md``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ..rules.rule import AuditRule


def text_rule_list(rules: Iterable[AuditRule]) -> str:
    """Return the rules by category: id, severity and purpose, and below them the source and an example."""
    return "".join(f"{line}\n" for line in _lines(rules))


def _lines(rules: Iterable[AuditRule]) -> Iterator[str]:
    for category, members in groupby(rules, lambda rule: rule.category):
        yield f"{category}:"
        for rule in members:
            yield f"  {rule.id} ({rule.severity.value}): {rule.purpose}"
            yield f"      {rule.source}; for example: {rule.example}"


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
