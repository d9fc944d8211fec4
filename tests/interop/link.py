"""A link of a session of the small peer: sends, receives, settles."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted
from amqp_1_0.performatives import Attach, Detach, Disposition, Error, Flow, Role, Transfer

if TYPE_CHECKING:
    from .client import Session


class Link:
    """A link of a session.

    Attributes:
        role: Ours.
        remote: The other side's attach.
        credit: How many messages we may send; how many we asked for and did not get yet.
        flows: The flows that came for this link.
        transfers: The transfers that came, and their payloads.
        deliveries: What they make when put together, and nobody took yet.
    """

    def __init__(self, session: Session, role: Role) -> None:
        self.session = session
        self.peer = session.peer
        self.role = role
        self.handle = session.next_handle
        session.next_handle += 1
        self.remote: Attach | None = None
        self.credit = 0
        self.delivery_count = 0
        self.flows: list[Flow] = []
        self.transfers: list[tuple[Transfer, bytes]] = []
        self.deliveries: deque[amqp.Delivery] = deque()

    def on_attach(self, attach: Attach) -> None:
        assert attach.role is not self.role
        self.remote = attach
        self.session.links[attach.handle] = self
        if self.role is Role.RECEIVER and attach.initial_delivery_count is not None:
            self.delivery_count = attach.initial_delivery_count
        # Flows may come together with the begin and the attach that they belong to.
        for flow in self.session.early_flows:
            if flow.handle == attach.handle:
                self.on_flow(flow)

    def on_flow(self, flow: Flow) -> None:
        self.flows.append(flow)
        if self.role is Role.SENDER and flow.link_credit is not None:
            self.credit = (flow.delivery_count or 0) + flow.link_credit - self.delivery_count

    def send(self, message: amqp.Message | bytes, *, settled: bool | None = None, tag: bytes = b"") -> int:
        """Sends a message as soon as there is credit and window; returns the delivery-id."""
        session, peer = self.session, self.peer
        octets = message if isinstance(message, bytes) else message.encode()
        peer.wait(lambda: self.credit > 0, "credit")
        number = session.next_delivery_id
        session.next_delivery_id += 1
        transfer = Transfer(self.handle, number, tag or b"tag-%d" % number, 0, settled)
        for frame in amqp.split_transfer(
            transfer, octets, max_frame_size=peer.frame_size, channel=session.channel
        ):
            peer.wait(lambda: session.window > 0, "a window")
            peer.send_octets(frame)
            session.next_outgoing_id += 1
            session.window -= 1
        self.credit -= 1
        self.delivery_count += 1
        return number

    def disposition(self, number: int) -> Disposition:
        """The next disposition of the other side for a delivery."""
        other = Role.RECEIVER if self.role is Role.SENDER else Role.SENDER
        waiting = self.session.dispositions.setdefault((bool(other), number), deque())
        self.peer.wait(lambda: waiting, f"a disposition of delivery {number}")
        return waiting.popleft()

    def give_credit(self, count: int, **fields: Any) -> None:
        """Asks for that many messages, as the receiver."""
        self.credit = count
        self.session.flow(handle=self.handle, delivery_count=self.delivery_count, link_credit=count, **fields)

    def receive(self) -> amqp.Delivery:
        """The next delivery; credit must have been given."""
        self.peer.wait(lambda: self.deliveries, "a delivery")
        self.credit -= 1
        self.delivery_count += 1
        return self.deliveries.popleft()

    def settle(self, delivery: amqp.Delivery | int, state: Any = None, *, settled: bool = True) -> None:
        """Tells what became of a delivery; accepted, unless something else is said."""
        number = delivery if isinstance(delivery, int) else delivery.delivery_id
        state = Accepted() if state is None else state
        self.peer.send(Disposition(self.role, number, settled=settled, state=state), self.session.channel)

    def detach(self, *, closed: bool = True, error: Error | None = None) -> Detach:
        self.peer.send(Detach(self.handle, closed, error), self.session.channel)
        answer = self.peer.expect(Detach)
        assert self.session.links.pop(answer.handle) is self
        return answer
