"""What becomes of deliveries: dispositions, the four outcomes, and what a source does then. Sections 2.7.6, 3.3 and 3.4."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Modified, Received, Rejected, Released, Source
from amqp_1_0.performatives import AmqpError, Disposition, Error, Role, Transfer
from amqp_1_0.types import Symbol

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.frames import ReceivedDelivery
from ...amqp1.links import LiveSession, Receiver
from ...engine.registry import amqp1_rule

_BODY = b"a message"


# --- dispositions ---


@amqp1_rule("disposition.last/defaults-to-first")
def disposition_of_one(broker: Broker) -> None:
    """Receive three messages, accept the second without the field last, and reconnect. The other two come again."""
    sender, receiver = broker.pair()
    for number in range(3):
        sender.send_accepted(message(b"%d" % number))
    receiver.give_credit(3)
    with broker.set_up():
        deliveries = [receiver.receive() for _ in range(3)]
    receiver.settle(deliveries[1], last=None)
    receiver.expect_none()
    receiver.session.connection.close()
    again = broker.begin().receiver(receiver.terminus.address)
    bodies = {_fetch_and_accept(again).data() for _ in range(2)}
    want(bodies == {b"0", b"2"}, "the first and the third message", bodies)
    again.expect_empty()


@amqp1_rule("disposition/deliveries-of-many-links")
def disposition_of_two_links(broker: Broker) -> None:
    """Receive a message on each of two links and accept both in one disposition. Neither comes again."""
    session = broker.begin()
    addresses = (broker.queue(), broker.queue())
    receivers = []
    for address in addresses:
        session.sender(address).send_accepted(message(_BODY))
        receivers.append(session.receiver(address))
    with broker.set_up():
        first, last = (receiver.fetch().number for receiver in receivers)
    session.send(Disposition(Role.RECEIVER, first, last, True, Accepted()))
    for receiver in receivers:
        receiver.expect_empty()
        receiver.detach()
        session.receiver(receiver.terminus.address, name=f"again {receiver.name}").expect_empty()


@amqp1_rule("disposition/one-direction-only")
def dispositions_of_peer(broker: Broker) -> None:
    """Send and receive on one session, with other ids each way. The peer's dispositions fit the ids of their role."""
    sender, receiver = broker.pair()
    session = sender.session
    session.next_delivery_id = 1000
    for _ in range(3):
        sender.send_accepted(message(_BODY))
        receiver.settle(receiver.fetch())
    session.connection.listen()
    for disposition in session.dispositions:
        ours = disposition.first - 1000 in range(3)  # the peer's own ids may begin anywhere
        want(ours is (disposition.role is Role.RECEIVER), "a role that fits the delivery-ids", disposition)


@amqp1_rule("disposition/apply-to-detached", "disposition/detached-links", "detach/talk-by-delivery-id")
def disposition_after_detach(broker: Broker) -> None:
    """Receive a message, detach without closing, and accept it then. No error comes, and the message is gone."""
    receiver, delivery = _hold(broker)
    receiver.detach(closed=False)
    receiver.settle(delivery)
    receiver.session.receiver(receiver.terminus.address, name="again").expect_empty()


@amqp1_rule("disposition/non-terminal-state")
def state_on_the_way(broker: Broker) -> None:
    """Report the state received for a delivery, then accept it. No error comes, and the message is gone."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery, Received(0, 1), settled=False)
    receiver.settle(delivery)
    receiver.expect_none()
    receiver.detach()
    receiver.session.receiver(receiver.terminus.address, name="again").expect_empty()


@amqp1_rule("transfer/unsettled-until-settled")
def settled_for_good(broker: Broker) -> None:
    """Accept a delivery, settled, then release it without settling. It does not come again."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery)
    receiver.expect_none()
    receiver.settle(delivery, Released(), settled=False)
    receiver.expect_empty()


