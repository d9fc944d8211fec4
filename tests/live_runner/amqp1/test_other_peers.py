"""Real drivers on peers that differ in something that their rule is not about: no verdict may come from that."""

from __future__ import annotations

from dataclasses import dataclass, replace

import amqp_1_0 as amqp
import pytest
from amqp_1_0.performatives import (
    Attach,
    Begin,
    Close,
    ConnectionErrorCondition,
    End,
    Error,
    Open,
    SessionError,
)
from amqp_1_0.sasl import SaslMechanisms
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import Result, Verdict

from ..patience import patiently
from .fake_peer import Answer, Conversation, keep_silent, on_attach, on_begin, on_header, running

PASSED, FAILED, INCONCLUSIVE = Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE
CHANNEL_MAX, HANDLE_MAX = 3, 1


def try_rules(url: str, *paths: str, timeout: float) -> dict[str, Result]:
    check = prepare(RunRequest(read_target(url), "1.0", timeout=timeout))
    plan = tuple(trial for trial in check.plan if trial.rule.path in paths)
    run = carry_out(replace(check, plan=plan))
    return {result.rule.path: result for result in run.results}


def open_few_channels(conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
    conversation.say(Open("fake", max_frame_size=4096, channel_max=CHANNEL_MAX))


def begin_few(conversation: Conversation, channel: int, begin: Begin, payload: bytes) -> None:
    """Closes the connection if the channel is above the limit, as a peer must."""
    if channel > CHANNEL_MAX:
        conversation.say(Close(Error(ConnectionErrorCondition.FRAMING_ERROR, "no such channel")))
    else:
        on_begin(conversation, channel, begin, payload)


def begin_for_few_handles(conversation: Conversation, channel: int, begin: Begin, payload: bytes) -> None:
    answer = Begin(
        channel, next_outgoing_id=0, incoming_window=1000, outgoing_window=1000, handle_max=HANDLE_MAX
    )
    conversation.came = begin.next_outgoing_id
    conversation.say(answer, channel)


def attach_few(conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
    if attach.handle > HANDLE_MAX:
        conversation.say(Close(Error(ConnectionErrorCondition.FRAMING_ERROR, "no such handle")))
    else:
        on_attach(conversation, channel, attach, payload)


def refuse_links(conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
    conversation.say(End(Error(SessionError.ERRANT_LINK, "no nodes here")), channel)


@dataclass(frozen=True)
class Difference:
    """What is different about a peer, by the name of the performative, and the verdicts on the rules."""

    answers: dict[str, Answer]
    verdicts: dict[str, Verdict]
    detail: str = ""
    first_count: int = 0


DIFFERENCES = {
    "its numbers begin near their end": Difference(
        {},
        {
            "flow.drain/advance-delivery-count": PASSED,
            "flow.link-credit/spend-credit": PASSED,
            "flow.link-credit/credit-formula": PASSED,
        },
        first_count=0xFFFFFFFB,
    ),
    "it takes four channels": Difference(
        {"open": open_few_channels, "begin": begin_few},
        {
            "performatives/channel-octets": PASSED,
            "encodings/network-byte-order": PASSED,
            "begin.remote-channel/set-when-answering": PASSED,
            "performatives/empty-frame-accepted": PASSED,
            "performatives/channels-per-direction": Verdict.NOT_TESTABLE,
            "open.channel-max/outside-range": PASSED,
        },
        "needs channel 5, and the peer takes none above 3",
    ),
    "it takes two handles": Difference(
        {"begin": begin_for_few_handles, "attach": attach_few},
        {
            "handle/different-handles": Verdict.NOT_TESTABLE,
            "attach/create-terminus": PASSED,
            "attach/any-number-of-links": Verdict.NOT_TESTABLE,
            "begin.handle-max/outside-range": PASSED,
        },
        "needs the handle 5, and the peer takes none above 1",
    ),
    "it has no nodes": Difference(
        {"attach": refuse_links},
        {
            "transfer.settled/settled-mode": INCONCLUSIVE,
            "accepted/delivery-count-kept": INCONCLUSIVE,
            "flow.drain/behave-as-told": INCONCLUSIVE,
            "attach/create-terminus": FAILED,
            "end/explicit-end": PASSED,
        },
        "set-up: expected attach for the link link-0, got end(error=amqp:session:errant-link",
    ),
    "it gives no credit": Difference(
        {"flow": keep_silent, "transfer": keep_silent},
        {
            "flow.drain/behave-as-told": FAILED,
            "accepted/delivery-count-kept": INCONCLUSIVE,
            "source.outcomes/symbolic-descriptors": PASSED,
        },
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
@patiently
def test_what_a_rule_is_not_about_does_not_decide_it(name: str, timeout: float) -> None:
    difference = DIFFERENCES[name]
    with running(**difference.answers) as peer:
        peer.first_count = difference.first_count
        results = try_rules(peer.url, *difference.verdicts, timeout=timeout)
    assert {path: result.verdict for path, result in results.items()} == difference.verdicts
    assert difference.detail in " ".join(result.detail for result in results.values())


@pytest.mark.parametrize(
    "mechanisms", [("ANONYMOUS", "PLAIN", "AMQPLAIN"), ("ANONYMOUS", "AMQPLAIN", "PLAIN")]
)
@patiently
def test_the_order_of_a_list_does_not_matter(mechanisms: tuple[str, ...], timeout: float) -> None:
    def announce(conversation: Conversation, channel: int, header: bytes, payload: bytes) -> None:
        if amqp.recognise_header(header) == "sasl":
            conversation.socket.sendall(header)
            conversation.say(SaslMechanisms(list(mechanisms)))
        else:
            on_header(conversation, channel, header, payload)

    with running(header=announce) as peer:
        results = try_rules(peer.url, "sasl/common-mechanisms", timeout=timeout)
    assert results["sasl/common-mechanisms"].detail.endswith("got AMQPLAIN, ANONYMOUS, PLAIN")
