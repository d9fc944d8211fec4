"""Which frames are around a finding."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from ..audit.finding import AuditFinding
from ..audit.rules.catalogue import RULES

_HEARTBEAT = 8
_MOST_REMARKS = 100  # of things that are no frames
# What is about how a connection begins, or speaks at all: rules of these groups.
_OF_BEGINNINGS = ("negotiation", "deprecated")


class Where(Enum):
    """Where in its connection a finding is."""

    FRAME = "frame"  # it is about that one
    OCTETS = "octets"  # about octets that are no frame
    BEGINNING = "beginning"  # about how the connection begins
    END = "end"  # about how it ends, or about all of it


class Key(NamedTuple):
    """What decides whether a frame is shown.

    Attributes:
        frame_no: Its number in the connection.
        direction: From whom.
        offset: Where it begins in the stream.
        channel: Its channel.
        type: Its type.
        ns: When it was captured.
    """

    frame_no: int
    direction: int
    offset: int
    channel: int
    type: int
    ns: int


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """Where a finding is, and what is to be shown around it.

    Attributes:
        where: What it is about.
        frame_no: The frame; None if it is about none.
        direction: From whom the octets are that it is about.
        offset: Where they begin in the stream.
        ns: When they were captured.
        channels: Only frames on these; None for all.
        context: So many frames before it, and so many after it.
    """

    where: Where
    frame_no: int | None
    direction: int | None
    offset: int | None
    ns: int | None
    channels: frozenset[int] | None
    context: int

    def is_beyond(self, frame: Key) -> bool:
        """Whether a frame comes after the octets that the finding is about."""
        if frame.direction == self.direction:
            return self.offset is not None and frame.offset >= self.offset
        return self.ns is not None and frame.ns > self.ns


def finding_place(finding: AuditFinding, context: int, all_channels: bool) -> FindingPlace:
    """Where a finding is.

    Args:
        finding: The finding.
        context: See ``FindingPlace``.
        all_channels: Whether frames on other channels than its own are shown, too.
    """
    rule = RULES.get(finding.rule_id)
    if finding.frame_no is not None:
        where = Where.FRAME
    elif finding.stream_off is not None and finding.dir is not None:
        where = Where.OCTETS
    elif rule is not None and rule.category in _OF_BEGINNINGS:
        where = Where.BEGINNING
    else:
        where = Where.END
    # What is said about the connection is of interest, as it may end the channel.
    channels = None if all_channels or finding.channel is None else frozenset((0, finding.channel))
    return FindingPlace(
        where, finding.frame_no, finding.dir, finding.stream_off, finding.ns, channels, context
    )


Item = TypeVar("Item")


class Window(Generic[Item]):
    """Takes the frames of a connection in order, and keeps those around a place.

    Attributes:
        before: The last ones before it.
        marked: The frame it is about.
        after: The first ones after it.
        is_done: More are not wanted.
    """

    def __init__(self, place: FindingPlace) -> None:
        """Begin with nothing."""
        wanted = place.context
        if place.where is Where.END:
            wanted *= 2  # there is nothing after it
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
        """Take something that is no frame, and not counted."""
        if self._is_after and not self.is_done:
            self.after.append(item)
            self._most_after += 1
        elif not self._is_after:
            self._keep_before(item, is_frame=False)

    def _is_wanted(self, key: Key) -> bool:
        channels = self._place.channels
        if channels is None:
            return True
        # Heartbeats tell nothing about a channel.
        return key.channel in channels and not (key.type == _HEARTBEAT and key.channel == 0)

    def _keep(self, item: Item) -> None:
        if not self._is_after:
            self._keep_before(item, is_frame=True)
        elif not self.is_done:
            self.after.append(item)
            self.is_done = len(self.after) >= self._most_after

    def _keep_before(self, item: Item, is_frame: bool) -> None:
        """Keep one more, and let go of the first where there are too many."""
        self.before.append(item)
        self._are_frames.append(is_frame)
        self._frames_before += is_frame
        most = self._most_before + _MOST_REMARKS if self._most_before else 0
        while self._frames_before > self._most_before or len(self.before) > most:
            self.before.popleft()
            self._frames_before -= self._are_frames.popleft()
