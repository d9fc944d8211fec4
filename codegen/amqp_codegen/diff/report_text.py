"""The differences for a terminal: a line for each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..support.wording import counted
from .change import Change, Comparison, ConceptMap, Level
from .phrases import SIGNS, counts, happened, subject


def text_report(found: Comparison | ConceptMap) -> str:
    """The lines; ends with a line break. Texts reworded for people are one line in each section."""
    lines = _comparison(found) if isinstance(found, Comparison) else _concepts(found)
    return "".join(f"{line}\n" for line in lines)


def _comparison(found: Comparison) -> Iterator[str]:
    numbers = {level: found.count(level) for level in Level}
    yield f"{found.old} -> {found.new}: {counts(numbers) or 'no differences'}"
    yield from (f"note: {remark}" for remark in found.remarks)
    for name, changes in found.sections:
        yield ""
        yield name
        yield from (f"  {_line(change)}" for change in changes if not _is_text(change))
        texts = [change for change in changes if _is_text(change)]
        if texts:
            yield f"  {Level.DOC.name:9} ~ {_reworded(texts)}"


def _line(change: Change) -> str:
    return f"{change.level.name:9} {SIGNS[change.action]} {subject(change)} {happened(change)}"


def _is_text(change: Change) -> bool:
    return change.aspect == "text"


def _reworded(changes: Sequence[Change]) -> str:
    shown = ", ".join(change.path for change in changes[:3])
    return f"{counted(len(changes), 'text')} reworded: {shown}{', ...' if len(changes) > 3 else ''}"


def _concepts(found: ConceptMap) -> Iterator[str]:
    yield f"{found.old} -> {found.new}: another protocol; this is what stands for what"
    for concept in found.concepts:
        yield ""
        yield concept.topic
        yield f"  old:  {', '.join(concept.old) or 'nothing'}"
        yield f"  new:  {', '.join(concept.new) or 'nothing'}"
        yield f"  note: {concept.note}"
    for side, names in (("old", found.old_only), ("new", found.new_only)):
        if names:
            yield ""
            yield f"only in the {side} one: {', '.join(names)}"
