"""How large something may become."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Budget:
    """Octets of the capture file that a connection may take. The packets spend it, the conversation looks.

    Attributes:
        left: How many are left; less than 0 when it was more.
    """

    left: int

    def spend(self, octets: int) -> None:
        """So many more are written."""
        self.left -= octets

    @property
    def is_spent(self) -> bool:
        """Whether the conversation should come to its end."""
        return self.left <= 0
