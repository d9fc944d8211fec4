"""Flow: the windows of sessions and the credit of links. Sections 2.5.6, 2.6.7 to 2.6.10 and 2.7.4."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.performatives import Begin, Flow, Transfer

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.frames import Frame
from ...amqp1.links import LiveSession, Receiver
from ...engine.registry import amqp1_rule
from ...engine.run_result import NoAnswer, NotTestable

_LAST_NUMBER = 0xFFFFFFFF

# --- the session's part ---


@amqp1_rule("flow.next-incoming-id/set-after-begin")
def next_incoming_id(broker: Broker) -> None:
    """Look at every flow of the peer in a session. All have next-incoming-id."""
    session = broker.begin()
    session.learn_flow(broker.queue())
    for flow in session.flows:
        want(flow.next_incoming_id is not None, "flow with next-incoming-id", flow)


@amqp1_rule("flow/update-next-incoming-id")
def skipped_ids(broker: Broker) -> None:
    """Send flow with another next-outgoing-id than the peer expects. Its next flow has this value."""
    session = broker.begin()
    session.next_outgoing_id = 100
    session.flow()
    flow = session.learn_flow(broker.queue())
    want(flow.next_incoming_id == 100, "100 as next-incoming-id", flow.next_incoming_id)


@amqp1_rule("transfer/advance-next-incoming-id")
def counted_transfers(broker: Broker) -> None:
    """Send five transfers, then wait for a flow. Its next-incoming-id has grown by five."""
    session, address = broker.begin(), broker.queue()
    before = session.learn_flow(address).next_incoming_id or 0
    sender = session.sender(address)
    for _ in range(5):
        sender.send_accepted(message(b"a message"))
    after = session.learn_flow(address).next_incoming_id
    _want_number(after, before + 5, "next-incoming-id")


@amqp1_rule("transfer/decrement-remote-incoming-window", "flow/compute-remote-incoming-window")
def window_of_two(broker: Broker) -> None:
    """Open a window of two transfers and give plenty of credit. Two come; two more with a new window of two."""
    address = _filled(broker, 6)
    session = broker.begin(incoming_window=2)
    session.incoming_window = 2
    receiver = session.receiver(address)
    receiver.give_credit(10)
    for _ in range(2):
        receiver.receive()
    receiver.expect_none()
    session.flow()
    for _ in range(2):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule("flow/update-remote-outgoing-window", "transfer/decrement-remote-outgoing-window")
def outgoing_window(broker: Broker) -> None:
    """Announce an outgoing-window of two, send two messages, widen it with flow and send two more. All are accepted."""
    session = broker.begin(outgoing_window=2)
    sender = session.sender(broker.queue())
    for _ in range(2):
        with broker.trial():
            for _ in range(2):
                sender.send_accepted(message(b"a message"))
        session.flow(outgoing_window=2)


@amqp1_rule("transfer/decrement-incoming-window", "transfer/decrement-outgoing-window")
def own_windows(broker: Broker) -> None:
    """Send messages and fetch them, and look at the windows in the peer's flows. They are never above the first."""
    session, address = broker.begin(), broker.queue()
    sender, receiver = session.sender(address), session.receiver(address)
    for _ in range(3):
        sender.send_accepted(message(b"a message"))
        receiver.settle(receiver.fetch())
    first = session.remote or Begin(next_outgoing_id=0, incoming_window=0, outgoing_window=0)
    for flow in session.flows:
        want(
            flow.incoming_window <= first.incoming_window,
            f"at most {first.incoming_window}",
            flow.incoming_window,
        )
        want(
            flow.outgoing_window <= first.outgoing_window,
            f"at most {first.outgoing_window}",
            flow.outgoing_window,
        )


@amqp1_rule("flow/compute-without-next-incoming-id", "flow.link-credit/unknown-delivery-count")
def pipelined_flow(broker: Broker) -> None:
    """Write begin, attach and flow in one go, the flow without next-incoming-id and delivery-count. Two messages come."""
    address = _filled(broker, 4)
    connection = broker.connect()
    session = LiveSession(connection)
    receiver = session.make_receiver(0)
    attach = receiver.make_attach(address)
    flow = Flow(
        incoming_window=2,
        next_outgoing_id=0,
        outgoing_window=10,
        handle=receiver.handle,
        link_credit=2,
    )
    octets = b"".join(amqp.encode_frame(0, each) for each in (session.make_begin(), attach, flow))
    connection.send_octets(octets, "begin, attach and flow in one piece")
    session.expect_begin()
    receiver.expect_attach(attach)
    for _ in range(2):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule(
    "flow.delivery-count/not-without-handle",
    "flow.link-credit/not-without-handle",
    "flow.available/not-without-handle",
    "flow.drain/not-without-handle",
    "flow.properties/not-without-handle",
)
def flows_of_the_session(broker: Broker) -> None:
    """Ask for the state of the session and look at every flow of the peer. One without handle has no field of a link."""
    session = broker.begin()
    session.flow(echo=True)
    session.learn_flow(broker.queue())
    for flow in (flow for flow in session.flows if flow.handle is None):
        of_links = (flow.delivery_count, flow.link_credit, flow.available, flow.properties)
        want(of_links == (None,) * 4 and not flow.drain, "no field of a link without handle", flow)


# --- echo ---


@amqp1_rule("flow.echo/answer-soon")
def echo(broker: Broker) -> None:
    """Ask for an echo of the session's state. A flow comes."""
    broker.begin().ask_for_flow()


