"""Links that are resumed with deliveries unsettled; the peer is the sender, but for one rule. Sections 2.6.13, 2.7.3, 2.7.5 and 3.4."""

from __future__ import annotations

from amqp_1_0.messaging import Accepted, Received
from amqp_1_0.performatives import Disposition, Role

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.frames import ReceivedDelivery
from ...amqp1.links import LiveSession, Receiver
from ...amqp1.resumption import need_recovery, resumed, suspend, taking_maps, unsettled_of
from ...engine.registry import amqp1_rule

_MADE_UP = b"amqp-codegen made up"
_CREDIT = 10
_SMALLEST_FRAME = 512
# More tags than 512 octets hold, however short they are.
_MANY = 150


# --- the maps of attach ---


@amqp1_rule("attach.unsettled/sent-with-terminus")
def map_of_peer(broker: Broker) -> None:
    """Detach with a message unsettled and attach again, to a peer that knows its links. Its map has the tag."""
    need_recovery(broker)
    link = suspend(broker)
    receiver = link.attach({link.tags[0]: None})
    want(
        link.tags[0] in unsettled_of(receiver), f"the tag {link.tags[0]!r} in the map", unsettled_of(receiver)
    )


@amqp1_rule("attach.unsettled/compare-states")
def three_kinds_of_tags(broker: Broker) -> None:
    """Resume with a tag that both know, one that only the peer knows, and one made up. Resumed, sent anew, ignored."""
    link = suspend(broker, 2)
    receiver = link.resume({link.tags[0]: None, _MADE_UP: None})
    receiver.give_credit(_CREDIT)
    deliveries = {delivery.data(): delivery.transfer for delivery in (receiver.receive(), receiver.receive())}
    both, ours_not = deliveries.get(b"message 0"), deliveries.get(b"message 1")
    want(bool(both and both.resume and both.delivery_tag == link.tags[0]), "message 0 resumed", both)
    want(bool(ours_not and not ours_not.resume), "message 1 as a new delivery", ours_not)
    receiver.expect_none()


@amqp1_rule("attach.unsettled/prefer-incomplete")
def map_larger_than_a_frame(broker: Broker) -> None:
    """Resume with more messages unsettled than fit in a frame. The peer's map is marked as incomplete."""
    first = suspend(broker)
    first.resume(dict.fromkeys(first.tags)).detach()
    session = LiveSession(broker.connect(max_frame_size=_SMALLEST_FRAME))
    session.begin()
    link = suspend(broker, _MANY, session)
    receiver = link.resume({link.tags[0]: None}, incomplete_unsettled=True)
    remote = receiver.remote
    want(
        remote is not None and bool(remote.incomplete_unsettled),
        "an attach with incomplete-unsettled",
        remote,
    )


@amqp1_rule("attach.incomplete-unsettled/absence-proves-nothing")
def absent_from_incomplete_map(broker: Broker) -> None:
    """Resume with an incomplete map that lacks a tag, then with a whole one. The peer still has the delivery."""
    link = suspend(broker, 2)
    link.resume({link.tags[0]: None}, incomplete_unsettled=True).detach(closed=False)
    again = link.attach(dict.fromkeys(link.tags))
    want(link.tags[1] in unsettled_of(again), f"the tag {link.tags[1]!r} in the map", unsettled_of(again))


@amqp1_rule("attach.incomplete-unsettled/no-new-deliveries", "attach.incomplete-unsettled/both-maps-complete")
def no_new_delivery(broker: Broker) -> None:
    """Resume with an incomplete map while a new message waits, and give credit. All that comes is resumed."""
    link = suspend(broker, 2)
    link.session.sender(link.address, name="new").send_accepted(message(b"new"))
    receiver = link.resume({link.tags[0]: None}, incomplete_unsettled=True)
    _expect_only_resumed(receiver)


@amqp1_rule("attach.incomplete-unsettled/reattach-first")
def new_delivery_after_reattaching(broker: Broker) -> None:
    """Do so, settle all, and attach with a whole map. The new message comes then, and not before."""
    link = suspend(broker)
    link.session.sender(link.address, name="new").send_accepted(message(b"new"))
    receiver = link.resume({link.tags[0]: None}, incomplete_unsettled=True)
    _expect_only_resumed(receiver)
    for transfer in resumed(receiver):
        assert transfer.delivery_id is not None  # the first transfer of a delivery has one
        link.session.send(Disposition(Role.RECEIVER, transfer.delivery_id, settled=True, state=Accepted()))
    receiver.detach(closed=False)
    octets = link.attach(None).fetch().data()
    want(octets == b"new", "the new message", octets)


# --- deliveries that are resumed ---


