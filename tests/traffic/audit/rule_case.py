"""A case of a rule: what it finds, and what looks like it and is fine."""

from __future__ import annotations

from dataclasses import dataclass

from .audited_methods import Steps


@dataclass(frozen=True)
class Case:
    """Two connections.

    Attributes:
        wrong: The rule finds something here.
        right: And nothing here; nor does any other rule find an error.
        target: What one wants to move to.
    """

    wrong: Steps
    right: Steps
    target: str | None = None
