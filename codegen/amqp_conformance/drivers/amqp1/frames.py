"""Frames of AMQP itself: their header, their body, empty ones. Sections 2.3 and 2.4.5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.described import DescribedType
from amqp_1_0.performatives import Attach, Begin, Close, Flow, Open, Transfer

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, message, want
from ...amqp1.connection import LiveConnection
from ...amqp1.frames import make_frame, make_performative, value, with_extended_header, with_size
from ...amqp1.links import LiveSession
from ...engine.registry import amqp1_rule
from ...engine.run_result import Disconnected


@amqp1_rule(
    "transport/frame-size-field", "transport/data-follows-header-version", "transport/negotiate-then-frames"
)
def whole_stream(broker: Broker) -> None:
    """Run a connection from its header to its close, with a message each way. All octets that come are valid frames."""
    with broker.trial():
        session = broker.begin()
        address = broker.queue()
        session.sender(address).send_accepted(message(b"a message"))
        receiver = session.receiver(address)
        receiver.settle(receiver.fetch())
    session.end()
    session.connection.send(Close())
    session.connection.expect(Close)
    session.connection.expect_silence()


@amqp1_rule("transport/frame-size-minimum", "connection-error.framing-error/bad-frame-header")
def frame_size_minimum(broker: Broker) -> None:
    """Send frames with a SIZE of 0, 4 and 7, each on a connection of its own. Each ends; a close has framing-error."""
    for size in (0, 4, 7):
        connection = broker.connect()
        connection.send_octets(with_size(make_frame(b""), size), f"a frame with a SIZE of {size}")
        close = connection.expect_refusal()
        if close is not None:
            condition = close.error.condition if close.error else None
            want(condition == "amqp:connection:framing-error", "amqp:connection:framing-error", condition)


@amqp1_rule("transport/frame-data-offset-minimum")
def data_offset_out_of_range(broker: Broker) -> None:
    """Send a begin with DOFF 1, and one with a DOFF past its end, each on a connection of its own. Each ends."""
    for offset in (1, 255):
        connection = broker.connect()
        frame = _begin(connection)
        connection.send_octets(frame[:4] + bytes([offset]) + frame[5:], f"begin with DOFF {offset}")
        connection.expect_refusal()


@amqp1_rule("transport/frame-data-offset", "performatives/extended-header-ignored")
def extended_header(broker: Broker) -> None:
    """Send begin with DOFF 3 and four extra octets before its body. It is understood."""
    connection = broker.connect()
    session = LiveSession(connection)
    frame = with_extended_header(_begin(connection), b"\xfe\xdc\xba\x98")
    connection.send_octets(frame, "begin with an extended header")
    session.expect_begin()


@amqp1_rule("transport/frame-type-octet")
def frame_types(broker: Broker) -> None:
    """Log in, open and begin. Frames have the TYPE 1 up to sasl-outcome and 0 from then on."""
    session = broker.begin()
    for frame in session.connection.frames:
        wanted = 1 if frame.performative.NAME.startswith("sasl-") else 0
        want(frame.type == wanted, f"TYPE {wanted} in {frame.performative.NAME}", frame.type)


@amqp1_rule(
    "performatives/channel-octets", "begin.remote-channel/set-when-answering", "encodings/network-byte-order"
)
def channel_octets(broker: Broker) -> None:
    """Begin sessions on the channels 1 and 258, or the highest below. The answers have these numbers as remote-channel."""
    connection = broker.connect()
    for channel in dict.fromkeys((1, min(258, connection.highest_channel))):
        LiveSession(connection, channel).begin()


@amqp1_rule("performatives/channels-per-direction")
def channels_per_direction(broker: Broker) -> None:
    """Begin a session on channel 5 and attach a link. The answers come on the channel on which the peer's begin came."""
    session = LiveSession(broker.connect(), 5)
    session.begin()
    with broker.trial():
        session.sender(broker.queue()).send_accepted(message(b"a message"))
    session.end()


@amqp1_rule("performatives/known-performative")
def unknown_performative(broker: Broker) -> None:
    """Send a list with an unknown descriptor as performative. The peer reports an error."""
    session = broker.begin()
    session.connection.send_octets(
        make_frame(make_performative(0x0F)), "a performative with the descriptor 0x0f"
    )
    expect_error(session.connection)


@amqp1_rule(
    "performatives/performative-encoding",
    "types/composite-is-described-list",
    "types/numeric-descriptor-layout",
)
def performative_encoding(broker: Broker) -> None:
    """Look at the octets of all frames of a session. Each body begins with a descriptor of domain 0, and a list."""
    session = broker.begin()
    session.sender(broker.queue()).send_accepted(message(b"a message"))
    session.end()
    for frame in session.connection.frames:
        body = frame.octets[4 * frame.octets[4] :]
        want(body[0] == 0, "a described value", body[:8].hex(" "))
        descriptor, position = amqp.decode(body, 1)
        fields, _ = amqp.decode(body, position)
        want(isinstance(fields, list), "a list under the descriptor", fields)
        want(
            isinstance(descriptor, str) or (isinstance(descriptor, int) and descriptor >> 32 == 0),
            "a symbol, or a number of domain 0",
            descriptor,
        )


