"""What fields refer to by name, whatever type they are in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.amqp1.spec import Archetype
from .types import Types
from .values import Choices


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names of a specification.

    Attributes:
        types: All types.
        choices: The choices of each type by its name.
        archetypes: By name.
        conditions: All known error conditions.
    """

    types: Types
    choices: Choices
    archetypes: Mapping[str, Archetype]
    conditions: frozenset[str]
