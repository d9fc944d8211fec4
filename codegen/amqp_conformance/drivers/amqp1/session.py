"""Begin and end: sessions, their channels, and how they end. Sections 2.5 and 2.7.2."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.performatives import Detach, End, Transfer

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, message, provoke_end, want
from ...amqp1.links import LiveSession, Sender
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable

_FRAMING_ERROR = "amqp:connection:framing-error"
_UNATTACHED = "amqp:session:unattached-handle"
_NO_SUCH_HANDLE = 99


@amqp1_rule("begin/several-sessions")
def several_sessions(broker: Broker) -> None:
    """Begin two sessions on a connection and send a message over each. Both messages are accepted."""
    connection = broker.connect()
    sessions = [LiveSession(connection, channel) for channel in (0, 1)]
    for session in sessions:
        session.begin()
    with broker.trial():
        for session in sessions:
            session.sender(broker.queue()).send_accepted(message(b"a message"))


@amqp1_rule("begin/lowest-free-channel")
def lowest_free_channel(broker: Broker) -> None:
    """Begin three sessions, end the second and begin another. The peer uses its channels 0, 1, 2 and then 1."""
    connection = broker.connect()
    sessions = [LiveSession(connection, channel) for channel in (0, 1, 2)]
    for session in sessions:
        session.begin()
    sessions[1].end()
    last = LiveSession(connection, 3)
    last.begin()
    channels = [session.remote_channel for session in (*sessions, last)]
    want(channels == [0, 1, 2, 1], "the channels 0, 1, 2 and 1", channels)


@amqp1_rule("begin/send-and-receive")
def both_directions(broker: Broker) -> None:
    """Begin a session with a sender and a receiver. A message goes one way and comes back the other."""
    session, address = broker.begin(), broker.queue()
    with broker.trial():
        sender, receiver = session.sender(address), session.receiver(address)
        sender.send_accepted(message(b"there and back"))
    octets = receiver.fetch().data()
    want(octets == b"there and back", "the message that was sent", octets)


@amqp1_rule("begin.next-outgoing-id/arbitrary-start", "transfer/implicit-transfer-id")
def highest_transfer_id(broker: Broker) -> None:
    """Begin with 4294967294 and send three messages, then wait for a flow. Its next-incoming-id is 1."""
    session = LiveSession(broker.connect(), next_outgoing_id=0xFFFFFFFE)
    session.begin()
    with broker.trial():
        sender = session.sender(broker.queue())
        for _ in range(3):
            sender.send_accepted(message(b"a message"))
    flow = session.learn_flow(broker.queue())
    want(flow.next_incoming_id == 1, "1 as next-incoming-id", flow.next_incoming_id)


@amqp1_rule("begin.handle-max/within-range")
def handles_within_range(broker: Broker) -> None:
    """Begin with a handle-max of 0 and attach. The peer attaches with the handle 0, or refuses the link."""
    session = broker.begin(handle_max=0)
    with broker.trial():
        sender = session.sender(broker.queue())
    handle = sender.remote.handle if sender.remote else None
    want(handle == 0, "the handle 0", handle)


@amqp1_rule("begin.handle-max/outside-range")
def handle_outside_range(broker: Broker) -> None:
    """Attach with the handle one above the peer's handle-max. It closes with framing-error."""
    session = broker.begin()
    highest = session.remote.handle_max if session.remote else 0
    if highest == 0xFFFFFFFF:
        raise NotTestable("the peer takes all handles there are")
    sender = Sender(session, highest + 1)
    session.send(sender.make_attach(broker.queue()))
    session.connection.expect_close(_FRAMING_ERROR)


@amqp1_rule("end/explicit-end")
def end_is_answered(broker: Broker) -> None:
    """End a session. The peer ends it, too, on its channel of the session."""
    session = broker.begin()
    end = session.end()
    want(end.error is None, "end without error", end)


@amqp1_rule("end/end-on-error")
def transfer_without_link(broker: Broker) -> None:
    """Send a transfer with a handle never attached. The session ends with an error."""
    session = broker.begin()
    session.send(Transfer(_NO_SUCH_HANDLE, 0, b"0", 0), message(b"lost").encode())
    end = session.expect_end()
    want(end.error is not None, "an error in end", "none")


