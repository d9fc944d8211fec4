"""Connection facts from the methods of the 0-x class connection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...capture.stream_data import SIDES
from ...decode.events import Event
from ...decode.variant_values import variant_value
from ..connection_facts import ConnectionFacts


class FactReader:
    """The facts so far. The first statement of a fact counts."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def take(self, event: Event, name: str) -> None:
        """Take the facts in a method."""
        direction, row = event.direction, event.row
        if row is None:
            return
        if name == "connection.start":
            self._add_properties(row[2], "server_", ("product", "version"))
        elif name == "connection.start-ok":
            self._add_properties(row[0], "", ("product", "version", "platform", "connection_name"))
        elif name in ("connection.tune", "connection.tune-ok"):
            side = "server_" if name == "connection.tune" else "client_"
            limits = zip(("channel_max", "frame_max", "heartbeat"), row, strict=False)
            self._add((side + limit, value) for limit, value in limits)
        elif name == "connection.open":
            self._add([("vhost", row[0])])
        elif name == "connection.close" and "close_by" not in self._found:
            self._add([("close_code", row[0]), ("close_text", row[1]), ("close_by", SIDES[direction])])

    def finish(self) -> ConnectionFacts:
        """Return all facts."""
        return ConnectionFacts(**self._found)

    def _add_properties(self, variant: Any, prefix: str, names: Iterable[str]) -> None:
        side = prefix or "client_"
        if variant is None or side + "properties" in self._found:
            return
        properties = variant_value(variant)
        self._found[side + "properties"] = variant
        if isinstance(properties, dict):
            texts = ((prefix + name, properties.get(name)) for name in names)
            self._add((name, text) for name, text in texts if isinstance(text, str))

    def _add(self, facts: Iterable[tuple[str, Any]]) -> None:
        for name, value in facts:
            self._found.setdefault(name, value)
