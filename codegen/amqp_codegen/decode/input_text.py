"""Octets from what people have at hand: hexadecimal in any spelling, base64, dumps, literals, fields of tshark, files."""

from __future__ import annotations

import ast
import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..model.problem import Position, Problem, SpecError
from ..support.wording import counted, quote
from .hex_dump import dump_octets, is_dump


@dataclass(frozen=True, slots=True)
class InputOctets:
    """Octets, and the form in which they were written: ``hexadecimal``, ``base64`` ..."""

    octets: bytes
    form: str


_FORM_HINT = "give hexadecimal, base64, a hex dump, a Python literal, or the name of a file"
_CAPTURES = (
    b"\xa1\xb2\xc3\xd4",
    b"\xd4\xc3\xb2\xa1",
    b"\xa1\xb2\x3c\x4d",
    b"\x4d\x3c\xb2\xa1",
    b"\x0a\x0d\x0d\x0a",
)
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_TEXT = frozenset(b"\t\n\r\f" + bytes(range(0x20, 0x7F)))


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
    if not _TEXT.issuperset(content) and not _is_dump_with_text(content):
        return InputOctets(content, "binary")
    return read_text_octets(content.decode(errors="replace"), name)


def _is_dump_with_text(content: bytes) -> bool:
    """Return whether these are lines of a dump whose column of text has other characters."""
    return b"\0" not in content and is_dump(content.decode(errors="replace"))


def read_text_octets(text: str, name: str) -> InputOctets:
    """Return the octets that a text stands for.

    Args:
        text: The text.
        name: Where it is from, for errors.

    Raises:
        SpecError: It is empty, or in no form that is known.
    """
    stripped = text.strip()
    if not stripped:
        raise SpecError([Problem("no-octets", f"{quote(name)} has no octets", None, _FORM_HINT)])
    for form, read in _FORMS:
        octets = read(stripped)
        if octets:
            return InputOctets(octets, form)
    raise SpecError([_what_is_wrong(text, name)])


_PREFIXED = re.compile(r"0x([0-9a-f]{1,2})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s:,;{}()\[\]\"']+|(?<=[0-9a-f]{2})-(?=[0-9a-f]{2})", re.IGNORECASE)
_HEX = re.compile(r"(?:[0-9a-f]{2})+", re.IGNORECASE)


def _hexadecimal(text: str) -> bytes:
    """Read pairs of digits, with anything usual between and before them."""
    if "0x" in text.lower():
        text = re.sub(r"0x(?=(?:[0-9a-f]{2}){2,}\b)", "", text, flags=re.IGNORECASE)
        text = _PREFIXED.sub(lambda found: found[1].rjust(2, "0"), text)
    groups = [group for group in _BETWEEN.split(text) if group]
    if not all(_HEX.fullmatch(group) for group in groups):
        return b""
    return bytes.fromhex("".join(groups))


def _literal(text: str) -> bytes:
    r"""Read a literal of Python (``b"\x01"``), or the inside of one, as C and JavaScript write it."""
    found = re.fullmatch(r"(?:bytes|bytearray)\((.*)\)", text, re.DOTALL)
    text = found[1] if found else text
    if "\\x" in text and not re.match(r"[bB]?[rR]?['\"]|\(", text):
        text = f'b"{text}"'
    elif "\\x" in text and text[0] in "'\"":
        text = f"b{text}"
    if not re.match(r"\(?\s*[bB]['\"]", text):
        return b""
    try:
        value = ast.literal_eval(text if text.startswith("(") else f"({text})")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return b""
    return value if isinstance(value, bytes) else b""


_DECIMAL = re.compile(
    r"<<\s*(\d{1,3}(?:\s*,\s*\d{1,3})*)\s*>>|\[\s*(\d{1,3}(?:(?:\s*,\s*|\s+)\d{1,3})*)\s*\]"
)


def _decimal_list(text: str) -> bytes:
    """Read numbers in brackets, as Erlang (``<<65,77>>``) and Go (``[65 77]``) print octets."""
    found = _DECIMAL.fullmatch(text)
    if not found:
        return b""
    numbers = [int(number) for number in re.findall(r"\d+", found[0])]
    return bytes(numbers) if max(numbers) <= 0xFF else b""


_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_SHORTEST_BASE64 = 4
_LEAST_OTHERS = 2  # letters that are no hexadecimal digits


def _base64(text: str) -> bytes:
    """Read base64, also of several lines and with the letters for addresses."""
    lines = text.split()
    if len(re.sub(r"[0-9A-Fa-f\s]", "", text)) < _LEAST_OTHERS:
        return b""  # hexadecimal with a mistake
    if not all(_BASE64.fullmatch(line) for line in lines):
        return b""
    parts = lines if any(line.endswith("=") for line in lines[:-1]) else ["".join(lines)]
    octets = b""
    for part in parts:
        letters = part.replace("-", "+").replace("_", "/").rstrip("=")
        if len(letters) < _SHORTEST_BASE64 - 2 or len(letters) % 4 == 1 or "=" in letters:
            return b""
        try:
            octets += base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        except binascii.Error:
            return b""
    return octets


_SHORTEST_FIELD = 8  # octets: shorter ones are numbers of frames, ports, times


def _tshark_fields(text: str) -> bytes:
    """Read lines of ``tshark -T fields``: columns between tabs, of which those with octets are long hexadecimal."""
    if "\t" not in text:
        return b""
    octets = b""
    for line in text.splitlines():
        for column in line.split("\t"):
            read = _hexadecimal(column) if re.fullmatch(r"[\"0-9a-fA-F:,\s]+", column) else b""
            octets += read if len(read) >= _SHORTEST_FIELD else b""
    return octets


_FORMS: tuple[tuple[str, Callable[[str], bytes]], ...] = (
    ("hex dump", dump_octets),
    ("decimal numbers", _decimal_list),
    ("fields of tshark", _tshark_fields),
    ("hexadecimal", _hexadecimal),
    ("literal", _literal),
    ("base64", _base64),
)


def _what_is_wrong(text: str, name: str) -> Problem:
    """Return what is wrong with a text: most are hexadecimal with a mistake."""
    plain = re.sub(r"0[xX]", "  ", text)
    digits = _BETWEEN.sub("", plain)
    wrong = re.search(r"[^0-9a-fA-F\s:,;{}()\[\]\"'-]", plain)
    if wrong is None:
        groups = re.finditer(r"[0-9a-fA-F]+", plain)
        odd = next((group for group in groups if len(group[0]) % 2), None)
        if odd is not None:
            message = f"{quote(odd[0])} has {counted(len(odd[0]), 'digit')}; each octet has two"
            return Problem("odd-digits", message, _position(text, odd.start(), name))
    hexadecimal = sum(character in "0123456789abcdefABCDEF" for character in digits)
    if wrong is not None and hexadecimal * 10 >= len(digits) * 8:
        message = f"{quote(wrong[0])} is not a hexadecimal digit"
        return Problem("not-hexadecimal", message, _position(text, wrong.start(), name))
    return Problem("no-octets", f"{quote(text.strip())} is neither octets nor a file", None, _FORM_HINT)


def _position(text: str, offset: int, name: str) -> Position:
    line = text.count("\n", 0, offset) + 1
    return Position(name, line, offset - (text.rfind("\n", 0, offset) + 1) + 1)
