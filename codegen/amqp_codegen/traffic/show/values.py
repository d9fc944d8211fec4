"""Values as short texts."""

from __future__ import annotations

import reprlib
from typing import Any

_MOST = 120  # characters of a value in a line


class _Values(reprlib.Repr):
    """Writes values like Python, but symbols and numbers of AMQP 1.0 like any text or number."""

    def __init__(self, longest: int, items: int, levels: int) -> None:
        super().__init__()
        self.maxstring = self.maxother = longest
        self.maxlist = self.maxtuple = self.maxdict = items
        self.maxlevel = levels

    def repr1(self, x: Any, level: int) -> str:
        """See ``reprlib``."""
        if isinstance(x, str):
            x = str(x)
        elif isinstance(x, int) and not isinstance(x, bool):
            x = int(x)
        return super().repr1(x, level)


_SHORT, _LONG = _Values(48, 4, 2), _Values(2000, 200, 4)


def shown(value: Any, long: bool = False) -> str:
    """A value as Python writes it; what is long is shortened."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if long:
        return _LONG.repr(value)
    text = _SHORT.repr(value)
    return text if len(text) <= _MOST else f"{text[:_MOST - 3]}..."
