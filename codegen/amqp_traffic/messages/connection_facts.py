"""What the frames of a connection say about it: part of its row in the table ``connections``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Variant: TypeAlias = "tuple[bytes, bytes]"


@dataclass(frozen=True, slots=True)
class ConnectionFacts:
    """Facts, called what their columns are called; None where no frame that was captured says it.

    Attributes:
        product: What the client calls itself; ``version``, ``platform`` and ``connection_name`` are the client's, too.
        client_properties: All that it says about itself, a VARIANT.
        server_product: What the server calls itself.
        server_version: Its version.
        server_properties: All that it says about itself, a VARIANT.
        vhost: The virtual host; of 1.0 what the client's open has as hostname.
        server_channel_max: The largest channel number, as the server proposed it.
        server_frame_max: The largest frame, in octets, as the server proposed it.
        server_heartbeat: Seconds between heartbeats, as the server proposed them; of 1.0 from its idle-time-out.
        client_channel_max: What the client made of it.
        client_frame_max: The same.
        client_heartbeat: The same.
        close_code: Why the connection was closed: the reply code of 0-x.
        close_condition: The same of 1.0: the error condition.
        close_text: The same in words.
        close_by: Who closed it first: client or server.
    """

    product: str | None = None
    version: str | None = None
    platform: str | None = None
    connection_name: str | None = None
    client_properties: Variant | None = None
    server_product: str | None = None
    server_version: str | None = None
    server_properties: Variant | None = None
    vhost: str | None = None
    server_channel_max: int | None = None
    server_frame_max: int | None = None
    server_heartbeat: int | None = None
    client_channel_max: int | None = None
    client_frame_max: int | None = None
    client_heartbeat: int | None = None
    close_code: int | None = None
    close_condition: str | None = None
    close_text: str | None = None
    close_by: str | None = None
