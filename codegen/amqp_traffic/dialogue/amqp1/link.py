"""The links of a session, and their deliveries (part 2, sections 2.6.1 to 2.6.14)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ...secret_names import is_secret_node
from ...variant_values import repeated_variant_value
from .performatives import AttachFields, FlowFields, TransferFields, Variant
from .window import SerialWindow, ahead

CLIENT = 0  # the direction of frames from the client; 1 is from the server
SENDER, RECEIVER = False, True  # roles

# What a caller keeps for a performative; the model only stores it.
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class LinkDelivery(Generic[T]):
    """A delivery.

    Attributes:
        first: What the caller gave for its first transfer.
        delivery_id: The number in its first transfer, if any.
        number: Its number in the session, even if the first transfer has none; None if unknown.
        message_format: As in the first transfer.
        transfers: The number of transfers so far.
        size: Their octets.
        is_settled: True if a transfer says that the sender has settled it.
        settled_by: The role of the only end that has settled it, if any; see ``Deliveries.settle``.
    """

    link: Link[T]
    first: T
    delivery_id: int | None
    number: int | None
    tag: bytes | None
    message_format: int | None
    transfers: int = 0
    size: int = 0
    is_settled: bool = False
    settled_by: bool | None = None

    def has_other_id(self, transfer: TransferFields) -> bool:
        """True if a transfer belongs to a delivery with another number."""
        number = transfer.delivery_id
        return number is not None and number != self.delivery_id and self.delivery_id is not None

    def has_other_tag(self, transfer: TransferFields) -> bool:
        """True if a transfer belongs to a delivery with another tag."""
        tag = transfer.delivery_tag
        return tag is not None and tag != self.tag and self.tag is not None

    def add(self, transfer: TransferFields, size: int) -> None:
        """Add a transfer, including the first one."""
        self.transfers += 1
        self.size += size
        if transfer.settled:
            self.is_settled = True


@dataclass(slots=True, eq=False)
class Link(Generic[T]):
    """A link, which carries deliveries one way.

    Attributes:
        name: None if it was attached before the capture began.
        sender: The direction of deliveries.
        handles: By direction, the handle at that end; None until it has attached the link.
        detached: By direction: True if that end has detached it.
        first_attach, first_detach: What the caller gave for them.
        settle_mode: The sender's ``snd-settle-mode``.
        max_message_size: In octets, as the receiver said; 0 means no limit.
        credit: The window of deliveries.
        delivery: The delivery under way.
        missed: By direction, that of the session when it began, or when that end attached the link.
        unsettled: The deliveries that ``Deliveries`` knows, by number.
        address: The node at the broker's end: the target if the client sends, the source if it receives.
        is_secret: The bodies of its messages are secret, as an end has said by the address of a node.
    """

    name: str | None
    sender: int
    handles: list[int | None] = field(default_factory=lambda: [None, None])
    detached: list[bool] = field(default_factory=lambda: [False, False])
    first_attach: T | None = None
    first_detach: T | None = None
    settle_mode: int | None = None
    max_message_size: int = 0
    credit: SerialWindow = field(default_factory=SerialWindow)
    delivery: LinkDelivery[T] | None = None
    missed: list[int] = field(default_factory=lambda: [0, 0])
    unsettled: dict[int, LinkDelivery[T]] = field(default_factory=dict)
    address: str | None = None
    is_secret: bool = False
    _is_certain: bool = False

    @property
    def is_attached(self) -> bool:
        """True if both ends have attached it."""
        return None not in self.handles

    @property
    def is_over(self) -> bool:
        """True if both ends have detached it, or one end of a link whose attach was not captured."""
        return all(self.detached) or (self.name is None and any(self.detached))

    def attach(self, direction: int, attach: AttachFields, first: T | None) -> None:
        """Take the attach of an end."""
        self.handles[direction] = attach.handle
        self.first_attach = self.first_attach or first
        if direction == self.sender:
            self.settle_mode = attach.snd_settle_mode
            self.credit.begin(attach.initial_delivery_count or 0)
        else:
            self.max_message_size = attach.max_message_size or 0

    def learn_address(self, direction: int, attach: AttachFields) -> None:
        """Learn the address from the attach of an end.

        The broker's word counts over the client's: for a dynamic node, only the broker knows the address.
        """
        address = address_of(attach.target if self.sender == CLIENT else attach.source)
        if address is not None and not self._is_certain:
            self.address = address
            self._is_certain = direction != CLIENT
        nodes = address_of(attach.source), address_of(attach.target)
        self.is_secret = self.is_secret or any(map(is_secret_node, nodes))

    def flow(self, direction: int, flow: FlowFields) -> None:
        """Take the flow of an end: link credit and delivery count."""
        count, credit = flow.delivery_count, self.credit
        if direction == self.sender:
            # A drained sender uses up credit without deliveries.
            if count is not None and credit.count is not None and ahead(count, credit.count) > 0:
                credit.count = count
        elif flow.link_credit:
            credit.grant(credit.count if count is None else count, flow.link_credit)

    def begin_delivery(self, transfer: TransferFields, first: T) -> LinkDelivery[T]:
        """Begin a delivery, which uses one credit. Give its transfer to ``LinkDelivery.add``."""
        self.credit.use()
        number = transfer.delivery_id
        delivery = self.delivery = LinkDelivery(
            self, first, number, number, transfer.delivery_tag, transfer.message_format
        )
        return delivery


def address_of(terminus: Variant | None) -> str | None:
    """Return the address of a source or target; None for a coordinator."""
    value: Any = None if terminus is None else repeated_variant_value(terminus)
    address = value.get("address") if isinstance(value, dict) else None
    return address if isinstance(address, str) else None
