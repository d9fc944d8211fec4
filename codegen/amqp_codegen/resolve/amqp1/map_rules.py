"""The pass for rules about the entries of maps: which of them a map type obeys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...model.amqp1.spec import MapRule, Restricted, Spec


def rules_of_maps(spec: Spec, rules: Iterable[MapRule]) -> Mapping[str, tuple[MapRule, ...]]:
    """Return the rules that each map type obeys, by its name: its own, and those of the types it is derived from.

    Rules that the specification does not have are left out.
    """
    stated = {rule.path for rule in spec.rules}
    known = [rule for rule in rules if rule.path in stated]
    found: dict[str, tuple[MapRule, ...]] = {}
    for each in spec.types:
        if isinstance(each, Restricted) and each.primitive == "map":
            line = (each.name, *each.chain)
            obeyed = tuple(rule for rule in known if rule.path.partition("/")[0] in line)
            if obeyed:
                found[each.name] = obeyed
    return found
