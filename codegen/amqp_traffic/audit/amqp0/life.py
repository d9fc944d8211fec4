"""Rules about how a 0-x connection lives and ends: heartbeats, close methods, FIN and RST."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from amqp_codegen.support.resources import load_package

from ...capture.stream_data import SIDES
from ...frames.amqp0.frame_format import method_key
from ..connection_frames import SERVER, AuditFrame
from ..rule import INFO, WARNING, AuditRule, Evidence, Told
from .grammar import out_of_order
from .negotiation import NegotiationAudit, login_refused
from .setting import AuditSetting

_SECOND = 1_000_000_000
_CAPTURE_JITTER = 500_000  # nanoseconds by which a capture may confuse the order of packets of both sides
_SUCCESS_CODES = (0, 200)  # py-amqp closes with 0
_FORCED, _REFUSED, _NOT_FOUND = 320, 403, 404
_ENDED = {"fin": "FIN", "rst": "RST"}

_life = partial(AuditRule, module=__name__, category="life")


@_life("heartbeat-late", WARNING, source="0-9-1 4.2.7", example="heartbeat 10, and nothing for 31 seconds")
def heartbeat_late(frame: AuditFrame, seconds: int, heartbeat: int) -> Told:
    """A side that sent nothing for more than twice the heartbeat interval, and then continued."""
    text = f"the {SIDES[frame.direction]} sent nothing for {seconds} seconds, heartbeat is {heartbeat}"
    return Evidence(text, channel=0)


@_life(
    "heartbeat-lost", WARNING, source="0-9-1 4.2.7", example="heartbeat 10, nothing for 25 seconds, then RST"
)
def heartbeat_lost(frame: None, direction: int, seconds: int, heartbeat: int) -> Told:
    """A side that sent nothing for more than twice the heartbeat interval until the connection was cut."""
    return f"the {SIDES[direction]} sent nothing for {seconds} seconds, heartbeat is {heartbeat}"


@_life("unclean-close", WARNING, source="0-9-1 2.2.4, connection.close", example="FIN on an open connection")
def unclean_close(frame: None, how: str) -> Told:
    """A connection that ended without connection.close."""
    return f"{how} without connection.close"


@_life(
    "close-not-answered",
    INFO,
    source="connection.close-ok, channel.close-ok",
    example="connection.close, FIN",
)
def close_not_answered(frame: AuditFrame, how: str) -> Told:
    """A connection.close or channel.close that was not answered before the connection ended."""
    return f"{frame.name}, then {how}"


connection_closed_with_error = _life(
    "connection-closed-with-error",
    WARNING,
    "A connection that one side closed because of an error",
    source="connection.close.reply-code",
    example="connection.close 505 UNEXPECTED_FRAME",
)
connection_forced = _life(
    "connection-forced",
    INFO,
    "A connection that an operator closed",
    source="constant connection-forced",
    example="connection.close 320",
)
channel_closed_with_error = _life(
    "channel-closed-with-error",
    WARNING,
    "A channel that one side closed because of an error",
    source="channel.close.reply-code",
    example="channel.close 406 PRECONDITION_FAILED",
)
passive_declare_failed = _life(
    "passive-declare-failed",
    INFO,
    "A channel that was closed because a passive declaration named something that does not exist",
    source="queue.declare.passive, exchange.declare.passive",
    example="queue.declare with passive, channel.close 404",
)


@_life("close-code-unknown", WARNING, source="0-9-1 constants", example="channel.close 999")
def close_code_unknown(frame: AuditFrame, code: int | None, known: frozenset[int]) -> Told:
    """A reply code that the protocol version does not define."""
    return None if code in _SUCCESS_CODES or code in known else f"{frame.name} with reply-code {code}"


@_life(
    "publish-into-close",
    WARNING,
    source="channel.close/stability, connection.close/stability",
    example="channel.close from the server, basic.publish, channel.close-ok",
    by_order=True,
)
def publish_into_close(frame: AuditFrame, close: AuditFrame) -> Told:
    """Messages published after the server had closed the channel or the connection, before close-ok: they are lost."""
    late = frame.ns - close.ns
    return f"basic.publish after the {close.name} of the server" if late > _CAPTURE_JITTER else None


def _key_of(fields: Mapping[str, Any]) -> int:
    """Return the key of the method that a close method is about."""
    return (fields["class_id"] or 0) << 16 | (fields["method_id"] or 0)


class LifeAudit:
    """Follows a connection to its end.

    Attributes:
        is_closing: Whether either side has sent connection.close.
        has_closed: By direction, whether that side has sent one.
    """

    def __init__(self, setting: AuditSetting, negotiation: NegotiationAudit) -> None:
        self._setting = setting
        self._negotiation = negotiation
        self._last: list[int | None] = [None, None]  # capture time of the last frame, by direction
        self.is_closing = False
        self.has_closed = [False, False]
        self._unanswered: dict[int, AuditFrame] = {}  # close methods, by channel
        codes = load_package(setting.package).constants.ReplyCode if setting.package else ()
        self._codes = frozenset(int(code) for code in codes)

    def listen(self, frame: AuditFrame) -> None:
        """Take the time of a frame of any type."""
        direction, ns = frame.direction, frame.ns
        last = self._last[direction]
        self._last[direction] = ns
        heartbeat = self._setting.agreed.heartbeat
        if last is None or not heartbeat or ns - last <= 2 * heartbeat * _SECOND:
            return
        if self._setting.connection.is_whole(direction) and not self.is_closing:
            self._setting.notes.judge(heartbeat_late, frame, (ns - last) // _SECOND, heartbeat)

    def take(self, frame: AuditFrame, may_be_passive: bool) -> None:
        """Take a close method or its reply; ignore other methods.

        ``may_be_passive`` says whether the last declaration on the channel was passive, or may have been: frames are
        missing.
        """
        name, fields = frame.name, frame.fields
        if name == "connection.close":
            self.is_closing = self.has_closed[frame.direction] = True
            self._expect_answer(0, frame)
            if fields is not None:
                self._connection_closed(frame, fields)
        elif name == "connection.close-ok":
            self._unanswered.clear()
        elif name == "channel.close":
            self._expect_answer(frame.channel, frame)
            if fields is not None:
                self._channel_closed(frame, fields, may_be_passive)
        elif name == "channel.close-ok":
            self._unanswered.pop(frame.channel, None)

    def _expect_answer(self, channel: int, close: AuditFrame) -> None:
        if not self._setting.notes.is_doubtful(close):  # else it may have been answered already
            self._unanswered[channel] = close

    def _connection_closed(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        code, judge = fields["reply_code"], self._setting.notes.judge
        self._check_code(frame, code)
        if code in _SUCCESS_CODES:
            return
        text = self._told(frame, fields)
        if code == _FORCED:
            judge(connection_forced, frame, text)
        elif code == _REFUSED and self._may_be_login():
            judge(login_refused, frame, text)
        else:
            judge(connection_closed_with_error, frame, text)

    def _may_be_login(self) -> bool:
        """Return whether the login may be under way; start-ok may be missing, it is large."""
        negotiation, setting = self._negotiation, self._setting
        if negotiation.is_tuned or negotiation.asked_to_open or negotiation.is_open:
            return False
        return negotiation.asked_to_login or (setting.connection.is_from_start and any(setting.lost))

    def _channel_closed(self, frame: AuditFrame, fields: Mapping[str, Any], may_be_passive: bool) -> None:
        code, judge = fields["reply_code"], self._setting.notes.judge
        self._check_code(frame, code)
        if code in _SUCCESS_CODES:
            return
        is_declare = _key_of(fields) in (method_key("ExchangeDeclare"), method_key("QueueDeclare"))
        is_answer = code == _NOT_FOUND and is_declare and may_be_passive
        about = passive_declare_failed if is_answer else channel_closed_with_error
        judge(about, frame, self._told(frame, fields))

    def _check_code(self, frame: AuditFrame, code: int | None) -> None:
        if not self._setting.lost[frame.direction]:
            self._setting.notes.judge(close_code_unknown, frame, code, self._codes)

    def _told(self, frame: AuditFrame, fields: Mapping[str, Any]) -> str:
        """Return the evidence for a close method."""
        method = self._setting.methods.get(_key_of(fields))
        about = f", about {method.name}" if method is not None else ""
        text = (fields["reply_text"] or "")[:160]
        return f"{frame.name} {fields['reply_code']} {text!r} from the {SIDES[frame.direction]}{about}"

    def published(self, frame: AuditFrame) -> None:
        """Take the basic.publish of a client; note one after the server has closed its channel or the connection."""
        close = self._unanswered.get(frame.channel) or self._unanswered.get(0)
        if close is not None and close.direction == SERVER:
            self._setting.notes.judge(publish_into_close, frame, close)

    def opens(self, frame: AuditFrame) -> None:
        """Take the channel.open of a client; judge one before the close of the server is answered."""
        close = self._unanswered.pop(frame.channel, None)
        if close is not None and close.direction == SERVER:
            text = "channel.open before the channel.close of the server is answered"
            self._setting.notes.judge(out_of_order, frame, text, spec_ref="channel.close-ok")

    def lose(self) -> None:
        """Forget unanswered close methods: frames are missing."""
        self._unanswered.clear()

    def finish(self) -> None:
        """Judge how the connection ended."""
        setting = self._setting
        connection, judge = setting.connection, setting.notes.judge
        facts = connection.facts
        if facts.get("end_mode") not in _ENDED or not (connection.is_whole(0) and connection.is_whole(1)):
            return
        how = _ENDED[facts["end_mode"]]
        negotiation = self._negotiation
        if not self.is_closing:
            if negotiation.asked_to_login and not negotiation.is_tuned:
                judge(login_refused, None, f"start-ok, then {how} and no tune")
            elif negotiation.is_open:
                judge(unclean_close, None, how)
                self._check_silence(facts.get("end_ns"))
        for channel, frame in self._unanswered.items():
            if channel == 0 or not self.is_closing:
                judge(close_not_answered, frame, how)

    def _check_silence(self, end_ns: int | None) -> None:
        """Note a side whose silence explains why the connection was cut."""
        heartbeat = self._setting.agreed.heartbeat
        if not heartbeat or end_ns is None:
            return
        for direction, last in enumerate(self._last):
            if last is not None and end_ns - last > 2 * heartbeat * _SECOND:
                seconds = (end_ns - last) // _SECOND
                self._setting.notes.judge(heartbeat_lost, None, direction, seconds, heartbeat)
