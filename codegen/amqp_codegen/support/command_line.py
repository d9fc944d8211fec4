"""Shared parts of the commands: escaped output, lazily imported subcommands, common options, problems and reports."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from ..model.problem import Problem, SpecError
from .wording import counted, quote

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


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called.

    Args:
        modules: Name of a command to the module that defines it as ``command``.
    """

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, None if there is none of that name."""
        if cmd_name not in self.modules:
            return None
        command: click.Command = importlib.import_module(self.modules[cmd_name]).command
        return command


overlay_option = click.option(
    "--overlay",
    "overlays",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file that changes the specification; may be repeated.",
)
output_option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write into this file, not to the terminal.",
)
server_port_option = click.option(
    "--server-port",
    "server_ports",
    multiple=True,
    type=click.IntRange(1, 65535),
    help="The endpoint that uses this port is the broker, if nothing else tells; may be repeated.  [default: 5672, 5671]",
)


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems to standard error, each once, in the order they are given."""
    for line in dict.fromkeys(map(str, problems)):
        say(line, error=True)


def refuse_input(rule: str, message: str) -> NoReturn:
    """Print one problem, and exit with code 2."""
    print_problems([Problem(rule, message)])
    sys.exit(2)


def require_folder(output: Path | None) -> None:
    """Check that the folder of an output file exists, before any work is done.

    Raises:
        SpecError: It does not exist.
    """
    if output and not output.absolute().parent.is_dir():
        raise SpecError(
            [Problem("no-such-folder", f"there is no folder {quote(str(output.parent))} for the report")]
        )


def write_report(text: str, output: Path | None, lines: bool) -> None:
    """Write a report to a file, or to standard output if ``output`` is None.

    ``lines`` are for people: on a terminal, characters that are not printable are shown as escapes.
    """
    # File names may contain lone surrogates, which cannot be encoded.
    octets = text.encode(errors="backslashreplace")
    if output:
        output.write_bytes(octets)
    elif lines:
        for line in text.splitlines():
            say(line)
    else:
        click.echo(octets, nl=False)


def what_was_done(written: int, removed: int) -> str:
    """Return ``3 files written, 1 file removed``, without counts of zero."""
    done = [
        f"{counted(count, 'file')} {verb}"
        for count, verb in ((written, "written"), (removed, "removed"))
        if count
    ]
    return ", ".join(done) or "nothing to do, all files are current"
