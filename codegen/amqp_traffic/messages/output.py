"""The output of assembly: rows of messages and exchanges, and the facts of a connection."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..decode.events import Event
from ..dialogue.amqp1.performatives import Variant
from ..recipes import EXCHANGES, own
from ..rows import recipe_maker
from .held import HeldTogether

# In the order of ``MESSAGES`` and ``EXCHANGES``, with the number of the connection instead of its name.
MessageRow: TypeAlias = "tuple[Any, ...]"
ExchangeRow: TypeAlias = "tuple[Any, ...]"

# The outcomes of requests.
OK, CLOSED, UNANSWERED, OUT_OF_ORDER = "ok", "closed", "unanswered", "out-of-order"
# The outcome of a request, and the settlement and the confirm of a message, that were forgotten as too much was held.
NOT_FOLLOWED = Reason.NOT_FOLLOWED.value


class Sent(NamedTuple):
    """A request or a reply.

    Attributes:
        name: Of the method or performative.
    """

    name: str
    frame_no: int
    direction: int
    channel: int
    offset: int
    ns: int


# What a row is made from, by the names of its values.
_OWN = ("connection", "channel", "request_direction", "outcome", "latency")
_SENT = [f"{part}.{name}" for part in ("request", "reply") for name in Sent._fields]
_make_row = recipe_maker(EXCHANGES, {own(name): place for place, name in enumerate((*_OWN, *_SENT))})
_NOT_SENT = (None,) * len(Sent._fields)


def sent(event: Event, name: str) -> Sent:
    """Return the method or performative of an event."""
    return Sent(name, event.frame_no, event.direction, event.channel, event.offset, event.ns)


@dataclass(slots=True)
class Sink:
    """Rows of all connections, for the tables of these names.

    Attributes:
        quarantine: Says where a connection forgot what it held.
        held: What all connections hold.
    """

    quarantine: Quarantine = field(default_factory=Quarantine)
    held: HeldTogether = field(default_factory=HeldTogether)
    messages: list[MessageRow] = field(default_factory=list)
    exchanges: list[ExchangeRow] = field(default_factory=list)

    def exchange(self, connection: int, request: Sent, outcome: str, reply: Sent | None = None) -> None:
        """Add the row of a request, with its reply if it has one."""
        latency = None if reply is None else reply.ns - request.ns
        known = (connection, request.channel, request.direction, outcome, latency)
        self.exchanges.append(_make_row((*known, *request, *(reply or _NOT_SENT))))

    def unasked(self, connection: int, reply: Sent) -> None:
        """Add the row of a reply without a request."""
        known = (connection, reply.channel, 1 - reply.direction, OUT_OF_ORDER, None)
        self.exchanges.append(_make_row((*known, *_NOT_SENT, *reply)))

    def note_forgotten(self, event: Event) -> None:
        """Note that the connection of an event forgets what it held before it."""
        place = event.ns, event.connection, event.direction, event.offset
        self.quarantine.add(Quarantined(Reason.NOT_FOLLOWED, 0, 0, 0, *place))

    def take(self) -> tuple[list[MessageRow], list[ExchangeRow]]:
        """Remove and return the rows so far."""
        rows = self.messages, self.exchanges
        self.messages, self.exchanges = [], []
        return rows


@dataclass(frozen=True, slots=True)
class ConnectionFacts:
    """Facts, named as their columns; None if no captured frame states them.

    Attributes:
        product, version, platform, connection_name: As the client states them.
        client_properties, server_properties: All properties that a side states, a VARIANT.
        vhost: The virtual host; in 1.0 the hostname in the client's open.
        server_channel_max: The largest channel number that the server proposes.
        server_frame_max: The largest frame that the server proposes, in octets.
        server_heartbeat: Seconds between heartbeats that the server proposes; in 1.0 from its idle-time-out.
        client_channel_max, client_frame_max, client_heartbeat: The client's answers.
        close_code: The reply code of the close (0-x).
        close_condition: The error condition of the close (1.0).
        close_text: The reason of the close in words.
        close_by: The side that closed first: client or server.
        is_closed: Whether the close was answered. It is not a column: an RST after that is a clean end.
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
    is_closed: bool = False
