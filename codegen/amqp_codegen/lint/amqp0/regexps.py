"""Regular expressions that do not mean what they seem to say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.raw0 import RawAssert
from ...spec.wording import quote
from ..finding import Finding
from ..subject import Subject0

# A set in brackets; what is escaped in it counts as one character.
_SET = re.compile(r"(?<!\\)\[\^?((?:\]|\\.|[^\]\\])(?:\\.|[^\]\\])*)\]")
_RANGE = re.compile(r"(\\.|[^\\])-(\\.|[^\\])")
_RANGE_AND_HYPHEN = re.compile(r"(?:\\.|[^\\])-(?:\\.|[^\\])-(?=.)")
_USUAL = ("09", "az", "AZ", "af", "AF")


def check_regexps(subject: Subject0) -> Iterator[Finding]:
    """Ranges between odd characters, stray hyphens, and patterns that do not hold the whole value."""
    for owner in subject.asserted:
        for check in owner.asserts:
            if check.check == "regexp":
                yield from _check_pattern(check)


def _check_pattern(check: RawAssert) -> Iterator[Finding]:
    pattern, position = check.value, check.position
    for members in _SET.findall(pattern):
        yield from _check_set(members, check)
    starts, ends = pattern.startswith(("^", r"\A")), pattern.endswith(("$", r"\Z"))
    if not (starts and ends):
        missing = "both ends" if not starts and not ends else "its end" if starts else "its start"
        message = f"pattern {quote(pattern)} is open at {missing}: anything may stand there"
        yield Finding("open-regexp", message, position, "write it as ^...$")
    elif pattern.endswith("$"):
        message = (
            f"the $ of {quote(pattern)} also stands before a line end: Perl and Python let one slip through"
        )
        hint = "match the whole value, as generated packages do"
        yield Finding("regexp-line-end", message, position, hint)


def _check_set(members: str, check: RawAssert) -> Iterator[Finding]:
    place = 0
    while place < len(members):
        found = _RANGE.match(members, place)
        if found is None:
            place += 2 if members[place] == "\\" else 1
            continue
        first, last = found[1][-1:], found[2][-1:]
        if not _is_usual(first, last):
            between = "".join(
                sign for sign in map(chr, range(ord(first) + 1, ord(last))) if not sign.isalnum()
            )
            lets = (
                f"it also lets {quote(between)} through" if between else "it lets whatever is between through"
            )
            message = f"{found.group()!r} in {quote(check.value)} is a range: {lets}, and not the hyphen"
            yield Finding(
                "regexp-range", message, check.position, "for a hyphen, put it last in the brackets"
            )
        if _RANGE_AND_HYPHEN.match(members, place):
            message = (
                f"the hyphen after the range {found.group()!r} in {quote(check.value)} is read in two ways"
            )
            hint = "some dialects refuse it: put the hyphen last in the brackets"
            yield Finding("regexp-hyphen", message, check.position, hint)
            place += 1
        place += len(found.group())


def _is_usual(first: str, last: str) -> bool:
    """Whether a range stays within the digits, or the letters of one case."""
    return any(usual[0] <= first <= last <= usual[1] for usual in _USUAL)
