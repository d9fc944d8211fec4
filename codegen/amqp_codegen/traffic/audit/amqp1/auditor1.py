"""Audits a connection of AMQP 1.0: frame by frame, in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frame_order import Continuity, PacketOrder, Turns, place_of_packet
from ..notes import Notes
from ..trail import CLIENT, TrailConnection, TrailFrame
from .frames1 import Frames1
from .migration1 import check_address
from .open1 import Open1
from .session1 import Session1
from .setting1 import SIDES, Setting1

_AMQP, _SASL = 0, 1  # frame types
_MOST_SESSIONS = 65_536
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
        "_awaited",
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
        # By who said them, and channel.
        self._sessions: tuple[dict[int, Session1], dict[int, Session1]] = ({}, {})
        # Sessions that the other side has not begun yet; they may have been ended since.
        self._awaited: tuple[dict[int, Session1], dict[int, Session1]] = ({}, {})
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
            return remote is None or self._setting.is_lossy or remote in self._awaited[1 - direction]
        session = self._sessions[direction].get(frame.channel)
        if session is None:
            return name != "end" or self._setting.is_lossy
        return session.is_due(frame, fields)

    def finish(self) -> None:
        """Nothing more comes."""
        self._turns.release_all()
        how = self._open.finish()
        self._check_answers()
        if not how:
            return
        note = self._setting.notes.add
        for sessions in self._sessions:
            for session in sessions.values():
                frame = session.end_frame
                if frame is not None and all(session.begun):
                    note("end-not-answered", frame, f"end of the {SIDES[frame.direction]}, then {how}")
                for link in session.half_detached() if frame is None else ():
                    first = link.detach_frame
                    if first is not None and not self._setting.notes.has(
                        "detach-not-answered", first.channel
                    ):
                        text = f"detach of {link.name[:80]!r} by the {SIDES[first.direction]}, then {how}"
                        note("detach-not-answered", first, text)

    def _check_answers(self) -> None:
        """Was every begin and attach answered, if there was time for it?"""
        setting = self._setting
        connection = setting.connection
        ends = [frame.ns for frame in self._open.closed if frame is not None]
        end_ns = min(ends, default=connection.facts.get("end_ns"))
        if end_ns is None or setting.is_lossy or not (connection.is_whole(0) and connection.is_whole(1)):
            return
        for sessions in self._sessions:
            for session in sessions.values():
                for frame in session.unanswered():
                    if end_ns - frame.ns > _TIME_TO_ANSWER:
                        text = f"{frame.name} of the {SIDES[frame.direction]} without an answer"
                        setting.notes.add(
                            "request-unanswered", frame, text, spec_ref=_ANSWERS[frame.name or ""]
                        )

    def _lose(self) -> None:
        """Frames are missing."""
        self._setting.is_lossy = True
        for known in (*self._sessions, *self._awaited):
            known.clear()
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
        direction, channel, remote = frame.direction, frame.channel, fields["remote_channel"]
        setting, sessions = self._setting, self._sessions[direction]
        if channel in sessions:
            text = f"a second begin of the {SIDES[direction]} on channel {channel}"
            setting.notes.add("begin-twice", frame, text)
        if remote is None:
            session = self._awaited[direction][channel] = Session1(setting)
        else:
            found = self._awaited[1 - direction].pop(remote, None)
            if found is None:
                sessions.pop(channel, None)
                if not setting.is_lossy:
                    text = f"begin with remote-channel {remote}, where no session waits for it"
                    setting.notes.add("remote-channel-wrong", frame, text)
                return
            session = found
        session.begin(frame, fields)
        if len(sessions) < _MOST_SESSIONS:
            sessions[channel] = session

    def _of_session(self, frame: TrailFrame, fields: Mapping[str, Any]) -> None:
        sessions = self._sessions[frame.direction]
        session = sessions.get(frame.channel)
        if session is None:
            # Who refuses a begin may end the session without having begun it.
            is_refusal = frame.name == "end" and frame.channel in self._awaited[1 - frame.direction]
            if not self._setting.is_lossy and not is_refusal:
                text = f"{frame.name} of the {SIDES[frame.direction]} on channel {frame.channel}, which has no session"
                self._setting.notes.add("session-unknown", frame, text)
        elif self._setting.is_lossy and not all(session.begun):
            # The answer may have come already: what comes after a hole is complete late.
            del sessions[frame.channel]
            self._awaited[frame.direction].pop(frame.channel, None)
        elif frame.name == "end":
            session.end(frame)
            del sessions[frame.channel]
        else:
            session.take(frame, fields)
