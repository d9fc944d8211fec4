"""Rules about the content of 0-x methods: a header, then body frames, with no other method in between."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...frames.formats import OVERHEAD0
from ..connection_frames import AuditFrame
from ..rule import ERROR, INFO, AuditRule, Evidence, Told
from .setting import AuditSetting

_BEFORE_HEADER = -1


class OpenContent:
    """Content that is not complete yet.

    Attributes:
        method: The name of its method.
        class_id: The class of that method.
        size: The body size that its header states; None if unknown.
        misfits: What of its header fits no column of its message; None if there is nothing.
        left: The octets still to come; -1 before the header; None if unknown.
    """

    __slots__ = ("class_id", "left", "method", "misfits", "size")

    def __init__(self, method: str, class_id: int, size: int | None, misfits: Any = None) -> None:
        self.method = method
        self.class_id = class_id
        self.size = size
        self.misfits = misfits
        self.left: int | None = _BEFORE_HEADER


# Content of which it is unknown how much is still to come.
_UNKNOWN = OpenContent("", 0, None)
_UNKNOWN.left = None


_frames = partial(AuditRule, module=__name__, category="frames")
_content = partial(AuditRule, module=__name__, category="content", by_order=True)


@_frames("body-frame-empty", INFO, source="0-9-1 4.2.6.2", example="a content-body frame of 8 octets")
def body_frame_empty(frame: AuditFrame) -> Told:
    """A body frame without a payload."""
    return "a content-body frame without payload"


@_frames(
    "body-frame-short",
    INFO,
    source="connection.tune-ok.frame-max",
    example="a body of 64 kB in frames of 4 kB, at a frame-max of 128 kB",
)
def body_frame_short(frame: AuditFrame, left: int, frame_max: int) -> Told:
    """A body split into frames of less than half the negotiated frame-max: each frame costs time on both sides."""
    return f"a content-body frame of {frame.size:,} octets with {left:,} octets still to come, frame-max is {frame_max:,}"


@_content("content-missing", ERROR, source="0-9-1 4.2.6", example="basic.publish, basic.publish")
def content_missing(frame: AuditFrame, content: OpenContent, channel: int | None = None) -> Told:
    """A method where the content header of the previous method, or the rest of its body, is due."""
    if channel is not None:
        return Evidence(f"{frame.name} in the middle of {content.method} on channel {channel}", channel)
    missing = "its content header" if (content.left or 0) < 0 else f"{content.left:,} octets of its body"
    return f"{frame.name or 'a method'} where {content.method} lacks {missing}"


content_unexpected = _content(
    "content-unexpected",
    ERROR,
    "A content header or a body frame that no method announces",
    source="0-9-1 4.2.6",
    example="a content header after queue.declare",
)


@_content(
    "content-other-class", ERROR, source="0-9-1 4.2.6.1", example="basic.publish, content header of class 90"
)
def content_other_class(frame: AuditFrame, content: OpenContent) -> Told:
    """A content header whose class is not that of its method."""
    return f"a content header of class {frame.class_id} after {content.method}"


@_content(
    "content-too-long", ERROR, source="0-9-1 4.2.6.2", example="body size 5, and a body frame of 6 octets"
)
def content_too_long(frame: AuditFrame, content: OpenContent, more: int) -> Told:
    """A body longer than its content header states."""
    return f"{content.method} with a body of {content.size:,} octets, and {more:,} more"


class ContentAudit:
    """The open content of a connection, by channel and direction. Its size is bounded by the number of channels."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._open: dict[tuple[int, int], OpenContent] = {}
        # Channels on which a method was seen since frames of the direction were lost, by direction.
        self._uncertain: list[set[int] | None] = [set() if lost else None for lost in setting.lost]

    def method(self, frame: AuditFrame, has_content: bool, may_interrupt: bool) -> None:
        """Take a method; ``may_interrupt`` says whether it may come in the middle of content."""
        key = frame.channel, frame.direction
        content = self._open.pop(key, None)
        if content is not None and content.left is not None and not may_interrupt:
            self._setting.notes.judge(content_missing, frame, content)
        known = self._uncertain[frame.direction]
        if known is not None:
            known.add(frame.channel)
        if has_content:
            message = frame.message or {}
            size, misfits = message.get("body_size"), message.get("misfits")
            self._open[key] = OpenContent(frame.name or "", frame.class_id or 0, size, misfits)

    def end(self, frame: AuditFrame) -> None:
        """Take a connection.close without an error: its sender should have sent all of its content before."""
        for (channel, direction), content in self._open.items():
            if direction == frame.direction and content.left is not None:
                self._setting.notes.judge(content_missing, frame, content, channel)

    def misfits_of(self, frame: AuditFrame) -> Any:
        """Return what of a content header fits no column. Call it before ``header``."""
        content = self._open.get((frame.channel, frame.direction))
        is_due = content is not None and content.left == _BEFORE_HEADER and frame.class_id == content.class_id
        return content.misfits if content is not None and is_due else None

    def header(self, frame: AuditFrame) -> bool:
        """Take a content header, decodable or not. Return whether its class is not that of its method."""
        key = frame.channel, frame.direction
        content = self._open.get(key)
        if content is None or (content.left is not None and content.left >= 0):
            self._stray(frame, "a content header")
            return False
        if content.left is None:
            return False
        is_other = frame.class_id is not None and frame.class_id != content.class_id
        if is_other:
            self._setting.notes.judge(content_other_class, frame, content)
        if content.size is None:
            self._open[key] = _UNKNOWN
        elif content.size == 0:
            del self._open[key]
        else:
            content.left = content.size
        return is_other

    def body(self, frame: AuditFrame) -> None:
        """Take a body frame."""
        key = frame.channel, frame.direction
        content = self._open.get(key)
        size = frame.size - OVERHEAD0
        if size == 0:
            self._setting.notes.judge(body_frame_empty, frame)
        if content is None:
            self._stray(frame, f"a content-body frame of {size:,} octets")
            return
        left = content.left
        if left is None:
            return
        if left < 0:
            text = f"a content-body frame where {content.method} has no header yet"
            self._setting.notes.judge(content_unexpected, frame, text)
            return
        if size < left:
            content.left = left - size
            frame_max = self._setting.agreed.frame_max
            if OVERHEAD0 < frame.size < frame_max // 2:
                self._setting.notes.judge(body_frame_short, frame, left - size, frame_max)
            return
        del self._open[key]
        if size > left:
            self._setting.notes.judge(content_too_long, frame, content, size - left)

    def _stray(self, frame: AuditFrame, what: str) -> None:
        known = self._uncertain[frame.direction]
        if known is None or frame.channel in known:
            self._setting.notes.judge(content_unexpected, frame, f"{what} that no method announces")

    def lose(self, direction: int) -> None:
        """Forget what is open in a direction of which frames are missing."""
        for key in self._open:
            if key[1] == direction:
                self._open[key] = _UNKNOWN
        self._uncertain[direction] = set()
