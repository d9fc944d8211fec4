"""The report formats for people and programs: terminal text, Markdown, JSON, one HTML page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..model.problem import Position
from ..support.json_text import json_text
from ..support.page import render_page
from ..support.wording import counted
from .change import LEVELS, Action, Change, ConceptMap, Level, Side, SpecComparison
from .ci_reports import github_report, junit_report
from .classify import CatalogueEntry
from .words import SIGNS, counts, file_name, happened, place, subject


def text_report(differences: SpecComparison | ConceptMap) -> str:
    """Return the report as lines of text. Reworded texts are one line for each section."""
    lines = (
        _comparison_lines(differences)
        if isinstance(differences, SpecComparison)
        else _concept_lines(differences)
    )
    return "".join(f"{line}\n" for line in lines)


def _comparison_lines(comparison: SpecComparison) -> Iterator[str]:
    numbers = {level: comparison.count(level) for level in Level}
    yield f"{comparison.old} -> {comparison.new}: {counts(numbers) or 'no differences'}"
    yield from (f"note: {remark}" for remark in comparison.remarks)
    for name, changes in comparison.sections:
        yield ""
        yield name
        yield from (f"  {_line(change)}" for change in changes if not _is_text(change))
        texts = [change for change in changes if _is_text(change)]
        if texts:
            yield f"  {Level.DOC.name:9} ~ {_reworded(texts)}"


def _line(change: Change) -> str:
    return f"{change.level.name:9} {SIGNS[change.action]} {subject(change)} {happened(change)} [{change.id}]"


def _is_text(change: Change) -> bool:
    return change.aspect == "text"


def _reworded(changes: Sequence[Change]) -> str:
    shown = ", ".join(change.path for change in changes[:3])
    return f"{counted(len(changes), 'text')} reworded: {shown}{', ...' if len(changes) > 3 else ''}"


def _concept_lines(concept_map: ConceptMap) -> Iterator[str]:
    yield f"{concept_map.old} -> {concept_map.new}: another protocol; this is what stands for what"
    for concept in concept_map.concepts:
        yield ""
        yield concept.topic
        yield f"  old:  {', '.join(concept.old) or 'nothing'}"
        yield f"  new:  {', '.join(concept.new) or 'nothing'}"
        yield f"  note: {concept.note}"
    for side, names in (("old", concept_map.old_only), ("new", concept_map.new_only)):
        if names:
            yield ""
            yield f"only in the {side} one: {', '.join(names)}"


def markdown_report(differences: SpecComparison | ConceptMap) -> str:
    """Return the report as Markdown. Text of a specification is escaped: it is never markup."""
    lines = (
        _markdown_comparison(differences)
        if isinstance(differences, SpecComparison)
        else _markdown_concepts(differences)
    )
    return "".join(f"{line}\n" for line in lines)


def _markdown_comparison(comparison: SpecComparison) -> Iterator[str]:
    yield f"# {escape(str(comparison.old))} to {escape(str(comparison.new))}"
    yield ""
    yield f"{counts({level: comparison.count(level) for level in Level}) or 'No differences'}."
    for remark in comparison.remarks:
        yield ""
        yield escape(remark)
    present = [level for level in LEVELS if comparison.count(level)]
    if present:
        yield ""
        yield from (f"- **{level.name}**: {LEVELS[level]}" for level in present)
    for name, changes in comparison.sections:
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


def _markdown_concepts(concept_map: ConceptMap) -> Iterator[str]:
    yield f"# {escape(str(concept_map.old))} to {escape(str(concept_map.new))}"
    yield ""
    yield "Another protocol; this is what stands for what."
    yield ""
    yield f"| concept | {escape(concept_map.old.version)} | {escape(concept_map.new.version)} | note |"
    yield "| --- | --- | --- | --- |"
    for concept in concept_map.concepts:
        sides = (", ".join(map(escape, names)) or "nothing" for names in (concept.old, concept.new))
        yield f"| {' | '.join((escape(concept.topic), *sides, escape(concept.note)))} |"
    for side, names in ((concept_map.old, concept_map.old_only), (concept_map.new, concept_map.new_only)):
        if names:
            yield ""
            yield f"Only in {escape(side.version)}: {', '.join(map(escape, names))}."


def escape(text: str) -> str:
    """Return a text on one line, with all markup characters escaped."""
    return re.sub(r"([\\`*_\[\]<#|~$&@])", r"\\\1", " ".join(text.split()))


FORMAT = 1


def json_report(differences: SpecComparison | ConceptMap) -> str:
    """Return the report as JSON: ``{"format", "old", "new", "counts", "remarks", "changes", "ignored"}``.

    Between families it has ``"concepts"`` instead of ``"changes"``.
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "old": _side(differences.old),
        "new": _side(differences.new),
    }
    if isinstance(differences, SpecComparison):
        document["counts"] = {level.name: differences.count(level) for level in reversed(Level)}
        document["remarks"] = list(differences.remarks)
        document["changes"] = [_change(change) for change in differences.changes]
        document["ignored"] = [
            {**_change(ignored.change), "ignored_because": ignored.reason} for ignored in differences.ignored
        ]
    else:
        document["concepts"] = [
            {"topic": concept.topic, "old": list(concept.old), "new": list(concept.new), "note": concept.note}
            for concept in differences.concepts
        ]
        document["old_only"], document["new_only"] = list(differences.old_only), list(differences.new_only)
    return json_text(document, indent=2, ascii_only=False) + "\n"


