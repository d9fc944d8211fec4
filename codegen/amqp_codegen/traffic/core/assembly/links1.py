"""A link of AMQP 1.0: what both ends have said of it in ``attach`` (part 2, section 2.6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..variant_value import variant_value

if TYPE_CHECKING:
    from .delivery1 import Delivery

_CLIENT = 0


class Link:
    """A link, which carries deliveries one way.

    Attributes:
        name: Its name; None if it was attached before the capture began.
        sender: The direction in which deliveries go.
        handles: Its number at either end, by direction; None until that end has attached it.
        detached: Which ends have detached it.
        delivery: The delivery that is under way.
        unsettled: The delivery ids of those that wait to be settled.
        address: Of the node at the broker's end: the target where the client sends, the source where it receives.
    """

    __slots__ = ("_certain", "address", "delivery", "detached", "handles", "name", "sender", "unsettled")

    def __init__(self, name: str | None, sender: int) -> None:
        """A link of that name, and no more."""
        self.name = name
        self.sender = sender
        self.handles: list[int | None] = [None, None]
        self.detached = [False, False]
        self.delivery: Delivery | None = None
        self.unsettled: dict[int, None] = {}
        self.address: str | None = None
        self._certain = False

    def attach(self, direction: int, handle: int, source: Any, target: Any) -> None:
        """An end attaches it.

        Where both ends name a node, that end is right which has it: a client that wants one made names none.
        """
        self.handles[direction] = handle
        terminus = target if self.sender == _CLIENT else source
        address = None if terminus is None else _address(terminus)
        if address is not None and not self._certain:
            self.address = address
            self._certain = direction != _CLIENT


def _address(terminus: tuple[bytes, bytes]) -> str | None:
    """The address of a source or target that ``PerformativeColumns`` has read; a coordinator has none."""
    found: Any = variant_value(terminus)
    address = found.get("address") if isinstance(found, dict) else None
    return address if isinstance(address, str) else None
