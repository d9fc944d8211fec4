"""Conversations of AMQP 1.0 made performative by performative, as the events that an assembly takes, and its rows."""

from __future__ import annotations

import pickle
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.columns import PerformativeColumns
from amqp_traffic.decode.body_retention import NO_BODIES, BodyRetention
from amqp_traffic.decode.events import PERFORMATIVE, Event
from amqp_traffic.messages.amqp1.assembly import Assembly
from amqp_traffic.messages.output import ConnectionFacts, Sink
from amqp_traffic.schemas import EXCHANGES, MESSAGES

CLIENT, SERVER = 0, 1
CONNECTION = 7
SENDER, RECEIVER = amqp.performatives.Role.SENDER, amqp.performatives.Role.RECEIVER


class Talk:
    """Collects what is said, one frame a microsecond."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._offsets = [0, 0]
        self._columns = PerformativeColumns()

    def say(self, direction: int, performative: Any, payload: bytes = b"", channel: int = 0) -> int:
        """A frame; its number is returned."""
        number = len(self.events)
        octets = performative.encode()
        self._columns.append(octets, sasl=performative.NAME.startswith("sasl"))
        gathered = self._columns.gathered[performative.NAME]
        found = performative.NAME, gathered.rows.pop(), payload
        gathered.numbers.clear()
        self._add(direction, channel, found, payload, 8 + len(octets))
        return number

    def say_nonsense(self, direction: int, channel: int = 0) -> None:
        """A frame that cannot be decoded."""
        self._add(direction, channel, None, b"nonsense", 8)

    def _add(self, direction: int, channel: int, found: Any, payload: bytes, size: int) -> None:
        number = len(self.events)
        place = self._offsets[direction], 1000 * number
        self.events.append(
            Event(CONNECTION, number, direction, channel, PERFORMATIVE, found, len(payload), *place)
        )
        self._offsets[direction] += size + len(payload)

    def begin(self, client: int = 0, server: int = 0) -> None:
        """A session."""
        begin: Any = {"next_outgoing_id": 0, "incoming_window": 100, "outgoing_window": 100}
        self.say(CLIENT, amqp.performatives.Begin(**begin), channel=client)
        self.say(SERVER, amqp.performatives.Begin(remote_channel=client, **begin), channel=server)

    def attach(
        self, handle: int = 0, name: str = "out", role: Any = SENDER, address: str = "queue", channel: int = 0
    ) -> None:
        """A link that the client asks for, and at whose end the broker has that address."""
        source, target = amqp.messaging.Source, amqp.messaging.Target
        other = RECEIVER if role == SENDER else SENDER
        for direction, mine in ((CLIENT, role), (SERVER, other)):
            addresses = ("here", address) if role == SENDER else (address, "here")
            ends: Any = {"source": source(address=addresses[0]), "target": target(address=addresses[1])}
            self.say(direction, amqp.performatives.Attach(name, handle, mine, **ends), channel=channel)

    def transfer(
        self,
        number: int | None,
        payload: bytes = b"",
        direction: int = CLIENT,
        handle: int = 0,
        channel: int = 0,
        **fields: Any,
    ) -> int:
        """A transfer; with an id, it is the first of a delivery."""
        if number is not None:
            fields = {"delivery_tag": b"tag-%d" % number, "message_format": 0, **fields}
        transfer = amqp.performatives.Transfer(handle, number, **fields)
        return self.say(direction, transfer, payload, channel)

    def settle(
        self,
        first: int,
        last: int | None = None,
        state: Any = None,
        *,
        direction: int = SERVER,
        role: Any = RECEIVER,
        settled: bool = True,
        channel: int = 0,
    ) -> int:
        """A disposition."""
        said = amqp.performatives.Disposition(role, first, last, settled=settled, state=state)
        return self.say(direction, said, channel=channel)


class Result:
    """What an assembly makes of a conversation: rows as dicts, in the order in which they came."""

    def __init__(self, talk: Talk, bodies: BodyRetention = NO_BODIES, again_after: int | None = None) -> None:
        """Put it together; after so many events, the state goes to another process and back, so to say."""
        sink = Sink()
        assembly = Assembly(CONNECTION, sink, bodies)
        for number, event in enumerate(talk.events):
            if number == again_after:
                assembly, sink = pickle.loads(pickle.dumps((assembly, sink)))
            assembly.add(event)
        self.facts: ConnectionFacts = assembly.finish()
        self.messages = _dicts(MESSAGES, sink.messages)
        self.exchanges = _dicts(EXCHANGES, sink.exchanges)

    @property
    def message(self) -> dict[str, Any]:
        """The only one."""
        (found,) = self.messages
        return found

    def columns(self, *names: str) -> list[tuple[Any, ...]]:
        """Some columns of the messages, in the order of their first frames."""
        rows = sorted(self.messages, key=lambda row: row["frame_no"])
        return [tuple(row[name] for name in names) for row in rows]

    def pairs(self) -> list[tuple[Any, ...]]:
        """Name, frames of request and reply, and outcome of the exchanges, in the order of the names."""
        names = ("name", "request_frame_no", "reply_name", "reply_frame_no", "outcome")
        found = [tuple(row[name] for name in names) for row in self.exchanges]
        return sorted(found, key=str)


def _dicts(columns: Any, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip((name for name, _ in columns), row, strict=True)) for row in rows]


def message(body: Any = b"body", **sections: Any) -> bytes:
    """The octets of a message; octets as its body go into a section of data."""
    section = amqp.messaging.Data(body) if isinstance(body, bytes) else body
    octets: bytes = amqp.Message(body=section, **sections).encode()
    return octets
