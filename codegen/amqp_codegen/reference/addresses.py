"""Where rules are in a guide, for those who link into it."""

from __future__ import annotations

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from .amqp0 import anchors as anchors0
from .amqp1 import anchors as anchors1


def guide_addresses(spec: spec0.Spec | spec1.Spec) -> dict[str, str]:
    """Return the path of each rule, and in 1.0 the name of each part, to its address in the guide's folder."""
    if isinstance(spec, spec0.Spec):
        ids = anchors0.Anchors(spec)
        return {rule.path: f"{anchors1.FIRST_PAGE}#{ids[rule]}" for rule in spec.rules}
    anchors = anchors1.Anchors(spec)
    parts = {part.name: anchors.address(part) for part in spec.parts}
    return parts | {rule.path: anchors.address(rule) for rule in spec.rules}
