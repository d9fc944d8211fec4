"""Rules about sessions of AMQP 1.0: begin and end, windows, flows (section 2.5). See also ``link`` and ``deliveries``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from ...capture.stream_data import SIDES
from ...dialogue.amqp1.link import Link
from ...dialogue.amqp1.performatives import BeginFields, FlowFields, TransferFields, from_fields
from ...dialogue.amqp1.session import Session, Sessions
from ...dialogue.amqp1.window import SerialWindow
from ..connection_frames import AuditFrame
from ..fleet.queries import request_unanswered
from ..rule import ERROR, INFO, WARNING, AuditRule, Told
from .deliveries import DeliveryChecks
from .link import LinkChecks, detach_not_answered, has_credit, may_have_credit, transfer_from_receiver
from .setting import AuditSetting

_OF_LINKS = ("link_credit", "delivery_count", "available")
_ANSWERS = {"begin": "1.0 2.5.1", "attach": "1.0 2.6.3"}
_ANSWER_TIMEOUT = 5_000_000_000  # nanoseconds, as in 0-x
_Fields = Mapping[str, Any]

_sessions = partial(AuditRule, module=__name__, category="1.0")


@_sessions("begin-twice", ERROR, source="1.0 2.5.1", example="begin on channel 0, and begin on channel 0")
def begin_twice(frame: AuditFrame) -> Told:
    """A begin on a channel whose session has not ended."""
    return f"a second begin of the {SIDES[frame.direction]} on channel {frame.channel}"


@_sessions(
    "remote-channel-wrong",
    ERROR,
    source="begin.remote-channel",
    example="begin with remote-channel 7, but no session on channel 7",
    by_order=True,
)
def remote_channel_wrong(frame: AuditFrame, begin: BeginFields) -> Told:
    """A begin that answers a begin which the other side has not sent."""
    return f"begin with remote-channel {begin.remote_channel}, where no session waits for it"


@_sessions(
    "session-unknown", ERROR, source="1.0 2.5.3", example="attach on channel 4 without begin", by_order=True
)
def session_unknown(frame: AuditFrame) -> Told:
    """A performative on a channel on which that side has no session, or has ended it."""
    return f"{frame.name} of the {SIDES[frame.direction]} on channel {frame.channel}, which has no session"


session_ended_with_error = _sessions(
    "session-ended-with-error",
    WARNING,
    "A session that one side ended because of an error",
    source="end.error",
    example="end with amqp:session:window-violation",
)


@_sessions("end-not-answered", INFO, source="1.0 2.5.3", example="end, then RST")
def end_not_answered(frame: AuditFrame, cut: str) -> Told:
    """An end that was not answered before the connection was cut."""
    return f"end of the {SIDES[frame.direction]}, then {cut}"


@_sessions(
    "window-exceeded",
    ERROR,
    source="1.0 2.5.6",
    example="six transfers after begin with incoming-window 5, without a flow",
    by_order=True,
)
def window_exceeded(frame: AuditFrame, window: SerialWindow) -> Told:
    """More transfers than the incoming-window of the other side ever allowed."""
    if window.limit is None or window.has_room:
        return None
    return (
        f"transfer number {window.count} of the session, the window of the other side ends before"
        f" {window.limit}"
    )


@_sessions(
    "next-incoming-id-missing",
    WARNING,
    source="flow.next-incoming-id",
    example="begin, begin, flow with incoming-window alone",
    by_order=True,
)
def next_incoming_id_missing(frame: AuditFrame, flow: FlowFields, session: Session[AuditFrame]) -> Told:
    """A flow without next-incoming-id after the begin of the other side."""
    if flow.next_incoming_id is not None or session.channels[1 - frame.direction] is None:
        return None
    return f"a flow of the {SIDES[frame.direction]} after the begin of the other side"


@_sessions(
    "credit-without-link",
    ERROR,
    source="flow.link-credit",
    example="flow with link-credit 10, without a handle",
)
def credit_without_link(frame: AuditFrame, flow: FlowFields) -> Told:
    """A flow without a handle that sets fields of a link."""
    given = [name.replace("_", "-") for name in _OF_LINKS if getattr(flow, name) is not None]
    return f"a flow with {' and '.join(given)}, without a handle" if given else None


class SessionChecks:
    """Follows the sessions of a connection and judges their performatives.

    A session is known by the ``begin`` of both ends. Where frames are missing, all known sessions are forgotten; those that
    begin later are followed again.
    """

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._sessions: Sessions[AuditFrame] = Sessions()
        self._links = LinkChecks(setting)
        self._deliveries = DeliveryChecks(setting)

    def lose(self) -> None:
        """Forget all sessions: frames are missing."""
        self._sessions.clear()

    def is_due(self, frame: AuditFrame, fields: _Fields) -> bool:
        """Return whether the other side has sent what a frame needs: begin, window, credit, delivery."""
        direction, is_lossy = frame.direction, self._setting.is_lossy
        if frame.name == "begin":
            remote = fields["remote_channel"]
            return remote is None or is_lossy or self._sessions.awaited(1 - direction, remote) is not None
        session = self._sessions.at(direction, frame.channel)
        if session is None:
            return frame.name != "end" or is_lossy
        if frame.name == "transfer":
            window, link = session.windows[direction], _open_link(session, direction, fields["handle"])
            has_window = window.limit is None or window.has_room
            return has_window and (
                link is None or has_credit(link, direction) or not may_have_credit(link, frame)
            )
        if frame.name == "disposition":
            first, last = fields["first"], fields["last"]
            sender = 1 - direction if fields["role"] else direction
            return session.deliveries[sender].has(first, first if last is None else last)
        return True

    def begin(self, frame: AuditFrame, fields: _Fields) -> None:
        """Take a begin."""
        direction, channel, judge = frame.direction, frame.channel, self._setting.notes.judge
        begin = from_fields(BeginFields, fields)
        if self._sessions.at(direction, channel) is not None:
            judge(begin_twice, frame)
        if self._sessions.begin(direction, channel, begin, frame) is None:
            self._sessions.leave(direction, channel)
            if not self._setting.is_lossy:
                judge(remote_channel_wrong, frame, begin)

    def take(self, frame: AuditFrame, fields: _Fields) -> None:
        """Take a performative in a session."""
        direction, channel, is_lossy = frame.direction, frame.channel, self._setting.is_lossy
        session = self._sessions.at(direction, channel)
        if session is None:
            # A side that refuses a begin may send end without begin.
            is_refusal = frame.name == "end" and self._sessions.awaited(1 - direction, channel) is not None
            if not is_lossy and not is_refusal:
                self._setting.notes.judge(session_unknown, frame)
        elif is_lossy and not session.is_begun:
            # The answer may have been captured already: frames after a hole become complete late.
            self._sessions.forget(session)
        elif frame.name == "end":
            self._end(session, frame)
        elif frame.name == "flow":
            self._flow(session, frame, from_fields(FlowFields, fields))
        elif frame.name == "transfer":
            self._transfer(session, frame, fields)
        elif frame.name == "disposition":
            self._deliveries.disposition(session, frame, fields)
        else:
            link = self._links.take(session, frame, fields)
            if link is not None:
                self._deliveries.abandon(link, frame)

    def _end(self, session: Session[AuditFrame], frame: AuditFrame) -> None:
        session.ended[frame.direction] = True
        if session.first_end is None:
            session.first_end = frame
            for link in session.links():
                if frame.direction == link.sender and not any(link.detached):
                    self._deliveries.abandon(link, frame)
        self._sessions.leave(frame.direction, frame.channel)

    def _flow(self, session: Session[AuditFrame], frame: AuditFrame, flow: FlowFields) -> None:
        judge = self._setting.notes.judge
        session.flow(frame.direction, flow)
        judge(next_incoming_id_missing, frame, flow, session)
        if flow.handle is None:
            judge(credit_without_link, frame, flow)
            return
        link = self._links.find(session, frame, flow.handle)
        if link is not None:
            link.flow(frame.direction, flow)

    def _transfer(self, session: Session[AuditFrame], frame: AuditFrame, fields: _Fields) -> None:
        direction, judge = frame.direction, self._setting.notes.judge
        transfer, window = from_fields(TransferFields, fields), session.windows[direction]
        judge(window_exceeded, frame, window)
        window.use()
        link = self._links.find(session, frame, transfer.handle)
        if link is None:
            return
        if link.sender != direction:
            judge(transfer_from_receiver, frame, link)
            return
        self._deliveries.transfer(
            session.deliveries[direction], link, frame, transfer, fields["payload_size"]
        )

    # --- When nothing more comes

    def finish(self, cut: str) -> None:
        """Note each end and detach that was not answered before the connection was cut."""
        notes = self._setting.notes
        for session in self._open_sessions():
            end = session.first_end
            if end is not None:
                if session.is_begun:
                    notes.judge(end_not_answered, end, cut)
                continue
            for link in session.links():
                detach = link.first_detach
                if detach is None or not link.is_attached:
                    continue
                if not notes.has(detach_not_answered, detach.channel):
                    notes.judge(detach_not_answered, detach, link, cut)

    def check_answers(self, end_ns: int) -> None:
        """Note each begin and attach that was not answered, though the connection lasted until ``end_ns``."""
        for session in self._open_sessions():
            for frame in _unanswered(session):
                if end_ns - frame.ns > _ANSWER_TIMEOUT:
                    text = f"{frame.name} of the {SIDES[frame.direction]} without an answer"
                    spec_ref = _ANSWERS[frame.name or ""]
                    self._setting.notes.add(request_unanswered, frame, text, spec_ref=spec_ref)

    def _open_sessions(self) -> Iterator[Session[AuditFrame]]:
        """Return the sessions that a side has not ended: those of the client, then those of the server."""
        return chain(self._sessions.of(0), self._sessions.of(1))


def _open_link(session: Session[AuditFrame], direction: int, handle: int) -> Link[AuditFrame] | None:
    link = session.link(direction, handle)
    return None if link is None or link.detached[direction] else link


def _unanswered(session: Session[AuditFrame]) -> Iterator[AuditFrame]:
    """Yield the begin, or each attach, that the other side has not answered."""
    if any(session.ended) or session.first_begin is None:
        return
    if not session.is_begun:
        yield session.first_begin
    for link in session.links():
        if link.first_attach is not None and not link.is_attached and not any(link.detached):
            yield link.first_attach
