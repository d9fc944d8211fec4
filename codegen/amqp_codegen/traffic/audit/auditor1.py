"""Audits a connection of AMQP 1.0: frame by frame, in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .continuity import Continuity
from .frames1 import Frames1
from .notes import Notes
from .open1 import Open1
from .session1 import Session1
from .setting1 import SIDES, Setting1
from .trail import TrailConnection, TrailFrame

_AMQP, _SASL = 0, 1  # frame types
_MOST_SESSIONS = 65_536
_OF_CONNECTIONS = ("open", "close")
_CLOSING = ("detach", "end", "close")
_OF_SESSIONS = frozenset(("attach", "flow", "transfer", "disposition", "detach", "end"))


class Auditor1:
    """The state of a connection. Its size is bounded by the number of sessions, and what they hold.

    Sessions are known by the ``begin`` of both ends. Where frames are missing, all that are known are forgotten; those
    that begin later are followed again.
    """

    __slots__ = ("_awaited", "_continuity", "_frames", "_is_blind", "_open", "_sessions", "_setting")

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
        continuity = self._continuity
        if continuity.is_broken_by(frame):
            self._lose()
        self._is_blind[frame.direction] = False
        self._open.listen(frame)
        if frame.type == _SASL:
            self._sasl(frame)
        elif frame.type == _AMQP:
            self._amqp(frame)
        if continuity.is_broken_after(frame):
            self._is_blind[frame.direction] = True
            self._lose()

    def finish(self) -> None:
        """Nothing more comes."""
        how = self._open.finish()
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

    def _lose(self) -> None:
        """Frames are missing."""
        self._setting.is_lossy = True
        for known in (*self._sessions, *self._awaited):
            known.clear()

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
        if any(self._is_blind):
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
