"""How long to wait for a ring that is being written."""

from __future__ import annotations

from time import monotonic, sleep

_POLL = 0.2  # seconds


class Watch:
    """Waits for something new.

    Attributes:
        stopped: Somebody has asked to come to an end.
    """

    def __init__(self, idle: float | None = None) -> None:
        """Begin to wait.

        Args:
            idle: After so many seconds without anything new it is over; None for never.
        """
        self.stopped = False
        self._idle = idle
        self._seen: object = None
        self._since = 0.0

    def stop(self) -> None:
        """Come to an end. Signal handlers may call this."""
        self.stopped = True

    def wait(self, seen: object) -> bool:
        """Wait a little; returns whether to look again.

        Args:
            seen: What is there by now. Something is new when this is not what it was.
        """
        now = monotonic()
        if seen != self._seen:
            self._seen, self._since = seen, now
        if self.stopped:
            return False
        if self._idle is not None and now - self._since >= self._idle:
            return False
        sleep(_POLL)
        return not self.stopped
