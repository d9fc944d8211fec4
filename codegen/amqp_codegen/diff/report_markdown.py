"""The differences as Markdown, for a pull request or a release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .change import LEVELS, Change, Comparison, ConceptMap, Level
from .phrases import counts, happened


def markdown_report(found: Comparison | ConceptMap) -> str:
    """The document; ends with a line break. Whatever a specification says is text in it, never markup."""
    lines = _comparison(found) if isinstance(found, Comparison) else _concepts(found)
    return "".join(f"{line}\n" for line in lines)


def _comparison(found: Comparison) -> Iterator[str]:
    yield f"# {escape(str(found.old))} to {escape(str(found.new))}"
    yield ""
    yield f"{counts({level: found.count(level) for level in Level}) or 'No differences'}."
    for remark in found.remarks:
        yield ""
        yield escape(remark)
    present = [level for level in LEVELS if found.count(level)]
    if present:
        yield ""
        yield from (f"- **{level.name}**: {LEVELS[level]}" for level in present)
    for name, changes in found.sections:
        yield ""
        yield f"## {escape(name)}"
        rows = [change for change in changes if change.aspect != "text"]
        if rows:
            yield ""
            yield from _table(rows)
        texts = [change.path for change in changes if change.aspect == "text"]
        if texts:
            yield ""
            yield f"Texts reworded: {', '.join(map(escape, texts))}."


def _table(changes: Sequence[Change]) -> Iterator[str]:
    yield "| level | what | change | why |"
    yield "| --- | --- | --- | --- |"
    for change in changes:
        cells = (
            change.level.name,
            f"{change.kind} {escape(change.path)}",
            escape(happened(change)),
            change.reason,
        )
        yield f"| {' | '.join(cells)} |"


def _concepts(found: ConceptMap) -> Iterator[str]:
    yield f"# {escape(str(found.old))} to {escape(str(found.new))}"
    yield ""
    yield "Another protocol; this is what stands for what."
    yield ""
    yield f"| concept | {escape(found.old.version)} | {escape(found.new.version)} | note |"
    yield "| --- | --- | --- | --- |"
    for each in found.concepts:
        sides = (", ".join(map(escape, names)) or "nothing" for names in (each.old, each.new))
        yield f"| {' | '.join((escape(each.topic), *sides, escape(each.note)))} |"
    for side, names in ((found.old, found.old_only), (found.new, found.new_only)):
        if names:
            yield ""
            yield f"Only in {escape(side.version)}: {', '.join(map(escape, names))}."


def escape(text: str) -> str:
    """A text on one line in which nothing is markup: characters that could be are escaped."""
    return re.sub(r"([\\`*_\[\]<#|~$&@])", r"\\\1", " ".join(text.split()))
