"""Flow: the windows of sessions, and echoes. Sections 2.5.6 and 2.7.4; ``credit`` has what it does for a link."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.performatives import Begin, Flow

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.links import LiveSession, Receiver
from ...engine.registry import amqp1_rule
from ...engine.run_result import NoAnswer, NotTestable

LAST_NUMBER = 0xFFFFFFFF

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
    want_number(after, before + 5, "next-incoming-id")


@amqp1_rule("transfer/decrement-remote-incoming-window", "flow/compute-remote-incoming-window")
def window_of_two(broker: Broker) -> None:
    """Open a window of two transfers and give plenty of credit. Two come; two more with a new window of two."""
    address = filled(broker, 6)
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
    address = filled(broker, 4)
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
    octets = b"".join(amqp.encode_frame(0, frame) for frame in (session.make_begin(), attach, flow))
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
    flow = echoed(session)
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
def echo_ofechoed(broker: Broker) -> None:
    """Ask for echoes of a session and of a link. No flow of the peer asks for one in turn."""
    session = broker.begin()
    receiver = session.receiver(broker.queue())
    session.flow(echo=True)
    receiver.give_credit(1, echo=True)
    session.connection.listen()
    for flow in session.flows:
        want(not flow.echo, "no echo asked for", flow)


def want_number(got: int | None, wanted: int, field: str) -> None:
    """Check a number that goes on with 0 after 4294967295."""
    want(got == wanted & LAST_NUMBER, f"{wanted & LAST_NUMBER} as {field}", got)


def filled(broker: Broker, count: int) -> str:
    """Return the address of a new queue with that many messages, sent over a connection of its own."""
    address = broker.queue()
    sender = broker.begin().sender(address)
    for number in range(count):
        sender.send_accepted(message(b"%d" % number))
    sender.session.connection.close()
    return address


def echoed(session: LiveSession, receiver: Receiver | None = None, credit: int = 0) -> Flow:
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
