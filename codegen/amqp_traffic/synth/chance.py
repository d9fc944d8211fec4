"""Random choices from a seed: the same on every version of Python and every machine."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

_POOL_SIZE = 1 << 16


class Chance:
    """A source of random choices.

    It uses only ``Random.random`` and a hash: Python does not promise that other methods of ``Random`` keep their results.

    Attributes:
        draw: Returns a number from 0 to below 1.
    """

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed).random
        self._seed = seed
        self._pool = b""
        self._position = 0

    def below(self, end: int) -> int:
        """Return an integer from 0 to below ``end``."""
        return int(self.draw() * end)

    def between(self, first: int, last: int) -> int:
        """Return an integer from ``first`` to ``last``."""
        return first + int(self.draw() * (last - first + 1))

    def once_in(self, times: int) -> bool:
        """Return True with probability 1 / ``times``."""
        return self.draw() * times < 1

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[int(self.draw() * len(items))]

    def octets(self, size: int) -> bytes:
        """Return random octets; they repeat after 64 KiB."""
        if not self._pool:
            self._pool = hashlib.shake_256(self._seed.encode()).digest(_POOL_SIZE)
        start, self._position = self._position, self._position + size
        if self._position > _POOL_SIZE:
            start, self._position = 0, size % _POOL_SIZE
            return (self._pool * (size // _POOL_SIZE + 1))[:size]
        return self._pool[start : self._position]
