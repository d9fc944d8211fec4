"""Assembly of the events of an AMQP 1.0 connection: messages, requests with replies, facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...capture.stream_data import SIDES
from ...decode.body_retention import BodyRetention
from ...decode.events import Event
from ...dialogue.amqp1.performatives import (
    AttachFields,
    BeginFields,
    CloseFields,
    DetachFields,
    DispositionFields,
    OpenFields,
)
from ...dialogue.amqp1.session import Session, Sessions
from ...variant_values import repeated_variant_value
from ..held import CHANNEL_WEIGHT, HeldItems
from ..output import CLOSED, NOT_FOLLOWED, UNANSWERED, ConnectionFacts, Sink
from .message import MessageRecord
from .messages import LinkMessages
from .requests import ConnectionRequests

_CLIENT = 0


# The performatives that state facts about the connection.
FACTS = frozenset(("open", "close"))


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
        performative = OpenFields._make(event.row[1])
        side, idle = SIDES[direction], performative.idle_time_out
        facts: dict[str, Any] = {
            f"{side}_channel_max": performative.channel_max,
            f"{side}_frame_max": performative.max_frame_size,
            f"{side}_heartbeat": None if idle is None else -(-idle // 1000),
            f"{side}_properties": performative.properties,
        }
        properties = (
            {} if performative.properties is None else repeated_variant_value(performative.properties)
        )
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
            close = CloseFields._make(event.row[1])
            self._facts |= {
                "close_by": SIDES[event.direction],
                "close_condition": close.error_condition,
                "close_text": close.error_description,
            }
        elif self._facts["close_by"] != SIDES[event.direction]:
            self._facts["is_closed"] = True

    def finish(self) -> ConnectionFacts:
        """Return all facts."""
        return ConnectionFacts(**self._facts)


def _texts(properties: Any, prefix: str, names: Iterable[str]) -> dict[str, Any]:
    if not isinstance(properties, dict):
        return {}
    texts = ((prefix + name, properties.get(name)) for name in names)
    return {name: value for name, value in texts if isinstance(value, str)}


class Assembly:
    """The state of a connection, which may be part of a checkpoint.

    It depends only on the events of the connection and their order. Its size is bounded.

    The ``begin`` of both ends tells which channels belong to a session; each end has its own channel number. If these
    were not captured, equal channel numbers count as one session, as with most peers.
    """

    __slots__ = ("_events", "_facts", "_held", "_messages", "_opened", "_requests", "_sessions", "_sink")

    def __init__(self, connection: int, sink: Sink, bodies: BodyRetention) -> None:
        self._facts = FactReader()
        self._requests = ConnectionRequests(connection, sink)
        self._messages = LinkMessages(sink, bodies)
        self._opened = [False, False]  # by direction: frames were captured from the first one on
        self._sessions: Sessions[MessageRecord] = Sessions()
        self._sink = sink
        self._events = 0
        self._held = HeldItems(sink.held)

    def add(self, event: Event) -> None:
        """Take the next event."""
        _, _, direction, channel, _, performative, _, _, _ = event
        if self._events >= self._held.next_look:
            self._look(event)
        self._events += 1
        if performative is not None:
            take = _PERFORMATIVES.get(performative[0])
            if take is not None:
                take(self, event)
            return
        session = self._sessions.at(direction, channel)
        if session is not None:
            session.missed[direction] += 1

    def finish(self) -> ConnectionFacts:
        """Write the rows of what is still open, and return the facts. No more events follow."""
        self._end_all(UNANSWERED)
        return self._facts.finish()

    def _end_all(self, outcome: str) -> None:
        for direction in (0, 1):
            for session in self._sessions.of(direction):
                self._end_session(session, outcome)
        self._requests.finish(outcome)
        self._held.clear()

    def _look(self, event: Event) -> None:
        """Count what is held before an event, and forget it if it is too much."""
        count = sum(session.held + CHANNEL_WEIGHT for session in self._sessions.all()) + self._requests.count
        if self._held.is_too_much(count, self._events):
            self._end_all(NOT_FOLLOWED)
            self._opened = [False, False]
            self._sink.note_forgotten(event)

    # --- Connection

    def _open(self, event: Event) -> None:
        self._opened[event.direction] = True
        self._facts.open(event)
        self._requests.pair(("open",), event)

    def _close(self, event: Event) -> None:
        self._facts.close(event)
        self._requests.close(event)
        self._requests.pair(("close",), event)

    def _sasl_init(self, event: Event) -> None:
        self._requests.ask(("sasl-init",), event)

    def _sasl_outcome(self, event: Event) -> None:
        self._requests.answer(("sasl-init",), event, False)

    # --- Sessions

    def _begin(self, event: Event) -> None:
        _, _, direction, channel, _, (_, row, _), _, _, _ = event
        sessions, begin = self._sessions, BeginFields._make(row)
        remote = begin.remote_channel
        former = sessions.at(direction, channel)
        if former is not None:  # its end was not captured
            self._end_session(former)
        session = sessions.begin(direction, channel, begin)
        if session is None:  # nor was the begin of the other end
            session = sessions.open(direction, channel)
            if remote is not None and sessions.at(1 - direction, remote) is None:
                sessions.bind(session, 1 - direction, remote)
        if remote is None:
            self._requests.ask(("begin", session.number), event)
        else:
            self._requests.answer(("begin", session.number), event, self._opened[1 - direction])

    def _end(self, event: Event) -> None:
        session = self._session_of(event)
        session.ended[event.direction] = True
        self._requests.close(event, session.number)
        self._requests.pair(("end", session.number), event)
        if all(session.ended):
            self._end_session(session)

    def _session_of(self, event: Event) -> Session[MessageRecord]:
        _, _, direction, channel, _, _, _, _, _ = event
        sessions = self._sessions
        session = sessions.at(direction, channel)
        if session is None:
            session = sessions.awaited(1 - direction, channel)
            if session is None:
                return sessions.open(direction, channel)
            sessions.bind(session, direction, channel)
        return session

    def _end_session(self, session: Session[MessageRecord], outcome: str = CLOSED) -> None:
        self._messages.end_session(session, outcome)
        self._sessions.forget(session)

    # --- Links and deliveries

    def _attach(self, event: Event) -> None:
        _, _, direction, _, _, (_, row, _), _, _, _ = event
        session = self._session_of(event)
        link = self._messages.attach(session, direction, AttachFields._make(row))
        self._requests.pair(("attach", session.number, link.name, link.sender), event)

    def _detach(self, event: Event) -> None:
        _, _, direction, _, _, (_, row, _), _, _, _ = event
        session = self._session_of(event)
        link = self._messages.detach(session, direction, DetachFields._make(row))
        if link is not None and link.name is not None:
            self._requests.pair(("detach", session.number, link.name, link.sender), event)

    def _transfer(self, event: Event) -> None:
        self._messages.transfer(self._session_of(event), event)

    def _disposition(self, event: Event) -> None:
        _, _, direction, _, _, (_, row, _), _, _, ns = event
        self._messages.disposition(self._session_of(event), direction, DispositionFields._make(row), ns)


_PERFORMATIVES: Mapping[str, Callable[[Assembly, Event], None]] = {
    "open": Assembly._open,
    "begin": Assembly._begin,
    "attach": Assembly._attach,
    "transfer": Assembly._transfer,
    "disposition": Assembly._disposition,
    "detach": Assembly._detach,
    "end": Assembly._end,
    "close": Assembly._close,
    "sasl-init": Assembly._sasl_init,
    "sasl-outcome": Assembly._sasl_outcome,
}
