"""A 0-x message: its method and content, and how it was settled. A row of the table ``messages``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar

from amqp_codegen.support.resources import load_module

from ...decode.events import Event
from ...frames.amqp0.frame_format import method_key
from ...recipes import MESSAGES0, NOTHING, ColumnSource, Recipe, argument, header, own, own_names
from ...rows import RowMaker, recipe_maker
from ...schemas import PACKAGES0
from ..output import NOT_FOLLOWED, MessageRow

PUBLISH, DELIVER, GET_OK, RETURN = "publish", "deliver", "get-ok", "return"
WIRE = "wire"  # the source: its own frames were captured
# The columns ``settle`` and ``confirm``.
ACK, NACK, REJECT, NONE = "ack", "nack", "reject", "none"

# The methods with content, by what their messages are called.
METHODS = {PUBLISH: "BasicPublish", DELIVER: "BasicDeliver", GET_OK: "BasicGetOk", RETURN: "BasicReturn"}
BASIC = 60  # class id; content headers of other classes have other properties

# What a row is made from: the event of the method; the digest and the beginning of the body; None; attributes of the
# message, as the recipe names them; the row of the content header; and at the end the row of the method.
_EVENT = ("method" if name == "kind" else name for name in Event._fields)  # a message has a kind of its own
_GIVEN = (*_EVENT, "sha256", "beginning", NOTHING.name)
_ATTRIBUTES = own_names(MESSAGES0, _GIVEN)
_read_attributes = attrgetter(*_ATTRIBUTES)
_NO_HEADER = (None,) * 17  # class id, size of the body, the properties, misfits
_NO_METHOD = (None,) * 6  # as many as a method with content has at most


@dataclass(slots=True, eq=False)
class MessageRecord:
    """A message.

    Attributes:
        event: The event of the method.
        kind: ``PUBLISH``, ``DELIVER``, ``GET_OK`` or ``RETURN``.
        last_ns: When the last frame was captured; at first that of the method.
        queue: The queue that it comes from, if known.
        no_ack: True if it needs no acknowledgement; None if unknown.
        size: Octets of the body; None before the content header, -1 if that is unreadable.
        header: The row of the content header.
        seen: Octets of the body so far.
        frames: Body frames so far.
        pieces: The octets of the body so far, if they are wanted.
        kept: Digest and beginning of the body, see ``BodyRetention.keep``.
        is_open: True if more of its content may come.
        is_awaited: True if it may still be settled or confirmed.
        settle: ack, nack, reject, none or not-followed; None if it cannot be settled.
        settle_ns: When it was settled.
        confirm: ack, nack, none or not-followed; None if no confirm is expected.
        confirm_ns: When it was confirmed.
    """

    event: Event
    kind: str
    last_ns: int
    queue: str | None = None
    no_ack: bool | None = None
    size: int | None = None
    header: tuple[Any, ...] | None = None
    seen: int = 0
    frames: int = 0
    pieces: list[bytes] | None = None
    kept: tuple[bytes | None, bytes | None] = (None, None)
    is_open: bool = True
    is_awaited: bool = False
    settle: str | None = None
    settle_ns: int | None = None
    confirm: str | None = None
    confirm_ns: int | None = None
    source: ClassVar[str] = WIRE
    lossy_types: ClassVar[bool] = False

    def follow_no_longer(self) -> None:
        """Note that it is not known how it is settled or confirmed."""
        if self.settle == NONE:
            self.settle = NOT_FOLLOWED
        if self.confirm == NONE:
            self.confirm = NOT_FOLLOWED

    @property
    def is_complete(self) -> bool:
        """True if all of the content was captured."""
        return self.seen == self.size

    @property
    def body_size(self) -> int | None:
        """Octets of the body, if the content header tells."""
        return None if self.size == -1 else self.size

    @property
    def microseconds(self) -> int:
        """When its method was captured, in microseconds."""
        return self.event.ns // 1000

    def row(self) -> MessageRow:
        """Return the row, in the order of ``MESSAGES``."""
        event = self.event
        method = event.row or ()
        return _row_maker(self.kind)((
            *event, *self.kept, None, *_read_attributes(self),
            *(self.header or _NO_HEADER), *_NO_METHOD[len(method) :], *method,
        ))  # fmt: skip


@cache
def message_recipe(kind: str) -> Recipe:
    """Return the recipe of messages of a kind: columns of arguments that its method does not have come from nothing.

    Raises:
        ValueError: No method or content header has what a column comes from.
    """
    places = content_places(kind)
    known = {source for other in METHODS for source in content_places(other)}
    read = [column for column in MESSAGES0 if column.source.origin in ("argument", "header")]
    unknown = [column.name for column in read if column.source not in known]
    if unknown:
        raise ValueError(f"nothing has what these columns come from: {', '.join(unknown)}")
    absent = known - places.keys()
    return tuple(
        column._replace(source=NOTHING) if column.source in absent else column for column in MESSAGES0
    )


@cache
def content_places(kind: str) -> Mapping[ColumnSource, int]:
    """Return where values stand in the rows of content headers, and from the end in those of a method with content.

    There they stand at the same place in all versions that have them.
    """
    places: dict[ColumnSource, int] = {}
    for package in PACKAGES0:
        columns = load_module(package, "columns")
        properties = columns.HeaderColumns().gathered[BASIC].kind.columns
        arguments = columns.MethodColumns().gathered[method_key(METHODS[kind])].kind.columns
        if len(properties) != len(_NO_HEADER) or len(arguments) > len(_NO_METHOD):
            raise AssertionError(f"rows of {kind} have another length in {package}")
        read = {header(name): place for place, (name, _) in enumerate(properties)}
        read |= {argument(name): place for place, (name, _) in enumerate(arguments, -len(arguments))}
        for source, place in read.items():
            if places.setdefault(source, place) != place:
                raise AssertionError(f"{source.name} of {kind} stands elsewhere in {package}")
    return places


@cache
def _row_maker(kind: str) -> RowMaker:
    """Return what makes the rows of messages of a kind."""
    names = (*_GIVEN, *_ATTRIBUTES)
    ends = {"header": len(names), "argument": len(names) + len(_NO_HEADER) + len(_NO_METHOD)}
    places = {source: ends[source.origin] + place for source, place in content_places(kind).items()}
    return recipe_maker(message_recipe(kind), {own(name): place for place, name in enumerate(names)} | places)
