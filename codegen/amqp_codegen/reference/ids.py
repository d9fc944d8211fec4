"""Ids of elements of a page: each is given out once."""

from __future__ import annotations

import re

_UNFIT = re.compile(r"[^a-z0-9.]+")


class Ids:
    """Gives out ids that no other element of the page has."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # how far each has come: many may want the same

    def take(self, wanted: str) -> str:
        """The id that is wanted, or that with a number after it."""
        plain = slug(wanted)
        number = self._numbers.get(plain, 1)
        candidate = plain if number == 1 else f"{plain}-{number}"
        while candidate in self._taken:
            number += 1
            candidate = f"{plain}-{number}"
        self._numbers[plain] = number
        self._taken.add(candidate)
        return candidate


def slug(text: str) -> str:
    """The text in small letters, digits, dots and hyphens: it stands in an address as it is."""
    return _UNFIT.sub("-", text.lower()).strip("-.") or "x"
