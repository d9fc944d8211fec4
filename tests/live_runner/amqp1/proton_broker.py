"""A broker of one evening on python-qpid-proton: queues in memory, for the drivers to be tried on.

What goes over the wire is proton's doing; what a container's application has to decide is decided here. A queue comes
to be when a link is attached to its name. A name with a slash is that of nothing.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import amqp_1_0 as amqp
import proton
from amqp_1_0.messaging import DeleteOnClose, DeleteOnNoLinks, Header
from proton import Condition, Delivery, Endpoint, Handler, Link, Terminus
from proton._handlers import IOHandler
from proton.reactor import ApplicationEvent, Container, EventInjector

from tests.interop.proton_peer import port_of
from tests.patience import PATIENCE

CREDIT = 100
PROPERTIES = {"product": "qpid-proton", "version": ".".join(map(str, proton.VERSION))}


@dataclass
class Queue:
    """Messages in order, and the links that want them."""

    messages: deque[bytes] = field(default_factory=deque)
    links: deque[Any] = field(default_factory=deque)
    users: list[Any] = field(default_factory=list)  # links of both kinds
    policy: str = ""  # when it is deleted, if it is dynamic


class Broker(Handler):
    """Proton's events and what a broker does then."""

    def __init__(self) -> None:
        super().__init__()
        self.queues: dict[str, Queue] = {}
        self.sent: dict[Any, tuple[Queue, bytes]] = {}  # by delivery: what is not settled yet
        self.parts: dict[Any, bytes] = {}  # by link: what has come of its message
        self.tags = 0

    # --- connection and session ---

    def on_connection_remote_open(self, event: Any) -> None:
        event.connection.container = "proton-broker"
        event.connection.properties = {proton.symbol(key): value for key, value in PROPERTIES.items()}
        event.connection.open()

    def on_connection_remote_close(self, event: Any) -> None:
        event.connection.close()

    def on_session_remote_open(self, event: Any) -> None:
        event.session.open()

    def on_session_remote_close(self, event: Any) -> None:
        event.session.close()

    def on_transport_closed(self, event: Any) -> None:
        link = event.connection.link_head(0) if event.connection else None
        while link:
            self.forget(link)
            link = link.next(0)

    # --- links ---

    def on_link_remote_open(self, event: Any) -> None:
        link = event.link
        terminus = link.remote_source if link.is_sender else link.remote_target
        if terminus.type == Terminus.COORDINATOR:
            self.refuse(link, "amqp:not-implemented", "no transactions here")
        elif not (terminus.dynamic or self.is_known(terminus.address)):
            self.refuse(link, "amqp:not-found", f"no node {terminus.address!r}")
        else:
            self.accept(link, terminus)

    def is_known(self, address: str | None) -> bool:
        return address in self.queues or bool(address and "/" not in address)

    def refuse(self, link: Any, condition: str, description: str) -> None:
        ours = link.source if link.is_sender else link.target
        ours.type = Terminus.UNSPECIFIED
        link.open()
        link.condition = Condition(condition, description)
        link.close()

    def accept(self, link: Any, terminus: Any) -> None:
        ours = link.source if link.is_sender else link.target
        link.source.copy(link.remote_source)
        link.target.copy(link.remote_target)
        link.source.filter.clear()
        link.source.distribution_mode = Terminus.DIST_MODE_MOVE
        if terminus.dynamic:
            self.tags += 1
            ours.address = f"dynamic/{link.connection.remote_container}/{link.name}/{self.tags}"
        link.snd_settle_mode = link.remote_snd_settle_mode
        link.rcv_settle_mode = link.remote_rcv_settle_mode
        queue = self.queues.setdefault(ours.address, Queue())
        queue.users.append(link)
        if terminus.dynamic:
            queue.policy = lifetime_policy(terminus)
        link.open()
        if link.is_sender:
            queue.links.append(link)
        else:
            link.flow(CREDIT)

    def on_link_flow(self, event: Any) -> None:
        link = event.link
        if link.is_sender and link.source.address in self.queues and link.state & Endpoint.LOCAL_ACTIVE:
            self.deliver(self.queues[link.source.address])
            if link.drain_mode:
                link.drained()

    def on_link_remote_close(self, event: Any) -> None:
        self.forget(event.link)
        event.link.close()
        for address, queue in list(self.queues.items()):
            if event.link in queue.users:
                first = event.link == queue.users[0]
                queue.users.remove(event.link)
                if (queue.policy == "delete-on-close" and first) or (queue.policy and not queue.users):
                    del self.queues[address]

    def on_link_remote_detach(self, event: Any) -> None:
        self.unlink(event.link)
        event.link.detach()  # what it has not settled may be settled later

    def forget(self, link: Any) -> None:
        """Takes back what a link has not settled."""
        self.parts.pop(link, None)
        self.unlink(link)
        for delivery, (queue, message) in reversed(list(self.sent.items())):
            if delivery.link == link:
                del self.sent[delivery]
                queue.messages.appendleft(message)
                self.deliver(queue)

    def unlink(self, link: Any) -> None:
        """Sends nothing more over a link."""
        for queue in self.queues.values():
            with contextlib.suppress(ValueError):
                queue.links.remove(link)

    # --- messages ---

    def on_delivery(self, event: Any) -> None:
        if event.link.is_receiver:
            self.on_message(event.delivery, event.link)
        elif event.delivery.updated:
            self.on_outcome(event.delivery)

    def on_message(self, delivery: Any, link: Any) -> None:
        if delivery.aborted:
            self.parts.pop(link, None)
            delivery.settle()
        elif delivery.readable:
            if delivery.pending:
                self.parts[link] = self.parts.get(link, b"") + link.recv(delivery.pending)
            if delivery.partial:
                return
            link.advance()
            link.flow(1)
            queue = self.queues.get(link.target.address)
            if queue is None:  # it was refused
                return
            queue.messages.append(self.parts.pop(link, b""))
            self.deliver(queue)
            delivery.update(Delivery.ACCEPTED)
            if delivery.settled or link.rcv_settle_mode != Link.RCV_SECOND:
                delivery.settle()
        elif delivery.settled:
            delivery.settle()

    def deliver(self, queue: Queue) -> None:
        """Hands messages to links with credit, in turns."""
        for _ in range(len(queue.links)):
            link = queue.links[0]
            queue.links.rotate(-1)
            while queue.messages and link.credit > 0:
                self.tags += 1
                delivery = link.delivery(str(self.tags))
                message = queue.messages.popleft()
                link.stream(message)
                link.advance()
                if link.snd_settle_mode == Link.SND_SETTLED:
                    delivery.settle()
                else:
                    self.sent[delivery] = (queue, message)

    def on_outcome(self, delivery: Any) -> None:
        if delivery not in self.sent or not (delivery.settled or delivery.remote_state != Delivery.RECEIVED):
            return
        queue, message = self.sent.pop(delivery)
        undone = not delivery.remote_state or delivery.remote_state in (Delivery.RELEASED, Delivery.MODIFIED)
        link = delivery.link
        delivery.update(delivery.remote_state)
        delivery.settle()
        if undone:
            if delivery.remote_state == Delivery.MODIFIED:
                message = modify(message, delivery.remote)
            queue.messages.appendleft(message)
            if delivery.remote_state == Delivery.MODIFIED and delivery.remote.undeliverable:
                self.unlink(link)
            self.deliver(queue)


