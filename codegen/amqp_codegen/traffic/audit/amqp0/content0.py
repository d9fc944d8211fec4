"""Content on the channels of a 0-x connection: after a method its header, then its body, and nothing between."""

from __future__ import annotations

from ..trail import TrailFrame
from .setting0 import Setting0

_OVERHEAD = 8
_BEFORE_HEADER = -1


class _Content:
    """Content that is under way.

    Attributes:
        method: The name of its method.
        class_id: Of the method.
        size: The size of its body as the header says; None if that is not known.
        left: The octets still to come; -1 before the header; None if that is not known.
    """

    __slots__ = ("class_id", "left", "method", "size")

    def __init__(self, method: str, class_id: int, size: int | None) -> None:
        self.method = method
        self.class_id = class_id
        self.size = size
        self.left: int | None = _BEFORE_HEADER


# Stands for content of which it is not known what is still to come.
_UNKNOWN = _Content("", 0, None)
_UNKNOWN.left = None


class Content0:
    """The content of all channels, by channel and direction. Its size is bounded by the number of channels."""

    __slots__ = ("_open", "_setting", "_uncertain")

    def __init__(self, setting: Setting0) -> None:
        """Begin without.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._open: dict[tuple[int, int], _Content] = {}
        # Channels on which a method was seen since frames of the direction were lost, by direction.
        self._uncertain: list[set[int] | None] = [set() if lost else None for lost in setting.lost]

    def method(self, frame: TrailFrame, has_content: bool, may_interrupt: bool) -> None:
        """A method came.

        Args:
            frame: The frame.
            has_content: Whether content follows.
            may_interrupt: Whether it may come in the middle of content.
        """
        key = frame.channel, frame.direction
        content = self._open.pop(key, None)
        if content is not None and content.left is not None and not may_interrupt:
            missing = "its content header" if content.left < 0 else f"{content.left:,} octets of its body"
            self._setting.notes.add(
                "content-missing", frame, f"{frame.name or 'a method'} where {content.method} lacks {missing}"
            )
        known = self._uncertain[frame.direction]
        if known is not None:
            known.add(frame.channel)
        if has_content:
            size = None if frame.message is None else frame.message.get("body_size")
            self._open[key] = _Content(frame.name or "", frame.class_id or 0, size)

    def end(self, frame: TrailFrame) -> None:
        """A side closes the connection, and not because of an error: it should have sent all of its content."""
        for (channel, direction), content in self._open.items():
            if direction == frame.direction and content.left is not None:
                text = f"{frame.name} in the middle of {content.method} on channel {channel}"
                self._setting.notes.add("content-missing", frame, text, channel=channel)

    def header(self, frame: TrailFrame) -> bool:
        """A content header came, which may be one that cannot be decoded.

        Returns:
            Whether it is of another class than its method.
        """
        key = frame.channel, frame.direction
        content = self._open.get(key)
        if content is None or (content.left is not None and content.left >= 0):
            self._stray(frame, "a content header")
            return False
        if content.left is None:
            return False
        is_other = frame.class_id is not None and frame.class_id != content.class_id
        if is_other:
            text = f"a content header of class {frame.class_id} after {content.method}"
            self._setting.notes.add("content-other-class", frame, text)
        if content.size is None or frame.err is not None:
            self._open[key] = _UNKNOWN
        elif content.size == 0:
            del self._open[key]
        else:
            content.left = content.size
        return is_other

    def body(self, frame: TrailFrame) -> None:
        """A body frame came."""
        key = frame.channel, frame.direction
        content = self._open.get(key)
        size = frame.size - _OVERHEAD
        if size == 0:
            self._setting.notes.add("body-frame-empty", frame, "a content-body frame without payload")
        if content is None:
            self._stray(frame, f"a content-body frame of {size:,} octets")
            return
        left = content.left
        if left is None:
            return
        if left < 0:
            self._setting.notes.add(
                "content-unexpected", frame, f"a content-body frame where {content.method} has no header yet"
            )
            return
        if size < left:
            content.left = left - size
            agreed = self._setting.agreed.frame_max
            if 0 < frame.size < agreed // 2 and size:
                self._setting.notes.add(
                    "body-frame-short",
                    frame,
                    f"a content-body frame of {frame.size:,} octets with {left - size:,} octets still to come, "
                    f"frame-max is {agreed:,}",
                )
            return
        del self._open[key]
        if size > left:
            self._setting.notes.add(
                "content-too-long",
                frame,
                f"{content.method} with a body of {content.size:,} octets, and {size - left:,} more",
            )

    def _stray(self, frame: TrailFrame, what: str) -> None:
        known = self._uncertain[frame.direction]
        if known is None or frame.channel in known:
            self._setting.notes.add("content-unexpected", frame, f"{what} that no method announces")

    def lose(self, direction: int) -> None:
        """Frames of a direction are missing."""
        for key in self._open:
            if key[1] == direction:
                self._open[key] = _UNKNOWN
        self._uncertain[direction] = set()
