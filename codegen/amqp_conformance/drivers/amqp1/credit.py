"""Flow: the credit of links. Sections 2.6.7 to 2.6.10 and 2.7.4."""

from __future__ import annotations

from amqp_1_0.performatives import Flow, Transfer

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.frames import Frame
from ...amqp1.links import Receiver
from ...engine.registry import amqp1_rule
from ...engine.run_result import NoAnswer, NotTestable
from .flow import LAST_NUMBER, echoed, filled, want_number

# --- credit, with the peer as the sender ---


@amqp1_rule("flow/initial-link-state")
def no_credit_at_first(broker: Broker) -> None:
    """Attach as receiver to a queue with messages and give no credit. No transfer comes."""
    broker.begin().receiver(filled(broker, 2)).expect_none()


@amqp1_rule("flow.link-credit/no-credit-no-message")
def credit_of_three(broker: Broker) -> None:
    """Give a credit of three on a queue of five messages. Three come and no fourth."""
    receiver = broker.begin().receiver(filled(broker, 5))
    receiver.give_credit(3)
    for _ in range(3):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule("flow.link-credit/credit-formula")
def credit_of_the_past(broker: Broker) -> None:
    """Give a credit of ten with a delivery-count four behind the peer's. Six more messages come."""
    receiver = broker.begin().receiver(filled(broker, 12))
    receiver.give_credit(4)
    for _ in range(4):
        receiver.receive()
    receiver.give_credit(10, delivery_count=(receiver.delivery_count - 4) & LAST_NUMBER)
    for _ in range(6):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule("flow/restore-credit")
def restored_credit(broker: Broker) -> None:
    """Give a credit of four, receive two messages, and give four again. Of six more messages four come."""
    session, address = broker.begin(), filled(broker, 2)
    receiver = session.receiver(address)
    receiver.give_credit(4)
    for _ in range(2):
        receiver.receive()
    receiver.give_credit(4)
    sender = session.sender(address)
    for _ in range(6):
        sender.send_accepted(message(b"a message"))
    for _ in range(4):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule(
    "flow.link-credit/spend-credit",
    "flow.link-credit/keep-delivery-limit",
    "flow.delivery-count/from-link-sender",
)
def spent_credit(broker: Broker) -> None:
    """Give a credit of five, receive two messages, and ask the peer for the state. It has counted two."""
    receiver = broker.begin().receiver(filled(broker, 2))
    start = receiver.delivery_count
    receiver.give_credit(5)
    for _ in range(2):
        receiver.receive()
    flow = echoed(receiver.session, receiver, 3)
    want_number(flow.delivery_count, start + 2, "delivery-count")
    want(flow.link_credit == 3, "3 as link-credit", flow)


@amqp1_rule("flow.link-credit/stop-with-zero")
def stopped_link(broker: Broker) -> None:
    """Give credit, receive a message and set the credit to zero. Later messages of the queue do not come."""
    session, address = broker.begin(), broker.queue()
    sender, receiver = session.sender(address), session.receiver(address)
    receiver.give_credit(10)
    sender.send_accepted(message(b"before"))
    receiver.receive()
    receiver.give_credit(0)
    receiver.expect_none()
    sender.send_accepted(message(b"after"))
    receiver.expect_none()


@amqp1_rule("flow.echo/detect-quiet")
def echo_of_stopped_link(broker: Broker) -> None:
    """Give credit for thirty messages and take it back at once with echo. Behind the answer no transfer comes."""
    receiver = broker.begin().receiver(filled(broker, 30))
    receiver.give_credit(30)
    echoed(receiver.session, receiver, 0)
    try:
        _drained(receiver)  # the first flow may have answered the first credit
    except NoAnswer:
        raise NotTestable("the peer does not answer each echo") from None
    late = [
        frame for frame in receiver.session.connection.listen() if isinstance(frame.performative, Transfer)
    ]
    want(not late, "no transfer after the echo", f"{len(late)} of them")


