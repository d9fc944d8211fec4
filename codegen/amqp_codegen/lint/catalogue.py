"""The catalogue: every rule by its id, group by group. What it says stands in ``rules_*.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .rule import Rule
from .rules_amqp0 import BITS, CHECKS, DOMAINS, METHODS, NAMES_0, REPLY_CODES
from .rules_amqp1 import ARCHETYPES, DESCRIPTORS, FIELDS, NAMES_1, TYPES
from .rules_grammar import GRAMMARS
from .rules_reading import CALLS, FORM, OVERLAYS, XML
from .rules_words import DEMANDS, SILENCES, WORDS

# What these are about keeps a file from being linted at all; they are told, but cannot be silenced.
CALL = "call"

_GROUPS: Mapping[str, Sequence[Rule]] = {
    CALL: CALLS,
    "xml": XML,
    "form": FORM,
    "overlay": OVERLAYS,
    "words": WORDS,
    "demands": DEMANDS,
    "names-0-x": NAMES_0,
    "domains-0-x": DOMAINS,
    "reply-codes-0-x": REPLY_CODES,
    "methods-0-x": METHODS,
    "bits-0-x": BITS,
    "asserts-0-x": CHECKS,
    "grammar-0-x": GRAMMARS,
    "names-1.0": NAMES_1,
    "types-1.0": TYPES,
    "descriptors-1.0": DESCRIPTORS,
    "fields-1.0": FIELDS,
    "archetypes-1.0": ARCHETYPES,
    "silence": SILENCES,
}

RULES: Mapping[str, Rule] = {
    rule.id: replace(rule, category=category) for category, rules in _GROUPS.items() for rule in rules
}
