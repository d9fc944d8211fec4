"""What lint finds: a rule of the catalogue, broken somewhere."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.position import Position


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong or odd.

    Attributes:
        rule: The id of the rule.
        message: What is wrong, one sentence without a full stop.
        position: Where.
        hint: What to do about it.
    """

    rule: str
    message: str
    position: Position
    hint: str
