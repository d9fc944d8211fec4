"""Frames whose turn it is not yet: a capture may have the packets of both sides in another order than they were sent.

A network card with several queues, or a mirror port, swaps neighbours. So what seems to come before that which it needs, such
as a reply before its request, is held back until the next packet of the other side has been looked at; only then is it
certain. An error that the other side is told of by a close method is no such explanation.
"""

from __future__ import annotations

from collections.abc import Callable

from .connection_frames import AuditFrame

# So many frames are held back: one packet may have as many. Of a few each one is asked whether it is its turn then; of more
# only the first one was.
_MOST, _FEW = 8192, 64


class Turns:
    """Passes frames on, each in its turn. Its size is bounded.

    Attributes:
        held: What is held back; all of it is of one direction.
    """

    __slots__ = ("_explains", "_is_reaction", "_take", "held")

    def __init__(
        self,
        take: Callable[[AuditFrame, bool], bool],
        is_reaction: Callable[[AuditFrame, AuditFrame], bool],
    ) -> None:
        """Begin with nothing held back.

        Args:
            take: Takes a frame. It returns False, and does nothing, if it is not its turn; unless it is told, by the second
                argument, that it has to.
            is_reaction: Whether a frame, the second one, is what the other side has to say of an error in the first one.
        """
        self._take = take
        self._is_reaction = is_reaction
        self.held: list[AuditFrame] = []
        self._explains: tuple[int | None, int | None] | None = None  # the packet of the other side since

    def feed(self, frame: AuditFrame) -> None:
        """Pass on the next frame, or hold it back."""
        if not self.held:
            if not self._take(frame, False):
                self.hold(frame)
            return
        held, packet = self.held, (frame.file_no, frame.pkt_no)
        if frame.direction == held[0].direction:
            if self._explains is None and len(held) < _MOST:
                held.append(frame)
                return
        elif self._may_explain(frame, packet) and self._take(frame, False):
            self._explains = packet
            return
        self.release()
        self.feed(frame)

    def hold(self, frame: AuditFrame) -> None:
        """Hold back a frame whose turn it is not. To be called when nothing is held back."""
        self.held.append(frame)
        self._explains = None

    def _may_explain(self, frame: AuditFrame, packet: tuple[int | None, int | None]) -> bool:
        """Whether what is held back may need a frame. Not if that is not due either: it needs what is held back."""
        return self._explains in (None, packet) and not self._is_reaction(self.held[0], frame)

    def release(self) -> None:
        """Nothing is to be waited for any more."""
        held, self.held, self._explains = self.held, [], None
        has_to = len(held) > _FEW
        for place, frame in enumerate(held):
            if self.held or not self._take(frame, has_to or not place):
                self.held.append(frame)

    def release_all(self) -> None:
        """Nothing more comes, or it does not matter any more."""
        while self.held:
            self.release()
