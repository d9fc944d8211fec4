"""Keeps our password out of whatever a run prints and writes, also where the broker repeats it.

Transcripts, details, remarks, names of brokers and errors all pass through one ``Redactor``, made from the login. It looks
for the password in the spellings that a broker or a Python literal may give it: letter by letter as it is, escaped,
percent-encoded or as an entity of HTML; as a whole in base64 or in hexadecimal; or cut, with dots.

A password that may be any text, such as ``a`` or that of the user's own name, would leave holes in every sentence, and the
holes would tell what it is. It is replaced only where it is said to be one: in a login, behind the name of the user, behind
a word such as ``password``, and in base64 on its own.
"""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from html.entities import codepoint2name

from .password import DEFAULT_PASSWORD

MASK = "***"
# So many octets have a whole password in them, however it is written: not more of a long frame is looked through.
REACH = 2048
# A shorter password may be a part of any text.
_SHORTEST = 4
# Of a password that is cut, at least so much is replaced; and at most, for a pattern must not grow without limit.
_SHORTEST_PART, _LONGEST_PART = 4, 64
# Repetitions are bounded: no run of octets is read again from each of its places.
_BACKSLASHES, _ZEROS = r"\\{1,8}", "0{0,8}"
_BASE64 = "[A-Za-z0-9+/_-]"
# One character of a text that separates words, or an escape for one.
_SEPARATOR = r"(?:[\W_]|\\x[0-9a-f]{2}|%[0-9a-f]{2}|&#?\w{1,8};)"
_NAMED = rf"(?:pass(?:word|wd|phrase|code)?|pwd|secret|credentials?)S?(?:\s(?:is|was))?{_SEPARATOR}{{1,8}}?"


