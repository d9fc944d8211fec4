"""Windows, credit and delivery-ids as the package counts them, with proton on the other side, where numbers wrap around."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

from amqp_1_0.messaging import Accepted, Data, Source, Target
from amqp_1_0.performatives import Attach, Begin, Close, Disposition, Flow, Role, Transfer
from proton import Delivery

from .client import Peer
from .proton_peer import Proton, served

FIRST = 2**32 - 3
WINDOW = 8


class Counted:
    """A session whose numbers are kept by the package alone.

    Attributes:
        outcomes: The values of the deliveries that proton has settled.
        deliveries: What proton has sent.
    """

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.window = amqp.SessionWindow(WINDOW, next_outgoing_id=FIRST)
        self.ids = amqp.DeliveryIds(FIRST)
        self.handles = amqp.NumberAllocator(0, 0xFFFFFFFF)
        self.unsettled = amqp.UnsettledDeliveries[str]()
        self.sender = amqp.SenderCredit(self.handles.allocate(), FIRST)
        self.receiver = amqp.ReceiverCredit(self.handles.allocate())
        self.assembler = amqp.TransferAssembler()
        self.links: dict[int, Any] = {}
        self.outcomes: list[tuple[int, str]] = []
        self.deliveries: deque[amqp.Delivery] = deque()
        self.closed = False

    def wait(self, ready: Callable[[], object]) -> None:
        """Read until something is so."""
        while not ready():
            for _, performative, payload in self.peer.decoder.feed(self.peer.receive_octets()):
                self.take(performative, payload)

    def take(self, performative: object, payload: bytes) -> None:
        if isinstance(performative, Begin):
            self.window.received_begin(performative)
            self.handles.last = performative.handle_max
        elif isinstance(performative, Attach):
            link: Any = self.sender if performative.role is Role.RECEIVER else self.receiver
            self.links[performative.handle] = link
            if link is self.receiver:
                link.received_attach(performative)
        elif isinstance(performative, Flow):
            self.window.received_flow(performative)
            if performative.handle is not None:
                self.links[performative.handle].received_flow(performative)
        elif isinstance(performative, Transfer):
            self.window.received_transfer()
            if self.assembler.is_first(performative.handle):
                self.receiver.received_delivery()
            delivery = self.assembler.add(performative, payload)
            if delivery is not None:
                self.deliveries.append(delivery)
            if self.window.needs_flow:
                self.peer.send(self.window.flow())
        elif isinstance(performative, Disposition) and performative.role is Role.RECEIVER:
            assert performative.state == Accepted()
            self.outcomes += self.unsettled.settle(performative)
        elif isinstance(performative, Close):
            assert performative.error is None
            self.closed = True

    def send(self, text: str) -> int:
        self.wait(lambda: self.sender.can_send)
        self.sender.sent_delivery()
        number = self.ids.allocate()
        self.unsettled.add(number, text)
        transfer = Transfer(self.sender.handle, number, self.ids.tag(number), 0)
        octets = amqp.Message(body=Data(text.encode())).encode()
        for frame in amqp.split_transfer(transfer, octets, max_frame_size=self.peer.frame_size):
            self.wait(lambda: self.window.can_send)
            self.window.sent_transfer()
            self.peer.send_octets(frame)
        return number


@contextmanager
def counted(handler: Proton) -> Iterator[Counted]:
    """A session with a proton that listens, and a link in each direction."""
    with served(handler) as (port, _):
        peer = Peer.dial("127.0.0.1", port)
        with peer.stream:
            peer.log_in(mechanism="ANONYMOUS")
            peer.open(frame_size=512)
            session = Counted(peer)
            peer.send(session.window.begin())
            peer.send(
                Attach(
                    "to", 0, Role.SENDER, source=Source(), target=Target("node"), initial_delivery_count=FIRST
                )
            )
            peer.send(Attach("from", 1, Role.RECEIVER, source=Source("node"), target=Target()))
            session.wait(lambda: len(session.links) == 2)
            yield session
            peer.send(Close())
            session.wait(lambda: session.closed)


def test_sending_over_the_end_of_the_numbers() -> None:
    handler = Proton(credit=4)
    with counted(handler) as session:
        session.peer.frame_size = 4096
        texts = [f"number {number}" * (1 + 3000 * (number == 4)) for number in range(9)]
        numbers = [session.send(text) for text in texts]
        assert numbers == [FIRST, FIRST + 1, FIRST + 2, 0, 1, 2, 3, 4, 5]
        session.wait(lambda: len(session.outcomes) == len(texts))
        assert session.outcomes == list(zip(numbers, texts, strict=True))
        assert not len(session.unsettled)
        for number, text in zip(numbers, texts, strict=True):
            octets, tag, _ = handler.wait("message")
            assert amqp.decode_message(octets).body == Data(text.encode())
            assert tag == str(number)  # proton reads tags as UTF-8
        assert session.sender.delivery_count == 6
        assert 6 < session.window.next_outgoing_id < 20  # the large message took several transfers


def test_receiving_with_credit_and_drain() -> None:
    bodies = [b"%d" % number * (1 + 3000 * (number == 2)) for number in range(7)]
    handler = Proton(send=[amqp.Message(body=Data(body)).encode() for body in bodies])
    with counted(handler) as session:
        receiver = session.receiver
        for credit in (2, 3):
            receiver.grant(credit)
            session.peer.send(receiver.flow(session.window))
            session.wait(
                lambda: not receiver.link_credit and len(session.deliveries) == receiver.delivery_count
            )
        receiver.grant(10, drain=True)
        session.peer.send(receiver.flow(session.window))
        session.wait(lambda: receiver.is_drained)
        assert handler.wait("drained") == (8,)
        assert receiver.delivery_count == 7 + 8
        assert [amqp.decode_message(delivery.payload).body for delivery in session.deliveries] == [
            *map(Data, bodies)
        ]
        first, last = session.deliveries[0].delivery_id, session.deliveries[-1].delivery_id
        session.peer.send(Disposition(Role.RECEIVER, first, last, settled=True, state=Accepted()))
        for _ in bodies:
            assert handler.wait("outcome")[:2] == (Delivery.ACCEPTED, True)


@pytest.mark.parametrize("available", [0, 3])
def test_protons_drain_is_answered(available: int) -> None:
    class Draining(Proton):
        def on_link_flow(self, event: Any) -> None:
            if event.link.is_receiver:
                self.note("credit", event.link.credit)
            super().on_link_flow(event)

    handler = Draining(on_link=lambda link: link.drain(5) if link.is_receiver else None)
    with counted(handler) as session:
        session.wait(lambda: session.sender.drain)
        for number in range(available):
            session.send(str(number))
        assert session.sender.drained() == 5 - available
        session.peer.send(session.sender.flow(session.window, echo=True))
        assert session.sender.delivery_count == (FIRST + 5) % 2**32
        for _ in range(available):
            handler.wait("message")
        assert handler.wait("credit") == (0,)
