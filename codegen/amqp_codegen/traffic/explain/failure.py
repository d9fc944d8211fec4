"""Why something cannot be explained."""

from __future__ import annotations


class CannotExplain(Exception):
    """Says in one line why not.

    Attributes:
        rule: A short name for that, in kebab case.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
