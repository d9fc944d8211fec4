"""Octets from lines of logs: words, times and directions, and behind them octets as a library prints them.

Every line must have octets, and nothing else behind them: octets that are skipped silently would be worse than none.
"""

from __future__ import annotations

import re

from ..support.wording import quote
from .form_error import FormError, lines_with_offsets, moved
from .hex_dump import dump_octets
from .hexadecimal import read_hexadecimal
from .literals import read_literal

# A word, an arrow or a letter for a direction. Without one, digits that are wrong could be taken for a prefix.
_PREFIX = re.compile(r"[A-Za-z]*[G-Zg-z][A-Za-z]+|[A-Za-z]+[G-Zg-z]|->|<-|=>|<=|>>|<<|→|←|[<>]\s|\b[A-Z]:")
_BEHIND = re.compile(r"\s*(?:\+\d+(?:\.\d+)?m?s|[\])}>|;,.\"']*|\(\d+ (?:bytes|octets)\))\s*")
_COUNT = re.compile(r"(?:^|[\s:=(\[])(\d{1,7})(?: bytes| octets)?[\s:)\]]+$")
_DIGITS = r"(?:0x)?[0-9a-fA-F]{2}"
_RUN = re.compile(
    rf"(?<![\w.-])(?:{_DIGITS}(?:(?P<separator>, ?|[ :.-]){_DIGITS})(?:(?P=separator){_DIGITS})*"
    rf"|(?:0x)?(?:[0-9a-fA-F]{{2}})+(?: (?:[0-9a-fA-F]{{2}}){{2,}})*)(?![\w-])"
)
_LITERAL = re.compile(
    r"<(?:Slow)?Buffer[\s>]|[bB]?[\"'][^\"']|<<\s*[\d\"]|\[\s*-?\d|\[\]byte|bytearray\(|bytes\(|\{\s*0x|\\x"
)
# What is no octets, though it is made of digits: times, addresses of the memory and of hosts, UUIDs.
_OTHER = re.compile(
    r"\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,:]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|(?<![:\w])\d\d:\d\d:\d\d(?:[.,]\d+)?(?![:\w])"
    r"|\[0x[0-9a-fA-F]+\]|0x[0-9a-fA-F]{12,16}(?=[\]:)])|(?<![.\w])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![.\w])"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
_FEWEST = 4


def log_octets(text: str) -> bytes:
    """Return the octets of all lines; none if no line has any behind words.

    Raises:
        FormError: Other lines have octets, but one has none.
    """
    lines = lines_with_offsets(text)
    dumped = _dump_behind_prefix(lines)
    if dumped:
        return dumped
    octets = b""
    wrong: FormError | None = None
    is_literal = False
    for place, line in lines:
        try:
            found = _of_line(line)
        except FormError as error:
            wrong, is_literal = wrong or moved(error, place), True
            continue
        octets += found
        if not found:
            message = f"no octets are found in the line {quote(line.strip())}"
            wrong = wrong or FormError(place, message, "leave out lines without octets")
    if wrong and (octets or is_literal):
        raise wrong
    return octets if wrong is None else b""


def _of_line(line: str) -> bytes:
    """Return the octets of a line; none if it has none behind words, or something else behind them."""
    plain = _OTHER.sub(lambda found: "~" * len(found[0]), line)
    sure: FormError | None = None
    for found in _LITERAL.finditer(plain):
        if not _PREFIX.search(plain, 0, found.start()):
            continue
        try:
            octets = _literal_up_to_end(line[found.start() :])
        except FormError as error:
            sure = sure or (moved(error, found.start()) if error.is_sure else None)
            continue
        if octets:
            return octets
    runs = [found for found in _RUN.finditer(plain) if _BEHIND.fullmatch(plain, found.end())]
    for found in runs:
        if not _PREFIX.search(plain, 0, found.start()):
            continue
        octets = _without_count(plain[: found.start()], read_hexadecimal(found[0]))
        if octets:
            return octets
    if sure:
        raise sure
    return b""


def _without_count(before: str, octets: bytes) -> bytes:
    """Return octets without the number of them that stands before; none if there are too few to be sure of them.

    A number of two digits before groups of two looks like one of them: the number tells itself.
    """
    counted = _COUNT.search(before)
    if counted and int(counted[1]) == len(octets):
        return octets
    text = octets[:1].hex()
    if text.isdigit() and int(text) == len(octets) - 1:
        return octets[1:]
    return octets if len(octets) >= _FEWEST else b""


def _literal_up_to_end(text: str) -> bytes:
    """Return the octets of a literal that ends the line, or has only what logs add behind it."""
    text = re.sub(r"\s*(?:\+\d+(?:\.\d+)?m?s|\(\d+ (?:bytes|octets)\))\s*$", "", text)
    readers = (read_hexadecimal, read_literal)
    for candidate in (text, text.rstrip("])},;. ") + "]" * text.startswith("["), text.rstrip(")")):
        for read in readers:
            try:
                octets = read(candidate)
            except FormError as error:
                if error.is_sure:
                    raise
                continue
            if octets:
                return octets
    return b""


_OFFSET = re.compile(r"(?<![\w.:-])(?:0x)?0{4,16}(?::|\s)\s*[0-9a-fA-F]{2}")


def _dump_behind_prefix(lines: list[tuple[int, str]]) -> bytes:
    """Return the octets of a dump each of whose lines has a prefix of the same length, as loggers write it."""
    found = _OFFSET.search(lines[0][1]) if lines else None
    if not found or not _PREFIX.search(lines[0][1], 0, found.start()):
        return b""
    return dump_octets("\n".join(line[found.start() :] for _, line in lines))
