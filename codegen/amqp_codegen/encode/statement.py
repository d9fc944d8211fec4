"""The little language of ``amqp-codegen encode``: ``queue.declare queue=orders arguments={"x-max-length": 10}``.

What a bare word means depends on its field: ``true`` is a text in a string and a boolean in a bit. So words stay words
here; those who know the field convert them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..model.problem import Position, Problem, SpecError
from ..support.wording import quote

_BETWEEN_DOUBLE_QUOTES = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
# Up to a backslash that does not begin an escape of JSON (RFC 8259, section 7).
_NO_ESCAPE = re.compile(r'"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+\\')


@dataclass(frozen=True, slots=True)
class BareWord:
    """A word without quotation marks."""

    text: str


@dataclass(frozen=True, slots=True)
class QuotedText:
    """A text in quotation marks."""

    text: str


@dataclass(frozen=True, slots=True)
class TypedLiteral:
    """A value with the name of its type: ``uint:5``, ``symbol:"a b"``."""

    type: str
    literal: Literal


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """``[a, b]``."""

    items: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class MapLiteral:
    """``{key: value}``."""

    entries: tuple[tuple[Literal, Literal], ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A name with fields, or with values: ``target(address=q)``, ``data "hello"``.

    Attributes:
        name: For example ``queue.declare``.
        fields: Name of a field to its value; a bare name has none.
        values: What stands without a name.
    """

    name: str
    fields: tuple[tuple[str, Literal | None, int], ...]
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written, and where it begins: an offset in the argument."""

    value: BareWord | QuotedText | TypedLiteral | ListLiteral | MapLiteral | Statement
    offset: int


LiteralValue: TypeAlias = "BareWord | QuotedText | TypedLiteral | ListLiteral | MapLiteral | Statement"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the command.

    Attributes:
        text: As given.
        number: Counted from 1.
    """

    text: str
    number: int

    def problem(self, offset: int, message: str, hint: str = "") -> SpecError:
        """Return an error about what stands at an offset."""
        place = Position(f"argument {self.number}", 1, offset + 1)
        return SpecError([Problem("encode", message, place, hint)])


