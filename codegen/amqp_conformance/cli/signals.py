"""Signals that end a run: the first one ends it with a report, and those that follow do not get in its way."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from amqp_codegen.support.command_line import Terminated

# Of a terminal that is closed, and of whoever stops a process; Ctrl-C is SIGINT.
_TERMINATING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class FirstSignal:
    """Raises ``KeyboardInterrupt`` for the first signal, ``Terminated`` unless it was Ctrl-C.

    Attributes:
        late: What the first signal would have raised, if it came while the report was written.
    """

    def __init__(self) -> None:
        self.late: KeyboardInterrupt | None = None
        self._came = False
        self._is_writing = False
        self._is_reported = False

    def __call__(self, number: int, frame: object) -> None:
        """Handle a signal.

        Raises:
            KeyboardInterrupt: It is the first one.
        """
        is_terminating = number in _TERMINATING
        if self._came and (is_terminating or not self._is_reported):
            return
        self._came = True
        interruption = Terminated() if is_terminating else KeyboardInterrupt()
        if not self._is_writing:
            raise interruption
        self.late = interruption

    @contextmanager
    def report(self) -> Iterator[None]:
        """Let nothing come between what writes the report; from then on Ctrl-C breaks off what is left to do."""
        self._is_writing = True
        try:
            yield
        finally:
            self._is_writing = False
            self._is_reported = True


@contextmanager
def first_signal_counts() -> Iterator[FirstSignal]:
    """Let the first of SIGINT, SIGTERM and SIGHUP end what runs here as Ctrl-C does; ``timeout`` of GNU sends two."""
    handler = FirstSignal()
    # What is ignored stays so: nohup ignores SIGHUP.
    numbers = [
        number for number in (signal.SIGINT, *_TERMINATING) if signal.getsignal(number) is not signal.SIG_IGN
    ]
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield handler
    finally:
        for number, action in before.items():
            signal.signal(number, action)
