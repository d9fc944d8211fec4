"""Where a broker is and how to talk to it, under pika's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp

PlainCredentials = amqp.PlainLogin
_GUEST = PlainCredentials("guest", "guest")
_INTEGERS = ("channel_max", "frame_max", "heartbeat")
_SECONDS = ("blocked_connection_timeout", "socket_timeout", "stack_timeout")


@dataclass(kw_only=True)
class ConnectionParameters:
    """A broker, a login, and limits; seconds may be None for no limit."""

    host: str = "localhost"
    port: int = 5672
    virtual_host: str = "/"
    credentials: PlainCredentials = _GUEST
    channel_max: int = 0
    frame_max: int = 131072
    heartbeat: int | None = None
    socket_timeout: float | None = 10.0
    stack_timeout: float | None = 15.0
    blocked_connection_timeout: float | None = None
    client_properties: Mapping[str, Any] | None = None

    @property
    def settings(self) -> amqp.ClientSettings:
        """What the engine needs to know."""
        return amqp.ClientSettings(
            login=self.credentials,
            virtual_host=self.virtual_host,
            heartbeat=self.heartbeat,
            channel_max=self.channel_max,
            max_frame_size=self.frame_max,
            properties=self.client_properties or {"product": "pika_adapter"},
            handshake_seconds=self.stack_timeout or 0.0,
        )


class URLParameters(ConnectionParameters):
    """The same from a URL, with numbers in its query."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        super().__init__(
            host=place.hostname or "localhost",
            port=place.port or 5672,
            virtual_host=unquote(place.path[1:]) or "/",
            credentials=PlainCredentials(
                unquote(place.username or "guest"), unquote(place.password or "guest")
            ),
        )
        for name, text in parse_qsl(place.query):
            if name not in (*_INTEGERS, *_SECONDS):
                raise ValueError(f"there is no parameter {name!r}")
            setattr(self, name, float(text) if name in _SECONDS else int(text))


class ExchangeType(StrEnum):
    """The types of exchanges that every broker has."""

    direct = "direct"
    fanout = "fanout"
    headers = "headers"
    topic = "topic"
