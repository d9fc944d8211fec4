"""Whether a pattern takes exponential time: in how many ways its loops can read the same text.

A backtracking matcher tries every way before it gives up. The pattern becomes an automaton of its letters (Glushkov's
construction); the ways are counted, not tried, so that the time of the check itself is bounded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

_LENGTH = 64  # letters that are read; ways that double each few letters are beyond any polynomial by then
_MANY_WAYS = 10**8
_MOST_LETTERS = 40
_MOST_SAMPLES = 6
_COPIES = 2  # of what is repeated a fixed number of times
_CLASSES = {"CATEGORY_DIGIT": "5", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w"}


class _Part(NamedTuple):
    """A part of a pattern: letters by which it begins and ends, with how often each, and whether it may be empty."""

    first: Counter[int]
    last: Counter[int]
    is_nullable: bool


class _Unsupported(Exception):
    """The pattern has something that is no regular expression in theory, such as a look-ahead."""


@dataclass
class _Automaton:
    """The letters of a pattern, and in how many ways each follows another."""

    letters: list[re.Pattern[str]] = field(default_factory=list)
    follows: dict[int, Counter[int]] = field(default_factory=dict)
    samples: dict[str, None] = field(default_factory=dict)
    loops_on_nothing: bool = False

    def part(self, items: Iterable[Any]) -> _Part:
        """Return the part that a sequence of items of the parser is."""
        whole = _Part(Counter(), Counter(), True)
        for item in items:
            whole = self._joined(whole, self._item(*item))
        return whole

    def _item(self, operator: Any, argument: Any) -> _Part:
        name = str(operator)
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            return self._letter(name, argument)
        if name == "AT":
            return _Part(Counter(), Counter(), True)
        if name == "SUBPATTERN":
            return self.part(argument[-1])
        if name == "BRANCH":
            parts = [self.part(branch) for branch in argument[1]]
            first = sum((part.first for part in parts), Counter[int]())
            last = sum((part.last for part in parts), Counter[int]())
            return _Part(first, last, any(part.is_nullable for part in parts))
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeated(*argument)
        raise _Unsupported(name)

    def _repeated(self, least: Any, most: Any, items: Any) -> _Part:
        is_loop = str(most) == "MAXREPEAT"
        if not is_loop:
            whole = _Part(Counter(), Counter(), True)
            for copy in range(min(int(most), _COPIES)):
                part = self.part(items)
                whole = self._joined(whole, part._replace(is_nullable=part.is_nullable or copy >= int(least)))
            return whole
        part = self.part(items)
        self.loops_on_nothing |= part.is_nullable and bool(part.first)
        self._connect(part.last, part.first)
        return part._replace(is_nullable=part.is_nullable or not least)

    def _joined(self, before: _Part, after: _Part) -> _Part:
        self._connect(before.last, after.first)
        first = before.first + after.first if before.is_nullable else before.first
        last = before.last + after.last if after.is_nullable else after.last
        return _Part(first, last, before.is_nullable and after.is_nullable)

    def _connect(self, ends: Counter[int], starts: Counter[int]) -> None:
        for end, start in product(ends, starts):
            self.follows.setdefault(end, Counter())[start] += ends[end] * starts[start]

    def _letter(self, name: str, argument: Any) -> _Part:
        if len(self.letters) >= _MOST_LETTERS:
            raise _Unsupported("too many letters")
        self.letters.append(re.compile(_as_set(name, argument, self.samples), re.DOTALL))
        place = Counter([len(self.letters) - 1])
        return _Part(place, place, False)

    def ways(self, start: Counter[int], text: str) -> int:
        """Return in how many ways the automaton reads a text, up to where it has no way to go on."""
        states = Counter({state: ways for state, ways in start.items() if self.letters[state].match(text[0])})
        most = 0
        for letter in text[1:]:
            after: Counter[int] = Counter()
            for state, ways in states.items():
                for next_state, edges in self.follows.get(state, {}).items():
                    if self.letters[next_state].match(letter):
                        after[next_state] += ways * edges
            states = after
            most = max(most, sum(states.values()))
            if not states or most > _MANY_WAYS:
                break
        return most


def _as_set(name: str, argument: Any, samples: dict[str, None]) -> str:
    """Return a pattern of one letter, and add letters that it matches to the samples."""
    if name == "ANY":
        samples["x"] = None
        return "."
    if name == "NOT_LITERAL" or (name == "IN" and str(argument[0][0]) == "NEGATE"):
        samples.update({"x": None, "~": None})
    if name in ("LITERAL", "NOT_LITERAL"):
        samples[chr(argument)] = None
        return f"[{'^' * (name == 'NOT_LITERAL')}{re.escape(chr(argument))}]"
    members: list[str] = []
    for kind, value in argument:
        if str(kind) == "NEGATE":
            members.append("^")
        elif str(kind) == "LITERAL":
            members.append(re.escape(chr(value)))
            samples[chr(value)] = None
        elif str(kind) == "RANGE":
            members.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
            samples[chr(value[0])] = None
        else:
            category = str(value).replace("_NOT_", "_")
            letter = {"CATEGORY_DIGIT": "d", "CATEGORY_SPACE": "s", "CATEGORY_WORD": "w"}.get(category)
            if letter is None:
                raise _Unsupported(category)
            members.append(rf"\{letter.upper() if '_NOT_' in str(value) else letter}")
            samples[_CLASSES[category]] = None
    return f"[{''.join(members)}]"


def takes_exponential_time(pattern: str) -> bool:
    """Return whether a text exists that a pattern reads in more ways than any polynomial has; False if it cannot be told."""
    automaton = _Automaton()
    try:
        whole = automaton.part(_parsed(pattern))
    except (_Unsupported, re.error, OverflowError, RecursionError):
        return False
    samples = list(automaton.samples)[:_MOST_SAMPLES]
    words = [*samples, *map("".join, product(samples, repeat=2))]
    starts = _starts(automaton, whole)
    return automaton.loops_on_nothing or any(
        automaton.ways(starts, (word * _LENGTH)[:_LENGTH]) > _MANY_WAYS for word in words
    )


def _starts(automaton: _Automaton, whole: _Part) -> Counter[int]:
    """Return where reading may begin: in a loop, too, as what comes before it has been read already."""
    return Counter({**dict.fromkeys(automaton.follows, 1), **whole.first})


def _parsed(pattern: str) -> Sequence[Any]:
    parser: Any = vars(re)["_parser"]  # the only parser of these patterns that there is
    parsed: Sequence[Any] = parser.parse(pattern)
    return parsed
