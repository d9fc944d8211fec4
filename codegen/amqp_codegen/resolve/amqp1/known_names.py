"""The names that fields refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.amqp1.spec import Archetype
from .types import Types
from .values import Choices


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The known names of a specification; ``choices`` are those of each type, ``conditions`` all error conditions."""

    types: Types
    choices: Choices
    archetypes: Mapping[str, Archetype]
    conditions: frozenset[str]
