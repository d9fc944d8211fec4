"""How the trial of a rule ends when it does not end well; a driver that simply returns says that the rule holds."""

from __future__ import annotations


class Violation(Exception):
    """The broker does not do what the rule demands: ``expected ..., got ...``."""


class NoAnswer(Violation):
    """The broker says nothing for as long as one waits for an answer."""


class Disconnected(Violation):
    """The broker closed the socket where it should have said something."""


class NotTestable(Exception):
    """The rule cannot be tried on this broker or in this run; the message says why."""


class BrokerDied(Exception):
    """Nothing answers at the broker's address any more."""


class OutOfTime(Exception):
    """The trial took longer than its deadline allows."""


class Interrupted(Exception):
    """The run was broken off while the trial was under way."""
