"""Transfer: messages in one frame and in several, and what their frames say. Sections 2.6.14 and 2.7.5."""

from __future__ import annotations

from contextlib import suppress
from itertools import zip_longest

from amqp_1_0.performatives import ReceiverSettleMode, SenderSettleMode, Transfer

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, message, want
from ...amqp1.links import LiveSession, Receiver, Sender
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable, Violation

_LARGE_BODY = bytes(range(256)) * 200
_SETTLED, _UNSETTLED = SenderSettleMode.SETTLED, SenderSettleMode.UNSETTLED


# --- one message, several transfers ---


@amqp1_rule("transfer/one-frame-message")
def one_frame_or_five(broker: Broker) -> None:
    """Send a small message in one transfer and then in five. The same message comes out twice."""
    sender, receiver = broker.pair()
    octets = message(b"0123456789").encode()
    with broker.trial():
        sender.send_accepted(octets)
    sender.outcome(sender.send_parts([octets[:3], octets[3:4], octets[4:6], octets[6:8], octets[8:]]))
    _expect_data(receiver, b"0123456789", b"0123456789")


@amqp1_rule("transfer/split-message")
def large_message(broker: Broker) -> None:
    """Send a message of 51200 octets in frames of 512. It comes out whole."""
    sender, receiver = broker.pair()
    sender.session.connection.frame_size = 512
    with broker.trial():
        sender.send_accepted(message(_LARGE_BODY))
    _expect_data(receiver, _LARGE_BODY)


@amqp1_rule(
    "transfer/large-message-frames",
    "transfer.delivery-id/first-transfer",
    "transfer.delivery-tag/first-transfer",
    "transfer.message-format/first-transfer",
    "message-format/message-format-code",
    "message-format/layout",
)
def frames_of_large_message(broker: Broker) -> None:
    """Receive a message of 51200 octets in frames of 512. All but the last have more; the first has id, tag and format 0."""
    address = broker.queue()
    broker.begin().sender(address).send_accepted(message(_LARGE_BODY))
    session = LiveSession(broker.connect(max_frame_size=512))
    session.begin()
    delivery = session.receiver(address).fetch()
    more = [frame.performative.more for frame in delivery.frames]
    want(len(more) > 1 and all(more[:-1]) and not more[-1], "more on all transfers but the last", more)
    first = delivery.transfer
    want(first.delivery_id is not None, "a delivery-id in the first transfer", first)
    want(bool(first.delivery_tag), "a delivery-tag in the first transfer", first)
    want(first.message_format == 0, "the message-format 0 in the first transfer", first)


@amqp1_rule(
    "transfer.delivery-id/continuation-omits",
    "transfer.delivery-tag/continuation-omits",
    "transfer.message-format/continuation-omits",
    "transfer.settled/later-unset-otherwise-false",
)
def bare_continuation(broker: Broker) -> None:
    """Send a message in three transfers; id, tag and format stand in the first alone. It is accepted and arrives complete."""
    sender, receiver = broker.pair()
    octets = message(b"0123456789").encode()
    sender.outcome(sender.send_parts([octets[:5], octets[5:9], octets[9:]]))
    _expect_data(receiver, b"0123456789")


@amqp1_rule("transfer.delivery-id/continuation-same")
def other_delivery_id(broker: Broker) -> None:
    """Send the second part of a message with another delivery-id. The peer reports an error."""
    _expect_refused_continuation(broker, delivery_id=77)


@amqp1_rule("transfer.delivery-tag/continuation-same")
def other_delivery_tag(broker: Broker) -> None:
    """Send the second part of a message with another delivery-tag. The peer reports an error."""
    _expect_refused_continuation(broker, delivery_tag=b"another")


@amqp1_rule("transfer.message-format/continuation-same")
def other_message_format(broker: Broker) -> None:
    """Send the second part of a message with another message-format. The peer reports an error."""
    _expect_refused_continuation(broker, message_format=256)


