"""Errors inside the reading of one connection, which must not cost other connections their rows.

Every room that works on one connection at a time catches them, puts what the error concerns into the quarantine as
``decode-error``, and goes on with the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

from .ledgers import LedgerError

# Errors that end the reading of the whole capture: the books are wrong, or this machine is in trouble.
FATAL = (LedgerError, MemoryError, OSError)


class Divisible(Protocol):
    """Things in order, of many connections, which can be divided."""

    def __len__(self) -> int: ...

    def __getitem__(self: _Things, part: slice, /) -> _Things: ...


_Things = TypeVar("_Things", bound=Divisible)
_Result = TypeVar("_Result")


def convert_apart(
    things: _Things,
    convert: Callable[[_Things], _Result],
    instead: Callable[[_Things, Exception], Iterable[_Result]],
) -> Iterator[_Result]:
    """Convert things together; where that raises an error, the halves, until it is clear which of them are to blame.

    ``convert`` is called with all of them, or with a part; ``instead`` with each single thing that cannot be converted,
    and with the error.

    Yields:
        What ``convert`` has returned for all things or for parts of them, and what ``instead`` has.
    """
    if not len(things):
        return
    try:
        result = convert(things)
    except FATAL:
        raise
    except Exception as error:  # nothing in a connection may cost others their rows
        if len(things) == 1:
            yield from instead(things, error)
            return
    else:
        yield result
        return
    middle = len(things) // 2
    for half in (things[:middle], things[middle:]):
        yield from convert_apart(half, convert, instead)


def describe_fault(error: Exception) -> str:
    """Return kind and place of an error, for people. Its text is not used: it may have octets of the capture."""
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}{place}, a fault of this program; please report it"
