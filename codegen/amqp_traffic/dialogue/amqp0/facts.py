"""Facts: what does not fit the state of a 0-x channel.

A fact is certain only if everything since channel.open was captured.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class FactKind(Enum):
    """The kinds of facts."""

    TAG_UNKNOWN = "a settlement of a tag that was not delivered"
    TAG_SETTLED = "a settlement of a message that is settled already"
    TAG_UNWANTED = "a settlement of a message that was delivered with no-ack"
    TAG_NOT_NEXT = "a delivery whose tag is not above the last one"
    CONFIRM_UNSELECTED = "a confirm without confirm.select"
    CONFIRM_UNKNOWN = "a confirm of a message that was not published"
    CONFIRM_REPEATED = "a confirm of a message that is confirmed already"
    CONSUMER_UNKNOWN = "a delivery to an unknown consumer"
    CONSUMER_TAG_IN_USE = "a new consumer with the tag of another one"
    CONSUMER_CANCELLED = "a cancellation by the server"
    CANCEL_UNKNOWN = "a cancellation of an unknown consumer by the client"
    QUEUE_UNNAMED = "an empty queue name on a channel where no queue was declared"
    TRANSACTION_UNSELECTED = "a commit or a rollback without tx.select"
    TRANSACTION_WITH_CONFIRMS = "transactions and confirms on one channel"
    CONTENT_STOPPED = "content from a side that agreed to stop"
    RETURN_UNASKED = "a returned message, though no message was published that may come back"


class Fact(NamedTuple):
    """A fact.

    Attributes:
        kind: What does not fit.
        tag: The delivery tag or the number of the confirm that it is about.
        last: The highest tag or number so far, if that matters.
        consumer: The tag of the consumer that it is about.
    """

    kind: FactKind
    tag: int = 0
    last: int = 0
    consumer: str = ""
