"""The error of octets that are written in a form that is known, with a mistake; and pieces of text that forms share."""

from __future__ import annotations

import re

ELLIPSIS = re.compile(r"\.\.\.|…")


class FormError(Exception):
    """A mistake in a text whose form is clear.

    Attributes:
        offset: Where it is in the text.
        message: What is wrong.
        hint: What to do; empty if the message says it.
        rule: The name of the problem.
        is_sure: Whether the text cannot be in another form.
    """

    def __init__(
        self, offset: int, message: str, hint: str = "", rule: str = "no-octets", is_sure: bool = True
    ) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.hint = hint
        self.rule = rule
        self.is_sure = is_sure


def moved(error: FormError, by: int) -> FormError:
    """Return the error of a part of a text as that of the whole text."""
    return FormError(error.offset + by, error.message, error.hint, error.rule, error.is_sure)


def left_out(offset: int) -> FormError:
    """Return the error of dots that stand for octets that were not printed."""
    hint = "print all of them"
    return FormError(offset, "dots stand for octets that are left out", hint)


def lines_with_offsets(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, each with its offset in the text."""
    lines: list[tuple[int, str]] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            lines.append((offset, line.rstrip()))
        offset += len(line)
    return lines
