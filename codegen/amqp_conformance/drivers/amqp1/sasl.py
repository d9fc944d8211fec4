"""The SASL layer, as its server does it. Sections 5.3.1 to 5.3.3."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import amqp_1_0 as amqp
from amqp_1_0.sasl import SaslCode, SaslMechanisms, SaslOutcome, SaslResponse

from ...amqp1.broker import Broker
from ...amqp1.checks import want
from ...amqp1.connection import LiveConnection
from ...amqp1.frames import with_extended_header, with_size
from ...amqp1.login import make_init, start_sasl
from ...engine.registry import amqp1_rule
from ...engine.run_result import Disconnected, NotTestable, Violation

_COMMON_MECHANISMS = ("PLAIN", "SCRAM-SHA-1")


@amqp1_rule("sasl/announce-mechanisms", "sasl/server-implements-sasl")
def announce_mechanisms(broker: Broker) -> None:
    """Send the header of the SASL layer and nothing else. sasl-mechanisms comes with at least one mechanism."""
    mechanisms = start_sasl(broker.dial())
    want(bool(mechanisms.sasl_server_mechanisms), "at least one mechanism", mechanisms)


@amqp1_rule("sasl/common-mechanisms")
def common_mechanisms(broker: Broker) -> None:
    """Look at the mechanisms of a server that asks for credentials. PLAIN and SCRAM-SHA-1 are among them."""
    offered = _offered(broker)
    if list(offered) == ["ANONYMOUS"]:
        raise NotTestable("this server asks for no credentials")
    want(
        all(mechanism in offered for mechanism in _COMMON_MECHANISMS),
        " and ".join(_COMMON_MECHANISMS),
        ", ".join(sorted(offered)),
    )


@amqp1_rule("sasl-mechanisms.sasl-server-mechanisms/not-empty", "types/mandatory-multiple-not-empty")
def not_empty(broker: Broker) -> None:
    """Look at sasl-mechanisms, where the list is mandatory and holds any number. It holds one mechanism or more."""
    offered = _offered(broker)
    want(len(offered) > 0, "at least one mechanism", "an empty list")


@amqp1_rule("sasl-mechanisms.sasl-server-mechanisms/anonymous")
def anonymous(broker: Broker) -> None:
    """Find out whether the server lets everybody in. If it does, ANONYMOUS is the only mechanism it offers."""
    offered = _offered(broker)
    if "ANONYMOUS" not in offered:
        raise NotTestable("this server does not let everybody in")
    want(list(offered) == ["ANONYMOUS"], "ANONYMOUS alone", ", ".join(sorted(offered)))


@amqp1_rule("sasl/frame-type", "sasl/data-offset-two", "sasl/ignored-octets-zero")
def frame_headers(broker: Broker) -> None:
    """Log in and look at the headers of the server's frames. DOFF is 2, TYPE is 1, and the last two octets are zero."""
    connection = broker.log_in()
    want(bool(connection.frames), "SASL frames", "none")
    for frame in connection.frames:
        want(
            frame.octets[4:8] == b"\x02\x01\x00\x00", "02 01 00 00 after the size", frame.octets[4:8].hex(" ")
        )


@amqp1_rule("sasl/ignored-octets", "transport/frame-type-specific-octets")
def ignored_octets(broker: Broker) -> None:
    """Send sasl-init with FF FF in the octets 6 and 7. It is understood."""
    connection, init = _before_init(broker)
    connection.send_octets(init[:6] + b"\xff\xff" + init[8:], "sasl-init with FF FF in octets 6 and 7")
    _expect_ok(connection)


@amqp1_rule("sasl/extended-header-ignored")
def extended_header(broker: Broker) -> None:
    """Send sasl-init with eight more octets in the frame header. It is understood."""
    connection, init = _before_init(broker)
    connection.send_octets(with_extended_header(init, b"\xff" * 8), "sasl-init with an extended header")
    _expect_ok(connection)


@amqp1_rule("sasl/frame-size-limit")
def frame_size_limit(broker: Broker) -> None:
    """Send a sasl-init that is right but for its frame of 513 octets. The connection ends."""
    connection, mechanisms = _start(broker)
    bare = amqp.encode_frame(0, make_init(broker.target, mechanisms, hostname="h" * 300))
    init = make_init(broker.target, mechanisms, hostname="h" * (300 + 513 - len(bare)))
    connection.send_octets(amqp.encode_frame(0, init), "sasl-init in a frame of 513 octets")
    _expect_end(connection)


@amqp1_rule("sasl/single-value")
def single_value(broker: Broker) -> None:
    """Send sasl-init with a null behind it in the same frame. The connection ends."""
    connection, init = _before_init(broker)
    connection.send_octets(with_size(init + b"\x40", len(init) + 1), "sasl-init and a null in one frame")
    _expect_end(connection)


