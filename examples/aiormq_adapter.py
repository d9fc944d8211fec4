"""Lets aiormq, and aio-pika on top of it, run on a generated codec in the place of pamqp.

    import aiormq_adapter

    aiormq_adapter.install()  # before anybody imports pamqp
    import aio_pika

    aiormq_adapter.read_in_chunks()  # as you like: fewer steps for each frame that is received

aiormq asks its codec for a class of each method, for frames as objects and as octets, and for a few names. ``install``
puts modules with that into ``sys.modules``, under the names by which aiormq imports them; pamqp itself is not imported,
and need not be there. What has no counterpart in aiormq or aio-pika, such as pamqp's own functions for tables, is left out.
It fits aiormq 7.2, which aio-pika 10 is built on; earlier ones ask pamqp for other names, and ``install`` refuses them.

The generated package keeps to the specification where pamqp has a convention of its own. That is what is converted
here: long strings (octets; pamqp has text in some methods), timestamps (seconds; pamqp has ``datetime``, and takes what is
above 2^32 - 1 for milliseconds), and tables with timestamps in them. A timestamp that no ``datetime`` can hold stays a number.
"""

from __future__ import annotations

import asyncio
import struct
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any, TypeAlias

import amqp_0_9_1_rabbitmq as amqp

FRAME_HEADER = struct.Struct(">BHI")  # type, channel, size
CHUNK = 1 << 16  # octets to read at once

# The versions of aiormq that this fits, from the first to before the last; tried with 7.2.2 to 7.2.4.
AIORMQ = ((7, 2), (8, 0))
LAST_SECOND = 0xFFFFFFFF  # of the year 2106; pamqp takes a larger timestamp for milliseconds
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# Arguments that pamqp takes and gives as text; long strings are octets.
TEXTS = amqp.TEXT_ARGUMENTS
# What aiormq leaves out of methods.
DEFAULTS: dict[str, dict[str, Any]] = {"connection.start-ok": {"mechanism": "PLAIN", "locale": "en_US"}}

FieldValue: TypeAlias = (
    bool | bytes | bytearray | Decimal | float | int | str | datetime | list[Any] | dict[str, Any] | None
)
FieldTable: TypeAlias = dict[str, Any]
FieldArray: TypeAlias = list[Any]
Arguments: TypeAlias = dict[str, Any] | None


class Frame:
    """What aiormq reads of a method besides its arguments; base of all classes of methods."""

    __slots__ = ()

    @property
    def name(self: Any) -> str:
        return self.NAME

    @property
    def synchronous(self: Any) -> bool:
        """Whether a reply is due."""
        return self.expects_reply

    @property
    def valid_responses(self: Any) -> tuple[str, ...]:
        """The names of what may answer; aiormq looks at a close of the connection only if it is among them."""
        return (*(reply.NAME for reply in self.RESPONSES), amqp.methods.ConnectionClose.NAME)


def command(method: type[Any]) -> type[Any]:
    """Return the class of a method as aiormq wants it; it adds no fields, so that decoded methods can become one."""
    members: dict[str, Any] = {"__slots__": ()}
    texts = TEXTS.get(method, ())
    if texts or method.NAME in DEFAULTS:

        def __init__(self: Any, **arguments: Any) -> None:
            method.__init__(self, **octet_arguments({**DEFAULTS.get(method.NAME, {}), **arguments}, texts))

        members["__init__"] = __init__
    return type(method.__name__, (method, Frame), members)


