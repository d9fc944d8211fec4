"""The level of a rule: how much its text demands."""

from __future__ import annotations

from enum import IntEnum

from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import types

SpecRule = spec0.Rule | types.Rule

_PERMISSIONS = {"MAY", "MAY NOT"}


class RuleLevel(IntEnum):
    """What a rule demands, the strictest first."""

    MUST = 1
    SHOULD = 2
    MAY = 3

    @property
    def word(self) -> str:
        """The name in small letters, as options and reports have it."""
        return self.name.lower()


def level_of(rule: SpecRule) -> RuleLevel:
    """Return the strictest level in the text of a rule.

    A text without such a word states a fact of the protocol, which binds as MUST does. So does a rule of 0-x with an
    on-failure code: what a client "MAY NOT" do, or MAY do only under a condition, the server must refuse. In 1.0 the
    condition is what a peer may end something with.
    """
    if isinstance(rule, spec0.Rule) and rule.on_failure and set(rule.levels) <= _PERMISSIONS:
        return RuleLevel.MUST
    levels = [RuleLevel[words.split()[0]] for words in rule.levels]
    return min(levels, default=RuleLevel.MUST)
