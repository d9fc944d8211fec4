"""Cases of framing: octets, right or wrong, at some point of a connection, and what the peer does about them.

A peer that does nothing about the octets of a case for a moment is sent something harmless. The answer to that tells that
it has accepted them; so only a peer that falls silent takes time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.performatives import Begin, Close, Detach, Disposition, End, Error, Open, Transfer
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

from ..engine.framing import NORMAL, FramingRule, pieces_of, read_framing_rules
from ..engine.registry import Driver, amqp1_rule
from ..engine.run_result import Disconnected, NoAnswer, Violation
from .broker import Broker
from .checks import message
from .connection import QUIET, LiveConnection
from .links import LiveSession, Sender
from .login import make_init, start_sasl

SILENCE = "silence"


class Stage(Enum):
    """How far a connection has come when the octets of a case are sent; the value is for the report."""

    SOCKET = "On a new socket"
    SASL = "Where sasl-init is due"
    HEADER = "Behind an outcome that is ok"
    OPEN = "Where open is due"
    CONNECTION = "On an open connection without sessions"
    SESSION = "On a session without links"
    LINK = "On a link to a queue"


# Where security is still negotiated, or nothing but open has come; some peers take seconds to close the socket.
_EARLY = (Stage.SASL, Stage.HEADER, Stage.OPEN)


@dataclass(slots=True)
class Scene:
    """A connection at the stage of a case.

    Attributes:
        init: The sasl-init with which our user logs in, where it is due.
        session: On channel 0; None before a session is begun.
        sender: On handle 0; None before a link is attached.
    """

    broker: Broker
    connection: LiveConnection
    init: SaslInit | None = None
    session: LiveSession | None = None
    sender: Sender | None = None

    @property
    def remote(self) -> Open:
        """Return the peer's open."""
        assert self.connection.remote is not None  # the stages that ask for it have waited for it
        return self.connection.remote

    @property
    def remote_begin(self) -> Begin:
        """Return the peer's begin."""
        assert self.session is not None and self.session.remote is not None
        return self.session.remote


@dataclass(frozen=True, slots=True)
class FramingCase:
    """A rule of the catalogue and the octets that try it.

    Attributes:
        path: That of the rule without ``framing.``.
        stage: Where the octets are sent.
        sends: What they are, in words, for the report.
        octets: Makes them.
        in_pieces: Each octet is sent on its own.
        quiet: Nothing is sent behind the octets, which deserve an answer themselves.
    """

    path: str
    stage: Stage
    sends: str
    octets: Callable[[Scene], bytes]
    in_pieces: bool = False
    quiet: bool = False


# Of the cases of one stage: path of the rule to the words for the report, and what makes the octets.
CaseTable = Mapping[str, tuple[str, Callable[[Scene], bytes]]]


def cases(stage: Stage, table: CaseTable) -> tuple[FramingCase, ...]:
    """Return the cases of a table, all at the same stage."""
    return tuple(FramingCase(path, stage, sends, octets) for path, (sends, octets) in table.items())


def drivers_of(cases: Sequence[FramingCase]) -> tuple[Driver, ...]:
    """Return a driver for each case."""
    catalogue = read_framing_rules("1.0")
    return tuple(_driver(case, catalogue[f"framing.{case.path}"]) for case in cases)


def _driver(case: FramingCase, framing_rule: FramingRule) -> Driver:
    def drive(broker: Broker) -> None:
        framing_rule.judge(react(broker, case, framing_rule.is_legal))

    drive.__doc__ = f"{case.stage.value}: send {case.sends}. Allowed: {framing_rule.expected}."
    drive.__qualname__ = case.path
    return amqp1_rule(framing_rule.rule.path, slow=case.stage in _EARLY)(drive)


def react(broker: Broker, case: FramingCase, is_legal: bool) -> str:
    """Do what a case says; return the peer's reaction. Nothing but an answer can come to octets that are legal."""
    with broker.set_up():
        scene = _set_scene(broker, case.stage)
    _send_octets(scene, case)
    if case.quiet:
        return _observe(scene.connection, case.stage)
    reaction = SILENCE if is_legal else _observe(scene.connection, case.stage, QUIET)
    if reaction != SILENCE:
        return reaction
    _send_probe(scene, case.stage)
    return _observe(scene.connection, case.stage)


