"""Connections of AMQP 1.0 in octets, each with one thing wrong, for captures; single rules have theirs in ``cases``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Data, Source, Target
from amqp_1_0.performatives import Attach, Begin, Close, Disposition, Flow, Open, Role, Transfer

from ..audited_methods import FIN, Steps

CLIENT, SERVER = 0, 1
_HEADER = amqp.PROTOCOL_HEADERS["amqp"]
_WINDOWS: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 100, "outgoing_window": 100}
_MESSAGE = amqp.Message(body=Data(b"x")).encode()


def said(direction: int, performative: Any, payload: bytes = b"", channel: int = 0) -> tuple[int, bytes]:
    """A step: a frame of one side."""
    return direction, amqp.encode_frame(channel, performative, payload)


def together(*steps: tuple[int, bytes]) -> tuple[int, bytes]:
    """Frames of one side in one packet."""
    return steps[0][0], b"".join(octets for _, octets in steps)


def attach(direction: int, role: Role, name: str = "link", handle: int = 0) -> tuple[int, bytes]:
    """An attach; the fields are those that brokers want."""
    count = 0 if role is Role.SENDER else None
    source, target = Source(address="q"), Target(address="q")
    attached = Attach(name, handle, role, source=source, target=target, initial_delivery_count=count)
    return said(direction, attached)


def transfer(number: int, handle: int = 0, direction: int = CLIENT) -> tuple[int, bytes]:
    """A settled transfer of a message."""
    fields: dict[str, Any] = {"delivery_tag": b"%d" % number, "message_format": 0, "settled": True}
    return said(direction, Transfer(handle, number, **fields), _MESSAGE)


OPENED = [(CLIENT, _HEADER), (SERVER, _HEADER), said(CLIENT, Open("client")), said(SERVER, Open("server"))]
BEGUN = [
    *OPENED,
    said(CLIENT, Begin(**_WINDOWS)),
    said(SERVER, Begin(remote_channel=0, **_WINDOWS)),
]
CREDIT = said(SERVER, Flow(next_incoming_id=0, handle=0, delivery_count=0, link_credit=2, **_WINDOWS))
LINKED = [*BEGUN, attach(CLIENT, Role.SENDER), attach(SERVER, Role.RECEIVER), CREDIT]
CLOSED = [said(CLIENT, Close()), said(SERVER, Close()), FIN]

# By the rule that finds it.
WRONG: Mapping[str, Steps] = {
    "open-twice": [*OPENED, said(CLIENT, Open("client")), *CLOSED],
    "begin-twice": [*BEGUN, said(CLIENT, Begin(**_WINDOWS)), *CLOSED],
    "session-unknown": [*BEGUN, said(CLIENT, Flow(**_WINDOWS), channel=4), *CLOSED],
    "handle-unknown": [*LINKED, transfer(0, 77), *CLOSED],
    "handle-in-use": [*LINKED, attach(CLIENT, Role.SENDER, "other"), *CLOSED],
    "credit-exceeded": [*LINKED, *(transfer(number) for number in range(3)), *CLOSED],
    "transfer-from-receiver": [
        *BEGUN,
        attach(CLIENT, Role.RECEIVER),
        attach(SERVER, Role.SENDER),
        transfer(0),
        *CLOSED,
    ],
    "disposition-unknown": [*LINKED, said(CLIENT, Disposition(Role.RECEIVER, 9, settled=True)), *CLOSED],
    "after-close": [*BEGUN, *CLOSED[:2], said(CLIENT, Begin(**_WINDOWS)), FIN],
    "data-offset": [*BEGUN, (CLIENT, b"\0\0\0\x08\x01\0\0\0"), *CLOSED],
    "frame-size": [*BEGUN, (CLIENT, b"\0\0\0\x04\x02\0\0\0"), *CLOSED],
    "frame-type": [*BEGUN, (CLIENT, b"\0\0\0\x08\x02\x09\0\0"), *CLOSED],
    "descriptor-unknown": [*BEGUN, (CLIENT, b"\0\0\0\x0c\x02\0\0\0\0\x53\x1f\x45"), *CLOSED],
    "mandatory-missing": [*OPENED, (CLIENT, b"\0\0\0\x0c\x02\0\0\0\0\x53\x11\x45"), *CLOSED],
}
# A transfer before the broker can have answered the attach, which is in the same packet; and one a packet later.
NO_CREDIT_YET: Steps = [
    *BEGUN,
    together(attach(CLIENT, Role.SENDER), transfer(0)),
    together(attach(SERVER, Role.RECEIVER), CREDIT),
    *CLOSED,
]
CREDIT_MAY_BE_LATE: Steps = [
    *BEGUN,
    attach(CLIENT, Role.SENDER),
    transfer(0),
    together(attach(SERVER, Role.RECEIVER), CREDIT),
    *CLOSED,
]
