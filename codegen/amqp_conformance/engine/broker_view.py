"""The broker as a driver sees it during the trial of one rule."""

from __future__ import annotations

import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event
from types import ModuleType
from typing import Any, ClassVar, Protocol

from .broker_socket import BrokerAddress, BrokerSocket
from .level import SpecRule
from .run_result import (
    SET_UP,
    BrokerDied,
    Identity,
    Interrupted,
    NoAnswer,
    NotTestable,
    OutOfTime,
    SetUpFailed,
    Violation,
)
from .transcript import Transcript

NAME_PREFIX = "amqp-codegen."
# How long to wait for a reply to the close of a connection whose trial is over.
_GOODBYE_SECONDS = 2.0
# How many times as long as --timeout says an answer is waited for when the broker is asked again.
_PATIENCE_WHEN_ASKED_AGAIN = 4
# Why a rule whose driver restarts the broker cannot be tried.
NEEDS_RESTART = "needs a restart of the broker: --restart-cmd COMMAND"


class Closable(Protocol):
    """A connection of a family."""

    @property
    def is_open(self) -> bool:
        """Whether it can still be closed properly."""
        ...

    def close(self) -> object:
        """Close it properly; the return value is not used here."""


@dataclass(frozen=True, slots=True)
class TrialSetting:
    """What all trials of a run share.

    Attributes:
        amqp: The generated package of the specification.
        restart: Restarts the broker and waits until it answers; None if the run has no command for that.
        second_virtual_host: Another virtual host where our user may work; empty if the run has none.
        patience: How long to wait for one answer, in seconds; None for the family's own.
        stop: Set when the user interrupts the run.
        findings: What a family has found out about the broker, by a name of its own.
    """

    target: BrokerAddress
    amqp: ModuleType
    restart: Callable[[], None] | None = None
    second_virtual_host: str = ""
    patience: float | None = None
    stop: Event = field(default_factory=Event)
    findings: dict[str, Any] = field(default_factory=dict)

    @property
    def with_more_patience(self) -> TrialSetting:
        """The same with a longer wait than the run was told, for what was perhaps only late: machines are busy."""
        return (
            self
            if self.patience is None
            else replace(self, patience=self.patience * _PATIENCE_WHEN_ASKED_AGAIN)
        )


