"""The protocol of a connection, and the generated package that decodes it.

The client's protocol header says it (0-9-1 document, section 4.2.2; 1.0, part 2, section 2.2). Four spellings of 0-x are in
use: that of 0-9-1, those of 0-8 and 0-9, and that of old clients which announce 9-1 in the layout of 0-8, and speak 0-8. The
package also depends on whether the broker is RabbitMQ, which its connection.start says; see ``FramedConversation``. If
the header was not captured, the server's answer or its connection.start may say it. Otherwise the frames are recognised by
their shape, and 0-x is assumed to be RabbitMQ's 0-9-1, the most frequent.

TLS is recognised without keys; version and server name come from the ClientHello, which is not encrypted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from amqp_codegen.support.resources import load_package

from ..capture.quarantine import Reason
from ..capture.stream_data import Direction
from ..schemas import PACKAGE1
from .amqp0 import frame_format
from .amqp0.frame_format import RABBITMQ, method_octets
from .amqp1 import frame_format as framing1

_HANDSHAKE = 22
_RECORDS = frozenset(range(20, 24))  # change cipher spec, alert, handshake, application data
_LONGEST_RECORD = (1 << 14) + 2048
_CLIENT_HELLO = 1
_SERVER_NAME = 0
_VERSIONS = {0: "SSL 3.0", 1: "TLS 1.0", 2: "TLS 1.1", 3: "TLS 1.2", 4: "TLS 1.3"}


def is_tls(head: bytes) -> bool:
    """Return whether a stream begins with a TLS record (RFC 8446, section 5.1)."""
    return (
        len(head) >= 5
        and head[0] in _RECORDS
        and head[1] == 3
        and head[2] in _VERSIONS
        and 0 < int.from_bytes(head[3:5], "big") <= _LONGEST_RECORD
    )


def describe_hello(head: bytes) -> str:
    """Return version and server name of a ClientHello (RFC 8446, section 4.1.2; RFC 6066, section 3).

    Returns:
        For example ``TLS 1.2, broker.example``, as far as the octets tell. The version is that of the layout: TLS 1.3
        looks like 1.2.
    """
    described = [_VERSIONS[head[2]]]
    if head[0] == _HANDSHAKE and head[5:6] == bytes([_CLIENT_HELLO]) and len(head) > 44:
        described[0] = _VERSIONS.get(head[10], described[0])
        name = _server_name(head)
        if name:
            described.append(name)
    return ", ".join(described)


def _server_name(head: bytes) -> str:
    """Return the host name in the extension server_name; empty if it is not there."""
    position = 43  # record, handshake, version, random
    position += 1 + head[position]  # session id
    position += 2 + int.from_bytes(head[position : position + 2], "big")  # cipher suites
    position += 1 + int.from_bytes(head[position : position + 1], "big")  # compression methods
    position += 2  # length of the extensions
    while len(head) >= position + 4:
        kind, size = (int.from_bytes(head[at : at + 2], "big") for at in (position, position + 2))
        content = head[position + 4 : position + 4 + size]
        if kind == _SERVER_NAME:
            length = int.from_bytes(content[3:5], "big")
            name = content[5 : 5 + length].decode("ascii", "replace")
            return name if len(name) == length and name.isascii() and name.isprintable() else ""
        position += 4 + size
    return ""


_LETTERS = b"AMQP"
_HEADER_SIZE = 8
_NAMES = {
    "amqp_0_8": "0-8",
    "amqp_0_8_rabbitmq": "0-8",
    "amqp_0_9": "0-9",
    "amqp_0_9_1": "0-9-1",
    RABBITMQ: "0-9-1",
}
# Versions that no generated package decodes.
_UNSUPPORTED = {b"AMQP\x01\x01\x00\x0a": "0-10"}
_TLS_HEADER_ID = 2  # the protocol id of 1.0 that announces TLS
_HTTP_BEGINS = (b"GET ", b"HEAD ", b"POST ", b"PUT ", b"DELETE ", b"CONNECT ", b"OPTIONS ", b"PRI ", b"HTTP/")
_START = method_octets("ConnectionStart")


@dataclass(frozen=True, slots=True)
class Protocol:
    """The protocol of a connection.

    Attributes:
        name: ``0-8``, ``0-9``, ``0-9-1``, ``1.0``, ``0-10``, ``tls``, ``http``, ``mqtt``, ``rabbitmq-stream``, ``stomp``, or
            ``other``: what the client asked for. To 0-9, RabbitMQ answers with 0-9-1.
        package: The generated package that decodes it; empty if there is none.
        by: The evidence: ``header`` of the client; ``answer``, the header of the server; ``start``, the version in
            connection.start; ``methods`` that only this version has; ``shape`` of the octets; ``assumed``.
        header: The protocol header, if there was one.
        reason: Why the connection is not decoded; None if it is.
        detail: More for people: version and server name of TLS.
    """

    name: str
    package: str
    by: str
    header: bytes = b""
    reason: Reason | None = None
    detail: str = ""


ASSUMED = Protocol("0-9-1", RABBITMQ, "assumed")


def is_header_of_tls(header: bytes) -> bool:
    """Return whether TLS follows this protocol header."""
    return header[4] == _TLS_HEADER_ID and header[5:] == b"\x01\x00\x00"


def recognise_header(header: bytes, direction: Direction) -> Protocol:
    """Return the protocol that a protocol header of eight octets announces."""
    by = "header" if direction is Direction.client_to_server else "answer"
    package = _packages_by_header().get(header)
    if package is not None:
        return Protocol(_NAMES.get(package, "1.0"), package, by, header)
    name = _UNSUPPORTED.get(header, "other")
    return Protocol(name, "", by, header, Reason.UNSUPPORTED_VERSION)


@cache
def _packages_by_header() -> dict[bytes, str]:
    found: dict[bytes, str] = {}
    for name in frame_format.PACKAGES:
        constants = load_package(name).constants
        for header in (constants.PROTOCOL_HEADER, *constants.OTHER_PROTOCOL_HEADERS):
            found.setdefault(
                header, name
            )  # of 0-9-1, that of RabbitMQ comes first: it has all that 0-9-1 has
    for header in load_package(PACKAGE1).PROTOCOL_HEADERS.values():
        found[header] = PACKAGE1
    return found


def recognise_protocol(head: bytes, direction: Direction, from_start: bool) -> Protocol | None:
    """Recognise the protocol by the octets of one direction.

    Args:
        head: The first octets that were captured.
        direction: The direction of the stream.
        from_start: Whether they begin the stream. If not, they may be from anywhere in it.

    Returns:
        The protocol, or None if the octets do not tell.
    """
    if head.startswith(_LETTERS):
        if len(head) < _HEADER_SIZE:
            return None
        by_header = recognise_header(head[:_HEADER_SIZE], direction)
        if from_start or by_header.package:
            return by_header
    if is_tls(head):
        return Protocol("tls", "", "shape", reason=Reason.TLS, detail=describe_hello(head))
    if head.startswith(_HTTP_BEGINS):
        return Protocol("http", "", "shape", reason=Reason.NOT_AMQP)
    other = _recognise_other(head)
    if other is not None:
        return other
    by_start = _recognise_start(head)
    if by_start is not None:
        return by_start
    if from_start and len(head) >= _HEADER_SIZE and direction is Direction.client_to_server:
        return Protocol("other", "", "shape", reason=Reason.NOT_AMQP)
    return _recognise_frames(head)


# MQTT: the name of the protocol in CONNECT, and its level to the version (MQTT 5.0, 3.1.2).
_MQTT_NAMES = (b"\x00\x04MQTT", b"\x00\x06MQIsdp")
_MQTT_VERSIONS = {3: "3.1", 4: "3.1.1", 5: "5.0"}
_MQTT_CONNECT, _MORE_LENGTH = 0x10, 0x80
# Streams: commands of RabbitMQ's protocol, all of version 1; answers have the highest bit set.
_STREAM_COMMANDS = range(0x0001, 0x0030)
_STREAM_VERSION = b"\x00\x01"
_LONGEST_STREAM_FRAME = 1 << 20
_STOMP_BEGINS = (b"CONNECT\n", b"CONNECT\r\n", b"STOMP\n", b"STOMP\r\n")


def _recognise_other(head: bytes) -> Protocol | None:
    """Recognise what else brokers speak: MQTT, RabbitMQ's protocol of streams, STOMP."""
    if head.startswith(_STOMP_BEGINS):
        return Protocol("stomp", "", "shape", reason=Reason.NOT_AMQP)
    if head[:1] == bytes([_MQTT_CONNECT]):
        at = next((at for at in range(1, 5) if head[at : at + 1] < bytes([_MORE_LENGTH])), 5) + 1
        name = next((name for name in _MQTT_NAMES if head.startswith(name, at)), None)
        if name is not None:
            level = head[at + len(name) : at + len(name) + 1]
            version = _MQTT_VERSIONS.get(int.from_bytes(level, "big"), "")
            return Protocol("mqtt", "", "shape", reason=Reason.NOT_AMQP, detail=f"MQTT {version}".strip())
    size, command = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:6], "big") & 0x7FFF
    is_stream = command in _STREAM_COMMANDS and head[6:8] == _STREAM_VERSION
    if is_stream and 4 <= size <= _LONGEST_STREAM_FRAME:
        detail = "RabbitMQ's protocol of streams"
        return Protocol("rabbitmq-stream", "", "shape", reason=Reason.NOT_AMQP, detail=detail)
    return None


