"""Rules about settlement on a channel of 0-x: acknowledgements of the client, confirms of the server."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...dialogue.amqp0.facts import Fact, FactKind
from ..connection_frames import AuditFrame
from ..rule import ERROR, AuditRule, Told

_settlement = partial(AuditRule, category="settlement", by_order=True)


@_settlement(
    "ack-unknown-tag",
    ERROR,
    source="delivery-tag/channel-local, basic.ack.multiple/exists",
    example="basic.ack of 7 after 3 deliveries",
)
def ack_unknown_tag(frame: AuditFrame, fact: Fact) -> Told:
    """An acknowledgement of a message that was not delivered on the channel."""
    return f"{frame.name} of delivery-tag {fact.tag}, the last one delivered is {fact.last}"


@_settlement(
    "ack-on-other-channel",
    ERROR,
    source="delivery-tag/channel-local",
    example="delivered on channel 1, acknowledged on channel 2",
)
def ack_on_other_channel(frame: AuditFrame, fact: Fact, others: Sequence[int]) -> Told:
    """An acknowledgement on a channel other than that of the delivery."""
    listed = ", ".join(map(str, others[:4]))
    return f"{frame.name} of delivery-tag {fact.tag}, which was delivered on channel {listed}"


@_settlement(
    "ack-settled-tag",
    ERROR,
    source="basic.ack.multiple/exists",
    example="basic.ack of 1, basic.ack of 1",
    on=(FactKind.TAG_SETTLED,),
)
def ack_settled_tag(frame: AuditFrame, fact: Fact) -> Told:
    """An acknowledgement of a message that has already been acknowledged or rejected."""
    return f"{frame.name} of delivery-tag {fact.tag}, which is settled already"


@_settlement(
    "ack-not-wanted",
    ERROR,
    source="no-ack",
    example="basic.consume with no-ack, basic.ack",
    on=(FactKind.TAG_UNWANTED,),
)
def ack_not_wanted(frame: AuditFrame, fact: Fact) -> Told:
    """An acknowledgement of a message that was delivered with no-ack."""
    return f"{frame.name} of delivery-tag {fact.tag}, which was delivered with no-ack"


@_settlement(
    "delivery-tag-not-next",
    ERROR,
    source="delivery-tag",
    example="deliveries with the tags 1, 2, 2",
    on=(FactKind.TAG_NOT_NEXT,),
)
def delivery_tag_not_next(frame: AuditFrame, fact: Fact) -> Told:
    """A delivery whose tag does not follow that of the previous delivery."""
    return f"{frame.name} with delivery-tag {fact.tag}, the one before was {fact.last}"


@_settlement(
    "confirm-without-select",
    ERROR,
    source="confirm.select",
    example="basic.ack from the server without confirm.select",
    on=(FactKind.CONFIRM_UNSELECTED,),
)
def confirm_without_select(frame: AuditFrame, fact: Fact) -> Told:
    """A confirm on a channel without confirm.select."""
    return f"{frame.name} of {fact.tag}, and no confirm.select"


@_settlement(
    "confirm-unknown-tag",
    ERROR,
    source="RabbitMQ: publisher confirms",
    example="basic.ack of 5 after 3 messages",
    on=(FactKind.CONFIRM_UNKNOWN,),
)
def confirm_unknown_tag(frame: AuditFrame, fact: Fact) -> Told:
    """A confirm of a message that has not been published yet."""
    return f"{frame.name} of {fact.tag}, and {fact.last} messages published"


@_settlement(
    "confirm-repeated",
    ERROR,
    source="RabbitMQ: publisher confirms",
    example="basic.ack of 1 twice from the server",
    on=(FactKind.CONFIRM_REPEATED,),
)
def confirm_repeated(frame: AuditFrame, fact: Fact) -> Told:
    """A second confirm of the same message."""
    return f"{frame.name} of {fact.tag}, which is confirmed already"