def octet_arguments(arguments: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """Return arguments with text as octets where we have octets."""
    return {
        name: value.encode(errors="surrogateescape") if name in texts and isinstance(value, str) else value
        for name, value in arguments.items()
    }


class Properties(amqp.BasicProperties):
    """The properties of a message; they may have a moment without a time zone."""

    __slots__ = ()


class ContentHeader(amqp.ContentHeader):
    """A content header; aiormq makes some without properties."""

    __slots__ = ()

    def __init__(self, weight: int = 0, body_size: int = 0, properties: Properties | None = None) -> None:
        super().__init__(properties or Properties(), body_size, weight)


class ContentBody(amqp.ContentBody):
    """A part of a body, under the name by which aiormq reads it."""

    __slots__ = ()

    @property
    def value(self) -> bytes:
        return bytes(self.payload)


class ProtocolHeader:
    """The first eight octets of a connection."""

    __slots__ = ()

    def marshal(self) -> bytes:
        return amqp.PROTOCOL_HEADER


FrameTypes: TypeAlias = Frame | ContentHeader | ContentBody | ProtocolHeader | amqp.Heartbeat

COMMANDS: dict[type[Any], type[Any]] = {method: command(method) for method in amqp.METHODS.values()}

# The classes of the package for those of the adapter, and the other way.
PLAIN: dict[type[Any], type[Any]] = {
    **{own: method for method, own in COMMANDS.items()},
    ContentBody: amqp.ContentBody,
    ContentHeader: amqp.ContentHeader,
}
OWN = {plain: own for own, plain in PLAIN.items()}


def marshal(frame: Any, channel: int) -> bytes:
    """Return the octets of a frame.

    Meanwhile it is an object of the package's own class, because the core in C writes no others.
    """
    own = type(frame)
    frame.__class__ = PLAIN.get(own, own)
    if own is not ContentHeader:
        try:
            return amqp.encode_frame(channel, frame)
        finally:
            frame.__class__ = own
    properties = frame.properties
    given, properties.timestamp = properties.timestamp, in_utc(properties.timestamp)
    properties.__class__ = amqp.BasicProperties
    try:
        return amqp.encode_frame(channel, frame)
    finally:
        frame.__class__, properties.__class__, properties.timestamp = own, Properties, given


def in_utc(timestamp: Any) -> Any:
    """Return a timestamp; a moment without a time zone is one in UTC, as for pamqp."""
    if isinstance(timestamp, datetime) and timestamp.tzinfo is None:
        return timestamp.replace(tzinfo=UTC)
    return timestamp


def unmarshal(octets: bytes) -> tuple[int, int, Any]:
    """Return how long the first frame is, its channel, and the frame."""
    size = frame_parts(octets)[2]
    end = len(octets) if size is None else FRAME_HEADER.size + size + 1
    frames, position = amqp.decode_frames(octets if len(octets) == end else octets[:end])
    if not frames:
        raise amqp.errors.Truncated("the frame is cut off")
    channel, frame = frames[0]
    return position, channel, adapted(frame)


def frame_parts(octets: bytes) -> tuple[int | None, int | None, int | None]:
    """Return type, channel and size of a frame; None three times if there are too few octets."""
    if len(octets) < FRAME_HEADER.size:
        return None, None, None
    kind, channel, size = FRAME_HEADER.unpack_from(octets)
    return kind, channel, size


def adapted(frame: Any) -> Any:
    """Return a decoded frame as an object of the class that aiormq knows, which is the same object."""
    kind = type(frame)
    if isinstance(frame, amqp.ContentHeader):
        try:
            adapt_properties(frame.properties)
        except amqp.DecodeError:  # one message ends no connection: it comes without properties
            frame.properties = amqp.BasicProperties()
            adapt_properties(frame.properties)
    else:
        for name in TEXTS.get(kind, ()):
            # A challenge need not be UTF-8: that depends on the mechanism.
            setattr(frame, name, getattr(frame, name).decode(errors="surrogateescape"))
    frame.__class__ = OWN.get(kind, kind)
    return frame


def adapt_properties(properties: Any) -> None:
    if properties.timestamp is not None:
        properties.timestamp = moment(properties.timestamp)
    if properties.headers:
        properties.headers = with_datetimes(properties.headers)
    properties.__class__ = Properties


def moment(timestamp: int) -> Any:
    """Return the ``datetime`` of a timestamp, as pamqp reads it; the number if there is none."""
    unit = timedelta(milliseconds=1) if timestamp > LAST_SECOND else timedelta(seconds=1)
    try:
        return EPOCH + int(timestamp) * unit
    except OverflowError:
        return int(timestamp)


def with_datetimes(value: Any) -> Any:
    """Return a value of a table with a ``datetime`` for each timestamp in it."""
    kind = type(value)
    if kind is dict:
        return {key: with_datetimes(item) for key, item in value.items()}
    if kind is list:
        return [with_datetimes(item) for item in value]
    return moment(value) if kind is amqp.Timestamp else value


class FrameReceiver:
    """Takes the place of aiormq's class of this name, which asks for the parts of each frame one by one.

    This one reads what is there, and the decoder of the package makes frames of it.
    """

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.reader = reader
        self.decoder = amqp.FrameDecoder(max_frame_size=0)  # aiormq has no limit, either
        self.frames: deque[tuple[int, Any]] = deque()
        self.error: amqp.DecodeError | None = None

    def __aiter__(self) -> FrameReceiver:
        return self

    async def __anext__(self) -> tuple[int, int, Any]:
        return await self.get_frame()

    async def get_frame(self) -> tuple[int, int, Any]:
        """Return the size of the next frame, which aiormq only logs, its channel, and the frame."""
        while not self.frames:
            await self.receive()
        channel, frame = self.frames.popleft()
        return 0, channel, adapted(frame)

    async def receive(self) -> None:
        from aiormq.exceptions import AMQPConnectionError, InvalidFrameError, ProtocolSyntaxError

        if self.error is not None:
            raise InvalidFrameError(str(self.error)) from self.error
        if self.reader.at_eof():
            raise StopAsyncIteration
        try:
            octets = await self.reader.read(CHUNK)
        except OSError as error:
            raise AMQPConnectionError(f"Server communication error: {error!r}") from error
        if not octets:
            raise AMQPConnectionError("Server connection unexpectedly closed")
        try:
            self.frames += self.decoder.feed(octets)
        except amqp.DecodeError as error:
            # What came before it is still handed over.
            self.frames += error.frames
            self.error = error
        if self.frames and isinstance(self.frames[0][1], amqp.ProtocolHeader):
            raise ProtocolSyntaxError("Unexpected AMQP protocol header")


def read_in_chunks() -> None:
    """Let aiormq receive frames with the decoder of the package."""
    import aiormq.connection

    aiormq.connection.FrameReceiver = FrameReceiver


def install() -> None:
    """Put the adapter in the place of pamqp.

    Raises:
        RuntimeError: pamqp is imported already: then there are two kinds of frames in the process. Or the version of
            aiormq is one that this does not fit.
    """
    check_version()
    taken = sys.modules.get("pamqp")
    if taken is not None and getattr(taken, "CODEC", None) is not amqp:
        raise RuntimeError("pamqp is imported already; install the adapter before that")
    package = module("pamqp", CODEC=amqp, __path__=[])
    parts = [
        module("pamqp.base", Frame=Frame),
        module("pamqp.body", ContentBody=ContentBody),
        module("pamqp.commands", **command_namespaces()),
        module(
            "pamqp.common",
            Arguments=Arguments,
            FieldArray=FieldArray,
            FieldTable=FieldTable,
            FieldValue=FieldValue,
        ),
        module("pamqp.constants", REPLY_SUCCESS=amqp.constants.REPLY_SUCCESS),
        module("pamqp.exceptions", PAMQPException=amqp.CodecError),
        module(
            "pamqp.frame",
            FrameTypes=FrameTypes,
            frame_parts=frame_parts,
            marshal=marshal,
            unmarshal=unmarshal,
        ),
        module("pamqp.header", ContentHeader=ContentHeader, ProtocolHeader=ProtocolHeader),
        module("pamqp.heartbeat", Heartbeat=amqp.Heartbeat),
    ]
    for part in parts:
        setattr(package, part.__name__.partition(".")[2], part)


def check_version() -> None:
    """Refuse a version of aiormq that asks for other names; nothing is said if there is none."""
    try:
        installed = version("aiormq")
    except PackageNotFoundError:
        return
    numbers = tuple(int(part) for part in installed.split(".")[:2] if part.isdigit())
    first, end = AIORMQ
    if not first <= numbers < end:
        fits = f"aiormq>={first[0]}.{first[1]},<{end[0]}"
        raise RuntimeError(f"aiormq {installed} is installed; this adapter fits {fits}: pip install '{fits}'")


def module(name: str, **members: Any) -> ModuleType:
    """Return a new module that is found by its name."""
    made = ModuleType(name, "See aiormq_adapter.")
    vars(made).update(members)
    sys.modules[name] = made
    return made


def command_namespaces() -> dict[str, type[Any]]:
    """Return the classes of methods by the class of the specification: ``Basic.Publish`` is ``BasicPublish``."""
    members: dict[str, dict[str, Any]] = {}
    for method, cls in COMMANDS.items():
        class_name = method.NAME.partition(".")[0].capitalize()
        members.setdefault(class_name, {})[method.__name__.removeprefix(class_name)] = cls
    members["Basic"]["Properties"] = Properties
    return {name: type(name, (), found) for name, found in members.items()}
