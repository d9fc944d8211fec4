"""Workflow commands of GitHub Actions, which become annotations of a pull request."""

from __future__ import annotations

from typing import Literal

from ..model.problem import Position

Level = Literal["error", "warning", "notice"]


def workflow_command(level: Level, position: Position | None, title: str, message: str) -> str:
    """Return the line that makes an annotation, at a position if there is one."""
    properties = {"title": title}
    if position is not None:
        place = {"file": position.file, "line": str(position.line), "col": str(position.column)}
        properties = {**place, **properties}
    listed = ",".join(f"{name}={_escaped_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{_escaped(message)}"


def _escaped(text: str) -> str:
    """Escape the characters that would end the command, as the runner expects it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    """Escape the same in a property, which colons and commas would end, too."""
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
