"""Framing: protocol headers, the security layer and frames. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.performatives import Begin
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome
from amqp_1_0.types import Symbol

from ...amqp1.frames import make_frame, make_performative, with_extended_header, with_size
from ...amqp1.framing import CaseTable, FramingCase, Scene, Stage, cases, drivers_of
from ...engine.run_result import NotTestable

_HEADERS = amqp.PROTOCOL_HEADERS
_NULL = b"\x40"
_SASL_INIT = SaslInit.CODE or 0
_EMPTY = make_frame(b"")
_LARGEST_SENT = 1 << 20
_LONG = 300  # octets of a string, so that its length takes four octets as in the frame that is sent


def _begin(scene: Scene, **fields: Any) -> bytes:
    return amqp.encode_frame(0, Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10, **fields))


def _init(scene: Scene) -> bytes:
    return amqp.encode_frame(0, scene.init)


def _with_octet(frame: bytes, position: int, value: int) -> bytes:
    return frame[:position] + bytes((value,)) + frame[position + 1 :]


def _too_large(scene: Scene) -> bytes:
    """Return a begin that is right but for its length."""
    limit = scene.remote.max_frame_size
    if limit > _LARGEST_SENT:
        raise NotTestable(f"the peer takes frames of {limit} octets")
    overhead = len(_begin(scene, properties={Symbol("x"): "x" * _LONG})) - _LONG
    return _begin(scene, properties={Symbol("x"): "x" * (limit + 1 - overhead)})


_ON_SOCKET: CaseTable = {
    "protocol-header/other-protocol": ("GET / HT", lambda scene: b"GET / HT"),
    "protocol-header/unknown-protocol-id": (
        "a header of AMQP 1.0.0 with the protocol id 9",
        lambda scene: b"AMQP\x09\x01\0\0",
    ),
    "protocol-header/unknown-version": (
        "a header of the SASL layer with the version 99.0.0",
        lambda scene: b"AMQP\x03\x63\0\0",
    ),
    "protocol-header/octets-before": (
        "an empty line and the header of the SASL layer",
        lambda scene: b"\r\n" + _HEADERS["sasl"],
    ),
    "protocol-header/frame-instead": (
        "an open without a protocol header",
        lambda scene: amqp.encode_frame(0, scene.broker.make_open()),
    ),
}


_ON_CONNECTION: CaseTable = {
    "protocol-header/after-open": ("the header of AMQP", lambda scene: _HEADERS["amqp"]),
    "frame/size-zero": ("a frame with SIZE 0", lambda scene: with_size(_EMPTY, 0)),
    "frame/size-seven": ("a frame with SIZE 7", lambda scene: with_size(_EMPTY, 7)),
    "frame/size-above-max-frame-size": (
        "begin in a frame one octet above the peer's max-frame-size",
        _too_large,
    ),
    "frame/data-offset-zero": ("begin with DOFF 0", lambda scene: _with_octet(_begin(scene), 4, 0)),
    "frame/data-offset-one": ("begin with DOFF 1", lambda scene: _with_octet(_begin(scene), 4, 1)),
    "frame/data-offset-beyond-end": ("begin with DOFF 255", lambda scene: _with_octet(_begin(scene), 4, 255)),
    "frame/unknown-type": ("begin with TYPE 2", lambda scene: _with_octet(_begin(scene), 5, 2)),
    "frame/sasl-after-open": (
        "sasl-outcome in a SASL frame",
        lambda scene: amqp.encode_frame(0, SaslOutcome(SaslCode.OK)),
    ),
    "frame/extended-header": (
        "begin with four octets before its body",
        lambda scene: with_extended_header(_begin(scene), b"\xfe\xdc\xba\x98"),
    ),
    "frame/long-extended-header": (
        "begin with 400 octets before its body",
        lambda scene: with_extended_header(_begin(scene), b"\xff" * 400),
    ),
    "frame/empty": ("an empty frame", lambda scene: _EMPTY),
    "frame/empty-on-highest-channel": (
        "an empty frame on the peer's highest channel",
        lambda scene: make_frame(b"", scene.remote.channel_max),
    ),
    "frame/empty-with-extended-header": (
        "an empty frame with an extended header of four octets",
        lambda scene: with_extended_header(_EMPTY, b"\xff" * 4),
    ),
    "frame/many-in-one-piece": ("a hundred empty frames in one piece", lambda scene: _EMPTY * 100),
}


_BEFORE_INIT: CaseTable = {
    "sasl/protocol-header-instead-of-init": ("the header of AMQP", lambda scene: _HEADERS["amqp"]),
    "sasl/open-instead-of-init": (
        "open in an AMQP frame",
        lambda scene: amqp.encode_frame(0, scene.broker.make_open()),
    ),
    "sasl/begin-instead-of-init": ("begin in an AMQP frame", _begin),
    "sasl/mechanisms-from-the-client": (
        "sasl-mechanisms",
        lambda scene: amqp.encode_frame(0, SaslMechanisms(["ANONYMOUS"])),
    ),
    "sasl/outcome-from-the-client": (
        "sasl-outcome with the code ok",
        lambda scene: amqp.encode_frame(0, SaslOutcome(SaslCode.OK)),
    ),
    "sasl/mechanism-null": (
        "sasl-init with null as mechanism",
        lambda scene: make_frame(make_performative(_SASL_INIT, _NULL), kind=1),
    ),
    "sasl/mechanism-missing": (
        "sasl-init with an empty list",
        lambda scene: make_frame(make_performative(_SASL_INIT), kind=1),
    ),
    "sasl/data-offset-one": ("sasl-init with DOFF 1", lambda scene: _with_octet(_init(scene), 4, 1)),
    "sasl/size-seven": ("sasl-init with SIZE 7", lambda scene: with_size(_init(scene), 7)),
    "sasl/unknown-frame-type": ("sasl-init with TYPE 2", lambda scene: _with_octet(_init(scene), 5, 2)),
    "sasl/init-truncated": (
        "sasl-init with a list of 127 octets in a shorter frame",
        lambda scene: make_frame(b"\0\x53\x41\xc0\x7f\x01\xa3\x09ANONYMOUS", kind=1),
    ),
}

_OTHERS = (
    FramingCase(
        "protocol-header/in-pieces",
        Stage.SOCKET,
        "the header of the SASL layer octet by octet",
        lambda scene: _HEADERS["sasl"],
        in_pieces=True,
    ),
    FramingCase("sasl/second-init", Stage.HEADER, "sasl-init once more", _init),
    FramingCase(
        "sasl/octet-by-octet", Stage.SASL, "sasl-init octet by octet", _init, in_pieces=True, quiet=True
    ),
    FramingCase(
        "frame/octet-by-octet", Stage.CONNECTION, "begin octet by octet", _begin, in_pieces=True, quiet=True
    ),
)

CASES = (
    *cases(Stage.SOCKET, _ON_SOCKET),
    *cases(Stage.CONNECTION, _ON_CONNECTION),
    *cases(Stage.SASL, _BEFORE_INIT),
    *_OTHERS,
)
DRIVERS = drivers_of(CASES)
