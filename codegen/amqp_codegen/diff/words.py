"""Changes in words, as all reports show them."""

from __future__ import annotations

import textwrap
from pathlib import Path

from ..model.problem import Position
from .change import Action, Change, Level

_LONGEST_TEXT_IN_LINE = 160
SIGNS = {Action.ADDED: "+", Action.REMOVED: "-", Action.RENAMED: "~", Action.CHANGED: "~"}


def subject(change: Change) -> str:
    """Return ``field queue.declare.ticket``."""
    return f"{change.kind} {change.path}"


def happened(change: Change) -> str:
    """Return ``removed: short``, ``was ticket``, ``index: 60 -> 50``; a text too long for a line is cut."""
    if change.action is Action.RENAMED:
        return ", ".join(filter(None, ("renamed", f"was {change.old}", change.aspect)))
    if change.action is Action.CHANGED:
        if _is_long(change):
            return f"{change.aspect} changed"
        return f"{change.aspect}: {change.old or 'none'} -> {change.new or 'none'}"
    value = textwrap.shorten(change.new or change.old, _LONGEST_TEXT_IN_LINE, placeholder=" ...")
    return f"{change.action.value}: {value}"


def _is_long(change: Change) -> bool:
    """Return whether old and new are too long for a line."""
    return len(change.old) + len(change.new) > _LONGEST_TEXT_IN_LINE or "\n" in change.old + change.new


def place(position: Position) -> str:
    """Return ``amqp0-8.xml:17:3``."""
    return f"{file_name(position)}:{position.line}:{position.column}"


def file_name(position: Position) -> str:
    """Return the file without its folder: the folder of a built-in specification depends on the machine."""
    return Path(position.file).name


def counts(numbers: dict[Level, int]) -> str:
    """Return ``3 WIRE, 1 DOC``, the worst first."""
    return ", ".join(
        f"{numbers[level]} {level.name}" for level in sorted(numbers, reverse=True) if numbers[level]
    )
