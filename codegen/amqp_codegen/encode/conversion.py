"""From words to numbers, truth values and octets; what both families need."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from ..support.wording import quote
from .statement import Argument, BareWord, Literal, QuotedText

_HEX = "hex:"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?")


def text_of(argument: Argument, literal: Literal, what: str) -> str:
    """Return a text: a word or what stands in quotation marks.

    Raises:
        SpecError: It is a list, a map or another structure.
    """
    if isinstance(literal.value, (BareWord, QuotedText)):
        return literal.value.text
    raise argument.problem(literal.offset, f"{what} takes a text")


def octets_of(argument: Argument, literal: Literal, what: str) -> bytes:
    """Return octets: a text in UTF-8, or ``hex:`` and hexadecimal digits.

    Raises:
        SpecError: It is a structure, or the digits are not hexadecimal.
    """
    text = text_of(argument, literal, what)
    if isinstance(literal.value, BareWord) and text.startswith(_HEX):
        return hexadecimal(argument, text, literal.offset)
    return text.encode(errors="surrogateescape")


def hexadecimal(argument: Argument, text: str, offset: int) -> bytes:
    """Return the octets of ``hex:00ff``."""
    try:
        return bytes.fromhex(text[len(_HEX) :])
    except ValueError:
        message = f"{quote(text)} is not hexadecimal: each octet has two digits"
        raise argument.problem(offset, message) from None


def raw_body(argument: Argument, offset: int) -> bytes:
    """Return what the rest of an argument stands for: a text, ``hex:`` and digits, or ``@`` and the name of a file.

    Raises:
        SpecError: The digits are wrong, or the file cannot be read.
    """
    text = argument.text[offset:]
    if text.startswith(_HEX):
        return hexadecimal(argument, text, offset)
    if not text.startswith("@"):
        return text.encode(errors="surrogateescape")
    try:
        return Path(text[1:]).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise argument.problem(offset, f"cannot read {quote(text[1:])}: {reason}") from None


def truth_of(argument: Argument, literal: Literal | None, what: str) -> bool:
    """Return a truth value; a field without a value is true."""
    if literal is None:
        return True
    text = text_of(argument, literal, what).lower()
    if text in ("true", "1", "yes"):
        return True
    if text in ("false", "0", "no"):
        return False
    raise argument.problem(literal.offset, f"{what} takes true or false, not {quote(text)}")


def integer_of(argument: Argument, literal: Literal, what: str) -> int:
    """Return a whole number, decimal or ``0x`` and hexadecimal digits."""
    text = text_of(argument, literal, what)
    try:
        return int(text, 0)
    except ValueError:
        raise argument.problem(literal.offset, f"{what} takes a number, not {quote(text)}") from None


def float_of(argument: Argument, literal: Literal, what: str) -> float:
    """Return a number with a fraction."""
    text = text_of(argument, literal, what)
    try:
        return float(text)
    except ValueError:
        raise argument.problem(literal.offset, f"{what} takes a number, not {quote(text)}") from None


def moment_of(argument: Argument, literal: Literal, what: str, per_second: int) -> int:
    """Return a time: a number, or as in ``2024-02-29T12:00:00Z``."""
    text = text_of(argument, literal, what)
    if text.lstrip("-").isdigit():
        return integer_of(argument, literal, what)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = f"{what} takes a number or a time such as 2024-02-29T12:00:00Z, not {quote(text)}"
        raise argument.problem(literal.offset, message) from None
    if moment.tzinfo is None:
        raise argument.problem(literal.offset, f"the time {quote(text)} has no time zone", "add Z for UTC")
    return int(moment.timestamp() * per_second)


def is_time(text: str) -> bool:
    """Return whether a word where any type may stand is a time: a date, T and a time of day, with a zone or without."""
    return _TIME.fullmatch(text) is not None


def plain_word(text: str) -> bool | int | float | str | None:
    """Return what a word means where any type may stand: null, a truth value, a number or a text."""
    if text in ("null", "true", "false"):
        return {"null": None, "true": True, "false": False}[text]
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
