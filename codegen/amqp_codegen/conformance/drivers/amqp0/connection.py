"""The class connection: handshake, tuning, virtual hosts, closing."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import Connection
from ...amqp0.frame_reader import ProtocolHeader
from ...outcome import Violation
from ...registry import rule


@rule({"0-9-1": "connection.start/protocol-name"})
def protocol_name(broker: Broker) -> None:
    """Sends a header with a wrong protocol name. A valid header comes back, and the socket is closed."""
    connection = broker.dial()
    connection.send_octets(b"XMQP" + broker.amqp.PROTOCOL_HEADER[4:], "protocol header")
    _expect_header_and_end(connection)


@rule({"0-9-1": "connection.start/server-support"})
def server_support(broker: Broker) -> None:
    """Sends a header with a version above all that exist, 99-0. A header that the server speaks comes back."""
    connection = broker.dial()
    connection.send_octets(b"AMQP\x00\x63\x00\x00", "protocol header")
    _expect_header_and_end(connection)


@rule({"0-9-1": "connection.start.locales/required-support", "0-8": "connection.start.locales/01"})
def locales(broker: Broker) -> None:
    """Connects. The locales in connection.start, with blanks between them, have en_US among them."""
    start = broker.dial().begin()
    if b"en_US" not in start.locales.split():
        raise Violation(f"expected en_US among the locales, got {start.locales!r}")


def _expect_header_and_end(connection: Connection) -> None:
    """The server must answer with its own protocol header, then close the socket."""
    items = connection.expect_end()
    if len(items) != 1 or not isinstance(items[0], ProtocolHeader):
        raise Violation(f"expected a protocol header and the end, got {items}")
