"""How a connection of AMQP 1.0 begins, lives and ends: SASL, open, silence, close (part 2, section 2.4; part 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..frame_order import place_of_packet
from ..trail import CLIENT, SERVER, TrailFrame
from .setting1 import SIDES, Setting1

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


class Open1:
    """Follows a connection from its headers to its end.

    Attributes:
        closed: By direction, the close of that side.
    """

    __slots__ = (
        "_crossing",
        "_idle",
        "_is_refused",
        "_last",
        "_mechanisms",
        "_opened",
        "_outcome",
        "_setting",
        "closed",
    )

    def __init__(self, setting: Setting1) -> None:
        """Begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._mechanisms: list[str] | None = None
        self._outcome = self._is_refused = False
        # The first packet of the client after sasl-outcome: it may have been sent before that came.
        self._crossing: tuple[int, int] | None = None
        self._opened = [False, False]
        self._idle = [0, 0]  # in milliseconds, by who wants to hear something
        self._last: list[int | None] = [None, None]
        self.closed: list[TrailFrame | None] = [None, None]

    def begin(self) -> None:
        """What is known before the first frame."""
        facts = self._setting.connection.facts
        header, answer = facts.get("header_bytes") or b"", facts.get("answer_bytes") or b""
        if len(header) == len(answer) == 8 and header[5:] != answer[5:]:
            texts = (" ".join(map(str, octets[4:])) for octets in (header, answer))
            text = "the client sent AMQP {}, the server answered AMQP {}".format(*texts)
            self._setting.notes.add("version-refused", None, text, spec_ref="1.0 2.2")

    def listen(self, frame: TrailFrame) -> None:
        """A frame came, whatever it is."""
        direction, setting = frame.direction, self._setting
        last, self._last[direction] = self._last[direction], frame.ns
        if self._outcome and self._crossing is None and direction == CLIENT:
            self._crossing = place_of_packet(frame)
        limit = self._idle[1 - direction]
        if last is None or not limit or setting.is_lossy or any(self.closed):
            return
        silence = (frame.ns - last) // _MILLISECOND
        if silence > 2 * limit:
            text = f"the {SIDES[direction]} sent nothing for {silence:,} ms, idle-time-out is {limit:,} ms"
            setting.notes.add("heartbeat-late", frame, text, channel=0, spec_ref="1.0 2.4.5")

    def check_order(self, frame: TrailFrame) -> bool:
        """Check whether the connection is open for a frame that is none of SASL. Returns False if it is closed."""
        direction, setting = frame.direction, self._setting
        what = f"{frame.name or 'a frame'} of the {SIDES[direction]}"
        if self.closed[direction] is not None:
            rule = "after-close" if direction == CLIENT else "tail-after-close"
            setting.notes.add(rule, frame, f"{what} after its close", spec_ref="1.0 2.4.6")
            return False
        if not (self._opened[direction] or setting.is_lossy or frame.name == "open"):
            setting.notes.add("open-missing", frame, f"{what} before its open")
        return True

    def take(self, frame: TrailFrame, fields: _Fields) -> None:
        """A performative of SASL or of the connection came; others do nothing."""
        name = frame.name or ""
        handler = _HANDLERS.get(name)
        if name in _SENDERS and not self._setting.is_lossy:
            self._check_sasl(frame, name)
        if handler is not None:
            handler(self, frame, fields)

    # --- SASL

    def _check_sasl(self, frame: TrailFrame, name: str) -> None:
        note, side = self._setting.notes.add, SIDES[frame.direction]
        if frame.direction != _SENDERS[name]:
            note("wrong-direction", frame, f"{name} of the {side}", spec_ref="1.0 5.3.2")
        elif self._opened[frame.direction] or (self._outcome and not self._may_cross(frame)):
            note("sasl-out-of-order", frame, f"{name} of the {side} after the login")

    def _may_cross(self, frame: TrailFrame) -> bool:
        """Whether a frame after sasl-outcome may have been sent before that came."""
        return frame.direction == CLIENT and place_of_packet(frame) == self._crossing

    def _take_mechanisms(self, frame: TrailFrame, fields: _Fields) -> None:
        if frame.direction == SERVER:
            self._mechanisms = list(fields["sasl_server_mechanisms"] or ())

    def _init(self, frame: TrailFrame, fields: _Fields) -> None:
        note, mechanism = self._setting.notes.add, fields["mechanism"] or ""
        if self._mechanisms is not None and mechanism not in self._mechanisms:
            offered = " ".join(self._mechanisms)[:80]
            text = f"mechanism {mechanism[:40]!r}, offered are {offered!r}"
            note("mechanism-not-offered", frame, text, spec_ref="sasl-init.mechanism")
        if mechanism in _IN_CLEAR and self._setting.connection.facts.get("server_port") != _TLS_PORT:
            note("credentials-in-clear", frame, f"mechanism {mechanism} without TLS")

    def _take_outcome(self, frame: TrailFrame, fields: _Fields) -> None:
        if frame.direction != SERVER:
            return
        self._outcome = True
        if fields["code"]:
            self._is_refused = True
            text = f"sasl-outcome with code {fields['code']}"
            self._setting.notes.add("login-refused", frame, text, spec_ref="sasl-outcome.code")

    # --- The connection

    def _open(self, frame: TrailFrame, fields: _Fields) -> None:
        direction, setting = frame.direction, self._setting
        note, side = setting.notes.add, SIDES[direction]
        if self._opened[direction]:
            note("open-twice", frame, f"a second open of the {side}")
            return
        self._opened[direction] = True
        if frame.channel:
            note("open-on-channel", frame, f"open of the {side} on channel {frame.channel}")
        if self._is_refused and direction == CLIENT and not self._may_cross(frame):
            note("open-after-refusal", frame, "open, though sasl-outcome refused the login")
        frame_max, idle = fields["max_frame_size"], fields["idle_time_out"] or 0
        if frame_max is not None and frame_max < _LEAST_FRAME_SIZE:
            note("max-frame-size-too-small", frame, f"open of the {side} with max-frame-size {frame_max}")
        if 0 < idle < _SHORT_IDLE_TIME_OUT:
            note("idle-time-out-short", frame, f"open of the {side} with idle-time-out {idle} ms")
        setting.frame_max[direction], setting.channel_max[direction] = frame_max, fields["channel_max"]
        self._idle[direction] = idle

    def _close(self, frame: TrailFrame, fields: _Fields) -> None:
        self.closed[frame.direction] = frame

    def finish(self) -> str:
        """Nothing more comes. Returns how the network ended it, if all of it was captured; else an empty text."""
        setting, note = self._setting, self._setting.notes.add
        connection = setting.connection
        how = _ENDED.get(connection.facts.get("end_mode") or "", "")
        if not how or setting.is_lossy or not (connection.is_whole(0) and connection.is_whole(1)):
            return ""
        closed = [frame for frame in self.closed if frame is not None]
        if not closed and all(self._opened):
            note("unclean-close", None, f"{how} without close", spec_ref="1.0 2.4.6")
            self._check_silence()
        elif len(closed) == 1 and all(self._opened):
            text = f"close of the {SIDES[closed[0].direction]}, then {how}"
            note("close-not-answered", closed[0], text, spec_ref="1.0 2.4.6")
        return "" if closed else how

    def _check_silence(self) -> None:
        """Was it broken off because nothing came from a side?"""
        end_ns = self._setting.connection.facts.get("end_ns")
        for direction, last in enumerate(self._last):
            limit = self._idle[1 - direction]
            if end_ns is None or last is None or not limit:
                continue
            silence = (end_ns - last) // _MILLISECOND
            if silence > 2 * limit:
                text = (
                    f"the {SIDES[direction]} sent nothing for {silence:,} ms, idle-time-out is {limit:,} ms"
                )
                self._setting.notes.add("heartbeat-lost", None, text, channel=0, spec_ref="1.0 2.4.5")


_HANDLERS: Mapping[str, Callable[[Open1, TrailFrame, _Fields], None]] = {
    "sasl-mechanisms": Open1._take_mechanisms,
    "sasl-init": Open1._init,
    "sasl-outcome": Open1._take_outcome,
    "open": Open1._open,
    "close": Open1._close,
}
