"""A table of a TOML file whose keys are read by type; what is wrong is collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model.position import Position
from ..model.problem import Problem
from ..spec.wording import did_you_mean, listing, quote

RULE_ID = "bad-targets"
_KINDS = {
    bool: "a boolean",
    int: "an integer",
    float: "a float",
    str: "a string",
    list: "an array",
    dict: "a table",
}


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table.

    Attributes:
        values: Its keys and values.
        name: What messages call it.
        position: Where messages say that it is.
        problems: What has been found wrong so far.
    """

    values: Mapping[str, Any]
    name: str
    position: Position
    problems: list[Problem] = field(default_factory=list)

    def refuse_unknown(self, known: Sequence[str]) -> None:
        """Complains of every key that is not ``known``."""
        for key in self.values:
            if key not in known:
                hint = did_you_mean(key, known) or f"known are {listing(known)}"
                self._add(f"{self.name} has the unknown key {quote(key)}", hint)

    def text(self, key: str) -> str:
        """A string, or an empty one if the key is not there or wrong."""
        value = self.values.get(key, "")
        if isinstance(value, str):
            return value
        self._add(f"{key} of {self.name} must be a string, not {kind_of(value)}")
        return ""

    def texts(self, key: str, or_one: bool = False) -> list[str]:
        """An array of strings that say something; without those that are wrong.

        Args:
            key: Its key; an empty list if it is not there.
            or_one: Whether it may be a single string as well.
        """
        value = self.values.get(key, [])
        if isinstance(value, str) and or_one:
            value = [value]
        if not isinstance(value, list):
            wanted = "a string or an array of strings" if or_one else "an array of strings"
            hint = f"write {key} = [{quote(value)}]" if isinstance(value, str) else ""
            self._add(f"{key} of {self.name} must be {wanted}, not {kind_of(value)}", hint)
            return []
        return [each for each in value if self._is_text(key, each)]

    def _is_text(self, key: str, value: Any) -> bool:
        if not isinstance(value, str):
            self._add(f"{key} of {self.name} must be an array of strings, but has {kind_of(value)}")
        elif not value:
            self._add(f"{key} of {self.name} has an empty string")
        return isinstance(value, str) and bool(value)

    def _add(self, message: str, hint: str = "") -> None:
        self.problems.append(Problem(RULE_ID, message, self.position, hint))


def kind_of(value: object) -> str:
    """What TOML calls a value like this."""
    return _KINDS.get(type(value), "a date or time")
