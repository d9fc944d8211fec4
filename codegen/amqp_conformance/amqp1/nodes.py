"""How queues are made, addressed and deleted on a peer: AMQP 1.0 itself has no frames for that.

``find_nodes`` asks the peer which of the ways here it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Protocol

from amqp_1_0.performatives import AmqpError, Attach
from amqp_1_0_rabbitmq.client import management
from amqp_1_0_rabbitmq.client.addresses import QueueAddress

from ..engine.run_result import BrokerDied, SetUpFailed, Violation
from .frames import Frame
from .links import LiveSession
from .login import identity_of
from .management import Management, offers_management

# The product that makes a queue of 0-9-1 for an attach, and can delete it in no other way.
_ATTACHES_QUEUES_OF_0_9_1 = "RabbitMQ"
_FORBIDDEN = "403"
_TROUBLE = (Violation, SetUpFailed, BrokerDied)


class Peer(Protocol):
    """What is needed of the view of the peer."""

    def begin(self) -> LiveSession:
        """Begin a session on a connection of its own."""
        ...

    def over_0_9_1(self) -> AbstractContextManager[Any]:
        """Give the view of 0-9-1 on the same port."""
        ...


class Nodes(ABC):
    """One way to make queues.

    Attributes:
        deletes: Whether they can be deleted, too.
    """

    deletes: bool = True

    def address(self, name: str) -> str:
        """Return the address of the queue of that name."""
        return name

    def missing_address(self, name: str) -> str:
        """Return an address without a node, which attaching does not create."""
        return self.address(name)

    @abstractmethod
    def create(self, peer: Peer, name: str) -> None:
        """Make a queue, unless attaching to it does.

        Raises:
            Violation: The peer makes none.
        """

    @abstractmethod
    def refusal(self, peer: Peer, name: str) -> str:
        """Make a queue; return how the peer says that our user may not, or nothing."""

    @abstractmethod
    def delete(self, peer: Peer, names: Sequence[str]) -> None:
        """Delete the queues of these names, as far as there are any."""


class ManagedNodes(Nodes):
    """Queues are declared by management, as in RabbitMQ 4; its addresses are of version 2."""

    def address(self, name: str) -> str:
        """See ``Nodes``."""
        return str(QueueAddress(name))

    def create(self, peer: Peer, name: str) -> None:
        """See ``Nodes``."""
        try:
            self._ask(peer, management.declare_queue(name))
        except management.ManagementError as error:
            raise Violation(f"expected the queue {name} to be declared, got {error}") from None

    def refusal(self, peer: Peer, name: str) -> str:
        """See ``Nodes``."""
        session = peer.begin()
        try:
            Management(session).ask(management.declare_queue(name))
        except management.ManagementError as error:
            return f"declare queues: {error}" if error.status == _FORBIDDEN else ""
        except Violation:  # RabbitMQ 4 ends the session
            return _refusal(session, "declare queues")
        return ""

    def delete(self, peer: Peer, names: Sequence[str]) -> None:
        """See ``Nodes``."""
        try:
            self._ask(peer, *map(management.delete_queue, names))
        except management.ManagementError as error:
            raise Violation(f"expected queues to be deleted, got {error}") from None

    def _ask(self, peer: Peer, *requests: management.ManagementRequest[Any]) -> None:
        session = peer.begin()
        links = Management(session)
        for request in requests:
            links.ask(request)
        session.connection.close()


class DeclaredNodes(Nodes):
    """Queues are declared over 0-9-1; their names are their addresses."""

    def create(self, peer: Peer, name: str) -> None:
        """See ``Nodes``."""
        with peer.over_0_9_1() as other:
            other.open_channel().declare_queue(name, exclusive=False, durable=True)

    def refusal(self, peer: Peer, name: str) -> str:
        """See ``Nodes``."""
        with peer.over_0_9_1() as other:
            return str(other.refused_declaration())

    def delete(self, peer: Peer, names: Sequence[str]) -> None:
        """See ``Nodes``."""
        with peer.over_0_9_1() as other:
            other.probe(names)


class AttachedNodes(Nodes):
    """The peer creates a queue when a link is attached to its name.

    RabbitMQ 3 takes an address without slashes as the name of a queue. Other peers keep their nodes, or delete them by
    themselves.

    Args:
        deletes: Whether queues can be deleted over 0-9-1 on the same port.
    """

    def __init__(self, deletes: bool) -> None:
        self.deletes = deletes

    def missing_address(self, name: str) -> str:
        """See ``Nodes``. RabbitMQ 3 takes it as that of an exchange, which must be declared by other means."""
        return f"/exchange/{name}"

    def create(self, peer: Peer, name: str) -> None:
        """See ``Nodes``."""

    def refusal(self, peer: Peer, name: str) -> str:
        """See ``Nodes``."""
        session = peer.begin()
        _answer_to_attach(session, name)
        return _refusal(session, "attach to queues")

    def delete(self, peer: Peer, names: Sequence[str]) -> None:
        """See ``Nodes``."""
        if self.deletes:
            DeclaredNodes().delete(peer, names)


def find_nodes(peer: Peer, name: str) -> Nodes:
    """Ask a peer how it makes queues; that may leave one of this name.

    It is asked for the management that it offers, then to make a queue for an attach, and if it says that there is
    none, to declare one over 0-9-1.
    """
    session = peer.begin()
    remote = session.connection.remote
    if offers_management(remote) and _has_management(peer, name):
        return ManagedNodes()
    with suppress(*_TROUBLE):  # the rules will tell
        error = getattr(_answer_to_attach(session, name).performative, "error", None)
        if error is not None and error.condition == AmqpError.NOT_FOUND:
            DeclaredNodes().create(peer, name)
            return DeclaredNodes()
    return AttachedNodes(identity_of(remote).product == _ATTACHES_QUEUES_OF_0_9_1)


def _has_management(peer: Peer, name: str) -> bool:
    """Ask the management for a queue; return whether it answers, even if that there is none."""
    try:
        Management(peer.begin()).ask(management.get_queue(name))
    except management.ManagementError:
        return True
    except _TROUBLE:
        return False
    return True


def _refusal(session: LiveSession, action: str) -> str:
    """Return with which frame the peer says that our user may not do this, or nothing."""
    for frame in session.connection.frames:
        error = getattr(frame.performative, "error", None)
        if error is not None and error.condition == AmqpError.UNAUTHORIZED_ACCESS:
            return f"{action}: {frame}"
    return ""


def _answer_to_attach(session: LiveSession, name: str) -> Frame:
    """Attach a sender to a queue; return the first frame with an error, or the attach that has a target."""
    session.send(session.make_sender(session.next_handle()).make_attach(name))
    while True:
        frame = session.connection.receive()
        performative = frame.performative
        is_attached = isinstance(performative, Attach) and performative.target is not None
        if is_attached or getattr(performative, "error", None) is not None:
            return frame
