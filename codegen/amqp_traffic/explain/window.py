"""The choice of the frames around a finding."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from ..audit.catalogue import RULES
from ..audit.finding import AuditFinding

_HEARTBEAT = 8
_MOST_REMARKS = 100  # items kept that are not frames
# Categories of rules that are about how a connection begins.
_CATEGORIES_OF_BEGINNING = ("negotiation", "deprecated")


class Where(Enum):
    """The place of a finding in its connection."""

    FRAME = "frame"  # at one frame
    OCTETS = "octets"  # at octets that are not a frame
    BEGINNING = "beginning"  # where the connection begins
    END = "end"  # where it ends; also for findings about the whole connection


class Key(NamedTuple):
    """The properties of a frame that decide whether it is shown.

    Attributes:
        frame_no: The number of the frame in its connection.
        direction: 0 from the client, 1 from the server.
        offset: The offset of the frame in its stream.
        ns: When it was captured, in nanoseconds since 1970.
    """

    frame_no: int
    direction: int
    offset: int
    channel: int
    type: int
    ns: int


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """The place of a finding, and what to show around it.

    Attributes:
        frame_no: The frame; None if the finding is not about one.
        direction: The direction of the octets that it is about.
        offset: The offset of these octets in their stream.
        ns: When they were captured, in nanoseconds since 1970.
        channels: Show only frames on these channels; None for all.
        context: The number of frames before and after the finding.
    """

    where: Where
    frame_no: int | None
    direction: int | None
    offset: int | None
    ns: int | None
    channels: frozenset[int] | None
    context: int

    def is_beyond(self, frame: Key) -> bool:
        """Return whether a frame comes after the octets that the finding is about."""
        if frame.direction == self.direction:
            return self.offset is not None and frame.offset >= self.offset
        return self.ns is not None and frame.ns > self.ns


def finding_place(finding: AuditFinding, context: int, all_channels: bool) -> FindingPlace:
    """Return the place of a finding.

    ``context`` is the number of frames before and after it. With ``all_channels``, frames on all channels are shown,
    not only on the finding's.
    """
    rule = RULES.get(finding.rule_id)
    if finding.frame_no is not None:
        where = Where.FRAME
    elif finding.stream_off is not None and finding.dir is not None:
        where = Where.OCTETS
    elif rule is not None and rule.category in _CATEGORIES_OF_BEGINNING:
        where = Where.BEGINNING
    else:
        where = Where.END
    # Channel 0 is shown, too: closing the connection also ends the channel.
    channels = None if all_channels or finding.channel is None else frozenset((0, finding.channel))
    return FindingPlace(
        where, finding.frame_no, finding.dir, finding.stream_off, finding.ns, channels, context
    )


Item = TypeVar("Item")


class Window(Generic[Item]):
    """A collector that takes the frames of a connection in order, and keeps those around a place.

    Attributes:
        before: The last frames before the place.
        marked: The frame that the finding is about.
        after: The first frames after the place.
        is_done: No more frames are needed.
    """

    def __init__(self, place: FindingPlace) -> None:
        wanted = place.context
        if place.where is Where.END:
            wanted *= 2  # no frames come after the end
        self._place = place
        self._most_after = place.context * (2 if place.where is Where.BEGINNING else 1)
        self.before: deque[Item] = deque()
        self._most_before = wanted
        self._are_frames: deque[bool] = deque()  # of those before
        self._frames_before = 0
        self.marked: Item | None = None
        self.after: list[Item] = []
        self._is_after = place.where is Where.BEGINNING
        self.is_done = self._is_after and not self._most_after

    def add(self, key: Key, item: Item) -> None:
        """Take the next frame."""
        place = self._place
        if self.is_done:
            return
        if place.where is Where.FRAME and key.frame_no == place.frame_no:
            self.marked, self._is_after = item, True
            self.is_done = not self._most_after
            return
        if place.where is Where.OCTETS and not self._is_after:
            self._is_after = place.is_beyond(key)
            self.is_done = self._is_after and not self._most_after
        if self._is_wanted(key):
            self._keep(item)

    def remark(self, item: Item) -> None:
        """Take an item that is not a frame and does not count as one."""
        if self._is_after and not self.is_done:
            self.after.append(item)
            self._most_after += 1
        elif not self._is_after:
            self._keep_before(item, is_frame=False)

    def _is_wanted(self, key: Key) -> bool:
        channels = self._place.channels
        if channels is None:
            return True
        # Heartbeats say nothing about a channel.
        return key.channel in channels and not (key.type == _HEARTBEAT and key.channel == 0)

    def _keep(self, item: Item) -> None:
        if not self._is_after:
            self._keep_before(item, is_frame=True)
        elif not self.is_done:
            self.after.append(item)
            self.is_done = len(self.after) >= self._most_after

    def _keep_before(self, item: Item, is_frame: bool) -> None:
        """Keep an item, and drop the first ones if there are too many."""
        self.before.append(item)
        self._are_frames.append(is_frame)
        self._frames_before += is_frame
        most = self._most_before + _MOST_REMARKS if self._most_before else 0
        while self._frames_before > self._most_before or len(self.before) > most:
            self.before.popleft()
            self._frames_before -= self._are_frames.popleft()
