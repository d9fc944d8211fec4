"""Where state machines put the rows that they have finished."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

# In the order of MESSAGES and EXCHANGES of ``tables.schemas``; the number of the connection is in place of its id.
MessageRow: TypeAlias = "tuple[Any, ...]"
ExchangeRow: TypeAlias = "tuple[Any, ...]"


@dataclass(slots=True)
class Sink:
    """Rows of all connections.

    Attributes:
        messages: Rows of the table ``messages``.
        exchanges: Rows of the table ``exchanges``.
    """

    messages: list[MessageRow] = field(default_factory=list)
    exchanges: list[ExchangeRow] = field(default_factory=list)

    def take(self) -> tuple[list[MessageRow], list[ExchangeRow]]:
        """The rows that have gathered; begin again without."""
        rows = self.messages, self.exchanges
        self.messages, self.exchanges = [], []
        return rows
