"""The parser of class grammars: the text of a ``<doc type="grammar">`` to words, and words to productions.

The language is a subset of ABNF::

    grammar     = *( name "=" expression )
    expression  = sequence *( "/" sequence )
    sequence    = *close-choice
    close-choice = item *( "|" item )
    item        = "*" item / "(" expression ")" / "[" expression "]" / name / method
    method      = ( "C:" / "S:" ) name [ "content" ]

Line breaks mean nothing. The published files use ``|`` once, in the middle of a sequence: ``C:OPEN S:OPEN-OK |
S:REDIRECT``. There it can only mean a choice between its two neighbours, so it binds closer than a sequence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...model.amqp0 import class_grammar
from ...model.amqp0.class_grammar import CLIENT, SERVER, Expression, Production, Token
from ...model.problem import Position, Problem, Severity
from ...support.wording import quote
from ..check_schema import limited
from ..element import Element, TextRun
from ..overlay_elements import normalise

# A method and its sender are one word: C:DECLARE-OK. Other text is taken character by character.
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
    """A word of a grammar; its ``kind`` is ``method``, ``name`` or ``sign``."""

    kind: str
    text: str
    position: Position


def words(doc: Element) -> tuple[list[Word], list[Problem]]:
    """Return the words of a doc, and a problem for each character that is not part of a word."""
    result: list[Word] = []
    problems: list[Problem] = []
    for run in doc.runs or (TextRun(doc.direct_text, doc.position),):
        for kind, text, offset in _split(run.text):
            position = _place(run, offset)
            if kind == "other":
                message = f"{quote(text)} has no meaning in a grammar"
                problems.append(Problem("grammar-syntax", message, position, _HINTS.get(text, "")))
            else:
                result.append(Word(kind, text, position))
    return result, problems


def _split(text: str) -> Iterator[tuple[str, str, int]]:
    return ((match.lastgroup or "", match.group(), match.start()) for match in _WORD.finditer(text))


def _place(run: TextRun, offset: int) -> Position:
    """Return the position of the character at an offset of a text."""
    start = run.position
    lines = run.text.count("\n", 0, offset)
    column = offset - run.text.rfind("\n", 0, offset) if lines else start.column + offset
    return Position(start.file, start.line + lines, column)


MAX_DEPTH = 64
MAX_PRODUCTIONS = 200
MAX_WORDS = 10_000
_SENDERS = {"C": CLIENT, "S": SERVER}
_CLOSING = {"(": ")", "[": "]"}


def read_class_grammar(docs: Sequence[Element]) -> tuple[tuple[Production, ...], list[Problem]]:
    """Read the docs of a class that are grammars.

    Returns:
        Their productions in order, or none if there is any problem; and the problems, all of them
        warnings, because codecs do not need grammars.
    """
    productions: list[Production] = []
    problems: list[Problem] = []
    for doc in docs:
        read, read_problems = _read(doc)
        productions += read
        problems += read_problems
    problems += _duplicates(productions)
    if problems:
        return (), [_warning(problem) for problem in limited(problems)]
    return tuple(productions), []


def _warning(problem: Problem) -> Problem:
    return Problem(problem.rule_id, problem.message, problem.position, problem.hint, Severity.WARNING)


def _read(doc: Element) -> tuple[list[Production], list[Problem]]:
    found, problems = words(doc)
    if problems or not found:
        return [], problems
    starts = [
        number
        for number, (first, second) in enumerate(pairwise(found))
        if first.kind == "name" and second.text == "="
    ]
    if len(found) > MAX_WORDS or len(starts) > MAX_PRODUCTIONS:
        message = f"a grammar has at most {MAX_PRODUCTIONS} productions of {MAX_WORDS} words in all"
        return [], [Problem("grammar-too-large", message, doc.position)]
    if not starts or starts[0] > 0:
        message = f"a production must begin here, not {quote(found[0].text)}"
        problems.append(_wrong(message, found[0], "write name = C:METHOD S:METHOD-OK ..."))
    productions = []
    for begin, end in pairwise([*starts, len(found)]):
        production = _production(found[begin:end])
        if isinstance(production, Problem):
            problems.append(production)
        else:
            productions.append(production)
    return productions, problems


def _duplicates(productions: Sequence[Production]) -> list[Problem]:
    first: dict[str, Production] = {}
    problems = []
    for production in productions:
        earlier = first.setdefault(production.name, production)
        if earlier is not production:
            message = f"production {quote(production.name)} is there already at {earlier.position}"
            hint = "part the alternatives of one production with /"
            problems.append(Problem("grammar-duplicate", message, production.position, hint))
    return problems


def _production(found: Sequence[Word]) -> Production | Problem:
    """Read ``name = expression``; the caller has checked the first two words."""
    parser = _Parser([*found[2:], Word("end", "", found[-1].position)])
    expression = parser.expression(MAX_DEPTH)
    if not isinstance(expression, Problem) and parser.word.kind != "end":
        expression = _unexpected(parser.word)
    if isinstance(expression, Problem):
        return expression
    return Production(normalise(found[0].text), expression, found[0].position)


class _Parser:
    """A recursive descent parser of expressions; it returns the first problem and stops."""

    def __init__(self, found: Sequence[Word]) -> None:
        self._words = found
        self._next = 0

    @property
    def word(self) -> Word:
        """The next word."""
        return self._words[self._next]

    def _take(self) -> Word:
        word = self.word
        self._next += 1
        return word

    def expression(self, depth: int) -> Expression | Problem:
        """Read sequences with ``/`` between them."""
        if depth == 0:
            message = f"brackets are nested more than {MAX_DEPTH} deep"
            return Problem("grammar-too-large", message, self.word.position)
        items = []
        while True:
            item = self._sequence(depth)
            if isinstance(item, Problem):
                return item
            items.append(item)
            if self.word.text != "/":
                return items[0] if len(items) == 1 else class_grammar.Choice(tuple(items))
            self._take()

    def _sequence(self, depth: int) -> Expression | Problem:
        items = []
        while self.word.kind != "end" and self.word.text not in ("/", ")", "]"):
            item = self._close_choice(depth)
            if isinstance(item, Problem):
                return item
            items.append(item)
        if not items:
            return _unexpected(self.word)
        return items[0] if len(items) == 1 else class_grammar.Sequence(tuple(items))

    def _close_choice(self, depth: int) -> Expression | Problem:
        items = []
        while True:
            item = self._item(depth)
            if isinstance(item, Problem):
                return item
            items.append(item)
            if self.word.text != "|":
                return items[0] if len(items) == 1 else class_grammar.Choice(tuple(items), bar=True)
            self._take()

    def _item(self, depth: int) -> Expression | Problem:
        word = self._take()
        stars = 0
        while word.text == "*":
            stars += 1
            word = self._take()
        item: Expression | Problem
        if word.text in _CLOSING:
            item = self._bracket(word, depth)
        elif word.kind == "method":
            item = self._method(word)
        elif word.kind == "name" and word.text != "content":
            item = class_grammar.Reference(normalise(word.text), word.position)
        else:
            return _unexpected(word)
        if isinstance(item, Problem):
            return item
        return class_grammar.Repeat(item) if stars else item

    def _bracket(self, opening: Word, depth: int) -> Expression | Problem:
        inner = self.expression(depth - 1)
        if isinstance(inner, Problem):
            return inner
        if self.word.text != _CLOSING[opening.text]:
            return _wrong(f"{quote(opening.text)} is never closed", opening)
        self._take()
        return class_grammar.Optional(inner) if opening.text == "[" else inner

    def _method(self, word: Word) -> Expression | Problem:
        letter, _, name = word.text.partition(":")
        if letter not in _SENDERS:
            hint = f"write {letter.upper()}:" if letter.upper() in _SENDERS else ""
            return _wrong(f"{quote(letter)} is neither C, the client, nor S, the server", word, hint)
        content = self.word.text == "content"
        if content:
            self._take()
        return Token(_SENDERS[letter], normalise(name), content, word.position)


def _unexpected(word: Word) -> Problem:
    if word.kind == "end":
        return _wrong("the grammar ends too early", word, "something must stand after the last word")
    if word.text == "content":
        return _wrong("'content' stands behind nothing that has content", word, "write C:METHOD content")
    return _wrong(f"unexpected {quote(word.text)}", word, _UNEXPECTED.get(word.text, ""))


_UNEXPECTED = {
    "/": "something must stand on either side of /",
    "|": "something must stand on either side of |",
    ")": "nothing opens it, or nothing is in it",
    "]": "nothing opens it, or nothing is in it",
    "=": "a name must stand before it",
}


def _wrong(message: str, word: Word, hint: str = "") -> Problem:
    return Problem("grammar-syntax", message, word.position, hint)
