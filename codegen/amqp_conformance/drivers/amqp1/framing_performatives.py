"""Framing: performatives and their fields, channels and handles. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Target
from amqp_1_0.performatives import Attach, Begin, Detach, Disposition, End, Flow, Open, Role, Transfer
from amqp_1_0.sasl import SaslInit
from amqp_1_0.types import Symbol, UInt

from ...amqp1.checks import message
from ...amqp1.frames import make_frame, make_list, make_performative, value
from ...amqp1.framing import CaseTable, Scene, Stage, cases, drivers_of
from ...engine.run_result import NotTestable

_OPEN, _BEGIN, _ATTACH, _FLOW, _ACCEPTED, _SASL_INIT = (
    kind.CODE or 0 for kind in (Open, Begin, Attach, Flow, Accepted, SaslInit)
)
_NULL, _ZERO, _TEN = b"\x40", value(UInt(0)), value(UInt(10))
_BEGIN_FIELDS = (_NULL, _ZERO, _TEN, _TEN)
_NOT_UTF_8 = b"\xa1\x02\xc3\x28"
_UNUSED = 77
_HIGHEST_CHANNEL, _HIGHEST_HANDLE = 0xFFFF, 0xFFFFFFFF


def _performative(code: int, *fields: bytes) -> bytes:
    """Return a frame on channel 0."""
    return make_frame(make_performative(code, *fields))


def _above_channel_max(scene: Scene) -> bytes:
    highest = scene.remote.channel_max
    if highest == _HIGHEST_CHANNEL:
        raise NotTestable("the peer takes all channel numbers there are")
    begin = Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10)
    return amqp.encode_frame(highest + 1, begin)


def _above_handle_max(scene: Scene) -> bytes:
    highest = scene.remote_begin.handle_max
    if highest == _HIGHEST_HANDLE:
        raise NotTestable("the peer takes all handles there are")
    attach = Attach(
        "too high", highest + 1, Role.SENDER, target=Target(scene.broker.queue()), initial_delivery_count=0
    )
    return amqp.encode_frame(0, attach)


def _transfer(handle: int, delivery_id: int | None, tag: bytes | None) -> bytes:
    return amqp.encode_frame(0, Transfer(handle, delivery_id, tag, 0), message(b"a message").encode())


def _flow(scene: Scene) -> bytes:
    return amqp.encode_frame(0, Flow(0, incoming_window=10, next_outgoing_id=0, outgoing_window=10))


_ON_CONNECTION: CaseTable = {
    "performative/unknown-number": (
        "a list with the descriptor 0x1f",
        lambda scene: _performative(0x1F, *_BEGIN_FIELDS),
    ),
    "performative/unknown-symbol": (
        "a list with the descriptor amqp-codegen:none:list",
        lambda scene: make_frame(make_list(value(Symbol("amqp-codegen:none:list")), *_BEGIN_FIELDS)),
    ),
    "performative/other-type-of-the-standard": (
        "accepted as a performative",
        lambda scene: _performative(_ACCEPTED),
    ),
    "performative/sasl-init": (
        "sasl-init in an AMQP frame",
        lambda scene: _performative(_SASL_INIT, value(Symbol("ANONYMOUS"))),
    ),
    "performative/not-described": (
        "a list without a descriptor",
        lambda scene: make_frame(make_performative(_BEGIN, *_BEGIN_FIELDS)[3:]),
    ),
    "performative/map-instead-of-list": (
        "begin with an empty map",
        lambda scene: make_frame(b"\0\x53\x11\xc1\x01\0"),
    ),
    "performative/only-descriptor": (
        "the descriptor of begin and nothing behind it",
        lambda scene: make_frame(b"\0\x53\x11"),
    ),
    "performative/list-beyond-frame": (
        "begin with a list of 127 octets in a shorter frame",
        lambda scene: make_frame(b"\0\x53\x11\xc0\x7f\x04" + b"".join(_BEGIN_FIELDS)),
    ),
    "performative/fewer-items-than-count": (
        "begin with four items and a count of eight",
        lambda scene: make_frame(b"\0\x53\x11\xc0\x07\x08" + b"".join(_BEGIN_FIELDS)),
    ),
    "performative/octets-behind-items": (
        "begin with four items and three octets behind them in its list",
        lambda scene: make_frame(b"\0\x53\x11\xc0\x0a\x04" + b"".join(_BEGIN_FIELDS) + b"\x40\x40\x40"),
    ),
    "performative/unknown-constructor": (
        "begin with the format code 3f",
        lambda scene: _performative(_BEGIN, b"\x3f", *_BEGIN_FIELDS[1:]),
    ),
    "performative/string-beyond-list": (
        "begin with a string of 127 octets in a shorter list",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS[:3], b"\xa1\x7fab"),
    ),
    "begin/mandatory-null": (
        "begin with null as incoming-window",
        lambda scene: _performative(_BEGIN, _NULL, _ZERO, _NULL, _TEN),
    ),
    "begin/mandatory-missing": ("begin without windows", lambda scene: _performative(_BEGIN, _NULL, _ZERO)),
    "begin/string-for-number": (
        "begin with a string as next-outgoing-id",
        lambda scene: _performative(_BEGIN, _NULL, value("one"), _TEN, _TEN),
    ),
    "begin/map-of-odd-count": (
        "begin with a key without a value in its properties",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS, *[_NULL] * 3, b"\xc1\x04\x01\xa3\x01x"),
    ),
    "begin/array-beyond-list": (
        "begin with an array of 127 octets in a shorter list",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS, _NULL, _NULL, b"\xe0\x7f\x01\xa3\x01x"),
    ),
    "begin/array-of-numbers": (
        "begin with numbers as desired-capabilities",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS, _NULL, _NULL, b"\xe0\x04\x02\x50\x01\x02"),
    ),
    "channel/above-channel-max": (
        "begin on the channel one above the peer's channel-max",
        _above_channel_max,
    ),
    "channel/end-without-begin": ("end", lambda scene: amqp.encode_frame(0, End())),
    "channel/attach-without-begin": (
        "attach",
        lambda scene: amqp.encode_frame(0, Attach("name", 0, Role.SENDER, initial_delivery_count=0)),
    ),
    "channel/flow-without-begin": ("flow", _flow),
    "channel/transfer-without-begin": ("transfer", lambda scene: _transfer(0, 0, b"tag")),
}


_BEFORE_OPEN: CaseTable = {
    "open/container-id-missing": ("open with an empty list", lambda scene: _performative(_OPEN)),
    "open/container-id-null": (
        "open with null as container-id",
        lambda scene: _performative(_OPEN, _NULL, value(scene.broker.make_open().hostname)),
    ),
    "open/container-id-number": (
        "open with a number as container-id",
        lambda scene: _performative(_OPEN, value(UInt(1)), value(scene.broker.make_open().hostname)),
    ),
    "open/container-id-not-utf-8": (
        "open with the octets c3 28 as container-id",
        lambda scene: _performative(_OPEN, _NOT_UTF_8, value(scene.broker.make_open().hostname)),
    ),
    "open/truncated": (
        "open with a list of 127 octets in a shorter frame",
        lambda scene: make_frame(b"\0\x53\x10\xc0\x7f\x01\xa1\x04name"),
    ),
}


_ON_SESSION: CaseTable = {
    "attach/name-null": (
        "attach with null as name",
        lambda scene: _performative(_ATTACH, _NULL, _ZERO, b"\x42"),
    ),
    "attach/name-not-utf-8": (
        "attach with the octets c3 28 as name",
        lambda scene: _performative(_ATTACH, _NOT_UTF_8, _ZERO, b"\x42"),
    ),
    "attach/role-missing": (
        "attach without a role",
        lambda scene: _performative(_ATTACH, value("name"), _ZERO),
    ),
    "flow/window-missing": ("flow without windows", lambda scene: _performative(_FLOW, _ZERO)),
    "channel/begin-twice": (
        "begin once more",
        lambda scene: amqp.encode_frame(0, Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10)),
    ),
    "link/handle-above-handle-max": (
        "attach with the handle one above the peer's handle-max",
        _above_handle_max,
    ),
    "link/transfer-on-unattached-handle": (
        "transfer on a handle that is not attached",
        lambda scene: _transfer(_UNUSED, 0, b"tag"),
    ),
    "link/detach-of-unattached-handle": (
        "detach of a handle that is not attached",
        lambda scene: amqp.encode_frame(0, Detach(_UNUSED, True)),
    ),
    "link/disposition-of-unknown-delivery": (
        "disposition of the deliveries 500 to 600",
        lambda scene: amqp.encode_frame(0, Disposition(Role.RECEIVER, 500, 600, settled=True)),
    ),
}


_ON_LINK: CaseTable = {
    "link/delivery-id-missing": ("transfer without a delivery-id", lambda scene: _transfer(0, None, b"tag")),
    "link/delivery-tag-missing": ("transfer without a delivery-tag", lambda scene: _transfer(0, 0, None)),
}

CASES = (
    *cases(Stage.CONNECTION, _ON_CONNECTION),
    *cases(Stage.OPEN, _BEFORE_OPEN),
    *cases(Stage.SESSION, _ON_SESSION),
    *cases(Stage.LINK, _ON_LINK),
)
DRIVERS = drivers_of(CASES)
