"""Whether the broker is well: a short probe after each rule, and a restart if it does not answer one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Event, Lock

from .broker_view import BrokerView, MakeBroker, TrialSetting
from .registry import SECONDS
from .run_result import BrokerDied, Disconnected, Interrupted, NoAnswer, NotTestable, OutOfTime, Violation

# A busy broker is asked once more, with more patience, before it counts as dead.
_CHECKS, _SECONDS_BETWEEN_CHECKS = 2, 1.0
_TROUBLE = (NoAnswer, Disconnected, BrokerDied, OutOfTime)


class BrokerHealth:
    """Probes the broker on connections of its own, cleans up on the way, and restarts it.

    Attributes:
        leftovers: Names of entities that could not be removed from the broker.
    """

    def __init__(self, setting: TrialSetting, make_broker: MakeBroker) -> None:
        self.leftovers: list[str] = []
        self._setting = setting
        self._make_broker = make_broker
        self._answers_requests = True
        self._active: set[BrokerView] = set()
        self._lock = Lock()

    def learn(self) -> None:
        """Find out whether the broker answers a whole probe; if not, a login is all that is asked of it later."""
        self._answers_requests = not self._probe((), _CHECKS)

    def check(self, names: Sequence[str]) -> str:
        """Probe the broker and remove what a trial has created; return what is wrong, or nothing.

        Raises:
            Interrupted: The user interrupted the run.
        """
        return self._probe(names, _CHECKS)

    def revive(self) -> str:
        """Restart the broker, if the run has a command for that; return why it is not well again, or nothing."""
        if self._setting.restart is None:
            return "no --restart-cmd to go on with"
        try:
            self._setting.restart()
        except (BrokerDied, NotTestable) as error:
            return str(error)
        trouble = self._probe((), 1)
        return f"--restart-cmd did not help: {trouble}" if trouble else ""

    def interrupt(self) -> None:
        """Wake up the probes that wait for the broker."""
        with self._lock:
            active = list(self._active)
        for broker in active:
            broker.interrupt()

    def remove_leftovers(self) -> None:
        """Try once more to remove what could not be removed before; works after an interruption, too."""
        if self.leftovers:
            broker = self._make_broker(replace(self._setting, stop=Event()), None, SECONDS)
            try:
                self.leftovers = broker.remove(self.leftovers)
            finally:
                broker.close_sockets()

    def _probe(self, names: Sequence[str], checks: int) -> str:
        """Return what is wrong, or nothing; what cannot be removed at once is left for the end of the run."""
        trouble = ""
        for number in range(checks):
            is_last = number == checks - 1
            setting = self._setting.with_more_patience if is_last else self._setting
            broker = self._make_broker(setting, None, SECONDS)
            with self._lock:
                self._active.add(broker)
            try:
                if self._setting.stop.wait(_SECONDS_BETWEEN_CHECKS if number else 0):
                    raise Interrupted
                self._ask(broker, names)
                return ""
            except (*_TROUBLE, Interrupted, Violation) as error:
                self.leftovers += names
                names = ()
                if self._setting.stop.is_set():  # the socket may have been closed to wake this up
                    raise Interrupted from None
                if not isinstance(error, _TROUBLE):  # an answer, though not the one wanted
                    return ""
                trouble = str(error) or "it takes too long"
            finally:
                with self._lock:
                    self._active.discard(broker)
                broker.close_sockets()
        return trouble

    def _ask(self, broker: BrokerView, names: Sequence[str]) -> None:
        if self._answers_requests:
            broker.probe(names)
            return
        broker.identify()
        self.leftovers += broker.remove(names)
