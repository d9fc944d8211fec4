"""Transactions with proton, whose client declares and discharges them; we are the coordinator and the node."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

import proton
from amqp_1_0.messaging import Accepted, AmqpValue, Data, Rejected
from amqp_1_0.performatives import Error
from amqp_1_0.transactions import (
    Coordinator,
    Declare,
    Declared,
    Discharge,
    TransactionalState,
    TransactionError,
    TxnCapability,
)

from tests.patience import PATIENCE

from .client import Link, Peer, Session
from .proton_peer import Proton, running

TXN = b"\x00txn"


class Client(Proton):
    """Declares a transaction and does in it what it was told; what becomes of it is noted."""

    def __init__(self, failed: bool = False) -> None:
        """Sends a message and accepts another one; ``failed`` tells how it ends."""
        super().__init__()
        self.failed = failed
        self.sender: Any = None
        self.transaction: Any = None

    def begin(self, container: Any, connection: Any) -> None:
        self.sender = container.create_sender(connection, "to")
        container.create_receiver(connection, "from")
        container.declare_transaction(connection, self)

    def on_link_remote_open(self, event: Any) -> None:
        if event.link.is_receiver:
            event.link.flow(5)

    def on_transaction_declared(self, event: Any) -> None:
        self.transaction = event.transaction
        self.note("declared", bytes(event.transaction.id))
        self.transaction.send(self.sender, proton.Message(body="in a transaction"))

    def on_message(self, delivery: Any, link: Any) -> None:
        if delivery.readable and not delivery.partial:
            link.recv(delivery.pending)
            link.advance()
            self.transaction.accept(delivery)
            self.transaction.discharge(self.failed)

    def on_transaction_declare_failed(self, event: Any) -> None:
        self.note("declare failed", event.delivery.remote.condition.name)

    def on_transaction_committed(self, event: Any) -> None:
        self.note("committed")

    def on_transaction_aborted(self, event: Any) -> None:
        self.note("aborted")

    def on_transaction_commit_failed(self, event: Any) -> None:
        self.note("commit failed", event.delivery.remote.condition.name)


@contextlib.contextmanager
def connected(client: Client) -> Iterator[tuple[Session, dict[str, Link]]]:
    """A session with the client, and our ends of its three links."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)

        def first(container: Any) -> Any:
            connection = container.connect(f"127.0.0.1:{server.getsockname()[1]}", reconnect=False)
            client.begin(container, connection)
            return connection

        with running(client, first):
            stream, _ = server.accept()
            with stream:
                peer = Peer(stream)
                peer.let_in()
                peer.open()
                session = peer.accept_session()
                yield session, {name: session.accept_link() for name in ("to", "from", "coordinator")}


def next_order(link: Link) -> tuple[amqp.Delivery, Any]:
    """The next message to the coordinator and the value in it."""
    link.give_credit(1)
    delivery = link.receive()
    body = amqp.decode_message(delivery.payload).body
    assert isinstance(body, AmqpValue)
    return delivery, body.value


@pytest.mark.parametrize(("failed", "end"), [(False, "committed"), (True, "aborted")])
def test_sent_and_accepted_in_a_transaction(failed: bool, end: str) -> None:
    client = Client(failed)
    with connected(client) as (session, links):
        coordinator, sent, received = links["coordinator"], links["to"], links["from"]
        assert coordinator.remote is not None
        target = coordinator.remote.target
        assert type(target) is Coordinator
        assert target.capabilities == [TxnCapability.LOCAL_TRANSACTIONS]
        assert target.capabilities[0] is TxnCapability.LOCAL_TRANSACTIONS

        delivery, order = next_order(coordinator)
        assert order == Declare()
        coordinator.settle(delivery, Declared(TXN))
        assert client.wait("declared") == (TXN,)

        sent.give_credit(1)
        delivery = sent.receive()
        assert delivery.transfer.state == TransactionalState(TXN)
        assert amqp.decode_message(delivery.payload).body == AmqpValue("in a transaction")
        sent.settle(delivery, TransactionalState(TXN, Accepted()))

        number = received.send(amqp.Message(body=Data(b"for you")))
        assert received.disposition(number).state == TransactionalState(TXN, Accepted())

        delivery, order = next_order(coordinator)
        assert order == Discharge(TXN, failed)
        coordinator.settle(delivery)
        assert client.wait(end) == ()
        assert session.peer.close().error is None


def test_refused_by_the_coordinator() -> None:
    client = Client()
    with connected(client) as (session, links):
        delivery, order = next_order(links["coordinator"])
        assert type(order) is Declare
        links["coordinator"].settle(delivery, Rejected(Error(TransactionError.TRANSACTION_TIMEOUT)))
        assert client.wait("declare failed") == ("amqp:transaction:timeout",)
        assert session.peer.close().error is None


def test_rolled_back_by_the_coordinator() -> None:
    client = Client()
    with connected(client) as (session, links):
        delivery, _ = next_order(links["coordinator"])
        links["coordinator"].settle(delivery, Declared(TXN))
        links["to"].give_credit(1)
        links["from"].send(amqp.Message(body=Data(b"")))
        delivery, order = next_order(links["coordinator"])
        assert order == Discharge(TXN, False)
        links["coordinator"].settle(delivery, Rejected(Error(TransactionError.TRANSACTION_ROLLBACK, "why")))
        assert client.wait("commit failed") == ("amqp:transaction:rollback",)
        assert session.peer.close().error is None
