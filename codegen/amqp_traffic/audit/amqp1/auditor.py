"""Audits a connection of AMQP 1.0: frame by frame, in order."""

from __future__ import annotations

from ..connection_frames import CLIENT, AuditConnection, AuditFrame
from ..continuity import FrameContinuity
from ..finding_log import FindingLog
from ..packet_order import PacketOrder, place_of_packet
from ..rules.rule import AuditRule
from ..turns import Turns
from .connection import ConnectionAudit
from .deliveries import disposition_unknown, disposition_wrong_role
from .frames import FrameAudit
from .migration import check_address
from .session import SessionChecks
from .setting import AuditSetting

_AMQP, _SASL = 0, 1  # frame types
_OF_CONNECTIONS = ("open", "close")
_CLOSING = ("detach", "end", "close")
_NEEDY = frozenset(("begin", "transfer", "disposition", "end"))
_OF_SESSIONS = frozenset(("attach", "flow", "transfer", "disposition", "detach", "end"))


def _closes(_: AuditFrame, frame: AuditFrame) -> bool:
    """Whether a frame closes something: that explains nothing of what the other side did."""
    return frame.name in _CLOSING


def _is_about_deliveries(rule: AuditRule) -> bool:
    return rule in (disposition_unknown, disposition_wrong_role)


def _goes_by_order(rule: AuditRule) -> bool:
    return rule.by_order and rule.category == disposition_unknown.category


class Auditor:
    """The state of a connection. Its size is bounded by the number of sessions, and what they hold."""

    __slots__ = (
        "_continuity",
        "_frames",
        "_is_blind",
        "_open",
        "_order",
        "_sessions",
        "_setting",
        "_turns",
    )

    def __init__(self, connection: AuditConnection, notes: FindingLog) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
            notes: Takes what is found.
        """
        setting = self._setting = AuditSetting(connection, notes)
        self._open = ConnectionAudit(setting)
        self._frames = FrameAudit(setting)
        self._continuity = FrameContinuity(connection)
        self._order = PacketOrder()
        self._turns = Turns(self._take, _closes)
        # By direction, whether what comes next was not captured: the other side may answer that.
        self._is_blind = [self._continuity.is_broken_at_start(direction) for direction in (0, 1)]
        setting.is_lossy = setting.is_lossy or any(self._is_blind)
        self._sessions = SessionChecks(setting)
        self._open.begin()
        for row in connection.quarantined:
            self._frames.quarantined(row)

    def feed(self, frame: AuditFrame) -> None:
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

    def _come_late(self, frame: AuditFrame, is_first: bool) -> None:
        """The other side sent its last frame after this one: perhaps that was no mistake."""
        # A large transfer is complete late anyway.
        is_doubtful = _is_about_deliveries if frame.name == "transfer" and not is_first else _goes_by_order
        if self._setting.notes.withdraw(is_doubtful, place_of_packet(frame)) or is_first:
            self._lose()

    def _take(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a frame, or return False if it is not its turn."""
        if frame.name in _NEEDY and not has_to and not self._is_due(frame):
            return False
        self._open.listen(frame)
        if frame.type == _SASL:
            self._sasl(frame)
        elif frame.type == _AMQP:
            self._amqp(frame)
        return True

    def _is_due(self, frame: AuditFrame) -> bool:
        """Whether all is there that a frame needs of the other side: its begin, a window, credit, a delivery."""
        fields = frame.fields
        return fields is None or any(self._is_blind) or self._sessions.is_due(frame, fields)

    def finish(self) -> None:
        """Nothing more comes."""
        self._turns.release_all()
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

    def _lose(self) -> None:
        """Frames are missing."""
        self._setting.is_lossy = True
        self._sessions.lose()
        self._turns.release_all()

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
        if any(self._is_blind):
            return
        if frame.name == "begin":
            self._sessions.begin(frame, fields)
        elif frame.name in _OF_SESSIONS:
            self._sessions.take(frame, fields)
