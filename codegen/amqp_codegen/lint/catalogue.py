"""The catalogue: every rule by its id, gathered from the modules that declare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from . import demand_checks, reported, silence, text_checks
from .amqp0 import asserts, bits, domains, methods, names
from .amqp1 import fields, types
from .rule import LintRule, rules_in

# Problems of this category prevent linting; they are reported, but cannot be silenced.
CALL = reported.CALL

TEXT_RULES = rules_in(text_checks)
DEMAND_RULES = rules_in(demand_checks)
AMQP0_RULES = rules_in(names, domains, methods, bits, asserts)
AMQP1_RULES = rules_in(types, fields)

_CATEGORIES = (
    CALL,
    "xml",
    "form",
    "overlay",
    "words",
    "demands",
    "names-0-x",
    "domains-0-x",
    "reply-codes-0-x",
    "methods-0-x",
    "bits-0-x",
    "asserts-0-x",
    "arguments-0-x",
    "grammar-0-x",
    "names-1.0",
    "types-1.0",
    "descriptors-1.0",
    "fields-1.0",
    "archetypes-1.0",
    "silence",
)


def by_id(rules: Iterable[LintRule]) -> dict[str, LintRule]:
    """Return rules by their ids: category by category, in each as they are declared.

    Raises:
        ValueError: Two rules have the same id, or a category is not known.
    """
    catalogue: dict[str, LintRule] = {}
    for rule in sorted(rules, key=lambda rule: _CATEGORIES.index(rule.category)):
        if rule.id in catalogue:
            raise ValueError(f"two rules have the id {rule.id}")
        catalogue[rule.id] = rule
    return catalogue


RULES: Mapping[str, LintRule] = by_id(
    [*rules_in(reported), *TEXT_RULES, *DEMAND_RULES, *AMQP0_RULES, *AMQP1_RULES, *rules_in(silence)]
)
