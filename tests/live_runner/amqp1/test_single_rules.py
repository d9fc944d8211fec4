"""Drivers that need a peer of their own to be tried: one that keeps the rule of the driver, and one that breaks it."""

from __future__ import annotations

import socket
from dataclasses import dataclass

import amqp_1_0 as amqp
import pytest
from amqp_1_0.messaging import StdDistMode
from amqp_1_0.performatives import (
    Attach,
    Begin,
    Close,
    ConnectionErrorCondition,
    Detach,
    End,
    Error,
    Open,
    SessionError,
)
from amqp_1_0.types import Symbol
from amqp_conformance.amqp1.broker import Broker
from amqp_conformance.drivers.amqp1 import connection
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.run_result import NotTestable

from tests.patience import PATIENCE

from .fake_peer import Answer, Conversation, on_attach, on_begin, on_open, running, say
from .test_misbehaving_peer import accept_released, drive, drivers, violation

_FRAMING_ERROR = Error(ConnectionErrorCondition.FRAMING_ERROR, "cannot be read")


def begin_on_channel_zero(conversation: Conversation, channel: int, begin: Begin, payload: bytes) -> None:
    if channel == 0:
        on_begin(conversation, channel, begin, payload)


def close_and_hang_up(conversation: Conversation, channel: int, performative: object, payload: bytes) -> None:
    conversation.say(Close(_FRAMING_ERROR))
    conversation.socket.shutdown(socket.SHUT_RDWR)


def attach_moving(conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
    """Says that it moves, whatever it is asked for."""
    if attach.source:
        attach.source.distribution_mode = StdDistMode.MOVE
    on_attach(conversation, channel, attach, payload)


def dynamic(modes: object = None, refuses: type | None = None) -> Answer:
    """Makes dynamic nodes with these modes, or those it is asked for; it refuses modes of one type."""
    key = Symbol("supported-dist-modes")

    def answer(conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
        source = attach.source
        assert source is not None
        properties = source.dynamic_node_properties or {}
        if refuses and isinstance(properties.get(key), refuses):
            conversation.say(
                Detach(attach.handle, True, Error("amqp:invalid-field", "no such mode")), channel
            )
            return
        source.address = "dynamic"
        if modes is not None:
            source.dynamic_node_properties = {key: modes}
        on_attach(conversation, channel, attach, payload)

    return answer


@dataclass(frozen=True)
class Case:
    """A rule, the answers that keep it, those that break it, and what the driver says then."""

    path: str
    keeps: dict[str, Answer]
    breaks: dict[str, Answer]
    says: str


CASES = [
    Case("open.channel-max/session-limit", {"begin": begin_on_channel_zero}, {}, "expected no second begin"),
    Case("close/wait-limit", {"malformed": close_and_hang_up}, {"malformed": say(Close(_FRAMING_ERROR))},
         "expected the end of the socket, nothing comes"),
    Case("detach/pipelined-attach-after-error",
         {"detach": say(End(Error(SessionError.ERRANT_LINK, "it is destroyed")))}, {}, "expected end, nothing comes"),
    Case("attach/sender-owns-source", {"attach": attach_moving}, {}, "nothing comes"),
    Case("attach/sender-owns-source", {"attach": attach_moving},
         {"attach": attach_moving, "disposition": accept_released}, "expected no message"),
    Case("node-properties/supported-dist-modes", {"attach": dynamic(amqp.Array([Symbol("move"), Symbol("copy")]))},
         {"attach": dynamic(amqp.Array([], "symbol"))}, "expected at least one symbol"),
    Case("node-properties/supported-dist-modes", {"attach": dynamic(Symbol("move"))}, {"attach": dynamic("a string")},
         "expected at least one symbol, got a string"),
    Case("node-properties/supported-dist-modes-form", {"attach": dynamic()}, {"attach": dynamic(refuses=amqp.Array)},
         "expected a dynamic source"),
    Case("node-properties/supported-dist-modes-form", {"attach": dynamic()}, {"attach": dynamic(refuses=Symbol)},
         "expected a dynamic source"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_REASONABLE_SECONDS", 0.5)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path)
def test_a_rule_that_is_kept(case: Case) -> None:
    with running(**case.keeps) as peer:
        drive(case.path, peer.url)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path)
def test_a_rule_that_is_broken(case: Case) -> None:
    def trial(patience: float) -> None:
        with running(**case.breaks) as peer:
            drive(case.path, peer.url, patience)

    assert case.says in violation(case.says, trial)


def test_what_a_peer_does_not_say_of_its_nodes_is_not_tried() -> None:
    """It makes none, or does not speak of modes."""
    with running(attach=dynamic(refuses=object)) as peer, pytest.raises(NotTestable, match="no dynamic"):
        drive("node-properties/supported-dist-modes", peer.url)


def test_a_durable_message_after_a_restart() -> None:
    restart(loses=False, patience=PATIENCE)
    says = "nothing comes"
    assert says in violation(says, lambda patience: restart(loses=True, patience=patience))


def restart(loses: bool, patience: float) -> None:
    """Runs the driver on a peer that keeps or loses its messages."""
    streams: list[socket.socket] = []

    def open_and_remember(conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
        streams.append(conversation.socket)
        on_open(conversation, channel, opening, payload)

    with running(open=open_and_remember) as peer:

        def end_all() -> None:
            for stream in streams:
                stream.shutdown(socket.SHUT_RDWR)
            if loses:
                peer.queues.clear()

        broker = Broker(TrialSetting(read_target(peer.url), amqp, end_all, patience=patience))
        try:
            drivers()["header.durable/not-lost"].function(broker)
        finally:
            broker.close_sockets()