@amqp1_rule(
    "transfer/resume-common",
    "transfer.resume/set-when-resuming",
    "delivery-state/resend-known-is-resumed",
    "delivery-state/resend-known-without-data",
)
def resumed_deliveries(broker: Broker) -> None:
    """Resume with the tags of two messages, and null as states. Both come whole, with resume and their own tags."""
    link = suspend(broker, 2)
    receiver = link.resume(dict.fromkeys(link.tags))
    receiver.give_credit(_CREDIT)
    for _ in range(2):
        delivery = receiver.receive()
        want(delivery.transfer.resume, "a transfer with resume", delivery.transfer)
        want(delivery.transfer.delivery_tag in link.tags, "one of the tags", delivery.transfer)
        index = link.tags.index(delivery.transfer.delivery_tag or b"")
        want(delivery.data() == b"message %d" % index, f"message {index}", delivery.data())


@amqp1_rule("received.section-offset/zero-means-nothing")
def nothing_received(broker: Broker) -> None:
    """Resume with a tag and received at section 0, offset 0. The whole message comes."""
    delivery = _resume_one(broker, Received(0, 0))
    want(delivery.data() == b"message 0", "the whole message", delivery.payload)


@amqp1_rule("delivery-state/resend-unknown", "delivery-state/resend-is-not-resumed")
def unknown_delivery(broker: Broker) -> None:
    """Resume without the tag of an unsettled message. It comes again, without resume."""
    link = suspend(broker)
    receiver = link.resume(None)
    receiver.give_credit(_CREDIT)
    delivery = receiver.receive()
    want(delivery.data() == b"message 0", "the message", delivery.payload)
    want(not delivery.transfer.resume, "a transfer without resume", delivery.transfer)


@amqp1_rule("transfer/target-only-sender", "transfer.resume/only-from-map")
def made_up_tag(broker: Broker) -> None:
    """Resume with the tag of a message, and with one that the peer does not know. Only the former comes."""
    link = suspend(broker)
    receiver = link.resume({link.tags[0]: None, _MADE_UP: None})
    receiver.give_credit(_CREDIT)
    receiver.session.connection.listen()
    tags = [transfer.delivery_tag for transfer in resumed(receiver)]
    want(_MADE_UP not in tags, f"no delivery with the tag {_MADE_UP!r}", tags)


@amqp1_rule("transfer.resume/ignore-unknown-resumed")
def resumed_for_receiver(broker: Broker) -> None:
    """Attach as sender with an unsettled delivery that the peer never had, and resume it. It does not reach the queue."""
    session, address = broker.begin(), broker.queue()
    with taking_maps():
        sender = session.sender(address, unsettled={_MADE_UP: None})
        sender.wait_for_credit()
    transfer = sender.next_transfer(delivery_tag=_MADE_UP, resume=True)
    session.send(transfer, message(b"resumed").encode())
    receiver = session.receiver(address)
    receiver.expect_empty()


@amqp1_rule("transfer.delivery-id/none-until-resumed")
def former_delivery_id(broker: Broker) -> None:
    """Resume, and accept by the delivery-id from before. The peer does not apply it: its next map still has the tag."""
    link = suspend(broker)
    receiver = link.resume({link.tags[0]: None})
    receiver.settle(link.deliveries[0])
    receiver.detach(closed=False)
    again = link.attach({link.tags[0]: None})
    want(link.tags[0] in unsettled_of(again), f"the tag {link.tags[0]!r} in the map", unsettled_of(again))


@amqp1_rule("delivery-state/resume-to-settle")
def resume_to_settle(broker: Broker) -> None:
    """Resume with accepted as the state of a message. A transfer with resume, its tag and a delivery-id comes."""
    delivery = _resume_one(broker, Accepted())
    want(delivery.transfer.resume, "a transfer with resume", delivery.transfer)
    want(delivery.transfer.delivery_id is not None, "a delivery-id", delivery.transfer)


@amqp1_rule("delivery-state/state-at-source")
def state_at_source(broker: Broker) -> None:
    """Do so. The transfer has a state."""
    delivery = _resume_one(broker, Accepted())
    want(delivery.transfer.state is not None, "a transfer with a state", delivery.transfer)


def _resume_one(broker: Broker, state: Accepted | Received) -> ReceivedDelivery:
    """Resume with a message in this state, and return what comes by its tag.

    Raises:
        NotTestable: The peer does not resume links.
    """
    link = suspend(broker)
    receiver = link.resume({link.tags[0]: state})
    receiver.give_credit(_CREDIT)
    delivery = receiver.receive()
    want(delivery.transfer.delivery_tag == link.tags[0], f"the tag {link.tags[0]!r}", delivery.transfer)
    return delivery


def _expect_only_resumed(receiver: Receiver) -> None:
    """Give credit, and expect no transfer but resumed ones."""
    receiver.give_credit(_CREDIT)
    for frame in receiver.session.connection.listen():
        if frame.performative.NAME == "transfer" and frame.performative.delivery_id is not None:
            want(bool(frame.performative.resume), "transfers with resume only", frame)
