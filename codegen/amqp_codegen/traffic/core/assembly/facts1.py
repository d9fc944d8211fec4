"""Facts from the performatives ``open`` and ``close`` of AMQP 1.0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..event import Event
from ..variant_value import variant_value
from .facts import Facts

_CLIENT = 0
_SIDES = ("client", "server")


class Facts1:
    """What was said so far; of what is said twice, the first counts."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        """Begin without."""
        self._found: dict[str, Any] = {}

    def open(self, event: Event) -> None:
        """Learn from an ``open``.

        The name of the connection is the id of the client's container; idle-time-out is in milliseconds there.
        """
        direction = event[2]
        container, hostname, frame_max, channel_max, idle_time_out, *_, properties = event[5][1]
        side = _SIDES[direction]
        facts = {
            f"{side}_channel_max": channel_max,
            f"{side}_frame_max": frame_max,
            f"{side}_heartbeat": None if idle_time_out is None else -(-idle_time_out // 1000),
            f"{side}_properties": properties,
        }
        told = {} if properties is None else variant_value(properties)
        if direction == _CLIENT:
            facts |= {"connection_name": container, "vhost": hostname}
            facts |= _texts(told, "", ("product", "version", "platform"))
        else:
            facts |= _texts(told, "server_", ("product", "version"))
        for name, value in facts.items():
            self._found.setdefault(name, value)

    def close(self, event: Event) -> None:
        """Learn from a ``close``: the first says who closes, and why."""
        if "close_by" not in self._found:
            _, condition, text = event[5][1]
            self._found |= {
                "close_by": _SIDES[event[2]],
                "close_condition": condition,
                "close_text": text,
            }

    def finish(self) -> Facts:
        """All that was learned."""
        return Facts(**self._found)


def _texts(properties: Any, prefix: str, names: Iterable[str]) -> dict[str, Any]:
    if not isinstance(properties, dict):
        return {}
    found = ((prefix + name, properties.get(name)) for name in names)
    return {name: value for name, value in found if isinstance(value, str)}
