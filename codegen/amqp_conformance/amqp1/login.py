"""The first steps of a connection: protocol headers, SASL, open; together or one by one."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.constants import Layer
from amqp_1_0.performatives import Open
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

from ..engine.broker_socket import BrokerAddress
from ..engine.run_result import Identity, Violation
from .connection import LiveConnection

FRAME_SIZE = 4096


def exchange_headers(connection: LiveConnection, layer: Layer) -> None:
    """Send the protocol header of a layer, ``amqp`` or ``sasl``, and expect the same one back."""
    header = amqp.PROTOCOL_HEADERS[layer]
    connection.send_octets(header, f"protocol header: {layer}")
    answer = connection.receive_header()
    if answer != header:
        raise Violation.unexpected(f"the protocol header {header!r}", repr(answer))


def start_sasl(connection: LiveConnection) -> SaslMechanisms:
    """Exchange the headers of the SASL layer; return the mechanisms that the server offers."""
    exchange_headers(connection, "sasl")
    mechanisms: SaslMechanisms = connection.expect(SaslMechanisms)
    return mechanisms


def make_init(
    target: BrokerAddress, mechanisms: SaslMechanisms, password: str | None = None, **fields: Any
) -> SaslInit:
    """Return the sasl-init with which our user logs in: PLAIN if it is offered, else ANONYMOUS.

    ``password`` is another password than ours; ``fields`` replace other fields.
    """
    if "PLAIN" in mechanisms.sasl_server_mechanisms:
        secret = target.password if password is None else password
        response = f"\0{target.user}\0{secret}".encode()
        return SaslInit(
            **{"mechanism": "PLAIN", "initial_response": response, "hostname": target.host} | fields
        )
    return SaslInit(**{"mechanism": "ANONYMOUS", "hostname": target.host} | fields)


def log_in(connection: LiveConnection, target: BrokerAddress, **fields: Any) -> SaslMechanisms:
    """Do the whole SASL exchange.

    Raises:
        Violation: The login is refused.
    """
    mechanisms = start_sasl(connection)
    connection.send(make_init(target, mechanisms, **fields))
    outcome: SaslOutcome = connection.expect(SaslOutcome)
    if outcome.code is not SaslCode.OK:
        raise Violation(f"expected to be let in as {target.user}, got {connection.frames[-1]}")
    return mechanisms


def make_open(target: BrokerAddress, name: str, **fields: Any) -> Open:
    """Return the usual open of this runner; for RabbitMQ its hostname names the virtual host."""
    hostname = target.host if target.virtual_host == "/" else f"vhost:{target.virtual_host}"
    known: dict[str, Any] = {"container_id": name, "hostname": hostname, "max_frame_size": FRAME_SIZE}
    return Open(**known | fields)


def expect_open(connection: LiveConnection) -> Open:
    """Expect the peer's open, after ours."""
    remote: Open = connection.expect(Open)
    connection.remote = remote
    connection.frame_size = remote.max_frame_size
    return remote


def identity_of(remote: Open | None) -> Identity:
    """Return what the peer says of itself in its open."""
    properties = (remote and remote.properties) or {}
    return Identity(str(properties.get("product", "")), str(properties.get("version", "")))
