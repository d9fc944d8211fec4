"""Changes in words, the same in every report for people."""

from __future__ import annotations

import textwrap
from pathlib import Path

from ..model.problem import Position
from .change import Action, Change, Level

# Longer texts are not shown side by side in a line.
_SHOWN = 160
SIGNS = {Action.ADDED: "+", Action.REMOVED: "-", Action.RENAMED: "~", Action.CHANGED: "~"}


def subject(change: Change) -> str:
    """``field queue.declare.ticket``."""
    return f"{change.kind} {change.path}"


def happened(change: Change) -> str:
    """``removed: short``, ``was ticket``, ``index: 60 -> 50``; what is too long for a line is cut."""
    if change.action is Action.RENAMED:
        return ", ".join(filter(None, ("renamed", f"was {change.old}", change.aspect)))
    if change.action is Action.CHANGED:
        if _is_long(change):
            return f"{change.aspect} changed"
        return f"{change.aspect}: {change.old or 'none'} -> {change.new or 'none'}"
    value = textwrap.shorten(change.new or change.old, _SHOWN, placeholder=" ...")
    return f"{change.action.value}: {value}"


def _is_long(change: Change) -> bool:
    """Whether old and new are too long for a line."""
    return len(change.old) + len(change.new) > _SHOWN or "\n" in change.old + change.new


def place(position: Position) -> str:
    """``amqp0-8.xml:17:3``."""
    return f"{file_name(position)}:{position.line}:{position.column}"


def file_name(position: Position) -> str:
    """The file without its folder: of a built-in specification that is a matter of the machine."""
    return Path(position.file).name


def counts(numbers: dict[Level, int]) -> str:
    """``3 WIRE, 1 DOC``, the worst first."""
    return ", ".join(
        f"{numbers[level]} {level.name}" for level in sorted(numbers, reverse=True) if numbers[level]
    )
