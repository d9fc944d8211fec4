"""Connection facts from the performatives ``open`` and ``close`` of AMQP 1.0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...capture.stream_data import SIDES
from ...decode.events import Event
from ...decode.variant_values import variant_value
from ...dialogue.amqp1.performatives import Close, Open
from ..connection_facts import ConnectionFacts

_CLIENT = 0


class FactReader:
    """The facts so far. The first statement of a fact counts."""

    __slots__ = ("_facts",)

    def __init__(self) -> None:
        self._facts: dict[str, Any] = {}

    def open(self, event: Event) -> None:
        """Take the facts in an ``open``.

        The container-id of the client is the name of the connection. The idle-time-out, in milliseconds, becomes seconds.
        """
        direction = event.direction
        performative = Open._make(event.row[1])
        side, idle = SIDES[direction], performative.idle_time_out
        facts: dict[str, Any] = {
            f"{side}_channel_max": performative.channel_max,
            f"{side}_frame_max": performative.max_frame_size,
            f"{side}_heartbeat": None if idle is None else -(-idle // 1000),
            f"{side}_properties": performative.properties,
        }
        properties = {} if performative.properties is None else variant_value(performative.properties)
        if direction == _CLIENT:
            facts |= {"connection_name": performative.container_id, "vhost": performative.hostname}
            facts |= _texts(properties, "", ("product", "version", "platform"))
        else:
            facts |= _texts(properties, "server_", ("product", "version"))
        for name, value in facts.items():
            self._facts.setdefault(name, value)

    def close(self, event: Event) -> None:
        """Take the facts in a ``close``: the first one says who closes, and why."""
        if "close_by" not in self._facts:
            close = Close._make(event.row[1])
            self._facts |= {
                "close_by": SIDES[event.direction],
                "close_condition": close.error_condition,
                "close_text": close.error_description,
            }

    def finish(self) -> ConnectionFacts:
        """Return all facts."""
        return ConnectionFacts(**self._facts)


def _texts(properties: Any, prefix: str, names: Iterable[str]) -> dict[str, Any]:
    if not isinstance(properties, dict):
        return {}
    texts = ((prefix + name, properties.get(name)) for name in names)
    return {name: value for name, value in texts if isinstance(value, str)}
