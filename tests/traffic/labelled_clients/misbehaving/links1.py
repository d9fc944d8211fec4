"""Clients of 1.0 that misbehave in links, transfers and settlement."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Data, Properties, Source, Target
from amqp_1_0.performatives import Attach, Begin, Detach, Disposition, Flow, Open, Role, Transfer
from amqp_1_0.types import UInt

from tests.interop.client import SETTLED, UNSETTLED, Session

from ..actor1 import Actor1, frame, performative

ATTACH = 0x12
MESSAGE = amqp.Message(body=Data(b"x")).encode()


def _transfer(session: Session, transfer: Transfer, payload: bytes = MESSAGE) -> None:
    session.peer.send_octets(amqp.encode_frame(session.channel, transfer, payload))


# --- attach and detach ---


def attach_without_begin_1(client: Actor1) -> None:
    """attach on a channel without a session."""
    client.logged_in().opened().send(
        Attach("link", 0, Role.SENDER, source=Source(), target=Target(client.name())), channel=4
    )


def attach_without_role_1(client: Actor1) -> None:
    """attach without the field that says which end it is."""
    client.ready()
    client.send_octets(frame(performative(ATTACH, "link", UInt(0))))


def attach_with_a_word_as_handle_1(client: Actor1) -> None:
    """The handle has to be an unsigned int."""
    client.ready()
    client.send_octets(frame(performative(ATTACH, "link", "zero", False)))


def handle_in_use_1(client: Actor1) -> None:
    """Two links of one handle."""
    session = client.ready()
    session.sender(client.name())
    client.send(
        Attach(
            "other", 0, Role.SENDER, source=Source(), target=Target(client.name()), initial_delivery_count=0
        )
    )


def handle_beyond_handle_max_1(client: Actor1) -> None:
    """A handle above the handle-max of both."""
    session = client.logged_in().opened().begin(handle_max=1)
    session.next_handle = 1 << 31
    session.sender(client.name())


def attach_as_sender_without_delivery_count_1(client: Actor1) -> None:
    """A sender has to say its initial delivery-count."""
    client.ready().sender(client.name(), initial_delivery_count=None)


def detach_of_no_link_1(client: Actor1) -> None:
    """detach of a handle that no link has."""
    client.ready()
    client.send(Detach(77, closed=True))


def flow_of_no_link_1(client: Actor1) -> None:
    """flow for a handle that no link has."""
    client.ready().flow(handle=77, delivery_count=0, link_credit=1)


def flow_without_windows_1(client: Actor1) -> None:
    """flow without fields that it has to have."""
    client.ready()
    client.send_octets(frame(performative(0x13, UInt(0))))


def credit_without_a_link_1(client: Actor1) -> None:
    """flow with link-credit, and without a handle."""
    client.ready().flow(link_credit=10)


# --- transfer ---


def transfer_without_a_link_1(client: Actor1) -> None:
    """transfer of a handle that no link has."""
    _transfer(client.ready(), Transfer(77, 0, b"tag", 0, True))


def transfer_from_the_receiver_1(client: Actor1) -> None:
    """transfer on a link whose receiver is the client."""
    session = client.ready()
    link = session.receiver(client.queue())
    _transfer(session, Transfer(link.handle, 0, b"tag", 0, True))


def _busy(queue: str) -> bytes:
    """Links to attach: meanwhile the session of the server does not look at what comes after that."""
    links = (Attach(f"{handle}", handle, Role.RECEIVER, source=Source(queue)) for handle in range(1, 1001))
    return b"".join(amqp.encode_frame(0, each) for each in links)


def transfer_without_credit_1(client: Actor1) -> None:
    """More messages than there is credit for, at once, and before the server can give more."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    octets = [
        amqp.encode_frame(0, Transfer(link.handle, number, b"%d" % number, 0, True), MESSAGE)
        for number in range(link.credit + 50)
    ]
    client.send_octets(_busy(client.queue()) + b"".join(octets))


def message_before_any_credit_1(client: Actor1) -> None:
    """A message on a link of which the server has not even heard, so it cannot have given any credit."""
    client.logged_in().exchange_headers("amqp")
    opening = (
        Open(client.id, hostname="localhost", properties=client.properties),
        Begin(next_outgoing_id=0, incoming_window=100, outgoing_window=100),
        Attach("link", 0, Role.SENDER, target=Target(client.name()), initial_delivery_count=0),
    )
    transfer = amqp.encode_frame(0, Transfer(0, 0, b"tag", 0, True), MESSAGE)
    client.send_octets(b"".join(amqp.encode_frame(0, each) for each in opening) + transfer)


