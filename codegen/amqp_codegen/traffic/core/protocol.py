"""What a connection speaks, and which generated package decodes it.

The protocol header of the client says it (0-9-1 document, section 4.2.2; 1.0, part 2, section 2.2). Four spellings of
0-x are in use: that of 0-9-1, those of 0-8 and 0-9, and that of old clients which announce 9-1 in the layout of 0-8, and
speak 0-8. Where the header was not captured, the server's answer or its connection.start may say it; else it is
guessed by what frames look like, and taken for 0-9-1 as RabbitMQ speaks it, the most frequent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from ...packages import load_package
from . import framing0, framing1
from .method_keys import method_octets
from .quarantine import Reason
from .stream import Direction
from .tls_hello import describe_hello, is_tls

RABBITMQ = "amqp_0_9_1_rabbitmq"

_LETTERS = b"AMQP"
_HEADER_SIZE = 8
# The names of versions, by package.
_NAMES = {"amqp_0_8": "0-8", "amqp_0_9": "0-9", "amqp_0_9_1": "0-9-1", RABBITMQ: "0-9-1"}
# Versions that nobody decodes.
_UNSUPPORTED = {b"AMQP\x01\x01\x00\x0a": "0-10"}
_TLS_HEADER_ID = 2  # of 1.0: TLS follows
_HTTP_BEGINS = (b"GET ", b"HEAD ", b"POST ", b"PUT ", b"DELETE ", b"CONNECT ", b"OPTIONS ", b"PRI ", b"HTTP/")
_START = method_octets("ConnectionStart")


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a connection speaks.

    Attributes:
        name: ``0-8``, ``0-9``, ``0-9-1``, ``1.0``, ``0-10``, ``tls``, ``http``, or ``other``.
        package: The generated package that decodes it; empty if there is none.
        by: What says so: ``header`` of the client; ``answer``, the header of the server; ``start``, the version in
            connection.start; ``methods`` that only this version has; ``shape`` of the octets; ``assumed``.
        header: The protocol header, if there was one.
        reason: Why it is not decoded; None if it is.
        detail: What else there is to say: the version and the server name of TLS.
    """

    name: str
    package: str
    by: str
    header: bytes = b""
    reason: Reason | None = None
    detail: str = ""


ASSUMED = Protocol("0-9-1", RABBITMQ, "assumed")


def is_header_of_tls(header: bytes) -> bool:
    """Whether TLS comes after this protocol header."""
    return header[4] == _TLS_HEADER_ID and header[5:] == b"\x01\x00\x00"


def recognise_header(header: bytes, direction: Direction) -> Protocol:
    """What a protocol header of eight octets stands for."""
    by = "header" if direction is Direction.client_to_server else "answer"
    package = _packages_by_header().get(header)
    if package is not None:
        return Protocol(_NAMES.get(package, "1.0"), package, by, header)
    name = _UNSUPPORTED.get(header, "other")
    return Protocol(name, "", by, header, Reason.UNSUPPORTED_VERSION)


@cache
def _packages_by_header() -> dict[bytes, str]:
    found: dict[bytes, str] = {}
    for name in framing0.PACKAGES:
        constants = load_package(name).constants
        for header in (constants.PROTOCOL_HEADER, *constants.OTHER_PROTOCOL_HEADERS):
            found.setdefault(header, name)  # that of RabbitMQ comes first: it has all that 0-9-1 has
    for header in load_package(framing1.PACKAGE).PROTOCOL_HEADERS.values():
        found[header] = framing1.PACKAGE
    return found


def recognise(head: bytes, direction: Direction, from_start: bool) -> Protocol | None:
    """What the octets of one direction tell.

    Args:
        head: The first octets there are.
        direction: Whose they are.
        from_start: Whether they are the first of the stream. If not, they may be anywhere in it.

    Returns:
        What it is, or None if that does not tell.
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
    by_start = _recognise_start(head)
    if by_start is not None:
        return by_start
    if from_start and len(head) >= _HEADER_SIZE and direction is Direction.client_to_server:
        return Protocol("other", "", "shape", reason=Reason.NOT_AMQP)
    return _recognise_frames(head)


def _recognise_start(head: bytes) -> Protocol | None:
    """By connection.start, the first frame of a server of 0-x, which has its version."""
    if len(head) < 13 or head[:3] != b"\x01\x00\x00" or head[7:11] != _START:
        return None
    if (head[11], head[12]) == (8, 0):
        return Protocol("0-8", "amqp_0_8", "start")
    return replace(ASSUMED, by="start")  # 0-9 has the same numbers as 0-9-1


def _recognise_frames(head: bytes) -> Protocol | None:
    """By frames anywhere in it."""
    limit = len(head)
    for shape, protocol in (
        (framing0.make_shape(), ASSUMED),
        (framing1.Shape1(), Protocol("1.0", framing1.PACKAGE, "shape")),
    ):
        position = 0
        while 0 <= position < limit:
            if shape.verify(head, position, limit) > 0 and shape.is_strong(head, position):
                return protocol
            position = shape.find(head, position + 1)
    return None


def narrow(protocol: Protocol, methods: set[int]) -> Protocol:
    """An assumed version of 0-x, in the light of methods that were seen: class id << 16 | method id."""
    for package in framing0.PACKAGES:
        if methods <= load_package(package).METHODS.keys():
            if package == protocol.package:
                return protocol
            return replace(protocol, name=_NAMES[package], package=package, by="methods")
    return protocol
