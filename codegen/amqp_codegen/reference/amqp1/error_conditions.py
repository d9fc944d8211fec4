"""The error conditions of a 1.0 specification: symbols by which peers say what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...model.amqp1.spec import Rule, Spec
from ...model.amqp1.types import Choice, Restricted

_ARCHETYPE = "error-condition"


@dataclass(frozen=True, slots=True)
class ErrorCondition:
    """An error condition.

    Attributes:
        symbol: ``amqp:not-found``.
        type: The restricted type of which it is a choice.
        choice: The choice.
        rules: The rules whose violation it reports.
    """

    symbol: str
    type: Restricted
    choice: Choice
    rules: tuple[Rule, ...]


def error_conditions(spec: Spec) -> Iterator[ErrorCondition]:
    """The choices of the types that provide ``error-condition``, in file order."""
    reported: dict[str, list[Rule]] = {}
    for rule in spec.rules:
        reported.setdefault(rule.on_failure, []).append(rule)
    for kind in spec.enumerations:
        if _ARCHETYPE in kind.provides:
            for choice in kind.choices:
                symbol = str(choice.value)
                yield ErrorCondition(symbol, kind, choice, tuple(reported.get(symbol, ())))
