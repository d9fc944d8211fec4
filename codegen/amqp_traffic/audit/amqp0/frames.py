"""Rules about single frames of 0-x: size, channel, heartbeats; and about octets that could not be framed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...capture.quarantine import Reason
from ...capture.stream_data import SIDES
from ...frames.formats import OVERHEAD0
from ..connection_frames import CLIENT, HEARTBEAT, AuditFrame, unread_frame
from ..rule import ERROR, INFO, WARNING, AuditRule, Told
from .arguments import our_limit
from .grammar import not_open
from .setting import Agreed, AuditSetting

_UNUSED_TYPES = frozenset(("oob-method", "oob-header", "oob-body", "trace"))

_frames = partial(AuditRule, category="frames")


@_frames("frame-end", ERROR, source="0-9-1 4.2.3", example="a body frame that says 100 octets and has 96")
def frame_end(frame: AuditFrame, place: str) -> Told:
    """A frame that does not end with the octet 0xCE: its size is wrong, or two threads write at once."""
    return f"no frame-end octet where the frame ends, {place}"


@_frames("frame-type", ERROR, source="0-9-1 4.2.3", example="frame type 9")
def frame_type(frame: AuditFrame, place: str = "") -> Told:
    """A frame of a type that the protocol version does not define."""
    if place:
        return f"an unknown frame type, {place}"
    if frame.name in _UNUSED_TYPES:
        return f"frame type {frame.type}, {frame.name}, which nobody uses"
    return None


@_frames(
    "frame-above-max",
    ERROR,
    source="connection.tune-ok.frame-max",
    example="a body frame of 131,073 octets after tune-ok with frame-max 131,072",
)
def frame_above_max(frame: AuditFrame, frame_max: int, place: str = "") -> Told:
    """A frame larger than the negotiated maximum."""
    if place:
        return f"the head of a frame larger than what was agreed on, {place}"
    return f"{frame.name or 'a frame'} of {frame.size:,} octets, agreed on are {frame_max:,}"


@_frames(
    "channel-above-max",
    ERROR,
    source="connection.tune-ok.channel-max",
    example="channel.open on channel 9 after tune-ok with channel-max 8",
)
def channel_above_max(frame: AuditFrame, channel_max: int) -> Told:
    """A channel number above the negotiated maximum."""
    return f"{frame.name or 'a frame'} on channel {frame.channel}, the highest is {channel_max}"


@_frames("heartbeat-on-channel", ERROR, source="0-9-1 4.2.7", example="a heartbeat on channel 1")
def heartbeat_on_channel(frame: AuditFrame) -> Told:
    """A heartbeat on a channel other than 0."""
    return f"a heartbeat on channel {frame.channel}" if frame.channel else None


@_frames("heartbeat-with-payload", ERROR, source="0-9-1 4.2.7", example="a heartbeat frame of 9 octets")
def heartbeat_with_payload(frame: AuditFrame) -> Told:
    """A heartbeat frame with a payload."""
    return f"a heartbeat with {frame.size - OVERHEAD0} octets in it" if frame.size > OVERHEAD0 else None


@_frames(
    "heartbeat-not-agreed",
    INFO,
    source="connection.tune-ok.heartbeat",
    example="a heartbeat after tune-ok with heartbeat 0",
)
def heartbeat_not_agreed(frame: AuditFrame, agreed: Agreed) -> Told:
    """Heartbeats on a connection that was negotiated without them."""
    return "a heartbeat, and heartbeat 0 was agreed on" if agreed.is_known and not agreed.heartbeat else None


@_frames(
    "stream-overlap",
    WARNING,
    source="RFC 9293 3.10.7.4",
    example="a retransmission that differs from the first transmission",
)
def stream_overlap(frame: AuditFrame, place: str) -> Told:
    """Retransmitted octets that differ from the first transmission: something between the peers changes the stream."""
    return f"octets that differ when they are sent again, {place}"


class FrameAudit:
    """Judges each frame by itself, whatever came before."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting

    def check(self, frame: AuditFrame) -> None:
        """Check a frame, whatever its type."""
        setting = self._setting
        agreed, judge = setting.agreed, setting.notes.judge
        if agreed.frame_max and frame.size > agreed.frame_max:
            judge(frame_above_max, frame, agreed.frame_max)
        if agreed.channel_max and frame.channel > agreed.channel_max:
            judge(channel_above_max, frame, agreed.channel_max)
        if frame.type == HEARTBEAT:
            judge(heartbeat_on_channel, frame)
            judge(heartbeat_with_payload, frame)
            if frame.direction == CLIENT and not agreed.is_known and not any(setting.lost):
                judge(not_open, frame, "a heartbeat before connection.tune-ok", spec_ref="0-9-1 4.2.7")
            judge(heartbeat_not_agreed, frame, agreed)
        elif frame.name in _UNUSED_TYPES and not setting.lost[frame.direction]:
            judge(frame_type, frame)

    def quarantined(self, row: Mapping[str, Any]) -> None:
        """Note octets that are not a frame, unless a gap in the capture may explain them.

        Args:
            row: Columns of ``quarantine``.
        """
        setting = self._setting
        connection, direction, reason = setting.connection, row.get("dir"), row.get("reason")
        if reason not in _UNREADABLE or direction is None:
            return
        side = SIDES[direction]
        gap = connection.facts.get(f"{side}_bytes_gap")
        if not connection.is_from_start or gap or not setting.is_version_certain:
            return
        # After a broken frame the reader searches for the next one: all octets left out are one finding.
        place = f"at {row.get('stream_off')} in the stream; {row.get('length') or 0:,} octets left out"
        frame, judge = unread_frame(row, direction), setting.notes.judge
        if reason == Reason.FRAME_MAX.value:
            frame_max = connection.facts.get("client_frame_max")
            if frame_max is not None:
                judge(frame_above_max, frame, frame_max, place)
        elif reason == Reason.OUR_FRAME_LIMIT.value:
            judge(our_limit, frame, f"a large frame, {place}")
        else:
            judge(_UNREADABLE[reason], frame, place)


# The rules about streams that break the protocol, by the reason in the quarantine.
_UNREADABLE = {
    Reason.FRAME_END.value: frame_end,
    Reason.FRAME_TYPE.value: frame_type,
    Reason.FRAME_MAX.value: frame_above_max,
    Reason.OUR_FRAME_LIMIT.value: our_limit,
    Reason.OVERLAP_CONFLICT.value: stream_overlap,
}