@amqp1_rule("flow.echo/link-state-also-answers")
def echo_with_links(broker: Broker) -> None:
    """Ask for an echo of the session's state that has links. A flow of the session or of a link comes."""
    session = broker.begin()
    receiver = session.receiver(broker.queue())
    flow = _echo(session)
    want(
        flow.handle in (None, receiver.remote and receiver.remote.handle),
        "a flow of the session or link",
        flow,
    )


@amqp1_rule("flow.echo/one-answer-for-many")
def ten_echoes(broker: Broker) -> None:
    """Send ten flows with echo at once. At most ten answers come."""
    session = broker.begin()
    octets = (
        amqp.encode_frame(
            0,
            Flow(
                session.next_incoming_id,
                incoming_window=10,
                next_outgoing_id=0,
                outgoing_window=10,
                echo=True,
            ),
        )
        * 10
    )
    session.connection.send_octets(octets, "ten flows with echo")
    session.connection.listen()
    want(len(session.flows) <= 10, "at most ten flows", len(session.flows))


@amqp1_rule("flow.echo/no-echo-loop")
def echo_of_echo(broker: Broker) -> None:
    """Ask for echoes of a session and of a link. No flow of the peer asks for one in turn."""
    session = broker.begin()
    receiver = session.receiver(broker.queue())
    session.flow(echo=True)
    receiver.give_credit(1, echo=True)
    session.connection.listen()
    for flow in session.flows:
        want(not flow.echo, "no echo asked for", flow)


# --- credit, with the peer as the sender ---


@amqp1_rule("flow/initial-link-state")
def no_credit_at_first(broker: Broker) -> None:
    """Attach as receiver to a queue with messages and give no credit. No transfer comes."""
    broker.begin().receiver(_filled(broker, 2)).expect_none()


@amqp1_rule("flow.link-credit/no-credit-no-message")
def credit_of_three(broker: Broker) -> None:
    """Give a credit of three on a queue of five messages. Three come and no fourth."""
    receiver = broker.begin().receiver(_filled(broker, 5))
    receiver.give_credit(3)
    for _ in range(3):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule("flow.link-credit/credit-formula")
def credit_of_the_past(broker: Broker) -> None:
    """Give a credit of ten with a delivery-count four behind the peer's. Six more messages come."""
    receiver = broker.begin().receiver(_filled(broker, 12))
    receiver.give_credit(4)
    for _ in range(4):
        receiver.receive()
    receiver.give_credit(10, delivery_count=(receiver.delivery_count - 4) & _LAST_NUMBER)
    for _ in range(6):
        receiver.receive()
    receiver.expect_none()


@amqp1_rule("flow/restore-credit")
def restored_credit(broker: Broker) -> None:
    """Give a credit of four, receive two messages, and give four again. Of six more messages four come."""
    session, address = broker.begin(), _filled(broker, 2)
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
    receiver = broker.begin().receiver(_filled(broker, 2))
    start = receiver.delivery_count
    receiver.give_credit(5)
    for _ in range(2):
        receiver.receive()
    flow = _echo(receiver.session, receiver, 3)
    _want_number(flow.delivery_count, start + 2, "delivery-count")
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
    receiver = broker.begin().receiver(_filled(broker, 30))
    receiver.give_credit(30)
    _echo(receiver.session, receiver, 0)
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
    receiver = broker.begin().receiver(_filled(broker, 2))
    start = receiver.delivery_count
    receiver.give_credit(10, drain=True)
    for _ in range(2):
        receiver.receive()
    flow = _drained(receiver)
    _want_number(flow.delivery_count, start + 10, "delivery-count")


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


def _want_number(got: int | None, wanted: int, field: str) -> None:
    """Check a number that goes on with 0 after 4294967295."""
    want(got == wanted & _LAST_NUMBER, f"{wanted & _LAST_NUMBER} as {field}", got)


def _filled(broker: Broker, count: int) -> str:
    """Return the address of a new queue with that many messages, sent over a connection of its own."""
    address = broker.queue()
    sender = broker.begin().sender(address)
    for number in range(count):
        sender.send_accepted(message(b"%d" % number))
    sender.session.connection.close()
    return address


def _echo(session: LiveSession, receiver: Receiver | None = None, credit: int = 0) -> Flow:
    """Return the peer's own view of the session, or of a link to which that credit is given.

    Raises:
        NotTestable: It does not answer an echo; another rule says that it should.
    """
    flows = receiver.flows if receiver else session.flows
    seen = len(flows)
    if receiver:
        receiver.give_credit(credit, echo=True)
    else:
        session.flow(echo=True)
    try:
        session.connection.pump(lambda: len(flows) > seen, "a flow as echo", session.is_end)
    except NoAnswer:
        raise NotTestable("the peer does not tell its state when it is asked for an echo") from None
    return flows[-1]


def _drained(receiver: Receiver) -> Flow:
    """Return the flow in which the peer reports that the credit is used up."""

    def is_drained() -> bool:
        return any(flow.link_credit == 0 for flow in receiver.flows)

    connection = receiver.session.connection
    connection.pump(is_drained, "a flow with a link-credit of zero", receiver.is_end)
    return next(flow for flow in receiver.flows if flow.link_credit == 0)


def _is_answer(frame: Frame) -> bool:
    return frame.performative is not None and frame.performative.NAME in ("disposition", "detach")
