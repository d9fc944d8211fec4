"""The class connection, from the protocol header to the login."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import CLIENT_PROPERTIES, LiveConnection
from ...amqp0.frames import ProtocolHeader, describe
from ...engine.registry import rule
from ...engine.run_result import Violation

_REQUIRED_PROPERTIES = ("host", "product", "version", "platform")


@rule({"0-9-1": "connection.start/protocol-name"})
def wrong_protocol_name(broker: Broker) -> None:
    """Send a header with the protocol name XMQP. A valid header comes back, and the socket is closed."""
    connection = broker.dial()
    connection.send_octets(b"XMQP" + broker.amqp.PROTOCOL_HEADER[4:], "protocol header")
    _expect_header_and_end(connection)


@rule({"0-9-1": "connection.start/server-support"})
def version_above_all(broker: Broker) -> None:
    """Send a header with the version 99-0. A header comes back with a version that is not higher and is supported."""
    connection = broker.dial()
    connection.send_octets(b"AMQP\x00\x63\x00\x00", "protocol header")
    header = _expect_header_and_end(connection)
    again = broker.dial()
    if header.octets[4:5] == b"\x00" and header.octets[5:] > b"\x63\x00\x00":
        raise Violation(f"expected a version no higher than 99-0, got {header.octets!r}")
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
    properties = broker.dial().begin().server_properties
    missing = [name for name in names if not properties.get(name)]
    if missing:
        raise Violation(f"expected {', '.join(names)}, got none of the name {', '.join(missing)}")


@rule({"0-9-1": "connection.start.locales/required-support", "0-8": "connection.start.locales/01"})
def locales(broker: Broker) -> None:
    """Connect. The locales in connection.start, separated by blanks, include en_US."""
    start = broker.dial().begin()
    if b"en_US" not in start.locales.split():
        raise Violation(f"expected en_US among the locales, got {start.locales!r}")


@rule(
    {"0-9-1": "connection.start-ok.mechanism/validity", "0-8": "connection.start-ok.mechanism/02"}, slow=True
)
def made_up_mechanism(broker: Broker) -> None:
    """Answer connection.start with a mechanism that it did not name. The socket is closed without connection.close.

    The client properties have no capabilities, which could ask for a connection.close.
    """
    connection = broker.dial()
    connection.begin()
    connection.control.send(
        connection.start_ok(mechanism="NO-SUCH-MECHANISM", client_properties=dict(CLIENT_PROPERTIES))
    )
    for item in connection.expect_end():
        raise Violation(f"expected the end of the socket and nothing else, got {describe(item)}")


@rule({"0-9-1": "connection.tune.frame-max/minimum", "0-8": "connection.tune.frame-max/01"})
def largest_frame_before_tuning(broker: Broker) -> None:
    """Answer connection.start with so many client properties that the frame has frame-min-size octets, 4096.

    The login goes on with connection.tune.
    """
    connection = broker.dial()
    connection.begin()
    size = broker.amqp.constants.FRAME_MIN_SIZE
    properties = {**CLIENT_PROPERTIES, "filling": ""}
    rest = size - len(broker.amqp.encode_frame(0, connection.start_ok(client_properties=properties)))
    connection.log_in(client_properties={**properties, "filling": "x" * rest})


def _expect_header_and_end(connection: LiveConnection) -> ProtocolHeader:
    """Expect the server's own protocol header, then the end of the socket."""
    items = connection.expect_end()
    headers = [item for item in items if isinstance(item, ProtocolHeader)]
    if len(headers) != 1 or len(items) != 1:
        came = ", ".join(map(describe, items)) or "nothing"
        raise Violation(f"expected a protocol header and the end of the socket, got {came}")
    return headers[0]
