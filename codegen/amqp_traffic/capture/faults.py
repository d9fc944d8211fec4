"""Errors inside the reading of one connection, which must not cost other connections their rows.

Every room that works on one connection at a time catches them, puts what the error concerns into the quarantine as
``decode-error``, and goes on with the next.
"""

from __future__ import annotations

from pathlib import Path

from .ledgers import LedgerError

# Errors that end the reading of the whole capture: the books are wrong, or this machine is in trouble.
FATAL = (LedgerError, MemoryError, OSError)


def describe_fault(error: Exception) -> str:
    """Return kind and place of an error, for people. Its text is not used: it may have octets of the capture."""
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}{place}, a fault of this program; please report it"
