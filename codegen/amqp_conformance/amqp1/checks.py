"""What drivers expect of a peer, and how they make it end a connection, a session or a link on account of an error."""

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
    """Checks something.

    Raises:
        Violation: It is not so: ``expected ..., got ...``.
    """
    if not fulfilled:
        shown = text_of(got) if isinstance(got, DescribedType) else got
        raise Violation(f"expected {expected}, got {shown}")


def expect_error(connection: LiveConnection, *conditions: str) -> Error:
    """The error in the next detach, end or close, whichever the peer chooses; answering is left to others.

    Args:
        connection: Where.
        conditions: What it may be; none given: any.

    Raises:
        Violation: There is no error in it, or another one; or none comes.
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
    """A message that is nothing but a body of one data section."""
    return amqp.Message(body=Data(octets))


_BAD_OFFSET = b"\x00\x00\x00\x08\x01\x00\x00\x00"
_UNKNOWN = make_frame(make_performative(0x0F))
_NO_SUCH_HANDLE = 99


def provoke_close(broker: Broker, then: bytes = b"") -> tuple[LiveConnection, Close]:
    """A connection that the peer has closed with an error; its close is not answered.

    Args:
        broker: The peer.
        then: What to send right behind the error.

    Raises:
        NotTestable: It closes none for what should be an error.
    """
    for octets, what in (
        (_BAD_OFFSET, "a frame with DOFF 1"),
        (_UNKNOWN, "a performative with the descriptor 0x0f"),
    ):
        connection = broker.connect()
        connection.send_octets(octets + then, what)
        with suppress(NoAnswer, Disconnected):
            return connection, connection.expect(Close)
    raise NotTestable("the peer does not close a connection on account of a malformed frame")


def provoke_end(broker: Broker, then: bytes = b"") -> tuple[LiveSession, End]:
    """A session that the peer has ended with an error; its end is not answered.

    Args:
        broker: The peer.
        then: What to send right behind the error.

    Raises:
        NotTestable: It closes the connection instead, or takes no notice.
    """
    session = broker.begin()
    flow = amqp.encode_frame(session.channel, Flow(0, 10, 0, 10, _NO_SUCH_HANDLE, 0, 1))
    session.connection.send_octets(flow + then, "a flow for a handle that was never attached")

    def ends(frame: Frame) -> bool:
        return isinstance(frame.performative, (End, Close))

    with suppress(NoAnswer, Disconnected):
        frame = session.connection.wait(ends, "end")
        if isinstance(frame.performative, End):
            return session, frame.performative
    raise NotTestable("the peer does not end a session on account of a handle that was never attached")


def provoke_detach(broker: Broker) -> Sender:
    """A link that the peer has detached with an error; its detach is not answered.

    Raises:
        NotTestable: It ends more than the link, or takes no notice.
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
