r"""The tokens of literals of octets, as many languages write them, and the escapes in their strings.

No language is told from another: an escape means the same in all of them that have it, with few exceptions. ``\0`` before
other octal digits is octal, as in C and Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ..support.wording import quote, visible
from .form_error import FormError


class LiteralTokenKind(Enum):
    """What a token is."""

    STRING = "string"
    NUMBER = "number"
    WORD = "word"
    MARK = "mark"


class LiteralToken(NamedTuple):
    """A token.

    Attributes:
        kind: What it is.
        text: As written; of a string what is between the quotation marks, of a number the digits and their base.
        octets: Those of a string.
        number: The value of a number.
        offset: Where it begins in the text.
    """

    kind: LiteralTokenKind
    text: str
    octets: bytes
    number: int
    offset: int


_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|\\\r?\n|/\*.*?\*/|//[^\n]*|\#[^\n]*|%[^\n]*)
    |(?P<prefix>(?:u8|[bBuULcCfF@]?[rR]?[bB]?|~[cs]|\$)??)(?P<quotes>\"{3}|'{3}|["'`])
    |(?P<number>-?(?:0[xX]_?[0-9a-fA-F][0-9a-fA-F_]*|&H[0-9a-fA-F]+|16\#[0-9a-fA-F]+|0[bB]_?[01][01_]*|0[oO][0-7]+|\d[\d_]*))
        (?:_?[ui](?:8|16|32|64|size)|uy|y|[uU]?[lL]{1,2}|[uU])?\b(?:\.to(?:U?Byte|Char)(?:\(\))?|\.chr)?
    |(?P<character>[$?](?:\\[^\n]|[^\s\w]|[A-Za-z0-9](?!\w)))
    |(?P<word>[A-Za-z_$@][\w$]*(?:(?:::|\.|->)[A-Za-z_]\w*)*!?)
    |(?P<mark><<|>>|<>|\.{2,3}|…|:=|=>|->|\+\+|[()\[\]{}<>,;:+.&*=/|!^?-])
    """,
    re.VERBOSE | re.DOTALL,
)


def tokens_of(text: str) -> Iterator[LiteralToken]:
    """Yield the tokens of a text, without blanks and comments.

    Raises:
        FormError: Something is no token, or a string is not closed or has an escape that is not known.
    """
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if not found:
            raise FormError(position, f"{quote(text[position])} belongs to no literal", is_sure=False)
        stop = found.end()
        if found["quotes"]:
            inside, stop = _string_body(text, found.end(), found["quotes"])
            raw = "r" in found["prefix"].lower() or found["prefix"] == "@"
            octets = inside.encode(errors="surrogatepass") if raw else unescaped(inside, found.end())
            yield LiteralToken(LiteralTokenKind.STRING, inside, octets, 0, position)
        elif found["number"]:
            yield LiteralToken(
                LiteralTokenKind.NUMBER, found["number"], b"", _number(found["number"]), position
            )
        elif found["character"]:
            octets = unescaped(found["character"][1:], position + 1)[:1]
            yield LiteralToken(LiteralTokenKind.NUMBER, found["character"], b"", octets[0], position)
        elif found["word"]:
            yield LiteralToken(LiteralTokenKind.WORD, found["word"], b"", 0, position)
        elif found["mark"]:
            yield LiteralToken(LiteralTokenKind.MARK, found["mark"], b"", 0, position)
        position = stop


def _string_body(text: str, start: int, quotes: str) -> tuple[str, int]:
    """Return what is between quotation marks, and where the next token begins."""
    position = start
    while (position := text.find(quotes, position)) >= 0:
        backslash = position
        while backslash > start and text[backslash - 1] == "\\":
            backslash -= 1
        if (position - backslash) % 2 == 0:
            return text[start:position], position + len(quotes)
        position += 1
    raise FormError(start - len(quotes), "the text has no closing quotation mark", is_sure=False)


