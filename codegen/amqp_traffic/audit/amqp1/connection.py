"""Rules about how an AMQP 1.0 connection begins, lives and ends: SASL, open, silence, close (sections 2.4 and 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ...capture.stream_data import SIDES
from ..amqp0.grammar import after_close, wrong_direction
from ..amqp0.life import close_not_answered, heartbeat_late, heartbeat_lost, unclean_close
from ..amqp0.negotiation import credentials_in_clear, login_refused, mechanism_not_offered, version_refused
from ..connection_frames import CLIENT, SERVER, AuditFrame
from ..frame_order import place_of_packet
from ..rule import ERROR, INFO, WARNING, AuditRule, Evidence, Told
from .setting import AuditSetting

_LEAST_FRAME_SIZE = 512
_SHORT_IDLE_TIME_OUT = 500  # milliseconds
_MILLISECOND = 1_000_000
_IN_CLEAR = ("PLAIN", "LOGIN")
_TLS_PORT = 5671
_SENDERS = {
    "sasl-mechanisms": SERVER,
    "sasl-init": CLIENT,
    "sasl-challenge": SERVER,
    "sasl-response": CLIENT,
    "sasl-outcome": SERVER,
}
_ENDED = {"fin": "FIN", "rst": "RST"}
_Fields = Mapping[str, Any]

_connections = partial(AuditRule, category="1.0")


@_connections(
    "sasl-out-of-order", ERROR, source="1.0 5.3.2", example="sasl-init on an open connection", by_order=True
)
def sasl_out_of_order(frame: AuditFrame) -> Told:
    """A SASL frame after the end of the login, or after open."""
    return f"{frame.name} of the {SIDES[frame.direction]} after the login"


@_connections(
    "open-after-refusal",
    ERROR,
    source="sasl-outcome.code",
    example="open after sasl-outcome with code 1",
    by_order=True,
)
def open_after_refusal(frame: AuditFrame) -> Told:
    """An open after the server has refused the login."""
    return "open, though sasl-outcome refused the login"


@_connections("open-missing", ERROR, source="1.0 2.4.1", example="begin as the first performative")
def open_missing(frame: AuditFrame) -> Told:
    """A frame from a side that has not sent open yet."""
    return f"{_described(frame)} before its open"


@_connections("open-twice", ERROR, source="1.0 2.4.1", example="open, begin, open")
def open_twice(frame: AuditFrame) -> Told:
    """A second open from one side."""
    return f"a second open of the {SIDES[frame.direction]}"


@_connections("open-on-channel", ERROR, source="1.0 2.7.1", example="open on channel 1")
def open_on_channel(frame: AuditFrame) -> Told:
    """An open on a channel other than 0."""
    return f"open of the {SIDES[frame.direction]} on channel {frame.channel}" if frame.channel else None


@_connections(
    "max-frame-size-too-small", ERROR, source="open.max-frame-size", example="open with max-frame-size 100"
)
def max_frame_size_too_small(frame: AuditFrame, frame_max: int | None) -> Told:
    """A max-frame-size below 512 octets, the minimum that each side has to accept."""
    if frame_max is None or frame_max >= _LEAST_FRAME_SIZE:
        return None
    return f"open of the {SIDES[frame.direction]} with max-frame-size {frame_max}"


@_connections(
    "idle-time-out-short", WARNING, source="open.idle-time-out", example="open with idle-time-out 50"
)
def idle_time_out_short(frame: AuditFrame, idle: int) -> Told:
    """An idle-time-out of less than half a second, which a busy peer or network does not meet."""
    if not 0 < idle < _SHORT_IDLE_TIME_OUT:
        return None
    return f"open of the {SIDES[frame.direction]} with idle-time-out {idle} ms"


@_connections("tail-after-close", INFO, source="1.0 2.4.3", example="close from the server, then a detach")
def tail_after_close(frame: AuditFrame) -> Told:
    """A frame from the server after its close; RabbitMQ sends some, as its sessions end concurrently with the connection."""
    return Evidence(f"{_described(frame)} after its close", spec_ref="1.0 2.4.6")


def _silent(direction: int, silence: int, limit: int) -> str:
    return f"the {SIDES[direction]} sent nothing for {silence:,} ms, idle-time-out is {limit:,} ms"


def _described(frame: AuditFrame) -> str:
    return f"{frame.name or 'a frame'} of the {SIDES[frame.direction]}"


class ConnectionAudit:
    """Follows a connection from its headers to its end.

    Attributes:
        closed: By direction, the close of that side.
    """

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._mechanisms: list[str] | None = None
        self._outcome = self._is_refused = False
        # The first packet of the client after sasl-outcome: it may have been sent before the client received that.
        self._crossing: tuple[int, int] | None = None
        self._opened = [False, False]
        self._idle = [0, 0]  # idle-time-out in milliseconds, by the side that asked for it
        self._last: list[int | None] = [None, None]
        self.closed: list[AuditFrame | None] = [None, None]

    def begin(self) -> None:
        """Judge what is known before the first frame."""
        facts = self._setting.connection.facts
        header, answer = facts.get("header_bytes") or b"", facts.get("answer_bytes") or b""
        if len(header) == len(answer) == 8 and header[5:] != answer[5:]:
            texts = (" ".join(map(str, octets[4:])) for octets in (header, answer))
            text = "the client sent AMQP {}, the server answered AMQP {}".format(*texts)
            self._setting.notes.add(version_refused, None, text, spec_ref="1.0 2.2")

    def listen(self, frame: AuditFrame) -> None:
        """Take the time of a frame of any type."""
        direction, setting = frame.direction, self._setting
        last, self._last[direction] = self._last[direction], frame.ns
        if self._outcome and self._crossing is None and direction == CLIENT:
            self._crossing = place_of_packet(frame)
        limit = self._idle[1 - direction]
        if last is None or not limit or setting.is_lossy or any(self.closed):
            return
        silence = (frame.ns - last) // _MILLISECOND
        if silence > 2 * limit:
            text = _silent(direction, silence, limit)
            setting.notes.add(heartbeat_late, frame, text, channel=0, spec_ref="1.0 2.4.5")

    def check_order(self, frame: AuditFrame) -> bool:
        """Check whether the connection is open for a frame other than SASL. Return False if it is closed."""
        direction, notes = frame.direction, self._setting.notes
        if self.closed[direction] is not None:
            if direction == CLIENT:
                text = f"{_described(frame)} after its close"
                notes.add(after_close, frame, text, spec_ref="1.0 2.4.6")
            else:
                notes.judge(tail_after_close, frame)
            return False
        if not (self._opened[direction] or self._setting.is_lossy or frame.name == "open"):
            notes.judge(open_missing, frame)
        return True

    def take(self, frame: AuditFrame, fields: _Fields) -> None:
        """Take a performative of SASL or of the connection; ignore others."""
        name = frame.name or ""
        handler = _HANDLERS.get(name)
        if name in _SENDERS and not self._setting.is_lossy:
            self._check_sasl(frame, name)
        if handler is not None:
            handler(self, frame, fields)

    # --- SASL

    def _check_sasl(self, frame: AuditFrame, name: str) -> None:
        notes = self._setting.notes
        if frame.direction != _SENDERS[name]:
            notes.add(wrong_direction, frame, _described(frame), spec_ref="1.0 5.3.2")
        elif self._opened[frame.direction] or (self._outcome and not self._may_cross(frame)):
            notes.judge(sasl_out_of_order, frame)

    def _may_cross(self, frame: AuditFrame) -> bool:
        """Return whether a frame after sasl-outcome may have been sent before the client received that."""
        return frame.direction == CLIENT and place_of_packet(frame) == self._crossing

    def _take_mechanisms(self, frame: AuditFrame, fields: _Fields) -> None:
        if frame.direction == SERVER:
            self._mechanisms = list(fields["sasl_server_mechanisms"] or ())

    def _init(self, frame: AuditFrame, fields: _Fields) -> None:
        note, mechanism = self._setting.notes.add, fields["mechanism"] or ""
        judge = self._setting.notes.judge
        judge(mechanism_not_offered, frame, mechanism, self._mechanisms, spec_ref="sasl-init.mechanism")
        facts = self._setting.connection.facts
        is_tls = facts.get("server_port") == _TLS_PORT or "tls" in (facts.get("transport") or "")
        if mechanism in _IN_CLEAR and not is_tls:
            note(credentials_in_clear, frame, f"mechanism {mechanism} without TLS")

    def _take_outcome(self, frame: AuditFrame, fields: _Fields) -> None:
        if frame.direction != SERVER:
            return
        self._outcome = True
        if fields["code"]:
            self._is_refused = True
            text = f"sasl-outcome with code {fields['code']}"
            self._setting.notes.add(login_refused, frame, text, spec_ref="sasl-outcome.code")

    # --- The connection

    def _open(self, frame: AuditFrame, fields: _Fields) -> None:
        direction, setting = frame.direction, self._setting
        judge = setting.notes.judge
        if self._opened[direction]:
            judge(open_twice, frame)
            return
        self._opened[direction] = True
        judge(open_on_channel, frame)
        if self._is_refused and direction == CLIENT and not self._may_cross(frame):
            judge(open_after_refusal, frame)
        frame_max, idle = fields["max_frame_size"], fields["idle_time_out"] or 0
        judge(max_frame_size_too_small, frame, frame_max)
        judge(idle_time_out_short, frame, idle)
        setting.frame_max[direction], setting.channel_max[direction] = frame_max, fields["channel_max"]
        self._idle[direction] = idle

    def _close(self, frame: AuditFrame, fields: _Fields) -> None:
        self.closed[frame.direction] = frame

    def finish(self) -> str:
        """Judge how the connection ended. Return FIN or RST if that cut it without a close; empty if not certain."""
        setting, note = self._setting, self._setting.notes.add
        connection = setting.connection
        how = _ENDED.get(connection.facts.get("end_mode") or "", "")
        if not how or setting.is_lossy or not (connection.is_whole(0) and connection.is_whole(1)):
            return ""
        closed = [frame for frame in self.closed if frame is not None]
        if not closed and all(self._opened):
            note(unclean_close, None, f"{how} without close", spec_ref="1.0 2.4.6")
            self._check_silence()
        elif len(closed) == 1 and all(self._opened):
            text = f"close of the {SIDES[closed[0].direction]}, then {how}"
            note(close_not_answered, closed[0], text, spec_ref="1.0 2.4.6")
        return "" if closed else how

    def _check_silence(self) -> None:
        """Note a side whose silence explains why the connection was cut."""
        end_ns = self._setting.connection.facts.get("end_ns")
        for direction, last in enumerate(self._last):
            limit = self._idle[1 - direction]
            if end_ns is None or last is None or not limit:
                continue
            silence = (end_ns - last) // _MILLISECOND
            if silence > 2 * limit:
                text = _silent(direction, silence, limit)
                self._setting.notes.add(heartbeat_lost, None, text, channel=0, spec_ref="1.0 2.4.5")


_HANDLERS: Mapping[str, Callable[[ConnectionAudit, AuditFrame, _Fields], None]] = {
    "sasl-mechanisms": ConnectionAudit._take_mechanisms,
    "sasl-init": ConnectionAudit._init,
    "sasl-outcome": ConnectionAudit._take_outcome,
    "open": ConnectionAudit._open,
    "close": ConnectionAudit._close,
}
