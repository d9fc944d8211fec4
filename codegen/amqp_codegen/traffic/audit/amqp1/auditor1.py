"""Audits a connection of AMQP 1.0: frame by frame, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...dialogue.amqp1.performatives import Begin, from_fields
from ...dialogue.amqp1.session import Session, Sessions
from ..continuity import Continuity
from ..notes import Notes
from ..packet_order import PacketOrder, place_of_packet
from ..trail import CLIENT, TrailConnection, TrailFrame
from ..turns import Turns
from .frames1 import Frames1
from .migration1 import check_address
from .open1 import Open1
from .session1 import SessionChecks, half_detached, is_due, unanswered
from .setting1 import SIDES, Setting1

_AMQP, _SASL = 0, 1  # frame types
_OF_CONNECTIONS = ("open", "close")
_CLOSING = ("detach", "end", "close")
_ANSWERS = {"begin": "1.0 2.5.1", "attach": "1.0 2.6.3"}
_TIME_TO_ANSWER = 5_000_000_000  # nanoseconds, as in 0-x
_NEEDY = frozenset(("begin", "transfer", "disposition", "end"))
_OF_SESSIONS = frozenset(("attach", "flow", "transfer", "disposition", "detach", "end"))
# Rules that go by what the other side did before.
_OF_DELIVERIES = frozenset(("disposition-unknown", "disposition-wrong-role"))
_OF_ORDER = _OF_DELIVERIES | {
    "credit-exceeded",
    "window-exceeded",
    "remote-channel-wrong",
    "session-unknown",
    "next-incoming-id-missing",
    "sasl-out-of-order",
    "open-after-refusal",
}


def _closes(_: TrailFrame, frame: TrailFrame) -> bool:
    """Whether a frame closes something: that explains nothing of what the other side did."""
    return frame.name in _CLOSING


class Auditor1:
    """The state of a connection. Its size is bounded by the number of sessions, and what they hold.

    Sessions are known by the ``begin`` of both ends. Where frames are missing, all that are known are forgotten; those
    that begin later are followed again.
    """

    __slots__ = (
        "_checks",
        "_continuity",
        "_frames",
        "_is_blind",
        "_open",
        "_order",
        "_sessions",
        "_setting",
        "_turns",
    )

    def __init__(self, connection: TrailConnection, notes: Notes) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
            notes: Takes what is found.
        """
        setting = self._setting = Setting1(connection, notes)
        self._open = Open1(setting)
        self._frames = Frames1(setting)
        self._continuity = Continuity(connection)
        self._order = PacketOrder()
        self._turns = Turns(self._take, _closes)
        # By direction, whether what comes next was not captured: the other side may answer that.
        self._is_blind = [self._continuity.is_broken_at_start(direction) for direction in (0, 1)]
        setting.is_lossy = setting.is_lossy or any(self._is_blind)
        self._sessions: Sessions[TrailFrame] = Sessions()
        self._checks = SessionChecks(setting)
        self._open.begin()
        for row in connection.quarantined:
            self._frames.quarantined(row)

    def feed(self, frame: TrailFrame) -> None:
        """Take the next frame."""
        continuity, direction = self._continuity, frame.direction
        if self._order.is_late(frame):
            self._come_late(frame, self._order.is_first)
        if continuity.is_broken_by(frame):
            self._lose()
        self._is_blind[direction] = False
        if self._turns.held:
            self._turns.feed(frame)
        elif not self._take(frame, False):
            self._turns.hold(frame)
        if continuity.is_broken_after(frame):
            self._is_blind[direction] = True
            self._lose()

    def _come_late(self, frame: TrailFrame, is_first: bool) -> None:
        """The other side sent its last frame after this one: perhaps that was no mistake."""
        # A large transfer is complete late anyway.
        rules = _OF_DELIVERIES if frame.name == "transfer" and not is_first else _OF_ORDER
        if self._setting.notes.withdraw(lambda rule: rule.id in rules, place_of_packet(frame)) or is_first:
            self._lose()

    def _take(self, frame: TrailFrame, has_to: bool) -> bool:
        """Take a frame, or return False if it is not its turn."""
        if frame.name in _NEEDY and not has_to and not self._is_due(frame):
            return False
        self._open.listen(frame)
        if frame.type == _SASL:
            self._sasl(frame)
        elif frame.type == _AMQP:
            self._amqp(frame)
        return True

    def _is_due(self, frame: TrailFrame) -> bool:
        """Whether all is there that a frame needs of the other side: its begin, a window, credit, a delivery."""
        name, direction, fields = frame.name, frame.direction, frame.fields
        if fields is None or self._is_blind[0] or self._is_blind[1]:
            return True
        if name == "begin":
            remote = fields["remote_channel"]
            return (
                remote is None
                or self._setting.is_lossy
                or self._sessions.awaited(1 - direction, remote) is not None
            )
        session = self._session_at(direction, frame.channel)
        if session is None:
            return name != "end" or self._setting.is_lossy
        return is_due(session, frame, fields)

    def _session_at(self, direction: int, channel: int) -> Session[TrailFrame] | None:
        """Return the session that a side has on a channel, and has not ended."""
        session = self._sessions.at(direction, channel)
        return None if session is None or session.ended[direction] else session

    def _open_sessions(self) -> Iterator[Session[TrailFrame]]:
        """Yield the sessions that a side has not ended: those of the client, then those of the server."""
        for direction in (0, 1):
            for session in self._sessions.of(direction):
                if not session.ended[direction]:
                    yield session

    def finish(self) -> None:
        """Nothing more comes."""
        self._turns.release_all()
        how = self._open.finish()
        self._check_answers()
        if not how:
            return
        notes = self._setting.notes
        for session in self._open_sessions():
            frame = session.first_end
            if frame is not None:
                if session.is_begun:
                    notes.add("end-not-answered", frame, f"end of the {SIDES[frame.direction]}, then {how}")
                continue
            for link in half_detached(session):
                first = link.first_detach
                if first is not None and not notes.has("detach-not-answered", first.channel):
                    name = (link.name or "")[:80]
                    text = f"detach of {name!r} by the {SIDES[first.direction]}, then {how}"
                    notes.add("detach-not-answered", first, text)

    def _check_answers(self) -> None:
        """Was every begin and attach answered, if there was time for it?"""
        setting = self._setting
        connection = setting.connection
        ends = [frame.ns for frame in self._open.closed if frame is not None]
        end_ns = min(ends, default=connection.facts.get("end_ns"))
        if end_ns is None or setting.is_lossy or not (connection.is_whole(0) and connection.is_whole(1)):
            return
        for session in self._open_sessions():
            for frame in unanswered(session):
                if end_ns - frame.ns > _TIME_TO_ANSWER:
                    text = f"{frame.name} of the {SIDES[frame.direction]} without an answer"
                    setting.notes.add("request-unanswered", frame, text, spec_ref=_ANSWERS[frame.name or ""])

    def _lose(self) -> None:
        """Frames are missing."""
        self._setting.is_lossy = True
        self._sessions.clear()
        self._turns.release_all()

    def _sasl(self, frame: TrailFrame) -> None:
        if frame.err is not None:
            self._frames.undecodable(frame)
        elif frame.fields is not None:
            self._open.take(frame, frame.fields)

    def _amqp(self, frame: TrailFrame) -> None:
        fields = frame.fields
        self._frames.check(frame)
        if not self._open.check_order(frame):
            return
        if frame.err is not None:
            self._frames.undecodable(frame)
            self._lose()  # it may have been about anything
            return
        if fields is None:
            return
        if frame.name in _OF_CONNECTIONS:
            self._open.take(frame, fields)
        if frame.name in _CLOSING:
            self._frames.closed_with(frame, fields)
        elif frame.name == "attach" and frame.direction == CLIENT:
            check_address(self._setting.notes, frame, fields)
        if self._is_blind[0] or self._is_blind[1]:
            return
        if frame.name == "begin":
            self._begin(frame, fields)
        elif frame.name in _OF_SESSIONS:
            self._of_session(frame, fields)

    def _begin(self, frame: TrailFrame, fields: Mapping[str, Any]) -> None:
        direction, channel, setting = frame.direction, frame.channel, self._setting
        begin = from_fields(Begin, fields)
        if self._session_at(direction, channel) is not None:
            text = f"a second begin of the {SIDES[direction]} on channel {channel}"
            setting.notes.add("begin-twice", frame, text)
        if self._sessions.begin(direction, channel, begin, frame) is None:
            self._sessions.leave(direction, channel)
            if not setting.is_lossy:
                text = f"begin with remote-channel {begin.remote_channel}, where no session waits for it"
                setting.notes.add("remote-channel-wrong", frame, text)

    def _of_session(self, frame: TrailFrame, fields: Mapping[str, Any]) -> None:
        direction, channel, setting = frame.direction, frame.channel, self._setting
        session = self._session_at(direction, channel)
        if session is None:
            # Who refuses a begin may end the session without having begun it.
            is_refusal = frame.name == "end" and self._sessions.awaited(1 - direction, channel) is not None
            if not setting.is_lossy and not is_refusal:
                text = f"{frame.name} of the {SIDES[direction]} on channel {channel}, which has no session"
                setting.notes.add("session-unknown", frame, text)
        elif setting.is_lossy and not session.is_begun:
            # The answer may have come already: what comes after a hole is complete late.
            self._sessions.forget(session)
        elif frame.name == "end":
            self._checks.end(session, frame)
            if all(session.ended):
                self._sessions.forget(session)
        else:
            self._checks.take(session, frame, fields)
