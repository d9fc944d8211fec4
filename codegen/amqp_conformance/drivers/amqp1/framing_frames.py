"""Framing: protocol headers, the security layer and frames. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.performatives import Begin
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome
from amqp_1_0.types import Symbol

from ...amqp1.frames import make_frame, make_performative, with_extended_header, with_size
from ...amqp1.framing import FramingCase, Scene, Stage, drivers_of
from ...engine.run_result import NotTestable

_SOCKET, _SASL, _CONNECTION = Stage.SOCKET, Stage.SASL, Stage.CONNECTION
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


_PROTOCOL_HEADERS = (
    FramingCase("protocol-header/other-protocol", _SOCKET, "GET / HT", lambda scene: b"GET / HT"),
    FramingCase(
        "protocol-header/unknown-protocol-id",
        _SOCKET,
        "a header of AMQP 1.0.0 with the protocol id 9",
        lambda scene: b"AMQP\x09\x01\0\0",
    ),
    FramingCase(
        "protocol-header/unknown-version",
        _SOCKET,
        "a header of the SASL layer with the version 99.0.0",
        lambda scene: b"AMQP\x03\x63\0\0",
    ),
    FramingCase(
        "protocol-header/octets-before",
        _SOCKET,
        "an empty line and the header of the SASL layer",
        lambda scene: b"\r\n" + _HEADERS["sasl"],
    ),
    FramingCase(
        "protocol-header/frame-instead",
        _SOCKET,
        "an open without a protocol header",
        lambda scene: amqp.encode_frame(0, scene.broker.make_open()),
    ),
    FramingCase(
        "protocol-header/in-pieces",
        _SOCKET,
        "the header of the SASL layer octet by octet",
        lambda scene: _HEADERS["sasl"],
        in_pieces=True,
    ),
    FramingCase(
        "protocol-header/after-open", _CONNECTION, "the header of AMQP", lambda scene: _HEADERS["amqp"]
    ),
)

_SECURITY = (
    FramingCase(
        "sasl/protocol-header-instead-of-init",
        _SASL,
        "the header of AMQP",
        lambda scene: _HEADERS["amqp"],
    ),
    FramingCase(
        "sasl/open-instead-of-init",
        _SASL,
        "open in an AMQP frame",
        lambda scene: amqp.encode_frame(0, scene.broker.make_open()),
    ),
    FramingCase("sasl/begin-instead-of-init", _SASL, "begin in an AMQP frame", _begin),
    FramingCase("sasl/second-init", Stage.HEADER, "sasl-init once more", _init),
    FramingCase(
        "sasl/mechanisms-from-the-client",
        _SASL,
        "sasl-mechanisms",
        lambda scene: amqp.encode_frame(0, SaslMechanisms(["ANONYMOUS"])),
    ),
    FramingCase(
        "sasl/outcome-from-the-client",
        _SASL,
        "sasl-outcome with the code ok",
        lambda scene: amqp.encode_frame(0, SaslOutcome(SaslCode.OK)),
    ),
    FramingCase(
        "sasl/mechanism-null",
        _SASL,
        "sasl-init with null as mechanism",
        lambda scene: make_frame(make_performative(_SASL_INIT, _NULL), kind=1),
    ),
    FramingCase(
        "sasl/mechanism-missing",
        _SASL,
        "sasl-init with an empty list",
        lambda scene: make_frame(make_performative(_SASL_INIT), kind=1),
    ),
    FramingCase(
        "sasl/data-offset-one", _SASL, "sasl-init with DOFF 1", lambda scene: _with_octet(_init(scene), 4, 1)
    ),
    FramingCase("sasl/size-seven", _SASL, "sasl-init with SIZE 7", lambda scene: with_size(_init(scene), 7)),
    FramingCase(
        "sasl/unknown-frame-type",
        _SASL,
        "sasl-init with TYPE 2",
        lambda scene: _with_octet(_init(scene), 5, 2),
    ),
    FramingCase(
        "sasl/init-truncated",
        _SASL,
        "sasl-init with a list of 127 octets in a shorter frame",
        lambda scene: make_frame(b"\0\x53\x41\xc0\x7f\x01\xa3\x09ANONYMOUS", kind=1),
    ),
    FramingCase("sasl/octet-by-octet", _SASL, "sasl-init octet by octet", _init, in_pieces=True, quiet=True),
)

_FRAMES = (
    FramingCase("frame/size-zero", _CONNECTION, "a frame with SIZE 0", lambda scene: with_size(_EMPTY, 0)),
    FramingCase("frame/size-seven", _CONNECTION, "a frame with SIZE 7", lambda scene: with_size(_EMPTY, 7)),
    FramingCase(
        "frame/size-above-max-frame-size",
        _CONNECTION,
        "begin in a frame one octet above the peer's max-frame-size",
        _too_large,
    ),
    FramingCase(
        "frame/data-offset-zero",
        _CONNECTION,
        "begin with DOFF 0",
        lambda scene: _with_octet(_begin(scene), 4, 0),
    ),
    FramingCase(
        "frame/data-offset-one",
        _CONNECTION,
        "begin with DOFF 1",
        lambda scene: _with_octet(_begin(scene), 4, 1),
    ),
    FramingCase(
        "frame/data-offset-beyond-end",
        _CONNECTION,
        "begin with DOFF 255",
        lambda scene: _with_octet(_begin(scene), 4, 255),
    ),
    FramingCase(
        "frame/unknown-type", _CONNECTION, "begin with TYPE 2", lambda scene: _with_octet(_begin(scene), 5, 2)
    ),
    FramingCase(
        "frame/sasl-after-open",
        _CONNECTION,
        "sasl-outcome in a SASL frame",
        lambda scene: amqp.encode_frame(0, SaslOutcome(SaslCode.OK)),
    ),
    FramingCase(
        "frame/extended-header",
        _CONNECTION,
        "begin with four octets before its body",
        lambda scene: with_extended_header(_begin(scene), b"\xfe\xdc\xba\x98"),
    ),
    FramingCase(
        "frame/long-extended-header",
        _CONNECTION,
        "begin with 400 octets before its body",
        lambda scene: with_extended_header(_begin(scene), b"\xff" * 400),
    ),
    FramingCase("frame/empty", _CONNECTION, "an empty frame", lambda scene: _EMPTY),
    FramingCase(
        "frame/empty-on-highest-channel",
        _CONNECTION,
        "an empty frame on the peer's highest channel",
        lambda scene: make_frame(b"", scene.remote.channel_max),
    ),
    FramingCase(
        "frame/empty-with-extended-header",
        _CONNECTION,
        "an empty frame with an extended header of four octets",
        lambda scene: with_extended_header(_EMPTY, b"\xff" * 4),
    ),
    FramingCase(
        "frame/octet-by-octet", _CONNECTION, "begin octet by octet", _begin, in_pieces=True, quiet=True
    ),
    FramingCase(
        "frame/many-in-one-piece",
        _CONNECTION,
        "a hundred empty frames in one piece",
        lambda scene: _EMPTY * 100,
    ),
)

CASES = (*_PROTOCOL_HEADERS, *_SECURITY, *_FRAMES)
DRIVERS = drivers_of(CASES)
