"""Delivery tags on a channel of 0-x: what the client settles, and what the server confirms."""

from __future__ import annotations

from ..outstanding import Outstanding
from ..trail import TrailFrame
from .setting0 import Setting0

_MOST = 65_536


class Deliveries0:
    """Messages that were delivered on a channel, and have to be settled."""

    __slots__ = ("_in_tx", "_setting", "_unwanted", "has_tx", "outstanding")

    def __init__(self, setting: Setting0) -> None:
        """Begin without.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self.outstanding = Outstanding()
        self._unwanted: dict[int, None] = {}  # delivered as not to be acknowledged
        self.has_tx = False
        self._in_tx: list[int] = []  # settled since the transaction began

    def deliver(self, frame: TrailFrame, tag: int | None, no_ack: bool | None) -> None:
        """A message is delivered.

        Args:
            frame: The frame.
            tag: Its delivery tag.
            no_ack: Whether it is not to be settled; None if that is not known.
        """
        if not tag:
            return
        last = self.outstanding.last
        if tag <= last:
            text = f"{frame.name} with delivery-tag {tag}, the one before was {last}"
            self._setting.notes.add("delivery-tag-not-next", frame, text)
        if no_ack:
            self._unwanted[tag] = None
            if len(self._unwanted) > _MOST:
                del self._unwanted[next(iter(self._unwanted))]
            self.outstanding.last = max(last, tag)
        else:
            self.outstanding.add(tag)

    def settle(self, frame: TrailFrame, tag: int | None, multiple: bool, others: list[int]) -> None:
        """A client acknowledges or rejects.

        Args:
            frame: The frame.
            tag: The delivery tag.
            multiple: Whether all before it are meant, too.
            others: Other channels on which a message with this tag is to be settled.
        """
        outstanding = self.outstanding
        if tag is None:
            return
        if not tag or tag in outstanding:
            if multiple:
                self._remember(outstanding.settle_up_to(tag))
            elif tag:
                outstanding.settle(tag)
                self._remember([tag])
            return
        name = f"{frame.name} of delivery-tag {tag}"
        note = self._setting.notes.add
        if tag in self._unwanted:
            note("ack-not-wanted", frame, f"{name}, which was delivered with no-ack")
        elif tag <= outstanding.forgotten:
            return
        elif tag <= outstanding.last:
            note("ack-settled-tag", frame, f"{name}, which is settled already")
        elif others:
            listed = ", ".join(map(str, others[:4]))
            note("ack-on-other-channel", frame, f"{name}, which was delivered on channel {listed}")
        else:
            note("ack-unknown-tag", frame, f"{name}, the last one delivered is {outstanding.last}")
        if multiple:
            self._remember(outstanding.settle_up_to(tag))

    def _remember(self, tags: list[int]) -> None:
        if self.has_tx and len(self._in_tx) < _MOST:
            self._in_tx += tags

    def commit(self) -> None:
        """What was settled is settled for good."""
        self._in_tx.clear()

    def rollback(self) -> None:
        """What was settled in the transaction is to be settled again."""
        last = self.outstanding.last
        kept = sorted({*self._in_tx, *self.outstanding.settle_up_to(0)})
        for tag in kept:
            self.outstanding.add(tag)
        self.outstanding.last = last
        self._in_tx.clear()

    def recover(self) -> None:
        """The server delivers all that is not settled again, with other tags."""
        self.outstanding.clear()


class Confirms0:
    """Messages that were published on a channel, and are to be confirmed.

    Attributes:
        is_on: Whether confirm.select came.
    """

    __slots__ = ("_outstanding", "_setting", "is_on")

    def __init__(self, setting: Setting0) -> None:
        """Begin without confirms.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._outstanding = Outstanding()
        self.is_on = False

    @property
    def last(self) -> int:
        """The number of the last message that was published since."""
        return self._outstanding.last

    def publish(self) -> None:
        """A message is published."""
        if self.is_on:
            self._outstanding.add(self._outstanding.last + 1)

    def settle(self, frame: TrailFrame, tag: int | None, multiple: bool) -> None:
        """The server confirms."""
        note, outstanding = self._setting.notes.add, self._outstanding
        if tag is None:
            return
        if not self.is_on:
            note("confirm-without-select", frame, f"{frame.name} of {tag}, and no confirm.select")
        elif tag > outstanding.last:
            note(
                "confirm-unknown-tag",
                frame,
                f"{frame.name} of {tag}, and {outstanding.last} messages published",
            )
        elif not multiple and tag and tag not in outstanding and tag > outstanding.forgotten:
            note("confirm-repeated", frame, f"{frame.name} of {tag}, which is confirmed already")
        if multiple:
            outstanding.settle_up_to(tag)
        else:
            outstanding.settle(tag)
