"""Declares drivers of AMQP 1.0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import registry
from ..registry import SECONDS, Driver


def rule(
    *paths: str, exclusive: bool = False, slow: bool = False, seconds: float = SECONDS
) -> Callable[[Callable[[Any], None]], Driver]:
    """Declares a function as the driver of the rules of 1.0 with these paths.

    Args:
        paths: Several when the same exchange proves them all.
        exclusive: It disturbs others, or is disturbed by them: it runs alone.
        slow: It takes seconds, so it is started first.
        seconds: How long it may take.
    """
    return registry.rule({"1.0": paths}, exclusive=exclusive, slow=slow, seconds=seconds)
