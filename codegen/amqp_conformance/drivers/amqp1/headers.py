"""Protocol headers: a server's answers to known and unknown ones. Sections 2.2 and 5.3."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.performatives import Open

from ...amqp1.broker import Broker
from ...amqp1.checks import want
from ...amqp1.connection import LiveConnection
from ...amqp1.login import exchange_headers
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable

AMQP, SASL, TLS = (amqp.PROTOCOL_HEADERS[layer] for layer in ("amqp", "sasl", "tls"))
_HIGHER_VERSION_HEADER = b"AMQP\x03\x09\x09\x09"


@amqp1_rule("transport/header-first", "sasl/header-first")
def header_first(broker: Broker) -> None:
    """Send the header of the SASL layer. The peer sends a header first, too."""
    connection = broker.dial()
    connection.send_octets(SASL, "protocol header: sasl")
    answer = connection.receive_header()
    want(answer.startswith(b"AMQP"), "a protocol header first", answer)


@amqp1_rule("sasl/header-layout")
def sasl_header_layout(broker: Broker) -> None:
    """Start SASL. The server's header is AMQP, 3, 1, 0, 0."""
    exchange_headers(broker.dial(), "sasl")


@amqp1_rule("transport/header-layout", "transport/server-repeats-version", "transport/tcp-server-may-wait")
def header_layout(broker: Broker) -> None:
    """Log in, send the header AMQP, 0, 1, 0, 0 and open. The same header comes back, then the server's open."""
    connection = broker.log_in()
    exchange_headers(connection, "amqp")
    connection.send(broker.make_open())
    connection.expect(Open)


@amqp1_rule(
    "transport/server-refuses-version", "sasl/same-negotiation-rules", "transport/mismatch-close-output"
)
def unsupported_version(broker: Broker) -> None:
    """Ask for version 9.9.9. A header of a version that the server has comes, then the end of its stream."""
    connection = broker.dial()
    connection.send_octets(_HIGHER_VERSION_HEADER, "protocol header of version 9.9.9")
    _expect_other_header(connection, _HIGHER_VERSION_HEADER)
    connection.expect_end()


@amqp1_rule("transport/server-best-lower-version")
def best_lower_version(broker: Broker) -> None:
    """Ask for SASL and version 1.1.0. The server, which has 1.0.0, names this one."""
    connection = broker.dial()
    connection.send_octets(b"AMQP\x03\x01\x01\x00", "protocol header of version 1.1.0")
    answer = connection.receive_header()
    want(answer[5:] == b"\x01\x00\x00", "a header of version 1.0.0, the highest below 1.1.0", answer)


@amqp1_rule("transport/server-highest-version")
def highest_version(broker: Broker) -> None:
    """Ask for version 0.0.1. No server has such a low one; it answers with its highest, which is at least 1.0.0."""
    connection = broker.dial()
    connection.send_octets(b"AMQP\x03\x00\x00\x01", "protocol header of version 0.0.1")
    answer = connection.receive_header()
    want(answer[5:] >= b"\x01\x00\x00", "a header of version 1.0.0 or above", answer)


@amqp1_rule("transport/server-unreadable-header")
def unreadable_header(broker: Broker) -> None:
    """Send the start of an HTTP request. A valid header comes nevertheless, then the end of the stream."""
    connection = broker.dial()
    connection.send_octets(b"GET / HTTP/1.1\r\n\r\n", "an HTTP request")
    _expect_other_header(connection, b"")
    connection.expect_end()


@amqp1_rule("transport/server-other-protocol-id", "transport/server-any-protocol-id")
def unknown_protocol_id(broker: Broker) -> None:
    """Send a header with the id 99. One with an id that the server takes comes, then the end of its stream."""
    connection = broker.dial()
    connection.send_octets(b"AMQP\x63\x01\x00\x00", "protocol header with the id 99")
    answer = _expect_other_header(connection, b"")
    want(answer in (AMQP, SASL, TLS), "a header of 1.0.0 with one of the ids 0, 2 and 3", answer)
    connection.expect_end()


@amqp1_rule("tls/header-first", "tls/header-layout", "tls/server-implements-tls")
def tls_header(broker: Broker) -> None:
    """Send the header of the TLS layer. A server that has this layer answers with the same: AMQP, 2, 1, 0, 0."""
    connection = broker.dial()
    connection.send_octets(TLS, "protocol header: tls")
    answer = connection.receive_header()
    if answer != TLS:
        raise NotTestable("this server offers no TLS on the port of AMQP itself")


@amqp1_rule("tls/same-negotiation-rules")
def tls_unsupported_version(broker: Broker) -> None:
    """Ask for TLS and version 9.9.9. A header of a version that the server has comes, then the end of its stream."""
    connection = broker.dial()
    asked = b"AMQP\x02\x09\x09\x09"
    connection.send_octets(asked, "protocol header: tls, version 9.9.9")
    _expect_other_header(connection, asked)
    connection.expect_end()


@amqp1_rule("sasl-outcome/headers-follow")
def headers_after_sasl(broker: Broker) -> None:
    """Log in and send the header of AMQP: the same comes back. On a second connection, send open without it: that ends."""
    exchange_headers(broker.log_in(), "amqp")
    connection = broker.log_in()
    connection.send(broker.make_open())
    connection.expect_end()


def _expect_other_header(connection: LiveConnection, asked: bytes) -> bytes:
    answer = connection.receive_header()
    want(
        answer.startswith(b"AMQP") and answer != asked,
        "a header of a version that the server supports",
        answer,
    )
    return answer