def _side(side: Side) -> dict[str, Any]:
    sources = [{"name": source.name, "sha256": source.sha256} for source in side.sources]
    return {"version": side.version, "title": side.title, "sources": sources}


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "level": change.level.name,
        "action": change.action.value,
        "kind": change.kind,
        "path": change.path,
        "section": change.section,
        "aspect": change.aspect,
        "old": change.old,
        "new": change.new,
        "reason": change.reason,
        "old_position": _position(change.old_position),
        "new_position": _position(change.new_position),
    }


def _position(position: Position | None) -> dict[str, Any] | None:
    if position is None:
        return None
    return {"file": file_name(position), "line": position.line, "column": position.column}


# What the templates need to put a change into words.
FILTERS: Mapping[str, Callable[..., Any]] = {"sign": SIGNS.__getitem__, "happened": happened, "place": place}


def html_report(differences: SpecComparison | ConceptMap) -> str:
    """Return the report as one HTML page with its style and script in it."""
    return render_page(
        f"diff_report/{template_name(differences)}.html.jinja", FILTERS, **report_variables(differences)
    )


def template_name(differences: SpecComparison | ConceptMap) -> str:
    """Return ``changes`` within a family, ``concepts`` between families."""
    return "changes" if isinstance(differences, SpecComparison) else "concepts"


def report_variables(differences: SpecComparison | ConceptMap) -> dict[str, Any]:
    """Return what the template shows."""
    return {
        "title": f"AMQP {differences.old.version} to {differences.new.version}",
        "found": differences,
        "levels": LEVELS,
    }


REPORTS: Mapping[str, Callable[[SpecComparison | ConceptMap], str]] = {
    "text": text_report,
    "markdown": markdown_report,
    "json": json_report,
    "html": html_report,
    "github": github_report,
    "junit": junit_report,
}


# --- the catalogue ---


def text_catalogue(entries: Iterable[CatalogueEntry]) -> str:
    """List the kinds of changes: id, level and reason."""
    return "".join(f"{entry.id} ({entry.level.name}): {what(entry)}: {entry.reason}\n" for entry in entries)


def json_catalogue(entries: Iterable[CatalogueEntry]) -> str:
    """Return the catalogue as JSON: ``{"changes": [{"id", "level", "action", "kind", "aspect", "reason"}]}``."""
    records = [
        {
            "id": entry.id,
            "level": entry.level.name,
            "action": entry.action.value,
            "kind": entry.kind,
            "aspect": entry.aspect,
            "reason": entry.reason,
        }
        for entry in entries
    ]
    return json_text({"changes": records}, indent=2) + "\n"


def what(entry: CatalogueEntry) -> str:
    """Return ``field added``, ``field type changed``, ``field renamed, reserved now``."""
    if entry.action is Action.CHANGED:
        return f"{entry.kind} {entry.aspect} changed"
    return ", ".join(filter(None, (f"{entry.kind} {entry.action.value}", entry.aspect)))
