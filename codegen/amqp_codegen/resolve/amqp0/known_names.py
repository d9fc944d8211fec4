"""The names that fields and rules refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.amqp0.spec import Domain

Aliases = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The known names of a specification.

    Attributes:
        domains: By normalised name.
        constants: The normalised names of all constants.
        aliases: Field path, or bare field name, to alias names.
    """

    domains: Mapping[str, Domain]
    constants: frozenset[str]
    aliases: Aliases