class BrokerView(ABC):
    """One trial's view of the broker; at its end connections are closed and names are removed.

    It has what is common to all versions; the family's own ``Broker`` connects.

    Attributes:
        amqp: The generated package of the specification.
        target: The broker's address and our user there.
        patience: How long to wait for one answer, in seconds.
        connections: Those of the trial; the family's ``dial`` adds them.
    """

    # Seconds to wait for one answer, unless --timeout says otherwise. Some brokers take three until they silently close a
    # socket.
    PATIENCE: ClassVar[float] = 8.0

    def __init__(self, setting: TrialSetting, rule: SpecRule | None = None, seconds: float = 60.0) -> None:
        self.amqp: Any = setting.amqp
        self.target = setting.target
        self.rule = rule
        self.transcript = Transcript(setting.target.redactor)
        self.patience = self.PATIENCE if setting.patience is None else setting.patience
        self.names: list[str] = []
        self.connections: list[Closable] = []
        self._is_trial = False
        self._setting = setting
        self._end = time.monotonic() + seconds
        self._sockets: list[BrokerSocket] = []

    # --- for drivers ---

    @contextmanager
    def set_up(self) -> Iterator[None]:
        """Mark what only leads to the trial: if it fails, the rule is inconclusive and not failed.

        The steps that nearly every rule needs mark themselves: ``connect``, ``open_channel``, ``declare_queue``, ...
        A driver marks its other steps. What is not marked is the trial.

        Raises:
            SetUpFailed: A step fails.
        """
        try:
            yield
        except Violation as error:
            # The runner's own view has no rule, and so no trial to lead to.
            if self._is_trial or self.rule is None:
                raise
            raise SetUpFailed(f"{SET_UP}{error}") from None

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Mark what the rule is about: whatever fails in it counts, steps that mark themselves as set-up included."""
        before, self._is_trial = self._is_trial, True
        try:
            yield
        finally:
            self._is_trial = before

    def name(self, label: str) -> str:
        """Return a unique name; what the driver creates under it is removed after the trial."""
        self.names.append(f"{NAME_PREFIX}{label}.{uuid.uuid4().hex[:12]}")
        return self.names[-1]

    def second_virtual_host(self) -> str:
        """Return the name of another virtual host where our user may work.

        Raises:
            NotTestable: The run has none.
        """
        if not self._setting.second_virtual_host:
            raise NotTestable("needs a second virtual host: --second-virtual-host NAME")
        return self._setting.second_virtual_host

    def restart(self) -> None:
        """Restart the broker and wait until it answers again; all connections are lost.

        Raises:
            NotTestable: The run has no command for that.
            SetUpFailed: The command did not restart it.
            BrokerDied: The broker does not answer again.
        """
        if self._setting.restart is None:
            raise NotTestable(NEEDS_RESTART)
        self.connect()  # one at least must end with the broker
        self.transcript.add("event", 0, None, "restart", "the broker is restarted")
        begin = time.monotonic()
        self._setting.restart()
        self._end += time.monotonic() - begin  # a restart does not count against the deadline
        if not all(self._ends(socket) for socket in self._sockets):
            raise SetUpFailed(
                "the command of --restart-cmd did not end a connection, so it restarted nothing"
            )
        self.transcript.add("event", 0, None, "restarted", "the broker answers again")

    def _ends(self, socket: BrokerSocket) -> bool:
        """Return whether the broker closes a socket in time; what it still sends there is dropped."""
        until = self.wait()
        try:
            while not socket.ended:
                socket.receive(until)
        except NoAnswer:
            return False
        return True

    # --- for the connections of a family ---

    def dial_socket(self) -> BrokerSocket:
        """Connect another socket, which is closed after the trial.

        Raises:
            BrokerDied: Nothing listens.
        """
        self.wait()
        number = len(self._sockets) + 1
        try:
            self._sockets.append(BrokerSocket(self.target, number, self.transcript, self.wait, self.patience))
        except OSError as error:
            raise BrokerDied(f"no connection to {self.target}: {error.strerror or error}") from None
        return self._sockets[-1]

    def wait(self, seconds: float | None = None) -> float:
        """Return the end of one wait on the monotonic clock: after the patience, but within the trial.

        Raises:
            OutOfTime: The trial's time is up.
            Interrupted: The user interrupted the run.
        """
        if self._setting.stop.is_set():
            raise Interrupted
        now = time.monotonic()
        if now >= self._end:
            raise OutOfTime
        return min(now + (self.patience if seconds is None else seconds), self._end)

    # --- for the runner ---

    def close_sockets(self) -> None:
        """Close every socket."""
        for socket in self._sockets:
            socket.close()

    @property
    def is_interrupted(self) -> bool:
        """True after the user interrupted the run; errors then come from the interruption."""
        return self._setting.stop.is_set()

    def interrupt(self) -> None:
        """Wake up a driver that waits for the broker."""
        for socket in tuple(self._sockets):
            socket.shut()

    def say_goodbye(self) -> None:
        """Close the connections that are still open properly, up to the first on which that is not answered."""
        self.patience = min(self.patience, _GOODBYE_SECONDS)
        try:
            for connection in self.connections:
                if connection.is_open:
                    self.leave(connection)
        except (Violation, SetUpFailed, OutOfTime):
            return

    def leave(self, connection: Any) -> None:
        """End one of the trial's connections properly."""
        connection.close()

    def remove(self, names: Sequence[str]) -> list[str]:
        """Remove the entities of these names; return the names if that does not work."""
        try:
            self.probe(names)
        except (Violation, BrokerDied, OutOfTime):
            return list(names)
        return []

    @abstractmethod
    def connect(self) -> Closable:
        """Open a connection."""

    @abstractmethod
    def identify(self) -> Identity:
        """Log in and return what the broker says of itself.

        Raises:
            BrokerDied: Nothing listens.
            Violation: The broker refuses the login.
        """

    @abstractmethod
    def refused_declaration(self) -> str:
        """Make a queue and remove it again; return how the broker says that our user may not, or nothing.

        Raises:
            Violation, BrokerDied, OutOfTime: Something else goes wrong, of which nothing is known here.
        """

    @abstractmethod
    def probe(self, names: Sequence[str] = ()) -> None:
        """Log in, make a cheap request, and remove the entities of these names.

        Raises:
            NoAnswer, Disconnected: The broker does not answer.
            BrokerDied: Nothing listens.
            Violation: The broker answers, but removes nothing.
        """


# Makes a trial's view of the broker, the ``Broker`` of a family: from setting, rule and seconds of the trial.
MakeBroker = Callable[[TrialSetting, SpecRule | None, float], BrokerView]