@amqp1_rule("delivery-state/terminal-is-final")
def outcome_for_good(broker: Broker) -> None:
    """Accept a delivery without settling it, then release it. It does not come again."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery, settled=False)
    receiver.expect_none()
    receiver.settle(delivery, Released())
    receiver.expect_empty()


@amqp1_rule("sequence-no/serial-comparison")
def range_across_zero(broker: Broker) -> None:
    """Send four messages with delivery-ids from 4294967294 on, which goes on with 0. All are accepted."""
    sender, _ = broker.pair()
    sender.session.next_delivery_id = 0xFFFFFFFE
    numbers = [sender.send(message(b"%d" % number)) for number in range(4)]
    for number in numbers:
        state = sender.outcome(number).state
        want(isinstance(state, Accepted), "accepted", state)


@amqp1_rule("transfer.state/terminal-is-final")
def states_of_sender(broker: Broker) -> None:
    """Accept a delivery without settling it. The peer then reports accepted, or nothing."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery, settled=False)
    receiver.expect_none()
    for disposition in receiver.session.dispositions:
        if disposition.role is Role.SENDER and disposition.state is not None:
            want(isinstance(disposition.state, Accepted), "accepted", disposition)


@amqp1_rule("received/only-on-first-resumed")
def never_received(broker: Broker) -> None:
    """Fetch messages and accept them. The peer, which sends them, never reports the state received."""
    sender, receiver = broker.pair()
    for _ in range(3):
        sender.send_accepted(message(_BODY))
        delivery = _fetch_and_accept(receiver)
        want(
            not isinstance(delivery.transfer.state, Received),
            "a transfer without this state",
            delivery.transfer,
        )
    for disposition in receiver.session.dispositions:
        if disposition.role is Role.SENDER:
            want(not isinstance(disposition.state, Received), "another state", disposition)


@amqp1_rule("source.outcomes/can-be-empty")
def default_outcome(broker: Broker) -> None:
    """Attach with the default-outcome released and without outcomes, and settle a delivery without a state. It comes again."""
    session, address = broker.begin(), broker.queue()
    session.sender(address).send_accepted(message(_BODY))
    receiver = session.receiver(None, source=Source(address, default_outcome=Released()))
    with broker.set_up():
        delivery = receiver.fetch()
    session.send(Disposition(Role.RECEIVER, delivery.number, settled=True))
    want(receiver.fetch().data() == _BODY, "the same message again", "another")


# --- states of a message at its node ---


@amqp1_rule("delivery-state/begins-available")
def available_at_first(broker: Broker) -> None:
    """Give credit on an empty queue and send a message there. It is delivered."""
    sender, receiver = broker.pair()
    receiver.give_credit(1)
    sender.send_accepted(message(_BODY))
    want(receiver.receive().data() == _BODY, "the message that was sent", "another")


@amqp1_rule(
    "delivery-state/acquired-is-exclusive",
    "std-dist-mode.move/acquire-then-archive",
    "std-dist-mode.move/one-link-only",
)
def acquired_by_one(broker: Broker) -> None:
    """Hold the only message of a queue unsettled. A second receiver gets nothing, neither now nor when it is accepted."""
    receiver, delivery = _hold(broker)
    other = broker.begin().receiver(receiver.terminus.address)
    other.expect_empty()
    receiver.settle(delivery)
    other.expect_none()


@amqp1_rule("delivery-state/accepted-or-rejected-archives")
def archived(broker: Broker) -> None:
    """Accept one message and reject another. Neither is delivered again."""
    sender, receiver = broker.pair()
    for _ in range(2):
        sender.send_accepted(message(_BODY))
    receiver.settle(receiver.fetch())
    receiver.settle(receiver.fetch(), Rejected(Error(AmqpError.NOT_ALLOWED, "not here")))
    receiver.expect_empty()


@amqp1_rule("delivery-state/released-or-modified-returns")
def returned(broker: Broker) -> None:
    """Release a message and modify it when it comes again. It comes a third time."""
    sender, receiver = broker.pair()
    sender.send_accepted(message(_BODY))
    for state in (Released(), Modified()):
        receiver.settle(receiver.fetch(), state)
    want(receiver.fetch().data() == _BODY, "the same message again", "another")


@amqp1_rule("addressing/no-resend-after-success")
def not_again_after_success(broker: Broker) -> None:
    """Accept a message and give more credit. It does not come again."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery)
    receiver.give_credit(5)
    receiver.expect_none()


@amqp1_rule("source.outcomes/accepted-at-least")
def accepted_without_outcomes(broker: Broker) -> None:
    """Attach with a source that names neither outcomes nor a default, receive a message and accept it. It is gone."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery, Accepted())
    receiver.detach()
    receiver.session.receiver(receiver.terminus.address, name="again").expect_empty()


