"""Puts the events of a connection of AMQP 1.0 together: deliveries, requests with replies, facts.

Sessions are known by the ``begin`` of both ends, each of which has a channel of its own. Where these were not captured,
channels of the same number are taken for one session, as most peers have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..bodies import Bodies
from ..event import Event
from .facts import Facts
from .facts1 import Facts1
from .requests1 import Requests1
from .session1 import Session1
from .sink import Sink


class Assembly1:
    """The state of a connection; it can be pickled.

    It depends on nothing but the events of the connection and their order, and its size is bounded.
    """

    __slots__ = ("_bodies", "_count", "_facts", "_opened", "_requests", "_sessions", "_sink")

    def __init__(self, connection: int, sink: Sink, bodies: Bodies) -> None:
        """Before the first event.

        Args:
            connection: The number of the connection.
            sink: Takes rows.
            bodies: What is kept of bodies.
        """
        self._sink = sink
        self._bodies = bodies
        self._facts = Facts1()
        self._requests = Requests1(connection, sink)
        self._opened = [False, False]  # by direction: its frames were captured from the first one on
        self._count = 0
        # By the direction in which frames go, and their channel.
        self._sessions: tuple[dict[int, Session1], dict[int, Session1]] = ({}, {})

    def add(self, event: Event) -> None:
        """Take the next event."""
        found = event[5]
        if found is not None:
            take = _PERFORMATIVES.get(found[0])
            if take is not None:
                take(self, event)
            return
        session = self._sessions[event[2]].get(event[3])
        if session is not None:
            session.miss(event[2])

    def finish(self) -> Facts:
        """Nothing more comes: put what is open, and say what was learned."""
        self._end_sessions()
        self._requests.finish()
        return self._facts.finish()

    # --- Connection ---

    def _open(self, event: Event) -> None:
        self._opened[event[2]] = True
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

    def _end_sessions(self) -> None:
        for sessions in self._sessions:
            for session in list(sessions.values()):
                self._end_session(session)

    # --- Sessions ---

    def _begin(self, event: Event) -> None:
        direction, channel, remote = event[2], event[3], event[5][1][0]
        before = self._sessions[direction].get(channel)
        if before is not None:  # its end was not captured
            self._end_session(before)
        peers = self._sessions[1 - direction]
        session = None if remote is None else peers.get(remote)
        if session is None or session.channels[direction] is not None:
            session = self._new_session(direction, channel)
            if remote is not None and remote not in peers:
                session.channels[1 - direction] = remote
                peers[remote] = session
        else:
            session.channels[direction] = channel
            self._sessions[direction][channel] = session
        if remote is None:
            self._requests.ask(("begin", session.number), event)
        else:
            self._requests.answer(("begin", session.number), event, self._opened[1 - direction])

    def _end(self, event: Event) -> None:
        session = self._session_of(event)
        session.ended[event[2]] = True
        self._requests.close(event, session.number)
        self._requests.pair(("end", session.number), event)
        if all(session.ended):
            self._end_session(session)

    def _session_of(self, event: Event) -> Session1:
        direction, channel = event[2], event[3]
        session = self._sessions[direction].get(channel)
        if session is None:
            session = self._sessions[1 - direction].get(channel)
            if session is None or session.channels[direction] is not None:
                return self._new_session(direction, channel)
            session.channels[direction] = channel
            self._sessions[direction][channel] = session
        return session

    def _new_session(self, direction: int, channel: int) -> Session1:
        self._count += 1
        session = Session1(self._count, self._sink, self._bodies)
        session.channels[direction] = channel
        self._sessions[direction][channel] = session
        return session

    def _end_session(self, session: Session1) -> None:
        session.finish()
        for sessions, channel in zip(self._sessions, session.channels, strict=True):
            if channel is not None and sessions.get(channel) is session:
                del sessions[channel]

    # --- Links and deliveries ---

    def _attach(self, event: Event) -> None:
        session = self._session_of(event)
        self._requests.pair(("attach", session.number, *session.attach(event)), event)

    def _detach(self, event: Event) -> None:
        session = self._session_of(event)
        link = session.detach(event)
        if link is not None:
            self._requests.pair(("detach", session.number, *link), event)

    def _transfer(self, event: Event) -> None:
        self._session_of(event).transfer(event)

    def _disposition(self, event: Event) -> None:
        self._session_of(event).disposition(event)


_PERFORMATIVES: Mapping[str, Callable[[Assembly1, Event], None]] = {
    "open": Assembly1._open,
    "begin": Assembly1._begin,
    "attach": Assembly1._attach,
    "transfer": Assembly1._transfer,
    "disposition": Assembly1._disposition,
    "detach": Assembly1._detach,
    "end": Assembly1._end,
    "close": Assembly1._close,
    "sasl-init": Assembly1._sasl_init,
    "sasl-outcome": Assembly1._sasl_outcome,
}
