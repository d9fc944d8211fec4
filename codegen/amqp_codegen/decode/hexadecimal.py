"""Octets as pairs of hexadecimal digits in any spelling, and as base64; what is wrong with digits that are none."""

from __future__ import annotations

import base64
import binascii
import re

from ..support.wording import counted, quote
from .form_error import ELLIPSIS, FormError, left_out

_PREFIXED = re.compile(r"(?:0x|&H)([0-9a-f]{1,2})\b", re.IGNORECASE)
# Between two pairs alone: elsewhere they are a sign, a fraction, or the letters of base64.
_JOINER = r"(?<=[0-9a-f]{2})[-.|_/\u00b7\u2013\u2014](?=[0-9a-f]{2})"
_BETWEEN = re.compile(rf"[\s:,;{{}}()\[\]\"'\u2018\u2019\u201c\u201d]+|{_JOINER}", re.IGNORECASE)
_HEX = re.compile(r"(?:[0-9a-f]{2})+", re.IGNORECASE)
_SUFFIXED = re.compile(r"\b([0-9a-f]{2})h\b", re.IGNORECASE)
_POSTGRES = re.compile(r"\\x(?=(?:[0-9a-f]{2}){2,}$)", re.IGNORECASE)
# What prints octets as hexadecimal between words: node, Swift and Objective-C, SQL, JavaScript's ArrayBuffer.
_WRAPPED = (
    re.compile(r"<(?:Slow)?Buffer(?P<digits>(?:\s[^<>]*)?)>"),
    re.compile(r"ArrayBuffer\s*\{\s*\[Uint8Contents\]:\s*<(?P<digits>[^<>]*)>\s*,\s*byteLength:\s*\d+\s*\}"),
    re.compile(r"\{\s*length\s*=\s*\d+\s*,\s*bytes\s*=\s*(?P<digits>0x[^{}]*)\}"),
    re.compile(r"<(?P<digits>[0-9a-fA-F\s]+)>"),
    re.compile(r"[xX]'(?P<digits>[0-9a-fA-F\s]*)'"),
)
_ONE_DIGIT = re.compile(r"\[\s*[0-9a-f]{1,2}(?:(?:\s*,\s*|\s+)[0-9a-f]{1,2})*\s*\]", re.IGNORECASE)


def read_hexadecimal(text: str) -> bytes:
    """Return octets from pairs of digits, with anything usual between and before them; none if they are none."""
    text, is_wrapped = _unwrapped(text)
    if is_wrapped and (dots := ELLIPSIS.search(text)):
        raise left_out(dots.start())
    text = _POSTGRES.sub("", text)
    if re.fullmatch(r"(?:\\x[0-9a-fA-F]{2}[\s,]+)+\\x[0-9a-fA-F]{2},?", text):
        text = text.replace("\\x", "")
    if _ONE_DIGIT.fullmatch(text) and re.search("[a-fA-F]", text):
        # Rust prints {:x?} so; without a letter the numbers are decimal.
        return bytes(int(digits, 16) for digits in re.findall(r"[0-9a-fA-F]+", text))
    lower = text.lower()
    if "0x" in lower or "&h" in lower:
        text = re.sub(r"0x(?=(?:[0-9a-f]{2}){2,}\b)", "", text, flags=re.IGNORECASE)
        text = _PREFIXED.sub(lambda found: found[1].rjust(2, "0"), text)
    text = _SUFFIXED.sub(r"\1 ", text)
    groups = [group for group in _BETWEEN.split(text) if group]
    if not all(_HEX.fullmatch(group) for group in groups):
        return b""
    return bytes.fromhex("".join(groups))


def _unwrapped(text: str) -> tuple[str, bool]:
    """Return the digits of each wrapped part if the text consists of such, blanks in place of all else."""
    for pattern in _WRAPPED:
        parts = list(pattern.finditer(text))
        if not parts or pattern.sub("", text).strip(" \t\r\n,;"):
            continue
        blank = [" "] * len(text)
        for part in parts:
            blank[part.start("digits") : part.end("digits")] = part["digits"]
        return "".join(blank).rstrip(), True
    return text, False


_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_SHORTEST_BASE64 = 4
_LEAST_OTHERS = 2  # letters that are no hexadecimal digits


def read_base64(text: str) -> bytes:
    """Return octets from base64, also of several lines and with the letters for addresses; none if it is words."""
    lines = text.split()
    if len(re.sub(r"[0-9A-Fa-f\s]", "", text)) < _LEAST_OTHERS:
        return b""  # hexadecimal with a mistake
    if not all(_BASE64.fullmatch(line) for line in lines) or _are_words(text, lines):
        return b""
    return base64_octets(lines)


def base64_octets(lines: list[str]) -> bytes:
    """Return octets from lines that are base64 if they are anything; none if they are not."""
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


def _are_words(text: str, parts: list[str]) -> bool:
    """Return whether a text is rather words, or the name of a file that is not there, than base64."""
    if len(text.rstrip("=")) < _SHORTEST_BASE64 - 1 or not re.search(r"[A-Z0-9+/=]", text):
        return True
    has_blanks = any(" " in line.strip() or "\t" in line.strip() for line in text.splitlines())
    return has_blanks and (len({len(part) for part in parts[:-1]}) != 1 or len(parts[0]) % 4 != 0)


def hexadecimal_mistake(text: str, name: str) -> FormError:
    """Return what is wrong with a text that is in no form: most are hexadecimal with a mistake.

    Args:
        text: The text.
        name: Where it is from.
    """
    plain = re.sub(r"0[xX]", "  ", text)
    digits = _BETWEEN.sub("", plain)
    wrong = re.search(r"[^0-9a-fA-F\s:,;{}()\[\]\"'-]", plain)
    if wrong is None:
        groups = re.finditer(r"[0-9a-fA-F]+", plain)
        odd = next((group for group in groups if len(group[0]) % 2), None)
        if odd is not None:
            message = f"{quote(odd[0])} has {counted(len(odd[0]), 'digit')}; each octet has two"
            return FormError(odd.start(), message, rule="odd-digits")
    hexadecimal = sum(character in "0123456789abcdefABCDEF" for character in digits)
    if wrong is not None and hexadecimal * 10 >= len(digits) * 8:
        if ELLIPSIS.match(plain, wrong.start()):
            return left_out(wrong.start())
        message = f"{quote(wrong[0])} is not a hexadecimal digit"
        return FormError(wrong.start(), message, rule="not-hexadecimal")
    return _strange_line(text, name)


def _strange_line(text: str, name: str) -> FormError:
    """Return the error of the first line that has no octets by itself."""
    said = "is neither octets nor a file" if name == "argument" else "is not octets in a form that is known"
    hint = "give hexadecimal, base64, a hex dump, a literal, log lines with octets"
    hint += ", or the name of a file" if name == "argument" else ""
    offset = 0
    lines = text.splitlines(keepends=True)
    if sum(bool(line.strip()) for line in lines) > 1:
        for line in lines:
            if line.strip() and not read_hexadecimal(line.strip()) and not read_base64(line.strip()):
                start = offset + len(line) - len(line.lstrip())
                return FormError(start, f"the line {quote(line.strip())} {said}", hint)
            offset += len(line)
    return FormError(-1, f"{quote(text.strip())} {said}", hint)
