"""Chance with a seed: the same on every version of Python and every machine."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

_POOL = 1 << 16


class Chance:
    """A source of chance.

    All of it comes from ``Random.random`` and from a hash: of the others in ``random``, Python does not promise that
    they stay as they are.

    Attributes:
        draw: A number from 0 up to, but not, 1.
    """

    __slots__ = ("_pool", "_position", "_seed", "draw")

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed).random
        self._seed = seed
        self._pool = b""
        self._position = 0

    def below(self, end: int) -> int:
        """A whole number from 0 up to, but not, ``end``."""
        return int(self.draw() * end)

    def between(self, first: int, last: int) -> int:
        """A whole number from ``first`` to ``last``."""
        return first + int(self.draw() * (last - first + 1))

    def once_in(self, times: int) -> bool:
        """True once in so many times."""
        return self.draw() * times < 1

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[int(self.draw() * len(items))]

    def octets(self, size: int) -> bytes:
        """Octets without any pattern; after 64 KiB they come again."""
        if not self._pool:
            self._pool = hashlib.shake_256(self._seed.encode()).digest(_POOL)
        start, self._position = self._position, self._position + size
        if self._position > _POOL:
            start, self._position = 0, size % _POOL
            return (self._pool * (size // _POOL + 1))[:size]
        return self._pool[start : self._position]
