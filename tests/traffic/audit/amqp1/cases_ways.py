"""More ways to break rules of 1.0 than the case of each rule, and odd ones to keep them all; in octets, for captures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Data
from amqp_1_0.performatives import Begin, Close, Detach, End, Flow, Open, Role, Transfer
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome
from amqp_1_0.types import Described, Symbol, UInt, ULong

from ..audited_methods import FIN, Steps
from .wrong_octets import (
    BEGUN,
    CLIENT,
    CLOSED,
    CREDIT,
    LINKED,
    OPENED,
    SERVER,
    attach,
    said,
    together,
    transfer,
)

_HEADERS = OPENED[:2]
_SASL_HEADER = amqp.PROTOCOL_HEADERS["sasl"]
_WINDOWS: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 100, "outgoing_window": 100}
_BEGIN, _BEGIN_ANSWER = Begin(**_WINDOWS), Begin(remote_channel=0, **_WINDOWS)
_OPEN, _OPEN_ANSWER = said(CLIENT, Open("client")), said(SERVER, Open("server"))
_EMPTY = b"\0\0\0\x08\x02\0\0\0"
_MESSAGE = amqp.Message(body=Data(b"x")).encode()

Octets = tuple[int, bytes]


def _frame(payload: bytes, extended_header: bytes = b"") -> Octets:
    """A frame of the client, octet by octet."""
    data_offset = 2 + len(extended_header) // 4
    octets = bytes([data_offset, 0, 0, 0]) + extended_header + payload
    return CLIENT, (4 + len(octets)).to_bytes(4, "big") + octets


def _octets(code: int, *fields: Any) -> bytes:
    """A performative with any values in its fields."""
    return bytes(amqp.encode(Described(ULong(code), list(fields))))


def _opened_by(code_and_fields: bytes) -> Steps:
    return [*_HEADERS, _frame(code_and_fields), _OPEN_ANSWER, *CLOSED]


def _octet_by_octet(steps: Steps) -> Steps:
    return [*((side, bytes([octet])) for side, octets in steps for octet in octets), FIN]


def _begun(channel: int, remote: int) -> list[Octets]:
    answer = Begin(remote_channel=channel, **_WINDOWS)
    return [said(CLIENT, _BEGIN, channel=channel), said(SERVER, answer, channel=remote)]


def _ended(channel: int, remote: int) -> list[Octets]:
    return [said(CLIENT, End(), channel=channel), said(SERVER, End(), channel=remote)]


def _detached(handle: int, closed: bool = True) -> list[Octets]:
    return [said(side, Detach(handle, closed=closed)) for side in (CLIENT, SERVER)]


def _linked(name: str, handle: int) -> list[Octets]:
    return [attach(CLIENT, Role.SENDER, name, handle), attach(SERVER, Role.RECEIVER, name, handle)]


def _flow(credit: int, **fields: Any) -> Octets:
    """A flow of the client, which is the receiver."""
    counts: dict[str, Any] = {"next_incoming_id": 0, "handle": 0, "delivery_count": 0, "link_credit": credit}
    return said(CLIENT, Flow(**counts, **_WINDOWS, **fields))


def _delivered(number: int) -> Octets:
    tag = b"%d" % number
    return said(SERVER, Transfer(0, number, delivery_tag=tag, message_format=0), _MESSAGE)


_RECEIVER = [*BEGUN, attach(CLIENT, Role.RECEIVER), attach(SERVER, Role.SENDER)]
_MECHANISMS, _LOGIN = SaslMechanisms(["ANONYMOUS"]), SaslInit("ANONYMOUS")
_LOGGED_IN = [
    (CLIENT, _SASL_HEADER),
    (SERVER, _SASL_HEADER),
    (SERVER, amqp.encode_frame(0, _MECHANISMS, sasl=True)),
    (CLIENT, amqp.encode_frame(0, _LOGIN, sasl=True)),
    (SERVER, amqp.encode_frame(0, SaslOutcome(SaslCode(0)), sasl=True)),
]

# What is done, and the rules of which one names it.
WRONG: Mapping[str, tuple[Steps, str]] = {
    "a header of 1.1": ([(CLIENT, b"AMQP\0\1\1\0"), (SERVER, b"AMQP\0\0\x09\1"), FIN], "version-refused"),
    "sasl-init on an open connection": (
        [*_LOGGED_IN, *OPENED, (CLIENT, amqp.encode_frame(0, _LOGIN, sasl=True)), FIN], "sasl-out-of-order"),
    "sasl-mechanisms as the answer to them": (
        [*_LOGGED_IN[:3], (CLIENT, amqp.encode_frame(0, _MECHANISMS, sasl=True)), FIN], "wrong-direction"),
    # An open may have secrets, so none of its octets are kept to tell what is wrong.
    "open without container-id": (_opened_by(_octets(0x10, None, "host")), "performative-undecodable"),
    "open with a number as container-id": (_opened_by(_octets(0x10, UInt(7), "host")), "performative-undecodable"),
    "open of eleven fields": (_opened_by(_octets(0x10, "client", *[None] * 9, "more")), "performative-undecodable"),
    "attach without role": ([*BEGUN, _frame(_octets(0x12, "link", UInt(0))), *CLOSED], "mandatory-missing"),
    "flow without windows": ([*BEGUN, _frame(_octets(0x13, UInt(0))), *CLOSED], "mandatory-missing"),
    "attach with a word as handle": ([*BEGUN, _frame(_octets(0x12, "link", "zero", False)), *CLOSED], "field-type"),
    "begin of nine fields": (
        [*OPENED, _frame(_octets(0x11, None, UInt(0), UInt(10), UInt(10), *[None] * 4, "more")), *CLOSED], "too-many-fields"
    ),
    "a list beyond its frame": ([*OPENED, _frame(b"\0\x53\x11\xc0\x20\x04\x40"), *CLOSED], "performative-truncated"),
    "octets after begin": ([*OPENED, said(CLIENT, _BEGIN, b"more"), *CLOSED], "payload-unexpected"),
    "a large begin": (
        [*OPENED[:3], said(SERVER, Open("server", max_frame_size=1024)),
         said(CLIENT, Begin(**_WINDOWS, properties={Symbol("long"): "x" * 2000})), *CLOSED],
        "frame-above-max",
    ),
    "end without begin": ([*OPENED, said(CLIENT, End(), channel=5), *CLOSED], "session-unknown"),
    "begin after close, before its answer": (
        [*OPENED, together(said(CLIENT, Close()), said(CLIENT, _BEGIN)), *CLOSED[1:]], "after-close"),
    "detach of no link": ([*BEGUN, said(CLIENT, Detach(77, closed=True)), *CLOSED], "handle-unknown"),
    "flow of no link": (
        [*BEGUN, said(CLIENT, Flow(next_incoming_id=0, handle=77, delivery_count=0, link_credit=1, **_WINDOWS)), *CLOSED],
        "handle-unknown",
    ),
    "a message before any answer": (
        [*_HEADERS, together(_OPEN, said(CLIENT, _BEGIN), attach(CLIENT, Role.SENDER), transfer(0)),
         together(_OPEN_ANSWER, said(SERVER, _BEGIN_ANSWER), attach(SERVER, Role.RECEIVER), CREDIT), *CLOSED],
        "credit-exceeded",
    ),
}  # fmt: skip

RIGHT: Mapping[str, Steps] = {
    "without a login": [*LINKED, transfer(0), *CLOSED],
    "octet by octet": _octet_by_octet([*BEGUN, *_ended(0, 0), *CLOSED[:2]]),
    "every field of open": _opened_by(
        _octets(0x10, "client", "host", UInt(4096), *[None] * 6, {Symbol("product"): "tests"})
    ),
    "many empty frames": [
        *OPENED, (CLIENT, _EMPTY * 300), *BEGUN[4:], *_linked("link", 0), *_detached(0), (CLIENT, _EMPTY * 300), *CLOSED
    ],
    "an extended header": [
        *OPENED, _frame(_octets(0x11, None, UInt(0), UInt(10), UInt(10)), b"ignored!"), BEGUN[5], *CLOSED
    ],
    "sessions of any channel": [
        *OPENED, *_begun(7, 0), *_begun(0, 1), *_begun(3, 2), *_ended(7, 0), *_begun(7, 0), *_ended(7, 0), *CLOSED
    ],
    "many links": [
        *BEGUN,
        *(step for number in range(20) for step in _linked(f"link {number}", number)),
        *(step for number in reversed(range(20)) for step in _detached(number)),
        *_linked("again", 0), *_detached(0), *CLOSED,
    ],
    "a link detached, and not closed": [
        *LINKED, *_detached(0, closed=False), *_linked("link", 0), *_detached(0), *CLOSED
    ],
    "credit taken back": [*_RECEIVER, *map(_flow, (10, 3, 0)), *CLOSED],
    "closes with deliveries pending": [*_RECEIVER, _flow(3), *map(_delivered, range(3)), *CLOSED],
}  # fmt: skip
