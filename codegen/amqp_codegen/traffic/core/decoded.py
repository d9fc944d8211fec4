"""What frames become: rows of the tables ``frames``, ``methods`` and ``performatives``, and events; as plain lists.

Connections have their numbers here. ``tables.staging`` makes Arrow of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .event import Event

# (connection, direction, frame_no, offset, packet_no, packet_offset, ns, type, channel, size, key, name, status, error)
#
# connection, direction, frame_no, offset, ns: as in Event.
# packet_no, packet_offset, type, channel, size: as in FrameSpan.
# key: class id << 16 | method id; the method id is 0 for a content header; None for other frames.
# name: of the method or performative, else content-header, content-body, heartbeat, protocol-header, empty, or that of
#     another frame type. None for a method or performative that nobody knows.
# status: ``OK`` or ``UNDECODED``.
# error: the value of the reason why it could not be decoded.
FrameRow: TypeAlias = (
    "tuple[int, int, int, int, int, int, int, int, int, int, int | None, str | None, str, str | None]"
)
OK, UNDECODED = "ok", "undecoded"


@dataclass(slots=True)
class RowsOfKind:
    """The rows of one method, or of one type of performative.

    Attributes:
        name: Its name, for example ``basic.publish``.
        columns: What is in the rows: pairs of name and type, as the generated package has them.
        read: The generated function that reads one.
        rows: The rows.
        frames: Of each, where in ``Decoded.frames`` its frame is.
        payload_sizes: Of performatives, how many octets follow each.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    read: Any
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    payload_sizes: list[int] = field(default_factory=list)


# (where in Decoded.frames its frame is, name as in FrameRow, payload; None if secrets might be in it)
Undecoded: TypeAlias = "tuple[int, str | None, bytes | None]"


@dataclass(slots=True)
class Decoded:
    """What has gathered.

    Attributes:
        frames: A row for each frame.
        methods: Of all packages and dialects; a name may occur more than once.
        performatives: Of AMQP 1.0.
        undecoded_methods: Methods that could not be decoded.
        undecoded_performatives: The same of performatives.
        events: In the order of the frames.
        octets: How many octets of payloads are held in events and in what is undecoded.
    """

    frames: list[FrameRow] = field(default_factory=list)
    methods: list[RowsOfKind] = field(default_factory=list)
    performatives: list[RowsOfKind] = field(default_factory=list)
    undecoded_methods: list[Undecoded] = field(default_factory=list)
    undecoded_performatives: list[Undecoded] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    octets: int = 0
