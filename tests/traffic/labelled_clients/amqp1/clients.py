"""Clients of 1.0: some misbehave, others are odd and within the rules."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Data, Released, Source
from amqp_1_0.performatives import Attach, Begin, Disposition, Role, Transfer

from tests.interop.client import SETTLED, UNSETTLED, Session

from .actor import Actor

MESSAGE = amqp.Message(body=Data(b"x")).encode()


# --- They misbehave ---


def sasl_wrong_password_1(client: Actor) -> None:
    """Is refused."""
    client.log_in(password="wrong")


def begin_before_open_1(client: Actor) -> None:
    """A session begins while the connection is not open."""
    client.logged_in().exchange_headers("amqp")
    client.send(Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1))


def _busy(queue: str) -> bytes:
    """Links to attach: meanwhile the session of the server does not look at what comes after that."""
    links = (Attach(f"{handle}", handle, Role.RECEIVER, source=Source(queue)) for handle in range(1, 1001))
    return b"".join(amqp.encode_frame(0, link) for link in links)


def transfer_without_credit_1(client: Actor) -> None:
    """More messages than there is credit for, at once, and before the server can give more."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    octets = [
        amqp.encode_frame(0, Transfer(link.handle, number, b"%d" % number, 0, True), MESSAGE)
        for number in range(link.credit + 50)
    ]
    client.send_octets(_busy(client.queue()) + b"".join(octets))


def window_exceeded_1(client: Actor) -> None:
    """More transfers than the session's incoming window of the server allows.

    Its session has links to attach before it comes to look at them, and to say that it takes more.
    """
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    count = session.window + 20
    head = bytes(Data(bytes(count)).encode())[:-count]  # each transfer brings one octet of it
    octets = _busy(client.queue()) + amqp.encode_frame(
        0, Transfer(link.handle, 0, b"tag", 0, True, more=True), head
    )
    octets += amqp.encode_frame(0, Transfer(link.handle, more=True), b"x") * (count - 1)
    client.send_octets(octets + amqp.encode_frame(0, Transfer(link.handle), b"x"))


# --- They are within the rules ---


def _loop(client: Actor, session: Session, messages: int) -> tuple:
    """A sender and a receiver, and so many deliveries that are not settled."""
    queue = client.queue()
    receiver = session.receiver(queue, snd_settle_mode=UNSETTLED)
    receiver.give_credit(messages)
    sender = session.sender(queue, snd_settle_mode=SETTLED)
    for _ in range(messages):
        sender.send(MESSAGE, settled=True)
    return sender, receiver, [receiver.receive() for _ in range(messages)]


def large_message_1(client: Actor) -> None:
    """A message in many transfers, and one in transfers of an octet each."""
    session, queue = client.ready(), client.queue()
    sender = session.sender(queue, snd_settle_mode=SETTLED)
    sender.send(amqp.Message(body=Data(bytes(100_000))), settled=True)
    number = session.next_delivery_id
    for position in range(len(MESSAGE)):
        is_last = position == len(MESSAGE) - 1
        transfer = Transfer(
            sender.handle,
            number if position == 0 else None,
            b"octets" if position == 0 else None,
            0 if position == 0 else None,
            True,
            more=not is_last,
        )
        client.send_octets(amqp.encode_frame(0, transfer, MESSAGE[position : position + 1]))


def settles_out_of_order_1(client: Actor) -> None:
    """Settles the last delivery first, each on its own."""
    session = client.ready()
    _, receiver, deliveries = _loop(client, session, 5)
    for delivery in reversed(deliveries):
        receiver.settle(delivery, Accepted())


def settles_many_at_once_1(client: Actor) -> None:
    """One disposition for five deliveries."""
    session = client.ready()
    _, _, deliveries = _loop(client, session, 5)
    first, last = (deliveries[place].transfer.delivery_id for place in (0, -1))
    client.send(Disposition(Role.RECEIVER, first, last, settled=True, state=Accepted()))


def releases_1(client: Actor) -> None:
    """Releases a delivery, and gets it again."""
    session = client.ready()
    _, receiver, (delivery,) = _loop(client, session, 1)
    receiver.settle(delivery, Released())
    receiver.give_credit(1)
    receiver.settle(receiver.receive())


def asks_for_echoes_1(client: Actor) -> None:
    """flow with echo, of the session and of a link."""
    session = client.ready()
    session.flow(echo=True)
    session.receiver(client.queue()).give_credit(1, echo=True)


def idle_time_out_1(client: Actor) -> None:
    """Says for how long it can wait, and gets empty frames."""
    client.logged_in().opened(idle_time_out=1000)
    while not client.empty_frames:
        client.pump(0.1)
