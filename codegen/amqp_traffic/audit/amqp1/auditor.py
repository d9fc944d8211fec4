"""The audit of an AMQP 1.0 connection, frame by frame: passes each frame to the modules that hold the rules."""

from __future__ import annotations

from ..connection_frames import CLIENT, AuditConnection, AuditFrame
from ..finding_log import FindingLog
from ..frame_order import FrameOrder, place_of_packet
from ..rule import AuditRule
from .connection import ConnectionAudit
from .deliveries import disposition_unknown, disposition_wrong_role
from .frames import FrameAudit
from .link import RULES_OF_ATTACH
from .session import SessionChecks
from .setting import AuditSetting

_AMQP, _SASL = 0, 1  # frame types
_OF_CONNECTIONS = ("open", "close")
_CLOSING = ("detach", "end", "close")
_DEPENDENT = frozenset(("begin", "transfer", "disposition", "end"))
_OF_SESSIONS = frozenset(("attach", "flow", "transfer", "disposition", "detach", "end"))


def _is_about_deliveries(rule: AuditRule) -> bool:
    return rule in (disposition_unknown, disposition_wrong_role)


def _goes_by_order(rule: AuditRule) -> bool:
    return rule.by_order and rule.category == disposition_unknown.category


class Auditor:
    """The state of a connection. Its size is bounded by the number of sessions and what they hold."""

    def __init__(self, connection: AuditConnection, notes: FindingLog) -> None:
        setting = self._setting = AuditSetting(connection, notes)
        self._open = ConnectionAudit(setting)
        self._frames = FrameAudit(setting)
        self._order = FrameOrder(connection, self)
        setting.is_lossy = setting.is_lossy or any(self._order.is_blind)
        self._sessions = SessionChecks(setting)
        self._open.begin()
        for row in connection.quarantined:
            self._frames.quarantined(row)

    def feed(self, frame: AuditFrame) -> None:
        """Take the next frame."""
        self._order.feed(frame)

    def come_late(self, frame: AuditFrame, is_first: bool) -> None:
        """Withdraw findings that a late frame may explain: the other side may have reacted to it."""
        # A large transfer always becomes complete late.
        if frame.name != "transfer":
            self._setting.notes.doubtful.add(frame.frame_no)
        is_doubtful = _is_about_deliveries if frame.name == "transfer" and not is_first else _goes_by_order
        if self._setting.notes.withdraw(is_doubtful, place_of_packet(frame)) or is_first:
            self._lose()

    def is_reaction(self, wrong: AuditFrame, frame: AuditFrame) -> bool:
        """Return whether a frame is a close: it explains no earlier frame of the other side."""
        return frame.name in _CLOSING

    def take(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a frame, or return False if it is not its turn."""
        if frame.name in _DEPENDENT and not has_to and not self._is_due(frame):
            return False
        self._open.listen(frame)
        if frame.type == _SASL:
            self._sasl(frame)
        elif frame.type == _AMQP:
            self._amqp(frame)
        notes = self._setting.notes
        if notes.doubted is not None:
            notes.doubted = None
            self._lose()
        return True

    def _is_due(self, frame: AuditFrame) -> bool:
        """Return whether the other side has sent what a frame needs: begin, window, credit, delivery."""
        fields = frame.fields
        return fields is None or any(self._order.is_blind) or self._sessions.is_due(frame, fields)

    def finish(self) -> None:
        """Judge the end of the connection."""
        self._order.release_all()
        cut = self._open.finish()
        self._check_answers()
        if cut:
            self._sessions.finish(cut)

    def _check_answers(self) -> None:
        setting = self._setting
        connection = setting.connection
        ends = [frame.ns for frame in self._open.closed if frame is not None]
        end_ns = min(ends, default=connection.facts.get("end_ns"))
        is_whole = not setting.is_lossy and connection.is_whole(0) and connection.is_whole(1)
        if end_ns is not None and is_whole:
            self._sessions.check_answers(end_ns)

    def lose(self, direction: int) -> None:
        """Forget all sessions: frames are missing."""
        self._lose()

    def _lose(self) -> None:
        self._setting.is_lossy = True
        self._sessions.lose()
        self._order.release_all()

    def _sasl(self, frame: AuditFrame) -> None:
        if frame.err is not None:
            self._frames.undecodable(frame)
        elif frame.fields is not None:
            self._open.take(frame, frame.fields)

    def _amqp(self, frame: AuditFrame) -> None:
        fields = frame.fields
        self._frames.check(frame)
        if not self._open.check_order(frame):
            return
        if frame.err is not None:
            self._frames.undecodable(frame)
            self._lose()  # it may have changed any session
            return
        if fields is None:
            return
        if frame.name in _OF_CONNECTIONS:
            self._open.take(frame, fields)
        if frame.name in _CLOSING:
            self._frames.closed_with(frame, fields)
        elif frame.name == "attach" and frame.direction == CLIENT:
            self._setting.notes.judge_all(RULES_OF_ATTACH, frame, fields)
        if any(self._order.is_blind):
            return
        if frame.name == "begin":
            self._sessions.begin(frame, fields)
        elif frame.name in _OF_SESSIONS:
            self._sessions.take(frame, fields)
