"""Octets from what people have at hand: hexadecimal in any spelling, base64, dumps, literals, logs, tshark, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..model.problem import Position, Problem, SpecError
from ..support.wording import quote
from .form_error import FormError
from .hex_dump import dump_octets, is_dump
from .hexadecimal import hexadecimal_mistake, read_base64, read_hexadecimal
from .literals import read_literal
from .log_lines import log_octets
from .od_dump import od_octets
from .tshark_text import followed, tshark_documents, tshark_fields


@dataclass(frozen=True, slots=True)
class InputOctets:
    """Octets, and the form in which they were written: ``hexadecimal``, ``base64`` ..."""

    octets: bytes
    form: str


_FORM_HINT = "give hexadecimal, base64, a hex dump, a literal, log lines with octets, or the name of a file"
_CAPTURES = (
    b"\xa1\xb2\xc3\xd4",
    b"\xd4\xc3\xb2\xa1",
    b"\xa1\xb2\x3c\x4d",
    b"\x4d\x3c\xb2\xa1",
    b"\x0a\x0d\x0d\x0a",
)
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_TEXT = frozenset(b"\t\n\r\f\x1b" + bytes(range(0x20, 0x7F)))


def read_file_octets(content: bytes, name: str) -> InputOctets:
    """Return the octets of a file, which are those it has, or those that the text in it stands for.

    Raises:
        SpecError: It is empty, a capture, or a text in no form that is known.
    """
    if not content:
        raise SpecError([Problem("no-octets", f"{quote(name)} is empty")])
    if content.startswith(_CAPTURES):
        hint = "print its frames with: amqp-codegen traffic show FILE"
        raise SpecError([Problem("capture-file", f"{quote(name)} is a capture", None, hint)])
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            try:
                return read_text_octets(content.decode(encoding), name)
            except UnicodeDecodeError:
                break
    if not _is_text(content) and not _is_dump_with_text(content):
        return InputOctets(content, "binary")
    return read_text_octets(content.decode(errors="replace"), name)


def _is_text(content: bytes) -> bool:
    """Return whether octets are text: frames have octets that are no characters, or are not UTF-8."""
    if _TEXT.issuperset(content):
        return True
    if not _TEXT.issuperset(octet for octet in content if octet < 0x80):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_dump_with_text(content: bytes) -> bool:
    """Return whether these are lines of a dump whose column of text has other characters."""
    return b"\0" not in content and is_dump(content.decode(errors="replace"))


# Colours of terminals, blanks without width, fences and quotes of Markdown: people copy them along.
_COPIED_ALONG = re.compile(
    r"\x1b\[[0-9;]*m|[\u200b\u200c\u200d\u2060\ufeff]|^[ \t]*```\w*[ \t]*$|^> ?(?=.*$)", re.MULTILINE
)


def read_text_octets(text: str, name: str) -> InputOctets:
    """Return the octets that a text stands for.

    Args:
        text: The text.
        name: Where it is from, for errors.

    Raises:
        SpecError: It is empty, or in no form that is known.
    """
    text = _COPIED_ALONG.sub("", text)
    stripped = text.rstrip().lstrip(" \r\n")  # tabs begin the lines of some dumps
    before = len(text.rstrip()) - len(stripped)
    if not stripped:
        raise SpecError([Problem("no-octets", f"{quote(name)} has no octets", None, _FORM_HINT)])
    errors: list[FormError] = []
    for form, read in _FORMS:
        try:
            octets = read(stripped)
        except FormError as error:
            errors.append(error)
            continue
        if octets:
            return InputOctets(octets, form)
    wrong = next((error for error in errors if error.is_sure), None) or hexadecimal_mistake(stripped, name)
    if wrong.rule == "no-octets" and errors:
        wrong = errors[0]
    place = _position(text, wrong.offset + before, name) if wrong.offset >= 0 else None
    raise SpecError([Problem(wrong.rule, wrong.message, place, wrong.hint)])


def _decimal_numbers(text: str) -> bytes:
    """Return octets from numbers in brackets, as Erlang (``<<65,77>>``) and Go (``[65 77]``) print them."""
    octets = b""
    if _DECIMAL.fullmatch(text) and not _HEXADECIMAL_PAIRS.fullmatch(text):
        numbers = [int(number) for number in re.findall(r"-?\d+", text)]
        if all(-0x80 <= number <= 0xFF for number in numbers):
            octets = bytes(number % 0x100 for number in numbers)
    return octets


_NUMBERS = r"-?\d{1,3}(?:(?:\s*,\s*|\s+)-?\d{1,3})*"
_DECIMAL = re.compile(rf"<<\s*{_NUMBERS}\s*>>|\[\s*{_NUMBERS}\s*,?\s*\]")
# Pairs of which some begin with 0: no language prints decimal numbers so.
_HEXADECIMAL_PAIRS = re.compile(r"\[(?=.*\b0\d\b)\s*\d\d(?:(?:\s*,\s*|\s+)\d\d)*\s*\]", re.DOTALL)


_FORMS: tuple[tuple[str, Callable[[str], bytes]], ...] = (
    ("a followed conversation", followed),
    ("hex dump", dump_octets),
    ("hex dump", od_octets),
    ("decimal numbers", _decimal_numbers),
    ("fields of tshark", tshark_fields),
    ("hexadecimal", read_hexadecimal),
    ("literal", read_literal),
    ("base64", read_base64),
    ("fields of tshark", tshark_documents),
    ("log lines", log_octets),
)


def _position(text: str, offset: int, name: str) -> Position:
    line = text.count("\n", 0, offset) + 1
    return Position(name, line, offset - (text.rfind("\n", 0, offset) + 1) + 1)
