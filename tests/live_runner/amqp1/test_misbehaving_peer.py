"""Drivers of AMQP 1.0 on a peer that keeps the rules, and on one that breaks just the one that they are about."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_1_0.messaging import Accepted, Header, Released
from amqp_1_0.performatives import (
    AmqpError,
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Error,
    Flow,
    Open,
    Transfer,
)
from amqp_1_0.sasl import SaslCode, SaslOutcome
from amqp_conformance.amqp1.broker import Broker
from amqp_conformance.drivers import amqp1 as driver_package
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.registry import Driver, find_drivers
from amqp_conformance.engine.run_result import Violation

from tests.patience import PATIENCE

from ..patience import PATIENCES
from . import fake_peer
from .fake_peer import (
    Answer,
    Conversation,
    keep_silent,
    on_attach,
    on_flow,
    on_transfer,
    running,
    say,
    say_octets,
)


@cache
def drivers() -> dict[str, Driver]:
    return find_drivers("1.0", driver_package)


def drive(path: str, url: str, patience: float = PATIENCE) -> Broker:
    """Runs the driver of a rule; Violation when the peer does not keep it."""
    broker = Broker(TrialSetting(read_target(url), amqp, patience=patience))
    try:
        drivers()[path].function(broker)
    finally:
        broker.close_sockets()
    return broker


def violation(says: str, trial: Callable[[float], object]) -> str:
    """What a driver finds in a peer that breaks a rule, if that is it; else what it finds with the greatest patience."""
    found = "expected nothing else"
    for patience in PATIENCES:
        try:
            trial(patience)
        except Violation as error:
            found = str(error)
        assert found.startswith("expected ")
        if says in found:
            break
    return found


def send_too_many(conversation: Conversation, channel: int, flow: Flow, payload: bytes) -> None:
    on_flow(conversation, channel, flow, payload)
    for link in conversation.links.values():
        link.credit += 1
    conversation.deliver(channel)


def deliver_aborted(conversation: Conversation, channel: int, transfer: Transfer, payload: bytes) -> None:
    transfer.aborted = False
    on_transfer(conversation, channel, transfer, payload)


def attach_whatever(conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
    """Takes any address, and gives credit."""
    attach.target.address = "anything"
    on_attach(conversation, channel, attach, payload)


def drop_settled(conversation: Conversation, channel: int, transfer: Transfer, payload: bytes) -> None:
    transfer.settled = False
    on_transfer(conversation, channel, transfer, payload)


def forget_part(conversation: Conversation, channel: int, transfer: Transfer, payload: bytes) -> None:
    on_transfer(conversation, channel, transfer, b"" if transfer.delivery_id is None else payload)


def accept_released(
    conversation: Conversation, channel: int, disposition: Disposition, payload: bytes
) -> None:
    disposition.state = Accepted() if isinstance(disposition.state, Released) else Released()
    fake_peer.on_disposition(conversation, channel, disposition, payload)


def deliver_header_of_its_own(
    conversation: Conversation, channel: int, transfer: Transfer, payload: bytes
) -> None:
    on_transfer(conversation, channel, transfer, amqp.Message(Header(delivery_count=3)).encode() + payload)


def detach_without_close(conversation: Conversation, channel: int, detach: Detach, payload: bytes) -> None:
    conversation.say(Detach(detach.handle, False), channel)


def begin_for_another(conversation: Conversation, channel: int, begin: Begin, payload: bytes) -> None:
    conversation.say(
        Begin(channel + 1, next_outgoing_id=0, incoming_window=1000, outgoing_window=1000), channel
    )


def count_nothing(conversation: Conversation, channel: int, flow: Flow, payload: bytes) -> None:
    conversation.say(
        Flow(0, incoming_window=1000, next_outgoing_id=0, outgoing_window=1000, handle=flow.handle), channel
    )


def echo_for_ever(conversation: Conversation, channel: int, flow: Flow, payload: bytes) -> None:
    conversation.flow(channel, echo=True)


def large_frames(conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
    conversation.say(Open("f" * 600, max_frame_size=4096))


def upside_down(conversation: Conversation, channel: int, transfer: Transfer, payload: bytes) -> None:
    """Puts properties where there were none."""
    on_transfer(conversation, channel, transfer, amqp.Message(properties=_subject()).encode() + payload)


def close_and_begin(conversation: Conversation, channel: int, close: Close, payload: bytes) -> None:
    conversation.say(Close())
    conversation.say(Begin(0, next_outgoing_id=0, incoming_window=1000, outgoing_window=1000))


def _subject() -> Any:
    return amqp.messaging.Properties(subject="of the peer's own")


# The rule, what the peer does, and what the driver says of it.
VIOLATIONS: list[tuple[str, dict[str, Answer], str]] = [
    ("transport/header-first", {"header": say_octets(b"HTTP/1.1 400")}, "expected a protocol header first"),
    ("transport/server-refuses-version", {"header": keep_silent}, "nothing comes"),
    ("transport/server-refuses-version", {"header": say_octets(b"AMQP\x03\x01\x00\x00")}, "end of the stream"),
    ("sasl/announce-mechanisms", {"header": say_octets(amqp.PROTOCOL_HEADERS["sasl"])}, "expected sasl-mechanisms"),
    ("sasl-code.ok/on-success", {"sasl_init": say(SaslOutcome(SaslCode.SYS_TEMP))}, "to be let in"),
    ("open/first-frame",
     {"open": say(Begin(0, next_outgoing_id=0, incoming_window=10, outgoing_window=10), Open("fake"))},
     "expected open as the first frame"),
    ("open/first-frame", {"open": say_octets(b"\x00\x00\x00\x04")}, "first four octets are 00 00 00 04"),
    ("open/first-frame", {"open": say_octets(b"\x00\x00\x00\x09\x02\x00\x00\x00\x40")}, "cannot be decoded"),
    ("open.max-frame-size/no-larger-frames", {"open": large_frames}, "expected frames of at most 512 octets"),
    ("performatives/channel-octets", {"begin": begin_for_another}, "expected begin for our channel 1"),
    ("performatives/empty-frame-accepted", {"empty frame": say(Close())}, "expected silence, got close()"),
    ("attach/answer-without-terminus", {"attach": attach_whatever}, "expected an attach without target"),
    ("attach/detach-without-terminus", {"attach": attach_whatever}, "expected an attach without target"),
    ("detach/answer-closing-detach", {"detach": detach_without_close}, "expected a detach with closed"),
    ("flow.handle/unattached-handle", {"flow": keep_silent}, "nothing comes"),
    ("flow.handle/unattached-handle", {"flow": say(End(Error(AmqpError.INTERNAL_ERROR)))}, "internal-error"),
    ("flow.link-credit/no-credit-no-message", {"flow": send_too_many}, "expected no message"),
    ("flow.echo/answer-soon", {"flow": keep_silent}, "expected a flow as echo"),
    ("flow.echo/no-echo-loop", {"flow": echo_for_ever}, "expected no echo asked for"),
    ("transfer.aborted/discard-message", {"transfer": deliver_aborted}, "expected a message of 9 octets"),
    ("transfer/split-message", {"transfer": forget_part}, "octets that cannot be decoded"),
    ("transfer.settled/later-unset-inherits", {"transfer": drop_settled}, "expected no disposition"),
    ("delivery-state/accepted-or-rejected-archives", {"disposition": accept_released}, "expected no message"),
    ("header/assume-defaults", {"transfer": deliver_header_of_its_own}, "expected the defaults"),
    ("message-format/no-section-inserted", {"transfer": upside_down}, "expected no properties"),
    ("close/before-closing", {"close": keep_silent}, "expected close, the peer has closed the socket"),
    ("close/nothing-after-close", {"close": close_and_begin}, "expected silence, got begin"),
]  # fmt: skip


@pytest.mark.parametrize("path", sorted({path for path, _, _ in VIOLATIONS}))
def test_a_rule_that_is_kept(path: str) -> None:
    with running() as peer:
        broker = drive(path, peer.url)
    assert any(exchange.direction == "received" for exchange in broker.transcript.evidence())


@pytest.mark.parametrize(
    ("path", "answers", "says"), VIOLATIONS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_rule_that_is_broken(path: str, answers: dict[str, Answer], says: str) -> None:
    def trial(patience: float) -> None:
        with running(**answers) as peer:
            drive(path, peer.url, patience)

    assert says in violation(says, trial)