@amqp1_rule("transfer/interleave-links")
def two_links_in_turn(broker: Broker) -> None:
    """Send the parts of two messages on two links in turn. Both messages come out whole."""
    session = broker.begin()
    addresses = (broker.queue(), broker.queue())
    senders = [session.sender(address) for address in addresses]
    bodies = (b"first message", b"second message, which is longer")
    parts = []
    for sender, body in zip(senders, bodies, strict=True):
        sender.wait_for_credit()
        parts.append(_parts(sender, message(body).encode()))
    for pair in zip_longest(*parts):
        for part in filter(None, pair):
            session.send(*part)
    for sender, number in zip(senders, range(2), strict=True):
        sender.outcome(number)
    for address, body in zip(addresses, bodies, strict=True):
        _expect_data(session.receiver(address), body)


@amqp1_rule("transfer/no-interleave-on-link")
def two_messages_on_link(broker: Broker) -> None:
    """Begin a second delivery on a link before the first has ended. The peer reports an error."""
    session = broker.begin()
    sender = session.sender(broker.queue())
    sender.wait_for_credit()
    octets = message(b"0123456789").encode()
    session.send(sender.next_transfer(more=True), octets[:5])
    session.send(sender.next_transfer(), octets)
    expect_error(session.connection)


@amqp1_rule("transfer.delivery-tag/tag-on-every-delivery", "transfer.delivery-tag/tag-unique")
def tags_of_deliveries(broker: Broker) -> None:
    """Receive ten messages without settling. Each has a tag, and all tags are different."""
    sender, receiver = broker.pair()
    for number in range(10):
        sender.send_accepted(message(b"%d" % number))
    receiver.give_credit(10)
    tags = [receiver.receive().transfer.delivery_tag for _ in range(10)]
    want(all(tag is not None for tag in tags), "a delivery-tag in each delivery", tags)
    want(len(set(tags)) == 10, "ten different tags", tags)
    want(all(len(tag or b"") <= 32 for tag in tags), "tags of at most 32 octets", tags)


@amqp1_rule("delivery-tag/at-most-32-octets")
def long_tag(broker: Broker) -> None:
    """Send a delivery with a tag of 32 octets: it is accepted. One with 33 is answered with an error."""
    session = broker.begin()
    sender = session.sender(broker.queue())
    with broker.trial():
        sender.send_accepted(message(b"a message"), delivery_tag=b"t" * 32)
    sender.send(message(b"a message"), delivery_tag=b"t" * 33)
    expect_error(session.connection)


@amqp1_rule("transport/frames-in-order")
def order_of_messages(broker: Broker) -> None:
    """Send forty numbered messages without waiting and cut the socket.

    The messages that arrived are the first ones, without a gap.
    """
    address = broker.queue()
    sender = broker.begin().sender(address)
    for number in range(40):
        sender.send(message(b"%d" % number), settled=True)
    sender.session.connection.shut()
    receiver = broker.begin().receiver(address)
    receiver.give_credit(40)
    count = 0
    for frame in receiver.session.connection.listen():
        if isinstance(frame.performative, Transfer):
            want(frame.payload.endswith(b"%d" % count), f"the message {count}", frame.payload)
            count += 1


# --- aborted ---


@amqp1_rule(
    "transfer.aborted/last-transfer",
    "transfer.aborted/drop-earlier-data",
    "transfer.aborted/discard-message",
    "transfer.aborted/ignore-payload",
)
def aborted(broker: Broker) -> None:
    """Abort a delivery with the missing rest of it as payload, then send another. Only this comes out, and whole."""
    sender, receiver = broker.pair()
    octets = message(b"aborted").encode()
    sender.send_parts([octets[:5], octets[5:]], {}, {"aborted": True})
    with broker.trial():
        sender.send_accepted(message(b"a message"))
    _expect_data(receiver, b"a message")
    receiver.expect_empty()


