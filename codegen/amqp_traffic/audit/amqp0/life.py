"""How a 0-x connection lives and ends: heartbeats, close methods, and what the network did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amqp_codegen.support.packages import load_package

from ..connection_frames import SERVER, AuditFrame
from .negotiation import NegotiationAudit
from .setting import AuditSetting

_SECOND = 1_000_000_000
_FINE = (0, 200)  # py-amqp closes with 0
_FORCED, _REFUSED, _NOT_FOUND = 320, 403, 404
_CHANNEL_CLOSE, _CHANNEL_CLOSE_OK = 0x00140028, 0x00140029
_DECLARES = ((40, 10), (50, 10))
_SIDES = ("client", "server")
_ENDED = ("fin", "rst")


class LifeAudit:
    """Follows a connection to its end.

    Attributes:
        is_closing: Whether a connection.close came.
        has_closed: By direction, whether that side has sent one.
    """

    __slots__ = ("_codes", "_last", "_negotiation", "_setting", "_unanswered", "has_closed", "is_closing")

    def __init__(self, setting: AuditSetting, negotiation: NegotiationAudit) -> None:
        """Begin.

        Args:
            setting: That of the connection.
            negotiation: How it began.
        """
        self._setting = setting
        self._negotiation = negotiation
        self._last: list[int | None] = [None, None]  # when a frame came, by direction
        self.is_closing = False
        self.has_closed = [False, False]
        self._unanswered: dict[int, AuditFrame] = {}  # close methods, by channel
        codes = load_package(setting.package).constants.ReplyCode if setting.package else ()
        self._codes = frozenset(int(code) for code in codes)

    def listen(self, frame: AuditFrame) -> None:
        """A frame came, whatever it is."""
        direction, ns = frame.direction, frame.ns
        last = self._last[direction]
        self._last[direction] = ns
        heartbeat = self._setting.agreed.heartbeat
        if last is None or not heartbeat or ns - last <= 2 * heartbeat * _SECOND:
            return
        if self._setting.connection.is_whole(direction) and not self.is_closing:
            silence = (ns - last) // _SECOND
            text = f"the {_SIDES[direction]} sent nothing for {silence} seconds, heartbeat is {heartbeat}"
            self._setting.notes.add("heartbeat-late", frame, text, channel=0)

    def take(
        self, frame: AuditFrame, key: int, fields: Mapping[str, Any] | None, has_asked_passively: bool
    ) -> None:
        """A close method or its reply came; other methods do nothing.

        Args:
            frame: The frame.
            key: Class id << 16 | method id.
            fields: Its arguments.
            has_asked_passively: Whether the last declaration on the channel was passive.
        """
        name = frame.name
        if name == "connection.close":
            self.is_closing = self.has_closed[frame.direction] = True
            self._unanswered[0] = frame
            if fields is not None:
                self._connection_closed(frame, fields)
        elif name == "connection.close-ok":
            self._unanswered.clear()
        elif key == _CHANNEL_CLOSE:
            self._unanswered[frame.channel] = frame
            if fields is not None:
                self._channel_closed(frame, fields, has_asked_passively)
        elif key == _CHANNEL_CLOSE_OK:
            self._unanswered.pop(frame.channel, None)

    def _connection_closed(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        code, note = fields["reply_code"], self._setting.notes.add
        self._check_code(frame, code)
        if code in _FINE:
            return
        text = self._told(frame, fields)
        if code == _FORCED:
            note("connection-forced", frame, text)
        elif code == _REFUSED and not self._negotiation.is_tuned and self._negotiation.asked_to_login:
            note("login-refused", frame, text)
        else:
            note("connection-closed-with-error", frame, text)

    def _channel_closed(
        self, frame: AuditFrame, fields: Mapping[str, Any], has_asked_passively: bool
    ) -> None:
        code, note = fields["reply_code"], self._setting.notes.add
        self._check_code(frame, code)
        if code in _FINE:
            return
        about = fields["class_id"], fields["method_id"]
        is_answer = code == _NOT_FOUND and about in _DECLARES and has_asked_passively
        rule = "passive-declare-failed" if is_answer else "channel-closed-with-error"
        note(rule, frame, self._told(frame, fields))

    def _check_code(self, frame: AuditFrame, code: int | None) -> None:
        if code not in _FINE and code not in self._codes and not self._setting.lost[frame.direction]:
            self._setting.notes.add("close-code-unknown", frame, f"{frame.name} with reply-code {code}")

    def _told(self, frame: AuditFrame, fields: Mapping[str, Any]) -> str:
        """What a close method says."""
        key = (fields["class_id"] or 0) << 16 | (fields["method_id"] or 0)
        method = self._setting.methods.get(key)
        about = f", about {method.name}" if method is not None else ""
        text = (fields["reply_text"] or "")[:160]
        return f"{frame.name} {fields['reply_code']} {text!r} from the {_SIDES[frame.direction]}{about}"

    def opens(self, frame: AuditFrame) -> None:
        """A client opens a channel."""
        close = self._unanswered.pop(frame.channel, None)
        if close is not None and close.direction == SERVER:
            text = "channel.open before the channel.close of the server is answered"
            self._setting.notes.add("out-of-order", frame, text, spec_ref="channel.close-ok")

    def lose(self) -> None:
        """Frames are missing."""
        self._unanswered.clear()

    def finish(self) -> None:
        """Nothing more comes."""
        setting = self._setting
        connection, note = setting.connection, setting.notes.add
        facts = connection.facts
        if facts.get("end_mode") not in _ENDED or not (connection.is_whole(0) and connection.is_whole(1)):
            return
        how = {"fin": "FIN", "rst": "RST"}[facts["end_mode"]]
        negotiation = self._negotiation
        if not self.is_closing:
            if negotiation.asked_to_login and not negotiation.is_tuned:
                note("login-refused", None, f"start-ok, then {how} and no tune")
            elif negotiation.is_open:
                note("unclean-close", None, f"{how} without connection.close")
                self._check_silence(facts.get("end_ns"))
        for channel, frame in self._unanswered.items():
            if channel == 0 or not self.is_closing:
                note("close-not-answered", frame, f"{frame.name}, then {how}")

    def _check_silence(self, end_ns: int | None) -> None:
        """Was it broken off because nothing came from a side?"""
        heartbeat = self._setting.agreed.heartbeat
        if not heartbeat or end_ns is None:
            return
        for direction, last in enumerate(self._last):
            if last is not None and end_ns - last > 2 * heartbeat * _SECOND:
                text = f"the {_SIDES[direction]} sent nothing for {(end_ns - last) // _SECOND} seconds"
                self._setting.notes.add("heartbeat-lost", None, f"{text}, heartbeat is {heartbeat}")
