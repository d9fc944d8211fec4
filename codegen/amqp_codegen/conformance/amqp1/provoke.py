"""Makes a peer end a connection, a session or a link on account of an error, by what peers are known to take for one."""

from __future__ import annotations

from contextlib import suppress

import amqp_1_0 as amqp
from amqp_1_0.performatives import Close, End, Flow

from ..outcome import Disconnected, NoAnswer, NotTestable, Violation
from .broker import Broker
from .connection import Connection, Frame
from .links import Sender
from .octets import make_frame, make_performative
from .session import Session

_BAD_OFFSET = b"\x00\x00\x00\x08\x01\x00\x00\x00"
_UNKNOWN = make_frame(make_performative(0x0F))
_NO_SUCH_HANDLE = 99


def provoke_close(broker: Broker, then: bytes = b"") -> tuple[Connection, Close]:
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


def provoke_end(broker: Broker, then: bytes = b"") -> tuple[Session, End]:
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
