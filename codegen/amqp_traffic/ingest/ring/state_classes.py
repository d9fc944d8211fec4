"""The classes whose instances the state of a reading has: a closed list, so that a file cannot name anything else.

They are found by name in the table below, and in the generated packages, whose values and methods are plain data. No class is
called: an instance is made without its constructor, and its attributes are set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from types import FunctionType, MappingProxyType, MemberDescriptorType
from typing import Any, Final

from amqp_codegen.support.resources import load_package

from ...frames.amqp0 import frame_format
from ...schemas import PACKAGES1

_ROOT: Final = "amqp_traffic"
_CLASSES: Final[Mapping[str, tuple[str, ...]]] = {
    "capture.ledgers": ("FileLedger", "FramingLedger"),
    "capture.quarantine": ("OrderedQuarantine", "Quarantine", "Quarantined", "Reason", "Total"),
    "capture.stream_data": ("Direction", "StreamPiece"),
    "streams.connection": ("CapturedConnection", "Stream"),
    "streams.connections": ("ConnectionTracker",),
    "streams.open_connections": ("OpenConnections",),
    "streams.proxy_protocol": ("ProxyWrapper",),
    "streams.reassembly": ("Chunk", "Held"),
    "streams.tls.handshake": ("TlsHandshake",),
    "streams.tls.hellos": ("ClientHello", "HelloReader", "HelloWatch", "ServerHello", "TlsFacts"),
    "streams.tls.key_log": ("KeyLog",),
    "streams.tls.key_schedule": ("Protection",),
    "streams.tls.side": ("TlsSide",),
    "streams.tls.wrapper": ("TlsWrapper",),
    "streams.websocket": ("WebSocketWrapper", "_FrameHead", "_Side"),
    "streams.wrappers": ("InnerStream",),
    "frames.amqp0.frame_format": ("FamilyFormat",),
    "frames.amqp1.frame_format": ("FamilyFormat",),
    "frames.conversation": ("FramedConversation",),
    "frames.formats": ("FrameSpan",),
    "frames.frame_reader": ("Conversations", "FrameReader"),
    "frames.framer": ("Framer", "FramerState"),
    "frames.held_back": ("HeldBack",),
    "frames.protocol": ("Protocol",),
    "frames.redaction": ("Login",),
    "frames.resync": ("EmbeddedFrameSampler", "FoundFrame", "Resynchronisation"),
    "frames.skip_log": ("SkipLog", "_Skipped"),
    "frames.unwrapping": ("Unwrapping",),
    "decode.body_retention": ("BodyRetention",),
    "decode.decoded": ("Decoded", "FrameKind"),
    "decode.decoding": ("Decoding", "_Counts"),
    "decode.events": ("Event",),
    "dialogue.amqp0.channel": ("ChannelDialogue", "Consumer", "Consumers"),
    "dialogue.amqp0.methods": ("MethodTraits",),
    "dialogue.amqp0.requests": ("AnsweredRequest", "OpenRequest", "Requests"),
    "dialogue.amqp0.settlement": ("Confirms", "Deliveries", "Outstanding"),
    "dialogue.amqp1.deliveries": ("Deliveries",),
    "dialogue.amqp1.link": ("Link", "LinkDelivery"),
    "dialogue.amqp1.number_ranges": ("NumberRanges", "Told", "_Spot"),
    "dialogue.amqp1.performatives": (
        *("AttachFields", "BeginFields", "CloseFields", "DetachFields"),
        *("DispositionFields", "FlowFields", "OpenFields", "TransferFields"),
    ),
    "dialogue.amqp1.session": ("Attached", "Session", "Sessions"),
    "dialogue.amqp1.window": ("SerialWindow",),
    "messages.amqp0.assembly": ("Assembly", "EventContinuity", "FactReader"),
    "messages.amqp0.channel": ("AssemblySetting", "ChannelMessages"),
    "messages.amqp0.contents": ("ContentAssembly",),
    "messages.amqp0.message": ("MessageRecord",),
    "messages.amqp0.requests": ("Exchanges",),
    "messages.amqp1.assembly": ("Assembly", "FactReader"),
    "messages.amqp1.content": ("DeliveryContent", "MessageSections"),
    "messages.amqp1.message": ("MessageRecord",),
    "messages.amqp1.messages": ("LinkMessages",),
    "messages.amqp1.requests": ("ConnectionRequests",),
    "messages.amqp1.sections": ("BodySections",),
    "messages.assemblies": ("Assemblies", "_GivenUp"),
    "messages.held": ("HeldItems", "HeldTogether"),
    "messages.output": ("ConnectionFacts", "Sent", "Sink"),
    "ingest.tables.connection_names": ("ConnectionNames",),
    "ingest.tables.file_reading": ("SegmentSums",),
    "ingest.tables.file_tables": ("FileFacts",),
    "ingest.inputs": ("RingName",),
    "ingest.job": ("ReadSettings",),
    "ingest.ring.ring": ("RingReading",),
    "ingest.tables.row_conversion": ("RowConversion",),
    "ingest.sharing.survey": ("FileSurvey", "FileTotals"),
    "ingest.tables.pipeline": ("TablePipeline",),
}
_GENERATED: Final = frozenset((*frame_format.PACKAGES, *PACKAGES1))

# Callbacks between the parts of a reading: class and method. All are in modules of the table.
_CALLBACKS: Final = frozenset(
    (
        ("frames.frame_reader", "Conversations", "on_pieces"),
        ("frames.frame_reader", "Conversations", "on_end"),
        ("frames.conversation", "FramedConversation", "take_control"),
        ("frames.unwrapping", "Unwrapping", "_leave_out"),
        ("decode.decoding", "Decoding", "on_frames"),
        ("ingest.tables.pipeline", "TablePipeline", "_on_begin"),
        ("ingest.tables.pipeline", "TablePipeline", "_on_end"),
        ("messages.amqp0.channel", "ChannelMessages", "_over"),
    )
)


def _nothing() -> None:
    """Make the value of an attribute that is set later."""


# Attributes that are made again when reading continues: how to make them empty.
_TRANSIENT: Final[Mapping[tuple[str, str], Mapping[str, Callable[[], Any]]]] = {
    ("decode.decoding", "Decoding"): {"_decoders": dict},
    ("decode.decoding", "_Counts"): {"decoder": _nothing, "protocol": _nothing, "product": str},
    ("ingest.tables.pipeline", "TablePipeline"): {"on_table": _nothing},
    # Keys are in no state: the key log is given again, and ciphers are made again.
    ("streams.tls.key_log", "KeyLog"): {
        "_secrets": dict,
        "_captures": tuple,
        "_file": _nothing,
        "_position": int,
    },
    ("streams.tls.side", "TlsSide"): {"_ciphers": dict},
}


class StateError(ValueError):
    """A state has something that no state has. The message is one line."""


@cache
def find_class(module: str, name: str) -> type:
    """Return a class by the names under which ``names_of`` gives it.

    Raises:
        StateError: It is in no state.
    """
    if name in _CLASSES.get(module, ()):
        return _own_class(f"{_ROOT}.{module}", name, vars(import_module(f"{_ROOT}.{module}")))
    package = module.partition(".")[0]
    if package in _GENERATED:
        load_package(package)
        loaded = sys.modules.get(module)
        if loaded is not None:
            found = _own_class(module, name, vars(loaded))
            if not issubclass(found, BaseException):
                return found
    raise StateError(f"{module}.{name} is in no state")


def _own_class(module: str, name: str, content: Mapping[str, Any]) -> type:
    """Return a class that the module itself defines, not one that it imports."""
    found = content.get(name)
    if isinstance(found, type) and (found.__module__, found.__qualname__) == (module, name):
        return found
    raise StateError(f"{module}.{name} is in no state")


@cache
def names_of(cls: type) -> tuple[str, str]:
    """Return module and name of a class for a file.

    Raises:
        StateError: Its instances are in no state.
    """
    names = cls.__module__.removeprefix(f"{_ROOT}."), cls.__qualname__
    if find_class(*names) is not cls:
        raise StateError(f"{cls.__module__}.{cls.__qualname__} is in no state")
    return names


@cache
def transient_of(cls: type) -> Mapping[str, Callable[[], Any]]:
    """Return the attributes of a class that are not part of a state, with what makes them anew."""
    return MappingProxyType(_TRANSIENT.get(names_of(cls), {}))


@cache
def slots_of(cls: type) -> Mapping[str, MemberDescriptorType]:
    """Return the slots of a class, by attribute; none if its instances have a ``__dict__``."""
    if cls.__dictoffset__:
        return {}
    return {
        name: member
        for owner in reversed(cls.__mro__)
        for name, member in vars(owner).items()
        if isinstance(member, MemberDescriptorType)
    }


def is_value(cls: type) -> bool:
    """Return whether instances are values of one text or number: members of an enumeration, symbols, small integers."""
    return issubclass(cls, Enum | str | bytes | int | float)


def is_object(cls: type) -> bool:
    """Return whether instances are made of attributes alone, so that they can be made without the constructor."""
    constructor: object = cls.__new__
    return constructor is object.__new__ and not is_value(cls)


def callback(cls: type, name: str) -> FunctionType:
    """Return the function of a callback.

    Raises:
        StateError: This is not a callback.
    """
    function = vars(cls).get(name)
    if (*names_of(cls), name) in _CALLBACKS and isinstance(function, FunctionType):
        return function
    raise StateError(f"{name} is not a callback")
