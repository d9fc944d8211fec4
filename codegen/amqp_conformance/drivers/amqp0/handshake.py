"""The class connection, from the protocol header to the login and the limits that connection.tune-ok agrees on."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import CLIENT_PROPERTIES, MECHANISMS, LiveConnection
from ...amqp0.frames import HeaderAnswer, describe, frame_text
from ...engine.registry import rule
from ...engine.run_result import Disconnected, NoAnswer, NotTestable, Violation

# What the header of AMQP 1.0 ends with, behind its protocol id: major, minor, revision.
_VERSION_1_0 = b"\x01\x00\x00"
_MOMENT_SECONDS = 0.3
_REQUIRED_PROPERTIES = ("host", "product", "version", "platform")


@rule({"0-9-1": "connection.start/protocol-name"})
def wrong_protocol_name(broker: Broker) -> None:
    """Send a header with the protocol name XMQP. A valid header comes back, and the socket is closed."""
    connection = broker.dial()
    connection.send_octets(b"XMQP" + broker.amqp.PROTOCOL_HEADER[4:], "protocol header")
    _expect_header_and_end(connection)


@rule({"0-9-1": "connection.start/server-support"})
def version_above_all(broker: Broker) -> None:
    """Send a header with the version 99-0. A header comes back with a version that is not higher and is supported.

    The server begins with connection.start when it gets that header, or, if it is that of AMQP 1.0, with the same header.
    """
    connection = broker.dial()
    connection.send_octets(b"AMQP\x00\x63\x00\x00", "protocol header")
    header = _expect_header_and_end(connection)
    again = broker.dial()
    if header.octets[4:5] == b"\x00" and header.octets[5:] > b"\x63\x00\x00":
        raise Violation(f"expected a version no higher than 99-0, got {header.octets!r}")
    if header.octets[5:] == _VERSION_1_0:
        _expect_same_header(again, header)
    else:
        again.begin(header.octets)


@rule({"0-8": "connection.start/02"})
def version_no_higher(broker: Broker) -> None:
    """Connect with the header of 0-8: the version in connection.start is not higher.

    Connect with a protocol name that no server knows: the socket is closed and no connection.start comes.
    """
    start = broker.dial().begin()
    if (start.version_major, start.version_minor) > (8, 0):
        raise Violation(f"expected 8-0 at most, got {start.version_major}-{start.version_minor}")
    connection = broker.dial()
    connection.send_octets(b"XMQP" + broker.amqp.PROTOCOL_HEADER[4:], "protocol header")
    for item in connection.expect_end():
        if isinstance(item, broker.amqp.methods.ConnectionStart):
            raise Violation("expected that the socket is closed, got connection.start")


@rule({"0-9-1": "connection.start.server-properties/required-fields"})
def server_properties(broker: Broker) -> None:
    """Connect. The server properties in connection.start have host, product, version and platform."""
    _expect_properties(broker, _REQUIRED_PROPERTIES)


@rule({"0-8": "peer-properties/01"})
def peer_properties(broker: Broker) -> None:
    """Connect. The server properties in connection.start have product, version and platform.

    Copyright and information are optional, so they are not checked.
    """
    _expect_properties(broker, ("product", "version", "platform"))


def _expect_properties(broker: Broker, names: tuple[str, ...]) -> None:
    properties = _before_start_ok(broker).start.server_properties
    missing = [name for name in names if not properties.get(name)]
    if missing:
        raise Violation(f"expected {', '.join(names)}, got none of the name {', '.join(missing)}")


@rule({"0-9-1": "connection.start.locales/required-support", "0-8": "connection.start.locales/01"})
def locales(broker: Broker) -> None:
    """Connect. The locales in connection.start, separated by blanks, include en_US."""
    start = _before_start_ok(broker).start
    if b"en_US" not in start.locales.split():
        raise Violation(f"expected en_US among the locales, got {start.locales!r}")


@rule(
    {"0-9-1": "connection.start-ok.mechanism/validity", "0-8": "connection.start-ok.mechanism/02"}, slow=True
)
def made_up_mechanism(broker: Broker) -> None:
    """Answer connection.start with a mechanism that it did not name. The socket is closed without connection.close.

    The mechanism is made up; then PLAIN and AMQPLAIN with our password follow, each if the server does not offer it. The
    client properties have no capabilities, which could ask for a connection.close.
    """
    first = _before_start_ok(broker)
    offered = first.start.mechanisms.split()
    _expect_refused_mechanism(first, "NO-SUCH-MECHANISM")
    for mechanism in MECHANISMS:
        if mechanism.encode() not in offered:
            _expect_refused_mechanism(_before_start_ok(broker), mechanism)


def _expect_refused_mechanism(connection: LiveConnection, mechanism: str) -> None:
    connection.control.send(
        connection.start_ok(mechanism=mechanism, client_properties=dict(CLIENT_PROPERTIES))
    )
    try:
        item = connection.take(0)
    except Disconnected:
        return
    except NoAnswer:
        raise NoAnswer("expected that the broker closes the socket, but it stays open") from None
    raise Violation(f"expected that {mechanism}, which is not offered, ends the socket, got {describe(item)}")


@rule({"0-9-1": "connection.tune.frame-max/minimum", "0-8": "connection.tune.frame-max/01"})
def largest_frame_before_tuning(broker: Broker) -> None:
    """Answer connection.start with so many client properties that the frame has frame-min-size octets, 4096.

    The login goes on with connection.tune.
    """
    connection = _before_start_ok(broker)
    size = broker.amqp.constants.FRAME_MIN_SIZE
    properties = {**CLIENT_PROPERTIES, "filling": ""}
    rest = size - len(broker.amqp.encode_frame(0, connection.start_ok(client_properties=properties)))
    connection.log_in(client_properties={**properties, "filling": "x" * rest})


def _expect_header_and_end(connection: LiveConnection) -> HeaderAnswer:
    """Expect the server's own protocol header, then the end of the socket."""
    items = connection.expect_end()
    headers = [item for item in items if isinstance(item, HeaderAnswer)]
    if len(headers) != 1 or len(items) != 1:
        came = ", ".join(map(describe, items)) or "nothing"
        raise Violation(f"expected a protocol header and the end of the socket, got {came}")
    return headers[0]


