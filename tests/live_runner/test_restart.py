"""The command that restarts a broker."""

from __future__ import annotations

import os
import signal
from threading import Event

import pytest
from amqp_conformance.engine.restart import restart
from amqp_conformance.engine.run_result import BrokerDied, Identity, Interrupted, NotTestable, Violation


def answers() -> Identity:
    return Identity("Fake", "1")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("exit 3", "--restart-cmd: exit code 3: it says nothing"),
        ("echo one; echo two >&2; exit 1", "--restart-cmd: exit code 1: two"),
        ("printf '\\377'; exit 1", "--restart-cmd: exit code 1: \ufffd"),
        ("kill -9 $$", "--restart-cmd: exit code -9: it says nothing"),
    ],
)
def test_a_command_that_fails(command: str, says: str) -> None:
    with pytest.raises(NotTestable) as caught:
        restart(command, answers, Event())
    assert str(caught.value) == says


def test_a_broker_in_the_background_is_not_waited_for() -> None:
    with pytest.raises(NotTestable) as caught:
        restart("sleep 600 & echo $!; exit 1", answers, Event())
    process = int(str(caught.value).split()[-1])
    os.kill(process, signal.SIGTERM)  # it is still there


def test_a_command_that_takes_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amqp_conformance.engine.restart._COMMAND_SECONDS", 0.1)
    with pytest.raises(NotTestable, match="not finished after"):
        restart("exec sleep 600", answers, Event())


def test_the_broker_is_asked_until_it_answers() -> None:
    said = [BrokerDied("not yet"), Violation("starting"), None]

    def identify() -> Identity:
        error = said.pop(0)
        if error:
            raise error
        return answers()

    restart("true", identify, Event())
    assert said == []


def test_a_broker_that_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amqp_conformance.engine.restart._BACK_SECONDS", 0.1)

    def identify() -> Identity:
        raise BrokerDied("no")

    with pytest.raises(BrokerDied, match="the broker does not answer"):
        restart("true", identify, Event())


@pytest.mark.parametrize("command", ["exec sleep 5", "true"])
def test_a_run_that_ends_waits_neither_for_the_command_nor_for_the_broker(command: str) -> None:
    stop = Event()
    stop.set()

    def identify() -> Identity:
        raise BrokerDied("no")

    with pytest.raises(Interrupted):
        restart(command, identify, stop)
