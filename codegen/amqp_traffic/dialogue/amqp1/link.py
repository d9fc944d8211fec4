"""Links of a session, and their deliveries (part 2, sections 2.6.1 to 2.6.14)."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ...decode.variant_values import variant_value
from .performatives import Attach, Flow, Transfer, Variant
from .window import SerialWindow, ahead

CLIENT = 0  # the direction of what the client says; 1 is the server
SENDER, RECEIVER = False, True  # roles

# What a caller keeps for a performative: the model hands it back.
T = TypeVar("T")


class Delivery(Generic[T]):
    """A delivery.

    Attributes:
        link: The link that it goes over.
        first: What the caller gave for its first transfer.
        delivery_id: The number that its first transfer has, if any.
        number: Its number in the session, also where the first transfer has none; None if that cannot be known.
        tag: Its delivery-tag.
        message_format: As in the first transfer.
        transfers: How many there were so far.
        size: The octets of these.
        is_settled: Whether a transfer says that the sender has settled it.
        settled_by: Whether sender and receiver have settled it, by their roles; see ``Deliveries.settle``.
    """

    __slots__ = (
        "delivery_id",
        "first",
        "is_settled",
        "link",
        "message_format",
        "number",
        "settled_by",
        "size",
        "tag",
        "transfers",
    )

    def __init__(self, link: Link[T], transfer: Transfer, first: T) -> None:
        self.link = link
        self.first = first
        self.delivery_id = self.number = transfer.delivery_id
        self.tag = transfer.delivery_tag
        self.message_format = transfer.message_format
        self.transfers = 0
        self.size = 0
        self.is_settled = False
        self.settled_by = [False, False]

    def has_other_id(self, transfer: Transfer) -> bool:
        """Return whether a transfer is of a delivery with another number."""
        return (
            None not in (transfer.delivery_id, self.delivery_id) and transfer.delivery_id != self.delivery_id
        )

    def has_other_tag(self, transfer: Transfer) -> bool:
        """Return whether a transfer is of a delivery with another tag."""
        return None not in (transfer.delivery_tag, self.tag) and transfer.delivery_tag != self.tag

    def add(self, transfer: Transfer, size: int) -> None:
        """Take a transfer, the first one too; what follows from its end is up to ``Link.end_delivery``."""
        self.transfers += 1
        self.size += size
        if transfer.settled:
            self.is_settled = True


class Link(Generic[T]):
    """A link, which carries deliveries one way.

    Attributes:
        name: Its name; None if it was attached before the capture began.
        sender: The direction in which deliveries go.
        handles: Its number at either end, by direction; None until that end has attached it.
        detached: Which ends have detached it.
        first_attach, first_detach: What the caller gave for them.
        settle_mode: The sender's ``snd-settle-mode``.
        max_message_size: What the receiver takes; 0 is no limit.
        credit: The window of deliveries.
        delivery: The delivery that is under way.
        unsettled: Those deliveries that ``Deliveries`` knows, by number.
        address: Of the node at the broker's end: the target where the client sends, the source where it receives.
    """

    __slots__ = (
        "_is_certain",
        "address",
        "credit",
        "delivery",
        "detached",
        "first_attach",
        "first_detach",
        "handles",
        "max_message_size",
        "name",
        "sender",
        "settle_mode",
        "unsettled",
    )

    def __init__(self, name: str | None, sender: int) -> None:
        self.name = name
        self.sender = sender
        self.handles: list[int | None] = [None, None]
        self.detached = [False, False]
        self.first_attach: T | None = None
        self.first_detach: T | None = None
        self.settle_mode: int | None = None
        self.max_message_size = 0
        self.credit = SerialWindow()
        self.delivery: Delivery[T] | None = None
        self.unsettled: dict[int, Delivery[T]] = {}
        self.address: str | None = None
        self._is_certain = False

    @property
    def is_attached(self) -> bool:
        """Whether both ends have attached it."""
        return None not in self.handles

    @property
    def is_over(self) -> bool:
        """Whether both ends have detached it, or the only one that is known."""
        return all(self.detached) or (self.name is None and any(self.detached))

    def attach(self, direction: int, attach: Attach, first: T | None) -> None:
        """An end attaches it."""
        self.handles[direction] = attach.handle
        self.first_attach = self.first_attach or first
        if direction == self.sender:
            self.settle_mode = attach.snd_settle_mode
            self.credit.begin(attach.initial_delivery_count or 0)
        else:
            self.max_message_size = attach.max_message_size or 0

    def learn_address(self, direction: int, attach: Attach) -> None:
        """Learn the address from the attach of an end.

        Where both ends name a node, that end is right which has it: a client that wants one made names none.
        """
        address = address_of(attach.target if self.sender == CLIENT else attach.source)
        if address is not None and not self._is_certain:
            self.address = address
            self._is_certain = direction != CLIENT

    def flow(self, direction: int, flow: Flow) -> None:
        """An end says what it knows of credit."""
        count, credit = flow.delivery_count, self.credit
        if direction == self.sender:
            # When it is drained, it uses up credit without deliveries.
            if count is not None and credit.count is not None and ahead(count, credit.count) > 0:
                credit.count = count
        elif flow.link_credit:
            credit.grant(credit.count if count is None else count, flow.link_credit)

    def begin_delivery(self, transfer: Transfer, first: T) -> Delivery[T]:
        """The sender begins a delivery, which uses up credit; ``Delivery.add`` takes the transfer."""
        self.credit.use()
        delivery = self.delivery = Delivery(self, transfer, first)
        return delivery


def address_of(terminus: Variant | None) -> str | None:
    """Return the address of a source or target; a coordinator has none."""
    value: Any = None if terminus is None else variant_value(terminus)
    address = value.get("address") if isinstance(value, dict) else None
    return address if isinstance(address, str) else None
