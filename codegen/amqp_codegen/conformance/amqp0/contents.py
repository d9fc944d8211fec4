"""Joins a method with the content header and the bodies that follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..outcome import Violation
from .wording import frame_name


@dataclass(frozen=True, slots=True)
class Message:
    """A method with its content: ``basic.deliver``, ``basic.get-ok`` or ``basic.return``."""

    method: Any
    properties: Any
    body: bytes


class Contents:
    """The contents that are under way, one at most on each channel."""

    def __init__(self, amqp: Any) -> None:
        self._amqp = amqp
        self._open: dict[int, tuple[Any, Any, bytes]] = {}

    def add(self, channel: int, frame: Any) -> Any:
        """Takes a frame; returns a method, or a message that is complete now, or None when more is to come.

        Raises:
            Violation: The frame does not fit what came before it.
        """
        method, header, body = self._open.pop(channel, (None, None, b""))
        if isinstance(frame, self._amqp.ContentHeader):
            if method is None or header is not None:
                raise Violation("expected a method, got a content header")
            header = frame
        elif isinstance(frame, self._amqp.ContentBody):
            if header is None:
                raise Violation(
                    f"expected {'a content header' if method else 'a method'}, got a content body"
                )
            body += frame.payload
        elif method is not None:
            raise Violation(f"expected the content of {method.NAME}, got {frame_name(frame)}")
        elif not getattr(frame, "HAS_CONTENT", False):
            return frame
        else:
            method = frame
        if header is not None and len(body) >= header.body_size:
            if len(body) > header.body_size:
                raise Violation(f"expected a body of {header.body_size} octets, got {len(body)}")
            return Message(method, header.properties, body)
        self._open[channel] = (method, header, body)
        return None
