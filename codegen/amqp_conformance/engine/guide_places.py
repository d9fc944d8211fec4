"""Where rules are in the reference guide of their specification, for links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from amqp_codegen.api import guide_addresses
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import types

from .level import SpecRule

if TYPE_CHECKING:
    from amqp_codegen.api import Specification


def guide_places(specification: Specification, rules: Sequence[SpecRule]) -> Mapping[str, str]:
    """Return the path of each rule that the guide has to its address, relative to the folder of the guide.

    Rules on frames, which a specification has only in its text, lead to the page of their part in 1.0; the guide of 0-x
    does not have that text.
    """
    addresses = guide_addresses(specification)
    places = {rule.path: addresses[rule.path] for rule in rules if rule.path in addresses}
    spec = specification.spec
    if isinstance(spec, spec0.Spec):
        return places
    for rule in rules:
        if isinstance(rule, types.Rule) and rule.path not in places:
            chapter = int(rule.section.partition(".")[0])  # the parts of the standard are chapters 1 to 5
            if chapter <= len(spec.parts):
                places[rule.path] = addresses[spec.parts[chapter - 1].name]
    return places
