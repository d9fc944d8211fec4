"""The wire facts that no specification XML states: headers, frame types, field-table dialects (``specs/wire.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..problem import Position


@dataclass(frozen=True, slots=True)
class Dialect:
    """A set of field-table letters.

    Attributes:
        name: For example ``rabbitmq``.
        doc: One sentence for people.
        read: Letter to kind of value (``int32``, ``longstr``, ``table`` ...).
        integers: The letters that may carry an ``int``, in the order they are tried.
        write: Kind of Python value (``boolean``, ``float``, ``text``, ``bytes``, ``decimal``,
            ``timestamp``, ``array``, ``table``, ``void``) to letter; a missing kind cannot be carried.
    """

    name: str
    doc: str
    read: Mapping[str, str]
    integers: tuple[str, ...]
    write: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WireVersion:
    """The wire facts of a protocol version.

    Attributes:
        name: ``0-8``, ``0-9`` or ``0-9-1``.
        header: The eight octets a client sends first.
        other_headers: Other headers that real clients of this version send.
        dialect: The name of the default field-table dialect.
        overhead: The octets of a frame besides its payload.
        frame_end: The last octet of a frame, if the file does not state it.
        min_frame_size: The frame size in octets that every peer accepts, if the file does not state it.
        heartbeat: A whole heartbeat frame.
        frames: Meaning (``method``, ``header``, ``body``, ``heartbeat`` ...) to frame type octet.
        senders: Method to the peer that sends it, where the chassis of the file names the wrong one.
    """

    name: str
    header: bytes
    other_headers: tuple[bytes, ...]
    dialect: str
    overhead: int
    frame_end: int
    min_frame_size: int
    heartbeat: bytes
    frames: Mapping[str, int]
    senders: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WireOverlay:
    """The identity that an overlay file of ours gives to the version it changes, its ``base``."""

    base: str
    version: str
    title: str
    dialect: str
    package: str


@dataclass(frozen=True, slots=True)
class PropertyCheck:
    """What a broker checks of a content property, if it is there.

    Attributes:
        path: For example ``basic.properties.expiration``.
        check: ``values``: it is one of the numbers; ``decimal``: it is text, a decimal integer from the first number to
            the second; ``user``: it is the user of the connection; ``arrays``: it is a table in which the keys have arrays.
        numbers: Those of ``values`` and ``decimal``.
        keys: Those of ``arrays``.
    """

    path: str
    check: str
    numbers: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A set of asserts that a broker enforces.

    Attributes:
        name: For example ``rabbitmq``.
        reason: The evidence.
        dialect: The name of the field-table dialect that the broker reads.
        skip: The asserts it does not enforce: kinds, or single ones as ``class.method.field/kind``.
        finite: Whether it refuses NaN and infinity in tables.
        properties: What it checks of content properties.
    """

    name: str
    reason: str
    dialect: str
    skip: tuple[str, ...]
    finite: bool = False
    properties: tuple[PropertyCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldDefault:
    """A default for a field that is not the zero value of its type.

    Attributes:
        value: The value.
        reason: Why it is not zero.
        position: Where it stands.
    """

    value: bool | int | str
    reason: str
    position: Position


@dataclass(frozen=True, slots=True)
class Conduct:
    """What methods do to connections and channels, as no XML says it. Methods are named ``class.method``.

    Attributes:
        states: By class, ``connection`` and ``channel``: method to the state that it leads to; ``first`` is the state before.
        modes: Request to the mode that it brings a channel into.
        needed_modes: Request to the mode of the channels that it is for.
        consumes: Requests for a consumer.
        cancels: Requests to end one.
        delivers: Contents for a consumer.
        fetched: Contents that answer a request.
        returns: Contents that come back.
        settles: What settles deliveries or confirms messages, to whether it is good news.
        voids: Requests that take all unsettled deliveries back.
        undoes: Requests after which what the transaction has settled is unsettled again.
        flows: Requests to stop contents or to go on.
    """

    states: Mapping[str, Mapping[str, str]]
    modes: Mapping[str, str]
    needed_modes: Mapping[str, str]
    consumes: tuple[str, ...]
    cancels: tuple[str, ...]
    delivers: tuple[str, ...]
    fetched: tuple[str, ...]
    returns: tuple[str, ...]
    settles: Mapping[str, bool]
    voids: tuple[str, ...]
    undoes: tuple[str, ...]
    flows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wire:
    """The content of ``wire.toml``.

    Attributes:
        dialects: By name, in file order.
        versions: By version name.
        overlays: By base name of the overlay file.
        types: Elementary type to a description of its wire form.
        aliases: Version name to field path to alias names; the version ``any`` has bare field names.
        profiles: By name.
        defaults: By path of the field, ``class.method.field``.
        lenient: Letter to kind of value, for lenient readers whose dialect lacks the letter.
        required: The fields that constructors have no default for, as ``*.method.field``, each with its reason.
        text: The long strings that are text, as ``class.method.field``, each with what is in it.
        conduct: What methods do.
    """

    dialects: Mapping[str, Dialect]
    versions: Mapping[str, WireVersion]
    overlays: Mapping[str, WireOverlay]
    types: Mapping[str, str]
    aliases: Mapping[str, Mapping[str, tuple[str, ...]]]
    profiles: Mapping[str, Profile]
    defaults: Mapping[str, FieldDefault]
    required: Mapping[str, str]
    conduct: Conduct
    lenient: Mapping[str, str]
    text: Mapping[str, str] = field(default_factory=dict)
