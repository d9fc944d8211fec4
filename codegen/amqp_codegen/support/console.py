"""Output of the commands: escaped lines, and a progress line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_ERASE_LINE = "\r\x1b[K"


def say(text: str, error: bool = False) -> None:
    """Print one line to standard output, or to standard error.

    File names may contain line ends, lone surrogates, or characters that the terminal's encoding lacks. They are
    shown as escapes, so that the output is one line and printing does not fail.
    """
    click.echo(one_line(text, error), err=error)


def one_line(text: str, error: bool = False) -> str:
    """Return the line that ``say`` prints."""
    stream = sys.stderr if error else sys.stdout  # None if it was closed from the start
    encoding = (stream and stream.encoding) or "utf-8"
    return "".join(map(_visible, text)).encode(encoding, "backslashreplace").decode(encoding)


def _visible(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def discard_output() -> None:
    """Discard what standard output still buffers, because Python would write it again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # it is closed, or not a file
        return


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows progress on one line of a terminal; erase the line at the end, also on errors."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda text: None
        return
    try:
        yield lambda text: click.echo(f"{_ERASE_LINE}{text}", nl=False, err=True)
    finally:
        click.echo(_ERASE_LINE, nl=False, err=True)
