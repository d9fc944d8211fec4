"""A reader of Erlang terms as RabbitMQ prints them into logs: lists, tuples, binaries, atoms and numbers.

A binary is printed as text if all of its octets are printable, else as numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

DEEPEST = 64
_SPACE = b" \n\t\r"

# Octets for a binary, a list, a tuple, ``ErlangAtom`` or a number.
Term: TypeAlias = "bytes | list[Term] | tuple[Term, ...] | ErlangAtom | int | float"


@dataclass(frozen=True, slots=True)
class ErlangAtom:
    """An atom, such as ``true`` or ``longstr``."""

    name: str


# Line ends in a text are escaped, so it stays on one line.
_TOKEN = re.compile(
    rb"""[ \n\t\r]*(?:
    (?P<float>-?\d{1,400}\.\d{1,400}(?:e[+-]?\d{1,4})?)
  | (?P<integer>-?\d{1,40})(?![\d.])
  | <<"(?P<text>(?:[^"\\\n]|\\[^\n])*)"(?:/utf8)?>>
  | <<(?P<octets>(?:\d{1,3}(?:,[ \n]*\d{1,3})*)?)>>
  | (?P<atom>[a-z][A-Za-z0-9_@]{0,254})
  | (?P<mark>[\[\]{},])
    )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rb"\\(x\{[0-9a-fA-F]{1,6}\}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {
    b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"b": b"\b", b"f": b"\f", b"e": b"\x1b", b"s": b" ",
    b"d": b"\x7f",
}  # fmt: skip
_CLOSING = {b"[": b"]", b"{": b"}"}


def read_term(octets: bytes, position: int) -> tuple[Term, int]:
    """Read the term at a position, after optional white space.

    Returns:
        The term, and where it ends.

    Raises:
        ValueError: There is no term, or it is nested too deep.
    """
    return _read(octets, position, DEEPEST)


def _read(octets: bytes, position: int, depth: int) -> tuple[Term, int]:
    found = _TOKEN.match(octets, position)
    if found is None:
        raise ValueError("no term")
    kind, token, position = found.lastgroup, found[found.lastgroup or 0], found.end()
    if kind == "text":
        return _ESCAPE.sub(_unescape, token), position
    if kind == "octets":
        return bytes(map(int, token.split(b","))) if token else b"", position
    if kind == "integer":
        return int(token), position
    if kind == "float":
        return float(token), position
    if kind == "atom":
        return ErlangAtom(token.decode()), position
    closing = _CLOSING.get(token)
    if closing is None:
        raise ValueError("no term")
    if not depth:
        raise ValueError("nested too deep")
    items, position = _read_items(octets, position, closing, depth - 1)
    return (items if closing == b"]" else tuple(items)), position


def _read_items(octets: bytes, position: int, closing: bytes, depth: int) -> tuple[list[Term], int]:
    items: list[Term] = []
    while True:
        found = _TOKEN.match(octets, position)
        mark = None if found is None else found["mark"]
        if found is not None and mark == closing and not items:
            return items, found.end()
        item, position = _read(octets, position, depth)
        items.append(item)
        found = _TOKEN.match(octets, position)
        mark = None if found is None else found["mark"]
        if found is None or mark not in (b",", closing):
            raise ValueError("a list or tuple goes on in another way")
        position = found.end()
        if mark == closing:
            return items, position


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    if code.startswith(b"x{"):
        return chr(int(code[2:-1], 16)).encode()  # ValueError beyond Unicode
    if code[:1].isdigit():
        return bytes([int(code, 8) & 0xFF])
    return _ESCAPED.get(code, code)
