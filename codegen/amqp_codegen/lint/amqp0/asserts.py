"""Asserts of 0-x that always hold, contradict each other, are repeated, or do not mean what they seem to say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...model.amqp0.field_types import WireType
from ...model.amqp0.raw import RawAssert
from ...model.problem import Position
from ...reader.check_schema import parse_number
from ...resolve.names import normalise
from ...support.wording import quote
from ..pattern_paths import takes_exponential_time
from ..rule import LintSeverity, Remark, reported, rule
from .subject import LintedSpec

_ASSERTS = "asserts-0-x"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE
# The longest short string, in octets: its length is one octet (section 4.2.5.3 of 0-9-1).
_LONGEST_SHORT_STRING = 255
# A bracket expression; an escaped character counts as one.
_BRACKET_SET = re.compile(r"(?<!\\)\[\^?((?:\]|\\.|[^\]\\])(?:\\.|[^\]\\])*)\]")
_CHARACTER_RANGE = re.compile(r"(\\.|[^\\])-(\\.|[^\\])")
_RANGE_AND_HYPHEN = re.compile(r"(?:\\.|[^\\])-(?:\\.|[^\\])-(?=.)")
_USUAL_RANGES = ("09", "az", "AZ", "af", "AF")

REPORTED_ASSERTS = reported(
    _ASSERTS,
    ("unfitting-assert", _ERROR, "An assert that its type cannot be held against",
     '<assert check="length" value="9"/> on a short', "remove it, or write one that fits the type"),
    ("dangling-assert", _ERROR, "An upper limit that is not a field",
     '<assert check="le" method="tun" field="channel-max"/>', "name a method and a field of it"),
)  # fmt: skip


@rule(_ASSERTS, "own-bound", _WARNING, '<assert check="le" field="f"/> in f')
def own_bound(subject: LintedSpec) -> Iterator[Remark]:
    """A field that is its own upper limit."""
    for owner, method in subject.methods:
        for field in method.fields:
            for check in field.asserts:
                bound = normalise(check.method) or normalise(method.name), normalise(check.field)
                if check.check == "le" and bound == (normalise(method.name), normalise(field.name)):
                    message = f"field {field.name!r} of {owner.name}.{method.name} is its own upper limit"
                    yield Remark(message, check.position, "name the field that is the limit")


@rule(_ASSERTS, "unknown-syntax", _WARNING, '<assert check="syntax" rule="path"/>')
def unknown_syntax(subject: LintedSpec) -> Iterator[Remark]:
    """A syntax that no rule explains."""
    for owner in subject.asserted:
        named = {normalise(demand.name) for demand in owner.rules}
        for check in owner.asserts:
            if check.check == "syntax" and normalise(check.rule) not in named:
                message = f"{owner.name!r} is to have the syntax {check.rule!r}, of which no rule here says what it is"
                hint = f"add a <rule name={quote(check.rule)}> that says it, or write a regexp"
                yield Remark(message, check.position, hint)


class _Asserts(NamedTuple):
    """The asserts of a domain or field, those that a field inherits from its domain, and its elementary type."""

    owner: str
    own: Sequence[RawAssert]
    inherited: Sequence[RawAssert]
    type: WireType | None

    def with_earlier(self) -> Iterator[tuple[RawAssert, dict[tuple[str, ...], Position]]]:
        """Yield each assert with the meanings of those before it and where they stand."""
        seen = {_meaning(check): check.position for check in self.inherited}
        for check in self.own:
            yield check, seen
            seen.setdefault(_meaning(check), check.position)


def _all_asserts(subject: LintedSpec) -> Iterator[_Asserts]:
    inherited = {normalise(domain.name): domain.asserts for domain in subject.raw.domains}
    for domain in subject.raw.domains:
        known = subject.domains.get(normalise(domain.name))
        yield _Asserts(f"domain {domain.name!r}", domain.asserts, (), known.type if known else None)
    for field in subject.fields:
        of_domain = inherited.get(normalise(field.domain), ())
        yield _Asserts(f"field {field.name!r}", field.asserts, of_domain, subject.type_of(field))


def _meaning(check: RawAssert) -> tuple[str, ...]:
    names = (normalise(check.method), normalise(check.field), normalise(check.rule))
    return (check.check, check.value, *names, *check.values)


@rule(_ASSERTS, "idle-assert", _WARNING, '<assert check="length" value="256"/>')
def idle_assert(subject: LintedSpec) -> Iterator[Remark]:
    """An assert that always holds."""
    for asserts in _all_asserts(subject):
        for check in asserts.own:
            if asserts.type and _always_holds(check, asserts.type):
                message = (
                    f"the assert {check.check!r} {quote(check.value)} of {asserts.owner} "
                    f"holds for every {asserts.type.value}"
                )
                yield Remark(message, check.position, "correct the value, or remove the assert")


def _always_holds(check: RawAssert, wire_type: WireType) -> bool:
    number = parse_number(check.value)
    if number is None:
        return False
    if check.check == "length":
        return wire_type is WireType.SHORTSTR and number >= _LONGEST_SHORT_STRING
    return check.check == "ne" and wire_type.width is not None and number > wire_type.high


@rule(_ASSERTS, "repeated-assert", _NOTE, "notnull twice")
def repeated_assert(subject: LintedSpec) -> Iterator[Remark]:
    """An assert that a field has already, itself or by its domain."""
    for asserts in _all_asserts(subject):
        for check, earlier in asserts.with_earlier():
            place = earlier.get(_meaning(check))
            if place is not None:
                message = f"{asserts.owner} has the assert {check.check!r} already, at {place}"
                yield Remark(message, check.position, "one of them will do")


@rule(_ASSERTS, "assert-contradiction", _WARNING, "null and notnull")
def assert_contradiction(subject: LintedSpec) -> Iterator[Remark]:
    """Asserts that cannot both hold."""
    for asserts in _all_asserts(subject):
        for check, earlier in asserts.with_earlier():
            opposite = {"null": "notnull", "notnull": "null"}.get(check.check)
            place = next((position for meaning, position in earlier.items() if meaning[0] == opposite), None)
            if place is not None:
                message = f"{asserts.owner} is to be {check.check!r} here and {opposite!r} at {place}"
                yield Remark(message, check.position, "keep the one that is right")


# --- regular expressions that do not mean what they seem to say ---


def _patterns(subject: LintedSpec) -> Iterator[RawAssert]:
    for owner in subject.asserted:
        yield from (check for check in owner.asserts if check.check == "regexp")


def _ranges(pattern: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the ranges in the sets of a pattern, and whether a hyphen follows them."""
    for members in _BRACKET_SET.findall(pattern):
        place = 0
        while place < len(members):
            range_ = _CHARACTER_RANGE.match(members, place)
            if range_ is None:
                place += 2 if members[place] == "\\" else 1
                continue
            is_hyphen_next = _RANGE_AND_HYPHEN.match(members, place) is not None
            yield range_, is_hyphen_next
            place += len(range_.group()) + is_hyphen_next