@amqp1_rule("transfer.aborted/implicitly-settled")
def abort_settles(broker: Broker) -> None:
    """Abort a delivery. No disposition comes for it."""
    sender, _ = broker.pair()
    octets = message(b"aborted").encode()
    number = sender.send_parts([octets[:5], octets[5:]], {}, {"aborted": True})
    _expect_no_disposition(sender, number)


@amqp1_rule("transfer.more/ignored-when-aborted")
def abort_with_more(broker: Broker) -> None:
    """Abort a delivery in a transfer that also has more, then send another. Only this comes out, and whole."""
    sender, receiver = broker.pair()
    octets = message(b"aborted").encode()
    sender.send_parts([octets[:5], octets[5:9]], {}, {"aborted": True, "more": True})
    with broker.trial():
        sender.send_accepted(message(b"a message"))
    _expect_data(receiver, b"a message")


@amqp1_rule("transfer.resume/ignore-not-in-map")
def resumed_out_of_nothing(broker: Broker) -> None:
    """Send a delivery with resume on a link that is new. The message is not taken."""
    sender, receiver = broker.pair()
    sender.send(message(b"resumed"), resume=True)
    receiver.expect_empty()


# --- settled or not ---


@amqp1_rule("transfer.settled/first-unset-is-false", "transfer.rcv-settle-mode/first-settles-at-once")
def unsettled_by_default(broker: Broker) -> None:
    """Send a message without the field settled. A disposition comes, and it is settled."""
    sender, _ = broker.pair()
    disposition = sender.outcome(sender.send(message(b"a message")))
    want(disposition.settled, "a disposition that is settled", disposition)


@amqp1_rule("transfer.settled/later-unset-inherits")
def settled_once_for_all(broker: Broker) -> None:
    """Send a message in three transfers with settled on the second alone. It is taken, and no disposition comes."""
    sender, receiver = broker.pair()
    octets = message(b"0123456789").encode()
    number = sender.send_parts([octets[:5], octets[5:9], octets[9:]], {}, {"settled": True})
    _expect_no_disposition(sender, number)
    _expect_data(receiver, b"0123456789")


@amqp1_rule("transfer.settled/settled-mode")
def mode_settled(broker: Broker) -> None:
    """Attach as receiver with the mode settled. Deliveries have settled on one of their transfers."""
    want(_deliver(broker, _SETTLED), "a delivery that is settled", "one that is not")


@amqp1_rule("transfer.settled/unsettled-mode")
def mode_unsettled(broker: Broker) -> None:
    """Attach as receiver with the mode unsettled. No transfer of a delivery has settled."""
    want(not _deliver(broker, _UNSETTLED), "a delivery that is not settled", "one that is")


@amqp1_rule("sender-settle-mode.mixed/either-kind")
def mode_mixed(broker: Broker) -> None:
    """Attach as sender with the mode mixed and send a message settled and one not. A disposition comes for the latter."""
    sender, _ = broker.pair()
    settled = sender.send(message(b"settled"), settled=True)
    with broker.trial():
        sender.send_accepted(message(b"not settled"), settled=False)
    _expect_no_disposition(sender, settled)


@amqp1_rule("transfer.rcv-settle-mode/second-settles-last")
def second_settles_last(broker: Broker) -> None:
    """Send a message with the mode second. The peer's disposition is not settled, for ours is to come first."""
    sender = _sender_with_second(broker)
    disposition = sender.outcome(
        sender.send(message(b"a message"), rcv_settle_mode=ReceiverSettleMode.SECOND)
    )
    want(not disposition.settled, "a disposition that is not settled", disposition)


@amqp1_rule("transfer.rcv-settle-mode/default-from-link")
def second_from_link(broker: Broker) -> None:
    """Attach with the mode second and send a message without the field. The peer's disposition is not settled."""
    sender = _sender_with_second(broker)
    disposition = sender.outcome(sender.send(message(b"a message")))
    want(not disposition.settled, "a disposition that is not settled", disposition)


