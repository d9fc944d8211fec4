"""Which rules are tried, and by which driver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from amqp_codegen.support.toml import loads

from .level import SpecRule
from .registry import Driver, bases_of

_NOT_TESTABLE = Path(__file__).parent / "not_testable"


@dataclass(frozen=True, slots=True)
class Trial:
    """A rule and its driver.

    Attributes:
        driver: The function that tries it, or None.
        why_not: Why it cannot be tested at all, or empty.
    """

    rule: SpecRule
    driver: Driver | None
    why_not: str


def make_plan(
    rules: Iterable[SpecRule], drivers: Mapping[str, Driver], reasons: Mapping[str, str], glob: str = "*"
) -> tuple[Trial, ...]:
    """Return the trials of the rules whose path matches a pattern, in the order of the specification.

    ``drivers`` and ``reasons`` (why a rule without a driver cannot be tested) are by path. The pattern has ``*``, ``?`` and ``[...]``;
    ``*`` matches slashes and dots, too.
    """
    return tuple(
        Trial(rule, drivers.get(rule.path), "" if rule.path in drivers else reasons.get(rule.path, ""))
        for rule in rules
        if fnmatchcase(rule.path, glob)
    )


def read_not_testable(spec: str, folder: Path = _NOT_TESTABLE) -> dict[str, str]:
    """Read ``not_testable/SPEC.toml``: path of each rule that cannot be tested to the reason."""
    reasons: dict[str, str] = {}
    for name in bases_of(spec):
        file = folder / f"{name}.toml"
        if file.is_file():
            reasons |= loads(file.read_text(encoding="utf-8"))
    return reasons
