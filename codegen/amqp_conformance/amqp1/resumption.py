"""Links that are suspended and attached again, and what the peer still knows of them then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from amqp_1_0.messaging import Source, TerminusExpiryPolicy
from amqp_1_0.performatives import Attach, Detach, Transfer

from ..engine.run_result import Disconnected, NotTestable, SetUpFailed
from .broker import Broker
from .checks import message
from .frames import ReceivedDelivery
from .links import LiveSession, Receiver

NAME = "suspended"
_NOT_IMPLEMENTED = "amqp:not-implemented"


def attach_lasting(session: LiveSession, address: str, **fields: Any) -> Receiver:
    """Attach a receiver whose terminus at the peer lasts for ever, unless ``fields`` of its source say otherwise.

    Raises:
        NotTestable: The peer wants to keep it otherwise.
    """
    source = Source(**{"address": address, "expiry_policy": TerminusExpiryPolicy.NEVER} | fields)
    receiver = session.receiver(None, name=NAME, source=source)
    answer: Any = receiver.remote and receiver.remote.source
    for name in ("expiry_policy", "timeout", "durable"):
        wanted, got = getattr(source, name), getattr(answer, name, None)
        if wanted != got:
            raise NotTestable(f"the peer does not agree to {name} {wanted}: its source has {got}")
    return receiver


def recover(session: LiveSession) -> Receiver | None:
    """Attach the link without saying what its source was; return it if the peer knows, None if it does not."""
    receiver = session.make_receiver(session.next_handle())
    session.send(receiver.make_attach(None, name=NAME, source=None))
    answer = session.answer_to_attach().performative
    if not isinstance(answer, Attach):
        return None
    receiver.take(answer)
    if answer.source is None:
        session.send(Detach(receiver.handle, True))
        return None
    return receiver


def begin_as(broker: Broker, container: str) -> LiveSession:
    """Begin a session on a new connection of a container that had one before: links belong to containers."""
    session = LiveSession(broker.connect(container_id=container))
    session.begin()
    return session


def need_recovery(broker: Broker) -> None:
    """Check that the peer knows a link again that has just been detached without closing it.

    Raises:
        NotTestable: It does not.
    """
    session = broker.begin()
    attach_lasting(session, broker.queue()).detach(closed=False)
    with broker.set_up():
        try:
            again = recover(session)
        except Disconnected:
            raise NotTestable("the peer does not resume links: it closes the socket") from None
    if again is None:
        raise NotTestable(
            "the peer does not resume links: it has forgotten a source that was to last for ever"
        )
    again.detach()


@contextmanager
def taking_maps() -> Iterator[None]:
    """Attach a link with a map of unsettled deliveries.

    Raises:
        NotTestable: The peer says that it has not implemented this.
    """
    try:
        yield
    except SetUpFailed as error:
        if _NOT_IMPLEMENTED not in str(error):
            raise
        raise NotTestable(f"the peer does not resume links: {error}") from None


@dataclass(frozen=True)
class Suspended:
    """A link that was detached with deliveries unsettled; we are the receiver."""

    session: LiveSession
    address: str
    deliveries: tuple[ReceivedDelivery, ...]

    @property
    def tags(self) -> tuple[bytes, ...]:
        """The tags of the deliveries."""
        return tuple(delivery.transfer.delivery_tag or b"" for delivery in self.deliveries)

    def attach(self, unsettled: Mapping[bytes, Any] | None, **fields: Any) -> Receiver:
        """Attach the link again, with this map of unsettled deliveries."""
        with taking_maps():
            return self.session.receiver(self.address, name=NAME, unsettled=unsettled, **fields)

    def resume(self, unsettled: Mapping[bytes, Any] | None, **fields: Any) -> Receiver:
        """Do so, and check that the peer still has the deliveries.

        Raises:
            NotTestable: It has not.
        """
        receiver = self.attach(unsettled, **fields)
        if not unsettled_of(receiver):
            raise NotTestable("the peer does not resume links: its attach has no map of unsettled deliveries")
        return receiver


def suspend(broker: Broker, count: int = 1, session: LiveSession | None = None) -> Suspended:
    """Receive messages, and detach the link without settling them or closing it."""
    session, address = session or broker.begin(), broker.queue()
    sender = session.sender(address)
    for number in range(count):
        sender.send_accepted(message(b"message %d" % number))
    receiver = session.receiver(address, name=NAME)
    receiver.give_credit(count)
    with broker.set_up():
        deliveries = tuple(receiver.receive() for _ in range(count))
    receiver.detach(closed=False)
    return Suspended(session, address, deliveries)


def unsettled_of(receiver: Receiver) -> Mapping[Any, Any]:
    """Return the peer's map of unsettled deliveries; empty if there is none."""
    return (receiver.remote and receiver.remote.unsettled) or {}


def resumed(receiver: Receiver) -> list[Transfer]:
    """Return the transfers of the link that say that they resume a delivery, of all that were received so far."""
    frames = receiver.session.connection.frames
    return [
        frame.performative
        for frame in frames
        if isinstance(frame.performative, Transfer)
        and frame.performative.resume
        and receiver.remote is not None
        and frame.performative.handle == receiver.remote.handle
    ]
