"""The catalogue for people: as text, and as the tables of ``docs/lint.md``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from .rule import LintRule


def text_catalogue(rules: Iterable[LintRule]) -> str:
    """Category by category: the id, the severity, the purpose, and an example below it."""
    return "".join(f"{line}\n" for line in _lines(rules))


def _lines(rules: Iterable[LintRule]) -> Iterator[str]:
    for category, members in groupby(rules, lambda rule: rule.category):
        yield f"{category}:"
        for rule in members:
            yield f"  {rule.id} ({rule.severity.value}): {rule.purpose}"
            yield f"      {rule.example}"


def markdown_catalogue(rules: Iterable[LintRule]) -> str:
    """A table for each category."""
    return "\n".join(_tables(rules)) + "\n"


def _tables(rules: Iterable[LintRule]) -> Iterator[str]:
    for category, members in groupby(rules, lambda rule: rule.category):
        yield f"\n### {category}\n"
        yield "| rule | severity | what it finds | example |"
        yield "| --- | --- | --- | --- |"
        for rule in members:
            example = rule.example.replace("|", "\\|")
            yield f"| `{rule.id}` | {rule.severity.value} | {rule.purpose} | `{example}` |"
