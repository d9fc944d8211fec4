"""Frames of a version of the 0-x family, by the names of their methods."""

from __future__ import annotations

from struct import Struct
from types import ModuleType
from typing import Any

from ..capture.stream_data import Direction
from ..frames.formats import OVERHEAD0
from .utterance import Mark, Said, SaidKind

_HEAD = Struct(">BHI")


class Vocabulary0:
    """What can be said in a version.

    Attributes:
        amqp: The generated package.
        extended: Whether field tables have booleans and the broker's capabilities are known: 0-9-1.
        ticket: What methods that have one get as ticket, from access.request-ok.
    """

    def __init__(self, amqp: ModuleType) -> None:
        self.amqp = amqp
        self._methods: dict[str, Any] = {method.NAME: method for method in amqp.methods.METHODS.values()}
        self._ticketed = {
            name
            for name, method in self._methods.items()
            if any(field.name == "ticket" for field in method.FIELDS) and not name.startswith("access")
        }
        self.extended = not self.has("access.request")
        self.ticket = 1

    def has(self, name: str) -> bool:
        """Is there a method of that name?"""
        return name in self._methods

    def method(self, name: str, **fields: Any) -> Any:
        """A method; what it has of tickets is filled in."""
        if name in self._ticketed:
            fields["ticket"] = self.ticket
        return self._methods[name](**fields)

    def say(self, direction: Direction, channel: int, name: str, **fields: Any) -> Said:
        """A frame with a method."""
        octets: bytes = self.amqp.encode_frame(channel, self.method(name, **fields))
        return Said(direction, octets, (Mark(SaidKind.FRAME, len(octets), octets[0], channel, name),))

    def message(
        self, direction: Direction, channel: int, method: Any, properties: Any, body: bytes, frame_max: int
    ) -> Said:
        """The frames of a method with content."""
        octets: bytes = self.amqp.encode_message(channel, method, properties, body, frame_max)
        names = {1: method.NAME, 2: f"{method.NAME.partition('.')[0]}.properties", 3: "body"}
        marks: list[Mark] = []
        position = 0
        while position < len(octets):
            kind, _, size = _HEAD.unpack_from(octets, position)
            marks.append(Mark(SaidKind.FRAME, size + OVERHEAD0, kind, channel, names[kind]))
            position += size + OVERHEAD0
        return Said(direction, octets, tuple(marks))

    def heartbeat(self, direction: Direction, pause: int) -> Said:
        """A heartbeat after some time in which nothing was said."""
        octets: bytes = self.amqp.encode_frame(0, self.amqp.Heartbeat())
        return Said(direction, octets, (Mark(SaidKind.FRAME, len(octets), octets[0], 0, "heartbeat"),), pause)