def _recognise_start(head: bytes) -> Protocol | None:
    """Recognise a 0-x server by its first frame, connection.start, which has the version."""
    if len(head) < 13 or head[:3] != b"\x01\x00\x00" or head[7:11] != _START:
        return None
    if (head[11], head[12]) == (8, 0):
        return Protocol("0-8", "amqp_0_8", "start")
    return replace(ASSUMED, by="start")  # 0-9 has the same numbers as 0-9-1


def _recognise_frames(head: bytes) -> Protocol | None:
    """Recognise a protocol by frames anywhere in the octets."""
    limit = len(head)
    for shape, protocol in (
        (frame_format.make_format(), ASSUMED),
        (framing1.FamilyFormat(), Protocol("1.0", PACKAGE1, "shape")),
    ):
        position = 0
        while 0 <= position < limit:
            if shape.verify(head, position, limit) > 0 and shape.is_strong(head, position):
                return protocol
            position = shape.find(head, position + 1)
    return None


@cache
def telling_methods(package: str) -> frozenset[int]:
    """Return the methods of a 0-x package that are evidence for its version (class id << 16 | method id).

    Not those of classes that are deprecated as a whole: RabbitMQ still answers class access on 0-9-1, but who uses it
    speaks 0-8 or 0-9.
    """
    methods = load_package(package).METHODS
    classes = {method.CLASS_ID for method in methods.values() if not method.DEPRECATED}
    return frozenset(key for key, method in methods.items() if method.CLASS_ID in classes)


def narrow(protocol: Protocol, methods: set[int]) -> Protocol:
    """Return the first version of 0-x that has all methods seen (class id << 16 | method id), else the assumed one."""
    for package in frame_format.PACKAGES:
        if methods <= telling_methods(package):
            if package == protocol.package:
                return protocol
            return replace(protocol, name=_NAMES[package], package=package, by="methods")
    return protocol
