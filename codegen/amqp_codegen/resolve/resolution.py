"""The result of resolving a specification, of either family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..model.problem import Problem
from .amqp1.types import KnownType


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolved specification, or the valid parts of one with errors.

    Attributes:
        spec: The resolved model; None if a problem is an error.
        problems: The problems that the passes found, in their order.
        domains: 0-x: the domains by normalised name, without those that could not be resolved.
        types: 1.0: every type by its name.
    """

    spec: spec0.Spec | spec1.Spec | None
    problems: tuple[Problem, ...]
    domains: Mapping[str, spec0.Domain] = field(default_factory=dict)
    types: Mapping[str, KnownType] = field(default_factory=dict)
