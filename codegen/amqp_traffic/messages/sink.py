"""The finished rows of messages and exchanges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..rows import row_maker
from ..schemas import EXCHANGES

# In the order of ``MESSAGES`` and ``EXCHANGES``, with the number of the connection in the place of its name.
MessageRow: TypeAlias = "tuple[Any, ...]"
ExchangeRow: TypeAlias = "tuple[Any, ...]"

# The outcomes of requests.
OK, CLOSED, UNANSWERED, OUT_OF_ORDER = "ok", "closed", "unanswered", "out-of-order"

_ASKED = (
    "conn_id",
    "channel",
    "name",
    "request_dir",
    "request_frame_no",
    "request_off",
    "request_ns",
    "outcome",
)
_ANSWER = ("reply_name", "reply_frame_no", "reply_off", "reply_ns")
# Rows of exchanges: a request without a reply, one with a reply, a reply without a request.
unanswered_row = row_maker(EXCHANGES, *_ASKED)
answered_row = row_maker(EXCHANGES, *_ASKED, *_ANSWER, "latency_ns")
unasked_row = row_maker(EXCHANGES, "conn_id", "channel", "request_dir", *_ANSWER, "outcome")


@dataclass(slots=True)
class Sink:
    """Rows of all connections, for the tables of these names."""

    messages: list[MessageRow] = field(default_factory=list)
    exchanges: list[ExchangeRow] = field(default_factory=list)

    def take(self) -> tuple[list[MessageRow], list[ExchangeRow]]:
        """Remove and return the rows so far."""
        rows = self.messages, self.exchanges
        self.messages, self.exchanges = [], []
        return rows
