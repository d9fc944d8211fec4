"""What the commands print: whole lines, whatever is in them, and the file at work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_ERASE_LINE = "\r\x1b[K"


def say(text: str, error: bool = False) -> None:
    """Prints one line to standard output, or to standard error.

    Names of files may hold line ends, half characters, or characters that the terminal's encoding has not;
    they are shown as escapes, so that what is printed is one line and printing does not fail.
    """
    click.echo(one_line(text, error), err=error)


def one_line(text: str, error: bool = False) -> str:
    """What ``say`` prints, for those who print it in another way."""
    stream = sys.stderr if error else sys.stdout  # None if it was closed from the start
    encoding = (stream and stream.encoding) or "utf-8"
    return "".join(map(_visible, text)).encode(encoding, "backslashreplace").decode(encoding)


def _visible(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def discard_output() -> None:
    """Lets what is still to be written to standard output vanish; the end of the program would try again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # it is closed, or no file at all
        return


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Shows what is at work on a terminal, nothing elsewhere; the line is gone afterwards, also on errors."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda text: None
        return
    try:
        yield lambda text: click.echo(f"{_ERASE_LINE}{text}", nl=False, err=True)
    finally:
        click.echo(_ERASE_LINE, nl=False, err=True)
