"""Frames of a 0-x version, made by the names of methods."""

from __future__ import annotations

from struct import Struct
from types import ModuleType
from typing import Any

from ...capture.stream_data import Direction
from ...frames.formats import OVERHEAD0
from ..utterance import Mark, MarkKind, Said

_FRAME_HEADER = Struct(">BHI")


class Vocabulary:
    """The methods of a version.

    Attributes:
        amqp: The generated package.
        extended: Whether field tables have booleans and peers have capabilities: true from 0-9-1 on.
        ticket: The ticket of access.request-ok, for methods that have one.
    """

    def __init__(self, amqp: ModuleType) -> None:
        self.amqp = amqp
        self._methods: dict[str, Any] = {method.NAME: method for method in amqp.methods.METHODS.values()}
        self._ticketed = {
            name
            for name, method in self._methods.items()
            if any(field.name == "ticket" for field in method.FIELDS) and not name.startswith("access")
        }
        request = self._methods.get("access.request")
        self.extended = request is None or request.DEPRECATED
        self.ticket = 1

    def has(self, name: str) -> bool:
        """Return whether the version has a method."""
        return name in self._methods

    def method(self, name: str, **fields: Any) -> Any:
        """Return a method, with the ticket if it has one."""
        if name in self._ticketed:
            fields["ticket"] = self.ticket
        return self._methods[name](**fields)

    def say(self, direction: Direction, channel: int, name: str, **fields: Any) -> Said:
        """Return a frame with a method."""
        octets: bytes = self.amqp.encode_frame(channel, self.method(name, **fields))
        return Said(direction, octets, (Mark(MarkKind.FRAME, len(octets), octets[0], channel, name),))

    def message(
        self, direction: Direction, channel: int, method: Any, properties: Any, body: bytes, frame_max: int
    ) -> Said:
        """Return the frames of a method with content."""
        octets: bytes = self.amqp.encode_message(channel, method, properties, body, max_frame_size=frame_max)
        constants = self.amqp.constants
        names = {
            constants.FRAME_METHOD: method.NAME,
            constants.FRAME_HEADER: f"{method.NAME.partition('.')[0]}.properties",
            constants.FRAME_BODY: "body",
        }
        marks: list[Mark] = []
        position = 0
        while position < len(octets):
            frame_type, _, size = _FRAME_HEADER.unpack_from(octets, position)
            marks.append(Mark(MarkKind.FRAME, size + OVERHEAD0, frame_type, channel, names[frame_type]))
            position += size + OVERHEAD0
        return Said(direction, octets, tuple(marks))

    def heartbeat(self, direction: Direction, pause: int) -> Said:
        """Return a heartbeat after a silence."""
        octets: bytes = self.amqp.encode_frame(0, self.amqp.Heartbeat())
        return Said(direction, octets, (Mark(MarkKind.FRAME, len(octets), octets[0], 0, "heartbeat"),), pause)