@amqp1_rule("source.outcomes/symbolic-descriptors")
def names_of_outcomes(broker: Broker) -> None:
    """Look at the outcomes in the peer's attach. All are symbolic descriptors of outcomes, as amqp:accepted:list is."""
    _, receiver = broker.pair()
    for outcome in receiver.terminus.outcomes:
        known = {kind.SYMBOL for kind in (Accepted, Rejected, Released, Modified)}
        want(outcome in known, "the descriptor of an outcome", outcome)


# --- one by one ---


@amqp1_rule("accepted/delivery-count-kept", "header.delivery-count/zero-at-first")
def count_at_first(broker: Broker) -> None:
    """Send a message and receive it. Its delivery-count is zero, or left out."""
    sender, receiver = broker.pair()
    sender.send_accepted(message(_BODY))
    count = _count(receiver.fetch())
    want(count == 0, "a delivery-count of zero", count)


@amqp1_rule("released/delivery-count-kept")
def count_after_release(broker: Broker) -> None:
    """Release a message and receive it again. Its delivery-count is the same as before."""
    receiver, before = _hold(broker)
    receiver.settle(before, Released())
    after = receiver.fetch()
    want(_count(after) == _count(before), f"a delivery-count of {_count(before)}", _count(after))


@amqp1_rule("modified.delivery-failed/count-grows", "modified/changed-at-node")
def count_after_failure(broker: Broker) -> None:
    """Modify a message as failed and receive it again. Its delivery-count is one more than before."""
    receiver, before = _hold(broker)
    receiver.settle(before, Modified(delivery_failed=True))
    after = receiver.fetch()
    want(_count(after) == _count(before) + 1, f"a delivery-count of {_count(before) + 1}", _count(after))


@amqp1_rule("modified.undeliverable-here/not-redelivered")
def undeliverable_here(broker: Broker) -> None:
    """Modify the only message of a queue as undeliverable here, and give credit. It does not come on this link."""
    receiver, delivery = _hold(broker)
    receiver.settle(delivery, Modified(undeliverable_here=True))
    receiver.expect_empty()


@amqp1_rule("modified.message-annotations/replace-or-add")
def changed_annotations(broker: Broker) -> None:
    """Modify a message with one annotation that it has and one new. When it comes again both have the new values."""
    sender, receiver = broker.pair()
    old, new = Symbol("x-opt-old"), Symbol("x-opt-new")
    sender.send_accepted(amqp.Message(message_annotations={old: 1}, body=message(_BODY).body))
    receiver.settle(receiver.fetch(), Modified(message_annotations={old: 2, new: 3}))
    annotations = receiver.fetch().message().message_annotations or {}
    want((annotations.get(old), annotations.get(new)) == (2, 3), "the new values of both", annotations)


@amqp1_rule("accepted/remaining-transfers")
def accepted_early(broker: Broker) -> None:
    """Accept a large message after its first transfer. The others follow, up to one without more."""
    address = broker.queue()
    broker.begin().sender(address).send_accepted(message(bytes(20_000)))
    session = LiveSession(broker.connect(max_frame_size=512))
    session.begin()
    receiver = session.receiver(address)
    receiver.give_credit(1)
    first = receiver.wait(Transfer, "the first transfer")
    receiver.settle(ReceivedDelivery([first]), settled=False)
    frame = first
    while frame.performative.more:
        frame = receiver.wait(Transfer, "another transfer")
    want(not frame.performative.aborted, "a delivery that is not aborted", frame)


@amqp1_rule("rejected/never-spontaneous", "released/spontaneous", "modified/spontaneous")
def held_for_a_while(broker: Broker) -> None:
    """Hold a delivery unsettled for a moment. The sender does not report by itself that it was rejected."""
    receiver, _ = _hold(broker)
    receiver.expect_none()
    for disposition in receiver.session.dispositions:
        want(not isinstance(disposition.state, Rejected), "anything but rejected", disposition)


def _hold(broker: Broker) -> tuple[Receiver, ReceivedDelivery]:
    """Return a link from a new queue, and the delivery of the only message there, not settled."""
    sender, receiver = broker.pair()
    sender.send_accepted(message(_BODY))
    with broker.set_up():
        return receiver, receiver.fetch()


def _fetch_and_accept(receiver: Receiver) -> ReceivedDelivery:
    delivery = receiver.fetch()
    receiver.settle(delivery)
    return delivery


def _count(delivery: ReceivedDelivery) -> int:
    header = delivery.message().header
    return header.delivery_count if header else 0