@amqp1_rule("session-error.unattached-handle/no-such-handle")
def frames_without_link(broker: Broker) -> None:
    """Send a transfer, and on another session a detach, with a handle never attached. Both end with unattached-handle."""
    connection = broker.connect()
    session, other = LiveSession(connection, 0), LiveSession(connection, 1)
    session.begin()
    session.send(Transfer(_NO_SUCH_HANDLE, 0, b"0", 0), message(b"lost").encode())
    session.expect_end(_UNATTACHED)
    other.begin()
    other.send(Detach(_NO_SUCH_HANDLE, True))
    other.expect_end(_UNATTACHED)


@amqp1_rule("flow.handle/unattached-handle")
def flow_without_link(broker: Broker) -> None:
    """Send flow with a handle never attached. The session ends with unattached-handle."""
    session = broker.begin()
    session.flow(handle=_NO_SUCH_HANDLE, delivery_count=0, link_credit=1)
    session.expect_end(_UNATTACHED)


@amqp1_rule("end.error/details")
def end_says_why(broker: Broker) -> None:
    """Cause a session error. The end that comes has an error with a description."""
    _, end = provoke_end(broker)
    want(end.error is not None and bool(end.error.description), "an error with a description", end)


@amqp1_rule("end/discard-silently", "end/discard-until-end")
def discard_after_end(broker: Broker) -> None:
    """Cause a session error and go on with attach and flow before ending. Nothing comes back for them."""
    session, _ = provoke_end(broker)
    session.send(session.make_sender(1).make_attach(broker.queue()))
    session.flow(echo=True)
    session.connection.expect_silence()
    session.send(End())
    session.connection.expect_silence()


@amqp1_rule("end/receive-after-end")
def transfers_after_end(broker: Broker) -> None:
    """Ask for a hundred messages and end the session at once. What comes before the peer's end is not an error."""
    address = broker.queue()
    session = broker.begin()
    sender = session.sender(address)
    for number in range(20):
        sender.send_accepted(message(b"%d" % number))
    receiver = session.receiver(address)
    receiver.give_credit(20)
    session.send(End())
    session.expect_end()
    late = [frame for frame in session.connection.listen() if frame.channel == session.remote_channel]
    want(not late, "nothing after end", late[0] if late else "")


@amqp1_rule("end/send-after-remote-end")
def send_after_remote_end(broker: Broker) -> None:
    """Make the peer end the session, send a flow and then our end. The connection still works."""
    session, _ = provoke_end(broker)
    session.flow()
    session.send(End())
    LiveSession(session.connection, 1).begin()


@amqp1_rule("end/simultaneous-end")
def crossing_end(broker: Broker) -> None:
    """Send a faulty frame and end at once. One end comes, and the channel can be used again."""
    session, _ = provoke_end(broker, amqp.encode_frame(0, End()))
    session.connection.expect_silence()
    LiveSession(session.connection, session.channel).begin()


@amqp1_rule("session-error.window-violation/overrun")
def window_violation(broker: Broker) -> None:
    """Send one transfer more than the peer's incoming-window takes. The session ends with window-violation."""
    session = broker.begin()
    window = session.remote.incoming_window if session.remote else 0
    if window > 1000:
        raise NotTestable(f"the peer takes {window} transfers, and takes more before they are used up")
    sender = session.sender(broker.queue())
    sender.wait_for_credit()
    transfer = sender.next_transfer(more=True)
    for _ in range(window + 1):
        session.send(transfer, b"")
    expect_error(session.connection, "amqp:session:window-violation")


@amqp1_rule("transport/implement-part-2")
def all_performatives(broker: Broker) -> None:
    """Use all nine performatives in one conversation. Each has its effect."""
    session, address = broker.begin(), broker.queue()
    with broker.trial():
        sender, receiver = session.sender(address), session.receiver(address)
        sender.send_accepted(message(b"a message"))
        receiver.settle(receiver.fetch())
        for link in (sender, receiver):
            link.detach()
        session.end()
        session.connection.close()
    names = {frame.performative.NAME for frame in session.connection.frames if frame.performative}
    want(
        {"open", "begin", "attach", "transfer", "disposition", "detach", "end", "close"} <= names,
        "all of them",
        names,
    )