@amqp1_rule("flow.drain/advance-delivery-count")
def drained_link(broker: Broker) -> None:
    """Give a credit of ten with drain on a queue of two messages. Two come, then a flow without credit left."""
    receiver = broker.begin().receiver(filled(broker, 2))
    start = receiver.delivery_count
    receiver.give_credit(10, drain=True)
    for _ in range(2):
        receiver.receive()
    flow = _drained(receiver)
    want_number(flow.delivery_count, start + 10, "delivery-count")


@amqp1_rule("flow.drain/behave-as-told")
def drain_or_not(broker: Broker) -> None:
    """Give credit on an empty queue, first without drain and then with it. Only with drain the credit is used up."""
    receiver = broker.begin().receiver(broker.queue())
    receiver.give_credit(10)
    receiver.expect_none()
    kept = [flow for flow in receiver.flows if flow.link_credit == 0]
    want(not kept, "credit that lasts without drain", kept)
    receiver.give_credit(10, drain=True)
    _drained(receiver)


# --- credit, with the peer as the receiver ---


@amqp1_rule("flow.delivery-count/from-link-receiver")
def count_of_receiver(broker: Broker) -> None:
    """Attach as sender with a count of 1000. Flows of the peer for this link have 1000 as delivery-count."""
    sender = broker.begin().sender(broker.queue(), initial_delivery_count=1000)
    sender.wait_for_credit()
    for flow in sender.flows:
        want(flow.delivery_count == 1000, "1000 as delivery-count", flow)


@amqp1_rule("flow.delivery-count/only-sender-changes")
def count_follows_sender(broker: Broker) -> None:
    """Send three messages one by one and look at the peer's flows. No count is ahead of what was sent."""
    sender = broker.begin().sender(broker.queue())
    for number in range(3):
        for flow in sender.flows:
            count = flow.delivery_count or 0
            want(count <= number, f"a count of {number} at most", flow)
        sender.send_accepted(message(b"a message"))


@amqp1_rule("flow.link-credit/excess-messages")
def excess_message(broker: Broker) -> None:
    """Send one message more than the peer gave credit for. It takes it, or detaches with transfer-limit-exceeded."""
    sender = broker.begin().sender(broker.queue(), initial_delivery_count=0)
    sender.wait_for_credit()
    credit = sender.credit
    if credit > 1000:
        raise NotTestable(f"the peer gives credit for {credit} messages")
    for _ in range(credit):
        sender.session.send(sender.next_transfer(settled=True), message(b"a message").encode())
    number = sender.next_transfer(settled=False)
    sender.session.send(number, message(b"in excess").encode())
    connection = sender.session.connection
    frame = connection.wait(_is_answer, "an outcome or detach")
    if frame.performative.NAME == "detach":
        condition = frame.performative.error and frame.performative.error.condition
        want(condition == "amqp:link:transfer-limit-exceeded", "transfer-limit-exceeded", frame)


@amqp1_rule("flow.available/transfer-despite-zero", "flow.available/floor-of-zero")
def transfer_despite_zero(broker: Broker) -> None:
    """Announce that no message is available, and send two. They are accepted, and the peer never counts below zero."""
    session = broker.begin()
    sender = session.sender(broker.queue())
    sender.wait_for_credit()
    session.flow(handle=sender.handle, delivery_count=0, link_credit=sender.credit, available=0)
    with broker.trial():
        for _ in range(2):
            sender.send_accepted(message(b"a message"))
    for flow in sender.flows:
        want((flow.available or 0) < 1 << 31, "zero or little as available", flow)


def _drained(receiver: Receiver) -> Flow:
    """Return the flow in which the peer reports that the credit is used up."""

    def is_drained() -> bool:
        return any(flow.link_credit == 0 for flow in receiver.flows)

    connection = receiver.session.connection
    connection.pump(is_drained, "a flow with a link-credit of zero", receiver.is_end)
    return next(flow for flow in receiver.flows if flow.link_credit == 0)


def _is_answer(frame: Frame) -> bool:
    return frame.performative is not None and frame.performative.NAME in ("disposition", "detach")
