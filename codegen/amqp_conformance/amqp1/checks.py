"""What drivers expect of a peer, and how they provoke errors of a connection, a session or a link."""

from __future__ import annotations

from contextlib import suppress

import amqp_1_0 as amqp
from amqp_1_0.described import DescribedType
from amqp_1_0.messaging import Data
from amqp_1_0.performatives import Close, Detach, End, Error, Flow

from ..engine.run_result import Disconnected, NoAnswer, NotTestable, Violation
from .broker import Broker
from .connection import LiveConnection, check_error
from .frames import Frame, make_frame, make_performative, text_of
from .links import LiveSession, Sender


def want(fulfilled: bool, expected: str, got: object) -> None:
    """Check that something is fulfilled.

    Raises:
        Violation: It is not: ``expected ..., got ...``.
    """
    if not fulfilled:
        shown = text_of(got) if isinstance(got, DescribedType) else got
        raise Violation(f"expected {expected}, got {shown}")


def expect_error(connection: LiveConnection, *conditions: str) -> Error:
    """Return the error in the next detach, end or close, whichever the peer chooses; the caller answers it.

    Raises:
        Violation: None comes, it has no error, or an error other than ``conditions`` (none given: any).
    """

    def ends(frame: Frame) -> bool:
        return isinstance(frame.performative, (Detach, End, Close))

    performative = connection.wait(ends, "an error in detach, end or close").performative
    check_error(performative.error, performative.NAME, conditions)
    error: Error | None = performative.error
    if error is None:
        raise Violation(f"expected an error, got {performative.NAME} without one")
    return error


def message(octets: bytes) -> amqp.Message:
    """Return a message whose body is one data section."""
    return amqp.Message(body=Data(octets))


_BAD_OFFSET_FRAME = b"\x00\x00\x00\x08\x01\x00\x00\x00"
_UNKNOWN_PERFORMATIVE = make_frame(make_performative(0x0F))
_NO_SUCH_HANDLE = 99


def provoke_close(broker: Broker, then: bytes = b"") -> tuple[LiveConnection, Close]:
    """Return a connection that the peer has closed with an error; its close is not answered.

    ``then`` is sent right behind the faulty frame.

    Raises:
        NotTestable: The peer does not close the connection for any of the faults.
    """
    for octets, what in (
        (_BAD_OFFSET_FRAME, "a frame with DOFF 1"),
        (_UNKNOWN_PERFORMATIVE, "a performative with the descriptor 0x0f"),
    ):
        connection = broker.connect()
        connection.send_octets(octets + then, what)
        with broker.set_up(), suppress(NoAnswer, Disconnected):
            return connection, connection.expect(Close)
    raise NotTestable("the peer does not close a connection on account of a malformed frame")


def provoke_end(broker: Broker, then: bytes = b"") -> tuple[LiveSession, End]:
    """Return a session that the peer has ended with an error; its end is not answered.

    ``then`` is sent right behind the faulty frame.

    Raises:
        NotTestable: The peer closes the connection instead, or ignores the fault.
    """
    session = broker.begin()
    flow = amqp.encode_frame(
        session.channel,
        Flow(
            0,
            incoming_window=10,
            next_outgoing_id=0,
            outgoing_window=10,
            handle=_NO_SUCH_HANDLE,
            delivery_count=0,
            link_credit=1,
        ),
    )
    session.connection.send_octets(flow + then, "a flow for a handle that was never attached")

    def ends(frame: Frame) -> bool:
        return isinstance(frame.performative, (End, Close))

    with broker.set_up(), suppress(NoAnswer, Disconnected):
        frame = session.connection.wait(ends, "end")
        if isinstance(frame.performative, End):
            return session, frame.performative
    raise NotTestable("the peer does not end a session on account of a handle that was never attached")


def provoke_detach(broker: Broker) -> Sender:
    """Return a link that the peer has detached with an error; its detach is not answered.

    Raises:
        NotTestable: The peer ends more than the link, or ignores the fault.
    """
    session = broker.begin()
    sender = session.make_sender(0)
    attach = sender.make_attach(broker.missing_node())
    session.send(attach)
    with suppress(Violation):
        sender.expect_attach(attach)
        if sender.expect_detach().error is not None:
            return sender
    raise NotTestable(
        "the peer does not detach a link with an error when it is attached to what does not exist"
    )