@amqp1_rule("types/domain-zero-reserved")
def descriptors_of_domain_zero(broker: Broker) -> None:
    """Look at all descriptors in the frames of a session. Those of domain 0 are all in the standard."""
    session, address = broker.begin(), broker.queue()
    session.sender(address).send_accepted(message(b"a message"))
    session.receiver(address)
    for frame in session.connection.frames:
        body, _ = amqp.decode(frame.octets, 4 * frame.octets[4])
        for descriptor in _unknown_descriptors(body):
            want(
                not isinstance(descriptor, int) or descriptor >> 32 != 0,
                "a descriptor of the standard",
                descriptor,
            )


@amqp1_rule("performatives/payload-is-the-rest")
def payload(broker: Broker) -> None:
    """Send a transfer with a payload of a known length and fetch it. The same message comes back."""
    session, address = broker.begin(), broker.queue()
    session.sender(address).send_accepted(message(b"0123456789"))
    octets = session.receiver(address).fetch().data()
    want(octets == b"0123456789", "the ten octets that were sent", octets)


@amqp1_rule("performatives/empty-frame-accepted")
def empty_frames_accepted(broker: Broker) -> None:
    """Send empty frames on a channel with a session and on two without. Nothing happens."""
    session = broker.begin()
    for channel in (0, 1, 7):
        if channel <= session.connection.highest_channel:
            session.connection.send(None, channel)
    session.connection.expect_silence()
    session.end()


@amqp1_rule("performatives/empty-frame-without-meaning")
def empty_frames_within_a_delivery(broker: Broker) -> None:
    """Send a message in two transfers with an empty frame in between. It arrives whole."""
    session, address = broker.begin(), broker.queue()
    sender = session.sender(address)
    sender.wait_for_credit()
    octets = message(b"0123456789").encode()
    session.send(sender.next_transfer(more=True), octets[:9])
    session.connection.send(None)
    session.send(Transfer(sender.handle), octets[9:])
    received = session.receiver(address).fetch().data()
    want(received == b"0123456789", "the message that was sent", received)


@amqp1_rule("performatives/empty-frame-after-open")
def empty_frame_before_open(broker: Broker) -> None:
    """Send an empty frame between the protocol header and open. The connection ends."""
    connection = broker.before_open()
    connection.send(None)
    connection.send(broker.make_open())
    with suppress(Disconnected):
        frame = connection.wait(lambda frame: isinstance(frame.performative, (Open, Close)), "the end")
        want(isinstance(frame.performative, Close), "the end of the connection", frame)


@amqp1_rule(
    "performatives/empty-frame-when-idle",
    "performatives/empty-frame-as-traffic",
    "performatives/empty-frame-channel-zero",
    "performatives/flow-instead-of-empty-frame",
    slow=True,
)
def signs_of_life(broker: Broker) -> None:
    """Open with an idle-time-out of a second and send nothing. Frames keep coming: empty ones on channel 0, or flows."""
    connection = broker.connect(idle_time_out=1000)
    for _ in range(2):
        frame = connection.receive("a frame as sign of life", 3.0)
        want(
            frame.performative is None or isinstance(frame.performative, Flow),
            "an empty frame or flow",
            frame,
        )
        if frame.performative is None:
            want(frame.channel == 0, "an empty frame on channel 0", f"one on channel {frame.channel}")
            want(
                len(frame.octets) == 4 * frame.octets[4],
                "a frame that ends with its header",
                frame.octets.hex(" "),
            )


@amqp1_rule("performatives/empty-frame-after-close", slow=True)
def empty_frames_after_close(broker: Broker) -> None:
    """Open with an idle-time-out of a second, close and go on reading. Nothing follows the peer's close."""
    connection = broker.connect(idle_time_out=1000)
    connection.send(Close())
    connection.expect(Close)
    connection.expect_silence(2.5)


@amqp1_rule("performatives/empty-frame-before-negotiation", slow=True)
def quiet_before_open(broker: Broker) -> None:
    """Delay open for a moment. An empty frame that the peer sends meanwhile is on channel 0."""
    connection = broker.before_open()
    connection.listen(1.0)
    for frame in connection.frames:
        if frame.performative is None:
            want(frame.channel == 0, "empty frames on channel 0", f"one on channel {frame.channel}")


@amqp1_rule("amqp-error.decode-error/undecodable-data")
def undecodable_performative(broker: Broker) -> None:
    """Send an attach that is not a list but a number. The error that comes is decode-error."""
    session = broker.begin()
    body = b"\x00\x53" + bytes([Attach.CODE or 0]) + value(amqp.types.UInt(5))
    session.connection.send_octets(make_frame(body), "attach with a number instead of its list")
    expect_error(session.connection, "amqp:decode-error")


def _unknown_descriptors(value: Any) -> Iterator[Any]:
    """Yield the descriptors, in a value and in all that is in it, of types that the standard does not have."""
    items: Iterable[Any] = ()
    if isinstance(value, amqp.Described):
        yield value.descriptor
        items = (value.value,)
    elif isinstance(value, DescribedType):
        items = (getattr(value, field.attribute) for field in value.FIELDS)
    elif isinstance(value, list):
        items = value
    elif isinstance(value, dict):
        items = (*value, *value.values())
    for item in items:
        yield from _unknown_descriptors(item)


def _begin(connection: LiveConnection) -> bytes:
    """Return the octets of a begin on channel 0."""
    begin: Begin = LiveSession(connection).make_begin()
    return amqp.encode_frame(0, begin)