@amqp1_rule("transfer.rcv-settle-mode/no-second-on-first")
def second_on_first(broker: Broker) -> None:
    """Attach with the mode first and send a message with second. The peer reports an error."""
    session = broker.begin()
    sender = session.sender(broker.queue(), rcv_settle_mode=ReceiverSettleMode.FIRST)
    sender.send(message(b"a message"), rcv_settle_mode=ReceiverSettleMode.SECOND)
    expect_error(session.connection)


@amqp1_rule("transfer.rcv-settle-mode/ignored-when-settled")
def second_but_settled(broker: Broker) -> None:
    """Send a settled message with the mode second. No disposition comes."""
    sender, receiver = broker.pair()
    number = sender.send(message(b"a message"), settled=True, rcv_settle_mode=ReceiverSettleMode.SECOND)
    _expect_no_disposition(sender, number)
    _expect_data(receiver, b"a message")


@amqp1_rule("transfer.batchable/batch-answers", "disposition.batchable/batch-answers")
def batchable(broker: Broker) -> None:
    """Send ten messages that are batchable, fetch them and settle each with this flag. All are accepted and gone."""
    sender, receiver = broker.pair()
    numbers = [sender.send(message(b"%d" % number), batchable=True) for number in range(10)]
    for number in numbers:
        want(bool(sender.outcome(number).settled), "a disposition that is settled", "one that is not")
    receiver.give_credit(11)
    for _ in numbers:
        receiver.settle(receiver.receive(), batchable=True)
    receiver.expect_none()


def _sender_with_second(broker: Broker) -> Sender:
    """Return a sender with the mode second.

    Raises:
        NotTestable: The peer does not agree to it.
    """
    session, address = broker.begin(), broker.queue()
    sender = session.make_sender(0)
    attach = sender.make_attach(address, rcv_settle_mode=ReceiverSettleMode.SECOND)
    session.send(attach)
    with suppress(Violation):
        answer = sender.expect_attach(attach)
        if answer.target is not None and answer.rcv_settle_mode is ReceiverSettleMode.SECOND:
            return sender
    raise NotTestable("the peer does not agree to the mode second")


def _expect_data(receiver: Receiver, *bodies: bytes) -> None:
    for body in bodies:
        delivery = receiver.fetch()
        want(
            delivery.data() == body, f"a message of {len(body)} octets as it was sent", delivery.payload[:100]
        )
        receiver.settle(delivery)


def _parts(sender: Sender, octets: bytes) -> list[tuple[Transfer, bytes]]:
    """Return a message as transfers of four octets each."""
    pieces = [octets[start : start + 4] for start in range(0, len(octets), 4)]
    transfers = [sender.next_transfer(more=True)] + [Transfer(sender.handle, more=True) for _ in pieces[1:]]
    transfers[-1].more = False
    return list(zip(transfers, pieces, strict=True))


def _expect_refused_continuation(broker: Broker, **fields: object) -> None:
    """Expect an error when the second transfer of a delivery contradicts the first."""
    sender, _ = broker.pair()
    octets = message(b"0123456789").encode()
    sender.send_parts([octets[:5], octets[5:]], {}, fields)
    expect_error(sender.session.connection)


def _expect_no_disposition(sender: Sender, number: int) -> None:
    for frame in sender.session.connection.listen():
        want(not sender.is_end(frame), "no disposition, and no end", frame)
    sender.session.expect_alive()
    spoken = [disposition for disposition in sender.session.dispositions if disposition.first == number]
    want(not spoken, "no disposition", spoken[0] if spoken else "")


def _deliver(broker: Broker, mode: SenderSettleMode) -> bool:
    """Return whether a delivery is settled on a link with that mode, to which the peer must agree."""
    session, address = broker.begin(), broker.queue()
    session.sender(address).send_accepted(message(b"a message"))
    receiver = session.receiver(address, snd_settle_mode=mode)
    agreed = receiver.remote.snd_settle_mode if receiver.remote else None
    if agreed is not mode:
        raise NotTestable(f"the peer does not agree to the mode {mode.name.lower()}")
    return receiver.fetch().settled