class Redactor:
    """Replaces the password of a login.

    Args:
        password: Their password; nothing is replaced if it is empty.
    """

    def __init__(self, user: str, password: str) -> None:
        self._pattern: re.Pattern[str] | None = None
        if password:
            is_weak = len(password) < _SHORTEST or password.lower() in (user.lower(), DEFAULT_PASSWORD)
            pattern = _weak(user, password) if is_weak else _anywhere(user, password)
            self._pattern = re.compile(pattern, re.IGNORECASE)

    def text(self, text: str) -> str:
        """Return the text with ``***`` for each time that the password is in it."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: f"{match['keep'] or ''}{MASK}", text)

    def octets(self, octets: bytes) -> bytes:
        """Return as many octets, with asterisks for those of the password."""
        if self._pattern is None:
            return octets

        def mask(match: re.Match[str]) -> str:
            kept = match["keep"] or ""
            return kept + "*" * (len(match[0]) - len(kept))

        return self._pattern.sub(mask, octets.decode("latin-1")).encode("latin-1")


@cache
def redactor_of(user: str, password: str) -> Redactor:
    """Return the redactor of a login; patterns are made once."""
    return Redactor(user, password)


def _anywhere(user: str, password: str) -> str:
    """Return the pattern of a password wherever it is; what comes before it in a login stays."""
    octets = password.encode("utf-8", "surrogateescape")
    begin, end = _cut(password)
    ways = [
        *_in_base64(octets),
        _in_hexadecimal(octets),
        _as_numbers(octets),
        _spelled(password),
        rf"{begin}(?=\s?(?:\.\.\.|…))",
        rf"(?<=\.\.\.){end}",
        rf"(?<=…){end}",
    ]
    return f"(?P<keep>)(?:{'|'.join(ways)})"


def _weak(user: str, password: str) -> str:
    """Return the pattern of a password that may be any text: only where it is said to be one."""
    logins = [f"\0{user}\0{password}", f"{user}\0{user}\0{password}", f"{user}:{password}"]
    octets = [login.encode("utf-8", "surrogateescape") for login in logins]
    alone = base64.b64encode(password.encode("utf-8", "surrogateescape")).decode()
    whole = [way for login in octets for way in (*_in_base64(login), _in_hexadecimal(login))]
    whole.append(rf"(?<![A-Za-z0-9+/=_-]){re.escape(alone)}(?![A-Za-z0-9+/=_-])")
    # A table of AMQPLAIN has the length between its name and the password.
    before = rf"{_NAMED}|(?<![A-Za-z]){_spelled(user)}(?:{_NUL}|[:/=,;|])"
    behind = r"(?![A-Za-z0-9])"
    return f"(?P<keep>{before}){_spelled(password)}{behind}|(?:{'|'.join(whole)})"


_NUL = rf"\0|{_BACKSLASHES}(?:x00|u0000|0{{1,3}})|%00|&#x?{_ZEROS}0;"


def _spelled(text: str) -> str:
    """Return a pattern for a text each of whose characters may be escaped in some way."""
    return "".join(map(_character, text))


def _cut(password: str) -> tuple[str, str]:
    """Return patterns for the first characters of a password, where a text is cut, and for the last ones."""
    characters = [_character(character) for character in password]
    first, last = characters[:_LONGEST_PART], characters[::-1][:_LONGEST_PART]
    begin = "".join(first[:_SHORTEST_PART]) + _nested(first[_SHORTEST_PART:], "(?:{0}{1})?")
    end = _nested(last[_SHORTEST_PART:], "(?:{1}{0})?") + "".join(reversed(last[:_SHORTEST_PART]))
    return begin, end


def _nested(characters: list[str], form: str) -> str:
    """Return a pattern for any number of characters, each only if those before it are there."""
    pattern = ""
    for character in reversed(characters):
        pattern = form.format(character, pattern)
    return pattern


def _character(character: str) -> str:
    """Return a pattern for the ways to write a character, in small letters and in capitals."""
    cases = (character, character.lower(), character.upper())
    ways = dict.fromkeys(way for case in cases if len(case) == 1 for way in _ways(case))
    return f"(?:{'|'.join(ways)})"


def _ways(character: str) -> list[str]:
    code, octets = ord(character), character.encode("utf-8", "surrogateescape")
    plain = re.escape(character)
    ways = [
        rf"\\{{0,8}}{plain}" if character in "'\"/" else f"{_BACKSLASHES}" if character == "\\" else plain,
        rf"{_BACKSLASHES}u{code:04x}",
        rf"{_BACKSLASHES}u\{{{_ZEROS}{code:x}\}}",
        rf"{_BACKSLASHES}U{code:08x}",
        rf"&#(?:{_ZEROS}{code}|x{_ZEROS}{code:x});",
        "".join(f"%{octet:02x}" for octet in octets),
        "".join(rf"{_BACKSLASHES}x{octet:02x}" for octet in octets),
    ]
    if code in codepoint2name:
        ways.append(f"&{codepoint2name[code]};")
    if character == "'":
        ways.append("&apos;")
    if character == " ":
        ways.append(r"\+")
    if code < 256:
        ways.append(rf"{_BACKSLASHES}x{code:02x}")
    if code < 32:
        ways += [rf"{_BACKSLASHES}{_ZEROS}{code:o}", _BACKSLASHES + re.escape(repr(character)[2:-1])]
    if code > 127:
        # How octets are searched, too, and those of a text that was encoded twice.
        ways += [re.escape(octets.decode("latin-1")), re.escape(_encoded_twice(octets))]
        ways.append(_BACKSLASHES + re.escape(json.dumps(character)[2:-1]))
    return ways


def _encoded_twice(octets: bytes) -> str:
    return octets.decode("latin-1").encode().decode("latin-1")


def _in_base64(octets: bytes) -> list[str]:
    """Return patterns for octets in base64, whatever stands before them: what depends on them alone, and what follows."""
    patterns = []
    for offset in range(3):
        text = base64.b64encode(bytes(offset) + octets).decode().rstrip("=")
        begin = -(-offset * 8 // 6)
        end = (offset + len(octets)) * 8 // 6
        letters = re.escape(text[begin:end]).replace(r"\+", "[+-]").replace("/", "[/_]")
        patterns.append(f"{_BASE64}?{letters}{_BASE64}{{0,4096}}={{0,2}}" if end - begin >= _SHORTEST else "")
    return [pattern for pattern in patterns if pattern]


def _in_hexadecimal(octets: bytes) -> str:
    return "(?:[ :,-]|,? ?0x)?".join(f"{octet:02x}" for octet in octets)


def _as_numbers(octets: bytes) -> str:
    """Return a pattern for the octets as decimal numbers with something in between, such as ``[83, 51]``."""
    return r"(?<!\d)" + r"\D{1,8}?".join(map(str, octets)) + r"(?!\d)"