def _send_octets(scene: Scene, case: FramingCase) -> None:
    octets = case.octets(scene)
    shown = scene.connection.without_password(octets)
    for piece in pieces_of(octets, case.in_pieces):
        scene.connection.send_octets(octets[piece], case.sends, shown=shown[piece])


def _set_scene(broker: Broker, stage: Stage) -> Scene:
    """Return a connection at a stage."""
    if stage is Stage.SOCKET:
        return Scene(broker, broker.dial())
    if stage is Stage.SASL:
        connection = broker.dial()
        return Scene(broker, connection, make_init(broker.target, start_sasl(connection)))
    if stage is Stage.HEADER:
        connection = broker.dial()
        init = make_init(broker.target, start_sasl(connection))
        connection.send(init)
        connection.expect(SaslOutcome)
        return Scene(broker, connection, init)
    if stage is Stage.OPEN:
        return Scene(broker, broker.before_open())
    if stage is Stage.CONNECTION:
        return Scene(broker, broker.connect())
    session = broker.begin()
    sender = None
    if stage is Stage.LINK:
        sender = session.sender(broker.queue())
        sender.wait_for_credit()
    return Scene(broker, session.connection, None, session, sender)


def _send_probe(scene: Scene, stage: Stage) -> None:
    """Go on as if nothing had happened."""
    connection = scene.connection
    if stage is Stage.SASL:
        connection.send(scene.init)
    elif stage is Stage.HEADER:
        connection.send_octets(amqp.PROTOCOL_HEADERS["amqp"], "protocol header: amqp")
        connection.send(scene.broker.make_open())
    elif stage in (Stage.OPEN, Stage.CONNECTION):
        connection.send(LiveSession(connection).make_begin())
    elif stage is Stage.SESSION:
        connection.send(End())
    elif stage is Stage.LINK:
        # The disposition of this one comes after what the peer does about the transfer before it.
        connection.send(Transfer(0, 1, b"probe", 0), payload=message(b"probe").encode())


# The performative that answers what is sent behind the octets.
_ANSWERS: dict[Stage, type[Any]] = {
    Stage.SOCKET: SaslMechanisms,
    Stage.SASL: SaslOutcome,
    Stage.HEADER: Open,
    Stage.OPEN: Begin,
    Stage.CONNECTION: Begin,
    Stage.SESSION: End,
    Stage.LINK: Disposition,
}


def _observe(connection: LiveConnection, stage: Stage, seconds: float | None = None) -> str:
    """Return the first thing that the peer does and that is a reaction; other frames are passed over.

    ``seconds`` is the wait for the first octet, by default the patience of the trial.
    """
    has_header = False
    try:
        if stage in (Stage.SOCKET, Stage.HEADER):
            connection.receive_header(seconds)
            has_header, seconds = True, None
        while True:
            performative = connection.receive("a reaction", seconds).performative
            reaction = _reaction(performative, _ANSWERS[stage])
            if reaction:
                return reaction
    except Disconnected:
        return "protocol header" if has_header else "end of the socket"
    except NoAnswer:
        return "protocol header on a socket that stays open" if has_header else SILENCE
    except Violation as error:
        return error.got


def _reaction(performative: Any, answer: type[Any]) -> str:
    """Return the reaction in a performative; empty if it is none."""
    error: Error | None = getattr(performative, "error", None)
    if isinstance(performative, (Close, End, Detach)) and error is not None:
        return f"{performative.NAME} {error.condition}"
    if isinstance(performative, SaslOutcome) and performative.code is not SaslCode.OK:
        return f"sasl-outcome {performative.code.name.lower().replace('_', '-')}"
    if isinstance(performative, answer):
        return f"{NORMAL}{performative.NAME}"
    if isinstance(performative, (Close, End)):
        return f"{performative.NAME}, without an error"
    return ""