def _number(text: str) -> int:
    digits = text.replace("_", "")
    if digits.startswith("-"):
        return -_number(digits[1:])
    for start, base in (("&H", 16), ("16#", 16)):
        if digits.startswith(start):
            return int(digits[len(start) :], base)
    if re.fullmatch(r"\d+", digits):
        return int(digits) if len(digits) < _LONGEST else _TOO_LARGE
    return int(digits, 0)


_LONGEST = 20  # digits: no octet has more, and Python refuses to read very many
_TOO_LARGE = 1 << 64
_ESCAPE = re.compile(
    r"\\(?:x\{(?P<braces>[0-9a-fA-F]+)\}|x(?P<hex>[0-9a-fA-F]{1,2})|u\{(?P<point>[0-9a-fA-F]+)\}"
    r"|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})|(?P<octal>[0-7]{1,3})|(?P<line>\r?\n)|(?P<letter>.?))",
    re.DOTALL,
)
_LETTERS = {
    **{"a": 0x07, "b": 0x08, "t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "e": 0x1B, "E": 0x1B},
    **{"s": 0x20, "d": 0x7F},
    **{character: ord(character) for character in "\\\"'`?/$#%"},
}
_MAX_OCTET = 0xFF
_MAX_POINT = 0x10FFFF


def unescaped(text: str, offset: int) -> bytes:
    r"""Return the octets of the inside of a string.

    ``\u00ce`` is an octet in JavaScript, Java and JSON, where strings hold octets so; beyond U+00FF, and for characters
    that are written as themselves, octets are those of UTF-8.

    Args:
        text: What is between the quotation marks.
        offset: Where it begins, for errors.

    Raises:
        FormError: An escape is not known, or what it says is no octet.
    """
    points = [int(found[1] or found[2] or found[3] or found[4] or "0", 16) for found in _points(text)]
    is_unicode = any(point > _MAX_OCTET for point in points)
    octets = bytearray()
    position = 0
    for found in _ESCAPE.finditer(text):
        octets += _plain(text, position, found.start(), offset)
        octets += _escape(found, offset, is_unicode)
        position = found.end()
    return bytes(octets + _plain(text, position, len(text), offset))


def _points(text: str) -> Iterator[re.Match[str]]:
    """Yield the escapes that name a character of Unicode."""
    pattern = r"\\\\|\\(?:u\{([0-9a-fA-F]+)\}|x\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))"
    return re.finditer(pattern, text)


def _plain(text: str, start: int, stop: int, offset: int) -> bytes:
    lost = text.find("\ufffd", start, stop)
    if lost >= 0:
        raise FormError(offset + lost, "an octet is lost here: U+FFFD stands for what was no text")
    return text[start:stop].encode(errors="surrogatepass")


def _escape(found: re.Match[str], offset: int, is_unicode: bool) -> bytes:
    """Return the octets of an escape."""
    place = offset + found.start()
    if found["line"] is not None:
        return b""
    if found["hex"] or found["octal"]:
        number = int(found["hex"], 16) if found["hex"] else int(found["octal"], 8)
        if number > _MAX_OCTET:
            raise FormError(place, f"{quote(found[0])} is not an octet")
        return bytes((number,))
    digits = found["braces"] or found["point"] or found["four"] or found["eight"]
    if digits:
        number = int(digits, 16) if len(digits) < _LONGEST else _TOO_LARGE
        if number > _MAX_POINT:
            raise FormError(place, f"{quote(found[0])} is not a character")
        if number <= _MAX_OCTET and not is_unicode:
            return bytes((number,))
        return chr(number).encode(errors="surrogatepass")
    if found["letter"] not in _LETTERS:
        hint = "octets are written as \\x00 or \\000; a backslash is written twice"
        raise FormError(place, f"the escape {visible(found[0])} is not known", hint, rule="unknown-escape")
    return bytes((_LETTERS[found["letter"]],))
