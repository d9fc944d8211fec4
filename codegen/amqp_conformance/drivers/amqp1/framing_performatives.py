"""Framing: performatives and their fields, channels and handles. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Target
from amqp_1_0.performatives import Attach, Begin, Detach, Disposition, End, Flow, Open, Role, Transfer
from amqp_1_0.sasl import SaslInit
from amqp_1_0.types import Symbol, UInt

from ...amqp1.checks import message
from ...amqp1.frames import make_frame, make_list, make_performative, value
from ...amqp1.framing import FramingCase, Scene, Stage, drivers_of
from ...engine.run_result import NotTestable

_OPEN_STAGE, _CONNECTION, _SESSION, _LINK = Stage.OPEN, Stage.CONNECTION, Stage.SESSION, Stage.LINK
_OPEN, _BEGIN, _ATTACH, _FLOW, _ACCEPTED, _SASL_INIT = (
    each.CODE or 0 for each in (Open, Begin, Attach, Flow, Accepted, SaslInit)
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


_PERFORMATIVES = (
    FramingCase(
        "performative/unknown-number",
        _CONNECTION,
        "a list with the descriptor 0x1f",
        lambda scene: _performative(0x1F, *_BEGIN_FIELDS),
    ),
    FramingCase(
        "performative/unknown-symbol",
        _CONNECTION,
        "a list with the descriptor amqp-codegen:none:list",
        lambda scene: make_frame(make_list(value(Symbol("amqp-codegen:none:list")), *_BEGIN_FIELDS)),
    ),
    FramingCase(
        "performative/other-type-of-the-standard",
        _CONNECTION,
        "accepted as a performative",
        lambda scene: _performative(_ACCEPTED),
    ),
    FramingCase(
        "performative/sasl-init",
        _CONNECTION,
        "sasl-init in an AMQP frame",
        lambda scene: _performative(_SASL_INIT, value(Symbol("ANONYMOUS"))),
    ),
    FramingCase(
        "performative/not-described",
        _CONNECTION,
        "a list without a descriptor",
        lambda scene: make_frame(make_performative(_BEGIN, *_BEGIN_FIELDS)[3:]),
    ),
    FramingCase(
        "performative/map-instead-of-list",
        _CONNECTION,
        "begin with an empty map",
        lambda scene: make_frame(b"\0\x53\x11\xc1\x01\0"),
    ),
    FramingCase(
        "performative/only-descriptor",
        _CONNECTION,
        "the descriptor of begin and nothing behind it",
        lambda scene: make_frame(b"\0\x53\x11"),
    ),
    FramingCase(
        "performative/list-beyond-frame",
        _CONNECTION,
        "begin with a list of 127 octets in a shorter frame",
        lambda scene: make_frame(b"\0\x53\x11\xc0\x7f\x04" + b"".join(_BEGIN_FIELDS)),
    ),
    FramingCase(
        "performative/fewer-items-than-count",
        _CONNECTION,
        "begin with four items and a count of eight",
        lambda scene: make_frame(b"\0\x53\x11\xc0\x07\x08" + b"".join(_BEGIN_FIELDS)),
    ),
    FramingCase(
        "performative/octets-behind-items",
        _CONNECTION,
        "begin with four items and three octets behind them in its list",
        lambda scene: make_frame(b"\0\x53\x11\xc0\x0a\x04" + b"".join(_BEGIN_FIELDS) + b"\x40\x40\x40"),
    ),
    FramingCase(
        "performative/unknown-constructor",
        _CONNECTION,
        "begin with the format code 3f",
        lambda scene: _performative(_BEGIN, b"\x3f", *_BEGIN_FIELDS[1:]),
    ),
    FramingCase(
        "performative/string-beyond-list",
        _CONNECTION,
        "begin with a string of 127 octets in a shorter list",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS[:3], b"\xa1\x7fab"),
    ),
)

_FIELDS = (
    FramingCase(
        "open/container-id-missing",
        _OPEN_STAGE,
        "open with an empty list",
        lambda scene: _performative(_OPEN),
    ),
    FramingCase(
        "open/container-id-null",
        _OPEN_STAGE,
        "open with null as container-id",
        lambda scene: _performative(_OPEN, _NULL, value(scene.broker.make_open().hostname)),
    ),
    FramingCase(
        "open/container-id-number",
        _OPEN_STAGE,
        "open with a number as container-id",
        lambda scene: _performative(_OPEN, value(UInt(1)), value(scene.broker.make_open().hostname)),
    ),
    FramingCase(
        "open/container-id-not-utf-8",
        _OPEN_STAGE,
        "open with the octets c3 28 as container-id",
        lambda scene: _performative(_OPEN, _NOT_UTF_8, value(scene.broker.make_open().hostname)),
    ),
    FramingCase(
        "open/truncated",
        _OPEN_STAGE,
        "open with a list of 127 octets in a shorter frame",
        lambda scene: make_frame(b"\0\x53\x10\xc0\x7f\x01\xa1\x04name"),
    ),
    FramingCase(
        "begin/mandatory-null",
        _CONNECTION,
        "begin with null as incoming-window",
        lambda scene: _performative(_BEGIN, _NULL, _ZERO, _NULL, _TEN),
    ),
    FramingCase(
        "begin/mandatory-missing",
        _CONNECTION,
        "begin without windows",
        lambda scene: _performative(_BEGIN, _NULL, _ZERO),
    ),
    FramingCase(
        "begin/string-for-number",
        _CONNECTION,
        "begin with a string as next-outgoing-id",
        lambda scene: _performative(_BEGIN, _NULL, value("one"), _TEN, _TEN),
    ),
    FramingCase(
        "begin/map-of-odd-count",
        _CONNECTION,
        "begin with a key without a value in its properties",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS, *[_NULL] * 3, b"\xc1\x04\x01\xa3\x01x"),
    ),
    FramingCase(
        "begin/array-beyond-list",
        _CONNECTION,
        "begin with an array of 127 octets in a shorter list",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS, _NULL, _NULL, b"\xe0\x7f\x01\xa3\x01x"),
    ),
    FramingCase(
        "begin/array-of-numbers",
        _CONNECTION,
        "begin with numbers as desired-capabilities",
        lambda scene: _performative(_BEGIN, *_BEGIN_FIELDS, _NULL, _NULL, b"\xe0\x04\x02\x50\x01\x02"),
    ),
    FramingCase(
        "attach/name-null",
        _SESSION,
        "attach with null as name",
        lambda scene: _performative(_ATTACH, _NULL, _ZERO, b"\x42"),
    ),
    FramingCase(
        "attach/name-not-utf-8",
        _SESSION,
        "attach with the octets c3 28 as name",
        lambda scene: _performative(_ATTACH, _NOT_UTF_8, _ZERO, b"\x42"),
    ),
    FramingCase(
        "attach/role-missing",
        _SESSION,
        "attach without a role",
        lambda scene: _performative(_ATTACH, value("name"), _ZERO),
    ),
    FramingCase(
        "flow/window-missing",
        _SESSION,
        "flow without windows",
        lambda scene: _performative(_FLOW, _ZERO),
    ),
)

_CHANNELS = (
    FramingCase(
        "channel/above-channel-max",
        _CONNECTION,
        "begin on the channel one above the peer's channel-max",
        _above_channel_max,
    ),
    FramingCase("channel/end-without-begin", _CONNECTION, "end", lambda scene: amqp.encode_frame(0, End())),
    FramingCase(
        "channel/attach-without-begin",
        _CONNECTION,
        "attach",
        lambda scene: amqp.encode_frame(0, Attach("name", 0, Role.SENDER, initial_delivery_count=0)),
    ),
    FramingCase("channel/flow-without-begin", _CONNECTION, "flow", _flow),
    FramingCase(
        "channel/transfer-without-begin", _CONNECTION, "transfer", lambda scene: _transfer(0, 0, b"tag")
    ),
    FramingCase(
        "channel/begin-twice",
        _SESSION,
        "begin once more",
        lambda scene: amqp.encode_frame(0, Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10)),
    ),
)

_LINKS = (
    FramingCase(
        "link/handle-above-handle-max",
        _SESSION,
        "attach with the handle one above the peer's handle-max",
        _above_handle_max,
    ),
    FramingCase(
        "link/transfer-on-unattached-handle",
        _SESSION,
        "transfer on a handle that is not attached",
        lambda scene: _transfer(_UNUSED, 0, b"tag"),
    ),
    FramingCase(
        "link/detach-of-unattached-handle",
        _SESSION,
        "detach of a handle that is not attached",
        lambda scene: amqp.encode_frame(0, Detach(_UNUSED, True)),
    ),
    FramingCase(
        "link/delivery-id-missing",
        _LINK,
        "transfer without a delivery-id",
        lambda scene: _transfer(0, None, b"tag"),
    ),
    FramingCase(
        "link/delivery-tag-missing",
        _LINK,
        "transfer without a delivery-tag",
        lambda scene: _transfer(0, 0, None),
    ),
    FramingCase(
        "link/disposition-of-unknown-delivery",
        _SESSION,
        "disposition of the deliveries 500 to 600",
        lambda scene: amqp.encode_frame(0, Disposition(Role.RECEIVER, 500, 600, settled=True)),
    ),
)

CASES = (*_PERFORMATIVES, *_FIELDS, *_CHANNELS, *_LINKS)
DRIVERS = drivers_of(CASES)
