"""Facts from the performatives ``open`` and ``close`` of AMQP 1.0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...decode.events import Event
from ...decode.variant_values import variant_value
from ...dialogue.amqp1.performatives import Close, Open
from ..connection_facts import ConnectionFacts

_CLIENT = 0
_SIDES = ("client", "server")


class FactReader:
    """What was said so far; of what is said twice, the first counts."""

    __slots__ = ("_facts",)

    def __init__(self) -> None:
        self._facts: dict[str, Any] = {}

    def open(self, event: Event) -> None:
        """Learn from an ``open``.

        The name of the connection is the id of the client's container; idle-time-out is in milliseconds there.
        """
        direction = event.direction
        said = Open._make(event.row[1])
        side, idle = _SIDES[direction], said.idle_time_out
        facts: dict[str, Any] = {
            f"{side}_channel_max": said.channel_max,
            f"{side}_frame_max": said.max_frame_size,
            f"{side}_heartbeat": None if idle is None else -(-idle // 1000),
            f"{side}_properties": said.properties,
        }
        told = {} if said.properties is None else variant_value(said.properties)
        if direction == _CLIENT:
            facts |= {"connection_name": said.container_id, "vhost": said.hostname}
            facts |= _texts(told, "", ("product", "version", "platform"))
        else:
            facts |= _texts(told, "server_", ("product", "version"))
        for name, value in facts.items():
            self._facts.setdefault(name, value)

    def close(self, event: Event) -> None:
        """Learn from a ``close``: the first says who closes, and why."""
        if "close_by" not in self._facts:
            said = Close._make(event.row[1])
            self._facts |= {
                "close_by": _SIDES[event.direction],
                "close_condition": said.error_condition,
                "close_text": said.error_description,
            }

    def finish(self) -> ConnectionFacts:
        """All that was learned."""
        return ConnectionFacts(**self._facts)


def _texts(properties: Any, prefix: str, names: Iterable[str]) -> dict[str, Any]:
    if not isinstance(properties, dict):
        return {}
    texts = ((prefix + name, properties.get(name)) for name in names)
    return {name: value for name, value in texts if isinstance(value, str)}