@rule(_ASSERTS, "regexp-range", _WARNING, "^[a-zA-Z0-9/-_]+$ lets ; through, and not -")
def regexp_range(subject: LintedSpec) -> Iterator[Remark]:
    """A range between characters of different kinds, where a hyphen was meant."""
    for check in _patterns(subject):
        for range_, _ in _ranges(check.value):
            first, last = range_[1][-1:], range_[2][-1:]
            # Usual ranges stay within the digits, or the letters of one case.
            if any(usual[0] <= first <= last <= usual[1] for usual in _USUAL_RANGES):
                continue
            between = "".join(
                sign for sign in map(chr, range(ord(first) + 1, ord(last))) if not sign.isalnum()
            )
            lets = (
                f"it also lets {quote(between)} through" if between else "it lets whatever is between through"
            )
            message = f"{range_.group()!r} in {quote(check.value)} is a range: {lets}, and not the hyphen"
            yield Remark(message, check.position, "for a hyphen, put it last in the brackets")


@rule(_ASSERTS, "regexp-hyphen", _NOTE, "^[a-zA-Z0-9-_.:]*$")
def regexp_hyphen(subject: LintedSpec) -> Iterator[Remark]:
    """A hyphen behind a range, which not all dialects take."""
    for check in _patterns(subject):
        for range_, is_hyphen_next in _ranges(check.value):
            if is_hyphen_next:
                message = f"the hyphen after the range {range_.group()!r} in {quote(check.value)} is read in two ways"
                hint = "some dialects refuse it: put the hyphen last in the brackets"
                yield Remark(message, check.position, hint)


@rule(_ASSERTS, "regexp-line-end", _NOTE, "^[a-z]*$")
def regexp_line_end(subject: LintedSpec) -> Iterator[Remark]:
    """A $ that lets a final line end through in some languages."""
    for check in _patterns(subject):
        if check.value.startswith(("^", r"\A")) and check.value.endswith("$"):
            message = f"the $ of {quote(check.value)} also stands before a line end: Perl and Python let one slip through"
            yield Remark(message, check.position, "match the whole value, as generated packages do")


@rule(_ASSERTS, "open-regexp", _WARNING, "[a-z]+")
def open_regexp(subject: LintedSpec) -> Iterator[Remark]:
    """A pattern that does not hold the whole value."""
    for check in _patterns(subject):
        starts, ends = check.value.startswith(("^", r"\A")), check.value.endswith(("$", r"\Z"))
        if not (starts and ends):
            missing = "both ends" if not starts and not ends else "its end" if starts else "its start"
            message = f"pattern {quote(check.value)} is open at {missing}: anything may stand there"
            yield Remark(message, check.position, "write it as ^...$")


@rule(_ASSERTS, "regexp-backtracking", _WARNING, "^(a+)+$")
def regexp_backtracking(subject: LintedSpec) -> Iterator[Remark]:
    """A pattern whose loops can read one text in exponentially many ways: a peer can stop who validates with it."""
    for check in _patterns(subject):
        if takes_exponential_time(check.value):
            message = f"pattern {quote(check.value)} takes exponential time for some texts that do not match"
            yield Remark(
                message, check.position, "let no loop within a loop read the same letters: ^a+$ for ^(a+)+$"
            )