def transfer_without_delivery_id_1(client: Actor1) -> None:
    """The first transfer of a delivery without a delivery-id."""
    session = client.ready()
    link = session.sender(client.name())
    client.wait(lambda: link.credit > 0, "credit")
    _transfer(session, Transfer(link.handle, None, b"tag", 0, True))


def transfer_without_delivery_tag_1(client: Actor1) -> None:
    """The first transfer of a delivery without a delivery-tag."""
    session = client.ready()
    link = session.sender(client.name())
    client.wait(lambda: link.credit > 0, "credit")
    _transfer(session, Transfer(link.handle, 0, None, 0, True))


def delivery_tag_too_long_1(client: Actor1) -> None:
    """A delivery-tag may have 32 octets; this one has 33."""
    session = client.ready()
    link = session.sender(client.name())
    client.wait(lambda: link.credit > 0, "credit")
    octets = performative(0x14, UInt(link.handle), UInt(0), b"x" * 33, UInt(0), True)
    client.send_octets(frame(octets + MESSAGE))


def delivery_ids_with_a_hole_1(client: Actor1) -> None:
    """The delivery-ids are 0 and 5."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    for number in (0, 5):
        _transfer(session, Transfer(link.handle, number, b"%d" % number, 0, True))


def delivery_id_changes_1(client: Actor1) -> None:
    """The second transfer of a delivery has another delivery-id."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    _transfer(session, Transfer(link.handle, 0, b"tag", 0, True, more=True), MESSAGE[:2])
    _transfer(session, Transfer(link.handle, 3, None, None, True), MESSAGE[2:])


def delivery_never_finished_1(client: Actor1) -> None:
    """A transfer says that more follows, and the link is detached."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    _transfer(session, Transfer(link.handle, 0, b"tag", 0, True, more=True), MESSAGE[:2])
    link.detach()


def settled_though_it_is_not_to_be_1(client: Actor1) -> None:
    """The link is one of deliveries that are not settled; this one is."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=UNSETTLED)
    client.wait(lambda: link.credit > 0, "credit")
    _transfer(session, Transfer(link.handle, 0, b"tag", 0, True))


def sections_out_of_order_1(client: Actor1) -> None:
    """The properties of a message come after its body."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    properties = amqp.Message(properties=Properties(message_id="m"), body=Data(b"")).encode()
    link.send(MESSAGE + properties, settled=True)


def message_without_a_body_1(client: Actor1) -> None:
    """A message of nothing but properties."""
    session = client.ready()
    link = session.sender(client.name(), snd_settle_mode=SETTLED)
    body = amqp.Message(body=Data(b"")).encode()
    octets = amqp.Message(properties=Properties(message_id="m"), body=Data(b"")).encode()
    link.send(octets[: -len(body)], settled=True)


# --- Settlement and windows ---


def disposition_of_no_delivery_1(client: Actor1) -> None:
    """disposition of a delivery-id that there never was."""
    session = client.ready()
    session.receiver(client.queue())
    client.send(Disposition(Role.RECEIVER, 999, settled=True, state=Accepted()))


def disposition_turned_round_1(client: Actor1) -> None:
    """last is before first."""
    session = client.ready()
    session.receiver(client.queue())
    client.send(Disposition(Role.RECEIVER, 5, 2, settled=True, state=Accepted()))


def settles_twice_1(client: Actor1) -> None:
    """Two dispositions settle one delivery."""
    session, queue = client.ready(), client.queue()
    receiver = session.receiver(queue, snd_settle_mode=UNSETTLED)
    receiver.give_credit(5)
    session.sender(queue, snd_settle_mode=SETTLED).send(MESSAGE, settled=True)
    delivery = receiver.receive()
    for _ in range(2):
        receiver.settle(delivery)


def window_exceeded_1(client: Actor1) -> None:
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


def window_of_the_client_unknown_1(client: Actor1) -> None:
    """flow without next-incoming-id, though the server's begin was received."""
    client.ready()
    client.send(Flow(incoming_window=100, next_outgoing_id=0, outgoing_window=100))
