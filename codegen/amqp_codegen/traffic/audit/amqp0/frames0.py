"""Single frames of 0-x: sizes, channels, heartbeats; and what could not be framed at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.quarantine import Reason
from ..trail import CLIENT, HEARTBEAT, TrailFrame, unread_frame
from .setting0 import Setting0

_EMPTY = 8  # octets of a frame without payload
# What is in the quarantine because a stream is not as it has to be: which rule that is about, and what to say.
_RULES = {
    Reason.FRAME_END.value: ("frame-end", "no frame-end octet where the frame ends"),
    Reason.FRAME_TYPE.value: ("frame-type", "an unknown frame type"),
    Reason.FRAME_MAX.value: ("frame-above-max", "the head of a frame larger than what was agreed on"),
    Reason.OVERLAP_CONFLICT.value: ("stream-overlap", "octets that differ when they are sent again"),
}
_UNUSED_TYPES = frozenset(("oob-method", "oob-header", "oob-body", "trace"))


class Frames0:
    """Looks at frames without regard to what came before."""

    __slots__ = ("_setting",)

    def __init__(self, setting: Setting0) -> None:
        """Begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting

    def check(self, frame: TrailFrame) -> None:
        """Check a frame, whatever its type."""
        setting = self._setting
        agreed, note = setting.agreed, setting.notes.add
        if agreed.frame_max and frame.size > agreed.frame_max:
            note(
                "frame-above-max",
                frame,
                f"{frame.name or 'a frame'} of {frame.size:,} octets, agreed on are {agreed.frame_max:,}",
            )
        if agreed.channel_max and frame.channel > agreed.channel_max:
            note(
                "channel-above-max",
                frame,
                f"{frame.name or 'a frame'} on channel {frame.channel}, the highest is {agreed.channel_max}",
            )
        if frame.type == HEARTBEAT:
            self._heartbeat(frame)
        elif frame.name in _UNUSED_TYPES and not setting.lost[frame.direction]:
            note("frame-type", frame, f"frame type {frame.type}, {frame.name}, which nobody uses")

    def _heartbeat(self, frame: TrailFrame) -> None:
        setting = self._setting
        note = setting.notes.add
        if frame.channel:
            note("heartbeat-on-channel", frame, f"a heartbeat on channel {frame.channel}")
        if frame.size > _EMPTY:
            note("heartbeat-with-payload", frame, f"a heartbeat with {frame.size - _EMPTY} octets in it")
        if frame.direction == CLIENT and not setting.agreed.is_known and not any(setting.lost):
            note("not-open", frame, "a heartbeat before connection.tune-ok", spec_ref="0-9-1 4.2.7")
        if setting.agreed.is_known and not setting.agreed.heartbeat:
            note("heartbeat-not-agreed", frame, "a heartbeat, and heartbeat 0 was agreed on")

    def quarantined(self, row: Mapping[str, Any]) -> None:
        """Note octets that are no frame, unless that may be because something was not captured.

        Args:
            row: Columns of ``quarantine``.
        """
        setting = self._setting
        connection, direction = setting.connection, row.get("dir")
        rule, text = _RULES.get(row.get("reason") or "", ("", ""))
        if not rule or direction is None:
            return
        side = ("client", "server")[direction]
        gap = connection.facts.get(f"{side}_bytes_gap")
        if not connection.is_from_start or gap or not setting.is_version_certain:
            return
        if rule == "frame-above-max" and connection.facts.get("client_frame_max") is None:
            return
        # Where the beginning of a frame is wrong, what comes after it is searched for the next one: one finding.
        text = f"{text}, at {row.get('stream_off')} in the stream; {row.get('length') or 0:,} octets left out"
        setting.notes.add(rule, unread_frame(row, direction), text)