@amqp1_rule("sasl/sasl-types-only")
def sasl_types_only(broker: Broker) -> None:
    """Send open in a SASL frame. The connection ends."""
    connection, _ = _before_init(broker)
    opening = amqp.encode_frame(0, broker.make_open())
    connection.send_octets(opening[:5] + b"\x01" + opening[6:], "open in a SASL frame")
    _expect_end(connection)


@amqp1_rule("sasl/empty-frame")
def empty_frame(broker: Broker) -> None:
    """Send a SASL frame without a body. The connection ends."""
    connection, _ = _before_init(broker)
    connection.send_octets(bytes.fromhex("00000008 02010000"), "empty SASL frame")
    _expect_end(connection)


@amqp1_rule("sasl/exchange-order")
def exchange_order(broker: Broker) -> None:
    """Send sasl-response before sasl-init. The connection ends."""
    connection, _ = _before_init(broker)
    connection.send(SaslResponse(b"nobody asked"))
    _expect_end(connection)


@amqp1_rule("sasl-init.mechanism/unsupported")
def unsupported_mechanism(broker: Broker) -> None:
    """Choose the mechanism X-NONE. The connection ends, perhaps after an outcome that is not ok."""
    connection, mechanisms = _start(broker)
    connection.send(make_init(broker.target, mechanisms, mechanism="X-NONE"))
    _expect_end(connection)


@amqp1_rule("sasl-init.hostname/default-host")
def default_host(broker: Broker) -> None:
    """Log in without a hostname. The outcome is ok."""
    with broker.trial():
        broker.log_in(hostname=None)


@amqp1_rule("sasl-code.ok/on-success", "sasl/choose-mechanism")
def code_on_success(broker: Broker) -> None:
    """Log in with one of the mechanisms offered. The code of the outcome is 0."""
    with broker.trial():
        connection = broker.log_in()
    outcome = connection.frames[-1].performative
    want(outcome.code is SaslCode.OK, "the code 0", connection.frames[-1])


@amqp1_rule("sasl-code.auth/on-bad-credentials", "sasl-outcome.additional-data/unset-on-failure", slow=True)
def code_on_bad_credentials(broker: Broker) -> None:
    """Log in with a wrong password. The code of the outcome is 1, and additional-data is not set."""
    connection, mechanisms = _start(broker)
    if "PLAIN" not in mechanisms.sasl_server_mechanisms:
        raise NotTestable("this server asks for no password")
    connection.send(make_init(broker.target, mechanisms, password="wrong " + broker.target.password))
    outcome: SaslOutcome = connection.expect(SaslOutcome)
    want(outcome.code is SaslCode.AUTH, "the code 1", connection.frames[-1])
    want(outcome.additional_data is None, "no additional-data", connection.frames[-1])


@amqp1_rule("security/close-on-layer-end", slow=True)
def close_on_layer_end(broker: Broker) -> None:
    """Make the SASL exchange fail. The server's stream ends."""
    connection, mechanisms = _start(broker)
    connection.send(make_init(broker.target, mechanisms, mechanism="X-NONE"))
    connection.expect_end()


@amqp1_rule("security/configurable-security")
def configurable_security(broker: Broker) -> None:
    """Connect without SASL. The server either goes on without it, or answers with a header of the layer it wants."""
    connection = broker.dial()
    connection.send_octets(amqp.PROTOCOL_HEADERS["amqp"], "protocol header: amqp")
    answer = connection.receive_header()
    want(answer in amqp.PROTOCOL_HEADERS.values(), "a header of 1.0.0", answer)


def _start(broker: Broker) -> tuple[LiveConnection, SaslMechanisms]:
    """Return a connection on which sasl-init is due, and what the server offers there."""
    connection = broker.dial()
    with broker.set_up():
        return connection, start_sasl(connection)


def _offered(broker: Broker) -> Sequence[str]:
    """Return the mechanisms that the server offers."""
    return _start(broker)[1].sasl_server_mechanisms


def _before_init(broker: Broker) -> tuple[LiveConnection, bytes]:
    """Return a connection on which sasl-init is due, and the octets of its frame."""
    connection, mechanisms = _start(broker)
    return connection, amqp.encode_frame(0, make_init(broker.target, mechanisms))


def _expect_ok(connection: LiveConnection) -> None:
    outcome: SaslOutcome = connection.expect(SaslOutcome)
    want(outcome.code is SaslCode.OK, "an outcome that is ok", connection.frames[-1])


def _expect_end(connection: LiveConnection) -> None:
    """Expect the end of the stream; an outcome may come before it, but not ok."""
    with suppress(Disconnected):
        while True:
            frame = connection.receive("the end of the connection")
            outcome = frame.performative
            if isinstance(outcome, SaslOutcome) and outcome.code is SaslCode.OK:
                raise Violation(f"expected the end of the connection, got {frame}")