def _expect_same_header(connection: LiveConnection, header: HeaderAnswer) -> None:
    """Send a header of AMQP 1.0; expect it back, and that the server does not close the socket behind it."""
    connection.send_octets(header.octets, "protocol header", frame_text(header))
    expected = f"expected {frame_text(header)} and a socket that stays open"
    with connection.expecting(f"the protocol header {frame_text(header)}"):
        answer = connection.take(0)
    if answer != header:
        raise Violation(f"{expected}, got {describe(answer)}")
    try:
        connection.take(0, _MOMENT_SECONDS)
    except Disconnected:
        raise Violation(f"{expected}, but the broker closed the socket") from None
    except Violation:  # nothing comes, or what is not a frame of 0-x
        return


@rule({"0-9-1": "connection.tune-ok.channel-max/upper-limit"}, slow=True)
def channel_max_above_the_offer(broker: Broker) -> None:
    """Answer connection.tune with a channel-max one above the proposed one. The server drops the connection."""
    _ask_for_more(broker, "channel_max", 0xFFFF)


@rule({"0-9-1": "connection.tune-ok.frame-max/upper-limit"}, slow=True)
def frame_max_above_the_offer(broker: Broker) -> None:
    """Answer connection.tune with a frame-max one above the proposed one. The server drops the connection."""
    _ask_for_more(broker, "frame_max", 0xFFFFFFFF)


@rule({"0-9-1": "connection.tune-ok.frame-max/minimum", "0-8": "connection.tune-ok.frame-max/01"}, slow=True)
def smallest_frame_max(broker: Broker) -> None:
    """Agree on a frame-max of 4096 and send a message in frames of just that size; it comes back in such frames.

    Ask for 4095 on another connection: the server does not agree to it.
    """
    size = broker.amqp.constants.FRAME_MIN_SIZE
    with broker.trial():
        connection = broker.connect(frame_max=size)
    channel = connection.open_channel()
    queue = channel.declare_queue()
    body = b"x" * (2 * size)
    channel.publish(queue, body)
    if channel.fetch(queue).body != body:
        raise Violation("expected the message as it was sent, got another body")
    _expect_drop(broker, _before_tune_ok(broker), frame_max=size - 1)


def _ask_for_more(broker: Broker, limit: str, largest: int) -> None:
    """Answer connection.tune with a limit one above the proposed one; ``largest`` is what the field can hold."""
    connection = _before_tune_ok(broker)
    offer = getattr(connection.tune, limit)
    if offer in (0, largest):  # 0 means no limit
        raise NotTestable(f"the broker proposes a {limit} of {offer}, and no limit is above that")
    _expect_drop(broker, connection, **{limit: offer + 1})


def _before_start_ok(broker: Broker) -> LiveConnection:
    """Return a connection on which connection.start-ok is due."""
    connection = broker.dial()
    with broker.set_up():
        connection.begin()
    return connection


def _before_tune_ok(broker: Broker) -> LiveConnection:
    """Return a connection on which connection.tune-ok is due."""
    connection = _before_start_ok(broker)
    with broker.set_up():
        connection.log_in()
    return connection


def _expect_drop(broker: Broker, connection: LiveConnection, **tuning: int) -> None:
    """Tune and go on as if that had succeeded; expect the end of the socket, perhaps after a close."""
    methods = broker.amqp.methods
    connection.tune_ok(**tuning)
    connection.control.send(methods.ConnectionOpen(virtual_host=broker.target.virtual_host))
    for item in connection.expect_end():
        if not isinstance(item, methods.ConnectionClose):
            raise Violation(f"expected the end of the connection, got {describe(item)}")