def lifetime_policy(terminus: Any) -> str:
    """``delete-on-close`` and so on; ``delete-on-no-links`` if the other side does not say."""
    data = terminus.properties
    data.rewind()
    properties = data.get_object() if data.next() else {}
    policy = properties.get("lifetime-policy")
    on_close = getattr(policy, "descriptor", None) == DeleteOnClose.CODE
    return DeleteOnClose.NAME if on_close else DeleteOnNoLinks.NAME


def modify(octets: bytes, outcome: Any) -> bytes:
    """The message as the outcome modified wants it to be."""
    message = amqp.decode_message(octets)
    if outcome.failed:
        message.header = message.header or Header()
        message.header.delivery_count += 1
    if outcome.annotations:
        message.message_annotations = {**(message.message_annotations or {}), **outcome.annotations}
    return message.encode()


class InputOutput(IOHandler):
    """Proton's own handling of sockets, but for a fault of 0.40.

    When the time of a transport is up that has just been closed, proton looks for it nonetheless, raises
    AttributeError and with it ends the whole container.
    """

    def on_selectable_expired(self, event: Any) -> None:
        if event.selectable._transport:
            super().on_selectable_expired(event)


@contextlib.contextmanager
def running(port: int = 0) -> Iterator[str]:
    """A broker that listens on the loopback until the context ends, at a free port unless told which one.

    Yields:
        Its URL.
    """
    listening: SimpleQueue[int] = SimpleQueue()
    injector = EventInjector()
    broker = Broker()

    def start(event: Any) -> None:
        event.container.selectable(injector)
        acceptor = event.container.listen(f"127.0.0.1:{port}")
        broker.on_stop = lambda event: (acceptor.close(), container.stop())
        listening.put(port_of(acceptor))

    container = Container(broker)
    container.global_handler = InputOutput()
    broker.on_reactor_init = start  # type: ignore[method-assign]
    thread = threading.Thread(target=container.run, daemon=True)
    thread.start()
    try:
        yield f"amqp://127.0.0.1:{listening.get(timeout=PATIENCE)}"
    finally:
        injector.trigger(ApplicationEvent("stop"))
        thread.join(PATIENCE)
        injector.close()
        assert not thread.is_alive(), "proton does not stop"


# python -m tests.live_runner.amqp1.proton_broker PORT: until it is ended from outside
if __name__ == "__main__":
    with running(int(sys.argv[1])):
        threading.Event().wait()
