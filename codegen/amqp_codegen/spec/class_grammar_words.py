"""The words of a class grammar, each with its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..model.position import Position
from ..model.problem import Problem
from .element import Element, TextRun
from .wording import quote

# A method is one word with its sender: C:DECLARE-OK. What is no word at all is taken character by character.
_WORD = re.compile(
    r"(?P<method>[A-Za-z]+:[A-Za-z][\w-]*)|(?P<name>[A-Za-z][\w-]*)|(?P<sign>[=*/|()\[\]])|(?P<other>\S)",
    re.ASCII,
)
_HINTS = {
    ":": "a method follows its sender without a blank: C:DECLARE",
    ",": "a blank parts what follows one another, / what excludes one another",
    ";": "a production ends where the next one begins",
    "+": "*name repeats, also never",
    "?": "[name] is optional",
    "{": "*name repeats, ( ) groups",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word.

    Attributes:
        kind: ``method``, ``name`` or ``sign``.
        text: As written.
        position: Where it stands.
    """

    kind: str
    text: str
    position: Position


def words(doc: Element) -> tuple[list[Word], list[Problem]]:
    """The words of a doc, and a problem for each character that belongs to none."""
    found: list[Word] = []
    problems: list[Problem] = []
    for run in doc.runs or (TextRun(doc.direct_text, doc.position),):
        for kind, text, offset in _split(run.text):
            position = _place(run, offset)
            if kind == "other":
                message = f"{quote(text)} has no meaning in a grammar"
                problems.append(Problem("grammar-syntax", message, position, _HINTS.get(text, "")))
            else:
                found.append(Word(kind, text, position))
    return found, problems


def _split(text: str) -> Iterator[tuple[str, str, int]]:
    return ((match.lastgroup or "", match.group(), match.start()) for match in _WORD.finditer(text))


def _place(run: TextRun, offset: int) -> Position:
    """Where the character at an offset of a text stands."""
    start = run.position
    lines = run.text.count("\n", 0, offset)
    column = offset - run.text.rfind("\n", 0, offset) if lines else start.column + offset
    return Position(start.file, start.line + lines, column)
