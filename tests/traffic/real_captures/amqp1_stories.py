"""What clients of AMQP 1.0 do: our own and proton, with RabbitMQ, and proton with proton."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import amqp_1_0 as amqp
import pika
import proton
from amqp_1_0.messaging import Accepted, Data, Properties, Rejected, Released
from proton import Delivery
from proton.utils import BlockingConnection

from tests.interop.client import SETTLED, Ended, Peer, address
from tests.interop.proton_peer import Proton, running
from tests.patience import PATIENCE

from .other_stories import port_of
from .pika_stories import parameters

LARGE = bytes(range(256)) * 400  # 26 transfers of 4096 octets
OUTCOMES = (Accepted(), Rejected(), Released())
HOW_PROTON_LOGS_IN = {"user": "guest", "password": "guest", "allowed_mechs": "PLAIN"}


@contextmanager
def _queue() -> Iterator[str]:
    """A queue, as clients of 1.0 call it."""
    name = f"amqp-codegen.{uuid.uuid4().hex}"
    with pika.BlockingConnection(parameters("queues of 1.0")) as connection:
        channel = connection.channel()
        channel.queue_declare(name)
        try:
            yield f"/amq/queue/{name}"
        finally:
            channel.queue_delete(name)


def of_ours() -> int:
    """Sent and accepted, large, sent and settled at once; then received with each outcome, and two without.

    RabbitMQ 3.10 does not know the outcome modified; proton does.
    """
    with _queue() as queue:
        peer = Peer.dial(*address()[:2])
        port = port_of(peer.stream)
        peer.log_in(*address()[2:])
        peer.open(frame_size=4096)
        session = peer.begin()
        sender = session.sender(queue)
        for _ in range(3):
            sent = sender.send(amqp.Message(body=Data(b"small"), properties=Properties(message_id="m")))
            assert isinstance(sender.disposition(sent).state, Accepted)
        sender.disposition(sender.send(amqp.Message(body=Data(LARGE))))
        settled = session.sender(queue, snd_settle_mode=SETTLED)
        settled.send(amqp.Message(body=Data(b"settled")), settled=True)
        receiver = session.receiver(queue)
        receiver.give_credit(5)
        for outcome in OUTCOMES:
            receiver.settle(receiver.receive(), outcome)
        for _ in range(2):
            receiver.receive()
        receiver.detach()
        sender.detach()
        session.end()
        peer.close()
    return port


def without_a_queue() -> int:
    """Attaches to a queue that is not there; the broker ends the session."""
    peer = Peer.dial(*address()[:2])
    port = port_of(peer.stream)
    peer.log_in(*address()[2:])
    peer.open()
    try:
        peer.begin().receiver(f"/amq/queue/{uuid.uuid4().hex}")
        raise AssertionError("the broker has that queue")
    except Ended as ended:
        assert ended.error is not None
    peer.stream.close()
    return port


def without_sasl() -> int:
    """Opens and closes."""
    peer = Peer.dial(*address()[:2])
    port = port_of(peer.stream)
    peer.open(properties={amqp.Symbol("product"): "bare", amqp.Symbol("version"): "0.1"})
    peer.close()
    return port


def proton_with_rabbitmq(container: str) -> None:
    """Sends three messages and gets them; the container has that name."""
    where = address()
    with _queue() as queue:
        connection = BlockingConnection(
            f"amqp://{where.host}:{where.port}",
            allow_insecure_mechs=True,
            container_id=container,
            **HOW_PROTON_LOGS_IN,
        )
        sender, receiver = connection.create_sender(queue), connection.create_receiver(queue, credit=3)
        for number in range(3):
            sender.send(proton.Message(body=f"text {number}", properties={"n": number}, subject="proton"))
        for state in (Delivery.ACCEPTED, Delivery.REJECTED, Delivery.ACCEPTED):
            assert receiver.receive(timeout=PATIENCE).subject == "proton"
            receiver.settle(state)
        connection.close()


def proton_with_proton(port: int) -> list[bytes]:
    """A proton that listens at that port gets three messages from another one: accepted, released, modified.

    Returns:
        What came.
    """
    states = iter((Delivery.ACCEPTED, Delivery.RELEASED, Delivery.MODIFIED))
    listener = Proton(state=lambda delivery: delivery.update(next(states)))
    with running(listener, lambda container: container.listen(f"127.0.0.1:{port}")):
        connection = BlockingConnection(f"amqp://127.0.0.1:{port}", allowed_mechs="ANONYMOUS")
        sender = connection.create_sender("somewhere")
        for body in ("small", b"octets", "x" * 100_000):
            message = proton.Message(body=body, id=7, ttl=5.0, priority=6, durable=True)
            sender.send(message, error_states=[])
        connection.close()
        return [listener.wait("message")[0] for _ in range(3)]


STORIES: tuple[Callable[[], int], ...] = (of_ours, without_a_queue, without_sasl)
