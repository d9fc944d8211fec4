"""Credit and settlement between us and proton."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

import proton
from amqp_1_0.messaging import Accepted, Data, Modified, Received, Rejected, Released
from amqp_1_0.performatives import AmqpError, Error, Role
from amqp_1_0.types import Symbol
from proton import Condition, Delivery

from .client import SETTLED, UNSETTLED
from .proton_links import Make, connect_to, linked_as_client, linked_as_server
from .proton_peer import Proton


@pytest.fixture(params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"])
def linked(request: pytest.FixtureRequest) -> Make:
    """A link with proton: ``linked(handler, our_role)``, once with us as the client and once as the server."""
    return request.param


def test_credit_from_proton() -> None:
    links: list[Any] = []

    def give_credit(link: Any) -> None:
        link.flow(2)
        links.append(link)

    handler = Proton(on_link=give_credit)
    with connect_to(handler) as (session, call):
        link = session.sender("node")
        session.peer.wait(lambda: link.credit == 2, "credit")
        for body in (b"1", b"2"):
            link.send(amqp.Message(body=Data(body)))
            handler.wait("message")
        session.peer.pump(0.1)
        assert link.credit == 0
        call(lambda container: links[0].flow(3))
        session.peer.wait(lambda: link.credit == 3, "more credit")
        assert link.flows[-1].delivery_count == 2


def test_credit_for_proton(linked: Make) -> None:
    handler = Proton(send=[b"\x00Su\xa0\x01%d" % number for number in range(5)])
    with linked(handler, Role.RECEIVER) as link:
        link.give_credit(2)
        got = [link.receive().payload[-1:] for _ in range(2)]
        link.peer.pump(0.1)
        assert not link.deliveries
        link.give_credit(5, drain=True)
        got += [link.receive().payload[-1:] for _ in range(3)]
        assert got == [b"%d" % number for number in range(5)]
        assert handler.wait("drained") == (2,)
        link.peer.wait(lambda: link.flows and link.flows[-1].link_credit == 0, "the rest of the credit")
        assert link.flows[-1].delivery_count == 5 + 2


def test_settled_in_advance() -> None:
    handler = Proton()
    with connect_to(handler) as (session, _):
        link = session.sender("node", snd_settle_mode=SETTLED)
        assert link.remote is not None
        assert link.remote.snd_settle_mode is SETTLED
        number = link.send(amqp.Message(body=Data(b"")), settled=True)
        assert handler.wait("message")[2] is True
        session.peer.pump(0.1)
        assert (bool(Role.RECEIVER), number) not in session.dispositions


@pytest.mark.parametrize(
    ("state", "name", "details"),
    [
        (Accepted(), Delivery.ACCEPTED, ()),
        (Released(), Delivery.RELEASED, ()),
        (Rejected(), Delivery.REJECTED, (None,)),
        (
            Rejected(Error(AmqpError.NOT_ALLOWED, "why", {Symbol("key"): 1})),
            Delivery.REJECTED,
            (("amqp:not-allowed", "why", {"key": 1}),),
        ),
        (Modified(False, False), Delivery.MODIFIED, (False, False, None)),
        (
            Modified(True, True, {Symbol("x-key"): "value"}),
            Delivery.MODIFIED,
            (True, True, {"x-key": "value"}),
        ),
        (Received(3, 2**40), Delivery.RECEIVED, (3, 2**40)),
    ],
    ids=repr,
)
class TestOutcome:
    def test_ours(self, linked: Make, state: Any, name: int, details: tuple[Any, ...]) -> None:
        handler = Proton(send=[b"\x00Su\xa0\x00"])
        with linked(handler, Role.RECEIVER) as link:
            link.give_credit(1)
            link.settle(link.receive(), state)
            assert handler.wait("outcome") == (name, True, details)

    def test_protons(self, linked: Make, state: Any, name: int, details: tuple[Any, ...]) -> None:
        def decide(delivery: Delivery) -> None:
            local = delivery.local
            if name == Delivery.RECEIVED:
                local.section_number, local.section_offset = details
            elif name == Delivery.REJECTED and details[0]:
                condition, description, info = details[0]
                local.condition = Condition(
                    condition, description, {proton.symbol(key): value for key, value in info.items()}
                )
            elif name == Delivery.MODIFIED:
                local.failed, local.undeliverable = details[:2]
                if details[2]:
                    local.annotations = {proton.symbol(key): value for key, value in details[2].items()}
            delivery.update(name)

        with linked(Proton(state=decide), Role.SENDER) as link:
            disposition = link.disposition(link.send(amqp.Message(body=Data(b""))))
            assert disposition.settled
            assert disposition.role is Role.RECEIVER
            assert repr(disposition.state) == repr(state)


def test_outcome_first_then_settled() -> None:
    handler = Proton(send=[b"\x00Su\xa0\x00"])
    with connect_to(handler) as (session, _):
        link = session.receiver("node", snd_settle_mode=UNSETTLED)
        link.give_credit(1)
        delivery = link.receive()
        assert delivery.transfer.settled is not True
        link.settle(delivery, Released(), settled=False)
        assert handler.wait("outcome")[:2] == (Delivery.RELEASED, False)
        assert link.disposition(delivery.delivery_id).settled
