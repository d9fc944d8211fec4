"""Clients of 1.0 that are odd, and within the rules."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Data, Released
from amqp_1_0.performatives import Begin, Disposition, Open, Role, Transfer
from amqp_1_0.types import Symbol, UInt

from tests.interop.client import SETTLED, UNSETTLED, Session

from ..actor1 import Actor1, frame, performative

MESSAGE = amqp.Message(body=Data(b"x")).encode()


def _loop(client: Actor1, session: Session, messages: int) -> tuple:
    """A sender and a receiver, and so many deliveries that are not settled."""
    queue = client.queue()
    receiver = session.receiver(queue, snd_settle_mode=UNSETTLED)
    receiver.give_credit(messages)
    sender = session.sender(queue, snd_settle_mode=SETTLED)
    for _ in range(messages):
        sender.send(MESSAGE, settled=True)
    return sender, receiver, [receiver.receive() for _ in range(messages)]


def without_sasl_1(client: Actor1) -> None:
    """Opens without any login, which this broker allows."""
    client.opened()


def one_octet_at_a_time_1(client: Actor1) -> None:
    """Each octet is written on its own."""
    send = client.send_octets

    def send_one_by_one(data: bytes) -> None:
        for octet in data:
            send(bytes([octet]))

    client.send_octets = send_one_by_one  # type: ignore[method-assign]
    client.ready().end()


def everything_spelt_out_1(client: Actor1) -> None:
    """All fields of open are there, null or not; and in another one none that need not be."""
    client.logged_in().exchange_headers("amqp")
    fields = ("localhost", UInt(4096), *[None] * 6)
    octets = performative(0x10, client.id, *fields, {Symbol("product"): client.id})
    client.send_octets(frame(octets))
    client.remote = client.expect(Open)
    client.begin().end()


def many_empty_frames_1(client: Actor1) -> None:
    """Hundreds of empty frames, between others."""
    session = client.ready()
    client.send_octets(frame(b"") * 300)
    session.sender(client.name()).detach()
    client.send_octets(frame(b"") * 300)


def extended_header_1(client: Actor1) -> None:
    """A data offset of 4: eight octets that mean nothing come before the performative."""
    client.logged_in().opened()
    begin = performative(0x11, None, UInt(0), UInt(10), UInt(10))
    client.send_octets(frame(b"ignored!" + begin, doff=4))
    client.expect(Begin)


def many_sessions_1(client: Actor1) -> None:
    """Sessions on channels 7, 0 and 3; one ends before the others, and its channel is used again."""
    client.logged_in().opened()
    seven, _, _ = (client.begin(channel=number) for number in (7, 0, 3))
    seven.end()
    client.begin(channel=7).end()


def many_links_1(client: Actor1) -> None:
    """Twenty links, detached in another order than attached; a handle is used again."""
    session = client.ready()
    links = [session.sender(client.name()) for _ in range(20)]
    for link in reversed(links):
        link.detach()
    session.next_handle = 0
    session.sender(client.name(), name="again").detach()


def large_message_1(client: Actor1) -> None:
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


def settles_out_of_order_1(client: Actor1) -> None:
    """Settles the last delivery first, each on its own."""
    session = client.ready()
    _, receiver, deliveries = _loop(client, session, 5)
    for delivery in reversed(deliveries):
        receiver.settle(delivery, Accepted())


def settles_many_at_once_1(client: Actor1) -> None:
    """One disposition for five deliveries."""
    session = client.ready()
    _, _, deliveries = _loop(client, session, 5)
    first, last = (deliveries[place].transfer.delivery_id for place in (0, -1))
    client.send(Disposition(Role.RECEIVER, first, last, settled=True, state=Accepted()))


def releases_1(client: Actor1) -> None:
    """Releases a delivery, and gets it again."""
    session = client.ready()
    _, receiver, (delivery,) = _loop(client, session, 1)
    receiver.settle(delivery, Released())
    receiver.give_credit(1)
    receiver.settle(receiver.receive())


def takes_credit_back_1(client: Actor1) -> None:
    """Gives credit, and less of it later."""
    receiver = client.ready().receiver(client.queue())
    for credit in (10, 3, 0):
        receiver.give_credit(credit)


def asks_for_echoes_1(client: Actor1) -> None:
    """flow with echo, of the session and of a link."""
    session = client.ready()
    session.flow(echo=True)
    session.receiver(client.queue()).give_credit(1, echo=True)


def closes_with_deliveries_pending_1(client: Actor1) -> None:
    """Closes with deliveries that are not settled."""
    _loop(client, client.ready(), 3)


def closes_without_ending_1(client: Actor1) -> None:
    """Closes the connection with a session and a link, which are not ended one by one."""
    client.ready().sender(client.name())


def idle_time_out_1(client: Actor1) -> None:
    """Says for how long it can wait, and gets empty frames."""
    client.logged_in().opened(idle_time_out=1000)
    while not client.empty_frames:
        client.pump(0.1)


def links_of_another_kind_1(client: Actor1) -> None:
    """Detaches a link without closing it."""
    client.ready().sender(client.name()).detach(closed=False)
