"""Settlement in two steps with proton: the receiver reports an outcome, the sender settles, then the receiver does."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

from amqp_1_0.messaging import Accepted, Data, Released
from amqp_1_0.performatives import Disposition, ReceiverSettleMode, Role
from proton import Delivery
from proton import Link as ProtonLink

from .client import UNSETTLED
from .proton_links import connect_to
from .proton_peer import Proton

SECOND = ReceiverSettleMode.SECOND


class Second(Proton):
    """Settles nothing before the sender has."""

    def on_link_remote_open(self, event: Any) -> None:
        event.link.rcv_settle_mode = event.link.remote_rcv_settle_mode
        super().on_link_remote_open(event)

    def on_message(self, delivery: Any, link: Any) -> None:
        if delivery.readable and not delivery.partial:
            self.note("message", link.recv(delivery.pending))
            link.advance()
            delivery.update(Delivery.ACCEPTED)
        elif delivery.settled:
            self.note("settled", delivery.local_state)
            delivery.settle()


def test_protons_outcome_is_final_when_we_settle() -> None:
    handler = Second()
    with connect_to(handler) as (session, _):
        link = session.sender("node", snd_settle_mode=UNSETTLED, rcv_settle_mode=SECOND)
        assert link.remote is not None
        assert link.remote.rcv_settle_mode is SECOND
        number = link.send(amqp.Message(body=Data(b"twice")), settled=False)
        assert handler.wait("message") == (b"\x00Su\xa0\x05twice",)
        disposition = link.disposition(number)
        assert disposition.state == Accepted()
        assert disposition.settled is False
        session.peer.pump(0.1)
        assert not session.dispositions[bool(Role.RECEIVER), number], "settled without us"
        link.settle(number, Accepted())
        assert handler.wait("settled") == (Delivery.ACCEPTED,)
        assert session.end().error is None


def test_our_outcome_is_final_when_proton_settles() -> None:
    modes: list[int] = []
    handler = Proton(
        send=[b"\x00Su\xa0\x01x"], on_link=lambda link: modes.append(link.remote_rcv_settle_mode)
    )
    with connect_to(handler) as (session, _):
        link = session.receiver("node", snd_settle_mode=UNSETTLED, rcv_settle_mode=SECOND)
        link.give_credit(1)
        delivery = link.receive()
        assert modes == [ProtonLink.RCV_SECOND]
        assert delivery.transfer.settled is not True
        link.settle(delivery, Released(), settled=False)
        assert handler.wait("outcome")[:2] == (Delivery.RELEASED, False)
        answer = link.disposition(delivery.delivery_id)
        assert (answer.role, answer.settled) == (Role.SENDER, True)
        link.settle(delivery, Released())
        assert session.end().error is None


def test_a_range_of_deliveries_at_once() -> None:
    handler = Second()
    with connect_to(handler) as (session, _):
        link = session.sender("node", snd_settle_mode=UNSETTLED, rcv_settle_mode=SECOND)
        numbers = [link.send(amqp.Message(body=Data(b"%d" % number)), settled=False) for number in range(5)]
        for number in numbers:
            assert link.disposition(number).state == Accepted()
        last = numbers[-1]
        session.peer.send(
            Disposition(Role.SENDER, numbers[0], last, settled=True, state=Accepted()), session.channel
        )
        for _ in numbers:
            assert handler.wait("settled") == (Delivery.ACCEPTED,)
        assert session.peer.close().error is None