_NAME = re.compile(r"[A-Za-z0-9_.:/@*$-]+")
_FIELD = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]*)=")
_TYPE = re.compile(r"([a-z][a-z0-9-]*):")
_BLANKS = re.compile(r"\s*")
_CALL = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\(")
_OUTER_WORD = re.compile(r"[^\s\"'{}\[\](),]\S*")
_INNER_WORD = re.compile(r"[^\s\"'{}\[\](),:][^\s{}\[\](),]*")
_KEY = re.compile(r"[^\s\"'{}\[\](),:]+")
_DEEPEST = 60


def parse_statement(argument: Argument) -> Statement:
    """Return the statement that an argument is.

    Raises:
        SpecError: It is none; with the position.
    """
    parser = _Parser(argument)
    found = _NAME.match(argument.text, parser.skip(0))
    if not found:
        raise argument.problem(0, "a name is missing", "begin with a method, performative or section")
    statement, _ = parser.arguments(found[0], found.end(), end="", depth=0)
    return statement


def parse_literal(argument: Argument) -> Literal:
    """Return the single value that an argument is.

    Raises:
        SpecError: It is none; with the position.
    """
    parser = _Parser(argument)
    literal, position = parser.literal(parser.skip(0), _INNER_WORD, 0)
    position = parser.skip(position)
    if position < len(argument.text):
        raise argument.problem(position, f"{quote(argument.text[position:])} is left over")
    return literal


class _Parser:
    """A parser by recursive descent; each method returns what it read and where that ends."""

    def __init__(self, argument: Argument) -> None:
        self._argument = argument
        self._text = argument.text

    def skip(self, position: int) -> int:
        """Return where the next character is that is not blank."""
        found = _BLANKS.match(self._text, position)
        return found.end() if found else position

    def arguments(self, name: str, position: int, end: str, depth: int) -> tuple[Statement, int]:
        """Read fields and values up to ``end``: a bracket, or the end of the text."""
        fields: list[tuple[str, Literal | None, int]] = []
        values: list[Literal] = []
        word = _INNER_WORD if end else _OUTER_WORD
        while True:
            position = self.skip(position)
            if end and self._text.startswith(",", position):
                position = self.skip(position + 1)
            if position >= len(self._text):
                if end:
                    raise self._argument.problem(position, f"{end!r} is missing after the fields of {name}")
                break
            if end and self._text.startswith(end, position):
                position += 1
                break
            named = _FIELD.match(self._text, position)
            if named is None:
                literal, stop = self.literal(position, word, depth)
                values.append(literal)
            elif named.end() == len(self._text) or self._text[named.end()] in " \t\n,)":
                literal, stop = Literal(BareWord(""), named.end()), named.end()
                fields.append((named[1], literal, position))
            else:
                literal, stop = self.literal(named.end(), word, depth)
                fields.append((named[1], literal, position))
            position = stop
        return Statement(name, tuple(fields), tuple(values)), position

    def literal(self, position: int, word: re.Pattern[str], depth: int) -> tuple[Literal, int]:
        """Read a value."""
        if depth > _DEEPEST:
            raise self._argument.problem(position, f"nested deeper than {_DEEPEST}")
        start, text = position, self._text
        if position >= len(text):
            raise self._argument.problem(position, "a value is missing")
        if text[position] in "\"'":
            value, position = self._quoted(position)
            return Literal(QuotedText(value), start), position
        if text[position] == "[":
            items, position = self._items(position + 1, depth)
            return Literal(ListLiteral(tuple(items)), start), position
        if text[position] == "{":
            entries, position = self._entries(position + 1, depth)
            return Literal(MapLiteral(tuple(entries)), start), position
        typed = _TYPE.match(text, position)
        if typed and text[typed.end() : typed.end() + 1] in ('"', "'", "[", "{"):
            inner, position = self.literal(typed.end(), word, depth + 1)
            return Literal(TypedLiteral(typed[1], inner), start), position
        call = _CALL.match(text, position)
        if call:
            statement, position = self.arguments(call[1], call.end(), ")", depth + 1)
            return Literal(statement, start), position
        found = word.match(text, position)
        if not found:
            raise self._argument.problem(position, f"{quote(text[position])} is not the start of a value")
        return Literal(BareWord(found[0]), start), found.end()

    def _quoted(self, position: int) -> tuple[str, int]:
        """Read a text: as JSON between double quotes, as it is between single ones."""
        if self._text[position] == "'":
            stop = self._text.find("'", position + 1)
            if stop < 0:
                raise self._argument.problem(position, "the text has no closing quotation mark")
            return self._text[position + 1 : stop], stop + 1
        try:
            value, stop = json.JSONDecoder(strict=False).raw_decode(self._text, position)
        except json.JSONDecodeError:
            raise self._json_problem(position) from None
        return str(value), stop

    def _json_problem(self, position: int) -> SpecError:
        """Return what is wrong with the text between double quotes that begins here, which is not one of JSON."""
        if not _BETWEEN_DOUBLE_QUOTES.match(self._text, position):
            return self._argument.problem(
                position, "not a text as in JSON: its closing quotation mark is missing"
            )
        wrong = _NO_ESCAPE.match(self._text, position)
        place = wrong.end() - 1 if wrong else position
        message = f"not a text as in JSON: {self._text[place : place + 2]} does not begin an escape"
        hint = "write a backslash twice, or the text between single quotation marks"
        return self._argument.problem(place, message, hint)

    def _items(self, position: int, depth: int) -> tuple[list[Literal], int]:
        items: list[Literal] = []
        for start in self._separated(position, "]"):
            if start < 0:
                return items, -start
            item, position = self.literal(start, _INNER_WORD, depth + 1)
            items.append(item)
            self._next = position
        raise AssertionError("a list ends, or it is an error")

    def _entries(self, position: int, depth: int) -> tuple[list[tuple[Literal, Literal]], int]:
        entries: list[tuple[Literal, Literal]] = []
        for start in self._separated(position, "}"):
            if start < 0:
                return entries, -start
            key, position = self._key(start, depth)
            position = self.skip(position)
            if not self._text.startswith(":", position):
                raise self._argument.problem(position, "':' and a value are missing after the key")
            value, position = self.literal(self.skip(position + 1), _INNER_WORD, depth + 1)
            entries.append((key, value))
            self._next = position
        raise AssertionError("a map ends, or it is an error")

    def _key(self, position: int, depth: int) -> tuple[Literal, int]:
        """Read a key: a word ends at the colon, unless that belongs to the name of a type."""
        typed = _TYPE.match(self._text, position)
        word = _KEY.match(self._text, typed.end()) if typed else None
        if typed and word and self._text.startswith(":", self.skip(word.end())):
            return Literal(BareWord(f"{typed[1]}:{word[0]}"), position), word.end()
        if typed and self._text[typed.end() : typed.end() + 1] in ('"', "'"):
            literal, stop = self.literal(position, _INNER_WORD, depth + 1)
            if self._text.startswith(":", self.skip(stop)):  # else it is a plain key and its value
                return literal, stop
        plain = _KEY.match(self._text, position)
        if plain:
            return Literal(BareWord(plain[0]), position), plain.end()
        return self.literal(position, _INNER_WORD, depth + 1)

    def _separated(self, position: int, end: str) -> Iterator[int]:
        """Yield where each item begins; at the end, the position after the bracket as a negative number."""
        self._next = position
        first = True
        while True:
            position = self.skip(self._next)
            if self._text.startswith(end, position):
                yield -(position + 1)
                return
            if not first:
                if not self._text.startswith(",", position):
                    raise self._argument.problem(position, f"',' or {end!r} is missing")
                position = self.skip(position + 1)
            if position >= len(self._text):
                raise self._argument.problem(position, f"{end!r} is missing")
            first = False
            yield position
