"""Writes styled lines (``show.lines.Line``) to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from amqp_codegen.support.console import one_line

if TYPE_CHECKING:
    from ..show.lines import Line

# click's arguments by the style of a piece of a line.
_STYLES: dict[str, dict[str, Any]] = {
    "time": {"dim": True},
    "client": {"fg": "green"},
    "server": {"fg": "cyan"},
    "name": {"bold": True},
    "label": {"fg": "blue"},
    "size": {"dim": True},
    "note": {"fg": "yellow"},
    "problem": {"fg": "red"},
    "hex": {"fg": "magenta"},
}


def line_writer(is_terminal: bool) -> Callable[[Line], None]:
    """Return a function that writes lines to standard output.

    Args:
        is_terminal: Standard output is a terminal: each line is flushed, and coloured unless NO_COLOR is set.
    """
    out = sys.stdout
    coloured = is_terminal and "NO_COLOR" not in os.environ

    def write(line: Line) -> None:
        texts = (one_line(text) for text, _ in line)
        if coloured:
            texts = (
                click.style(text, **_STYLES.get(style, {}))
                for text, (_, style) in zip(texts, line, strict=True)
            )
        out.write("".join(texts).rstrip() + "\n")
        if is_terminal:
            out.flush()

    return write
