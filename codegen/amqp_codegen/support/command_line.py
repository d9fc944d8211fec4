"""A command with commands of its own, which are imported only when they are called: so that help comes at once.

Options that several commands have.

Prints problems, one line each.

Where the commands write what they made: a file that the user names, or the terminal.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from ..model.problem import Problem, SpecError
from .console import say
from .wording import counted, quote


class LazyGroup(click.Group):
    """A group of commands.

    Args:
        modules: Name of a command to the module that has it as ``command``.
    """

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
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
    """Prints problems to standard error, each once, in the order they are given."""
    for line in dict.fromkeys(map(str, problems)):
        say(line, error=True)


def refuse_input(rule: str, message: str) -> NoReturn:
    """Prints a problem that nothing can be done with, and ends the program with exit code 2."""
    print_problems([Problem(rule, message)])
    sys.exit(2)


def require_folder(output: Path | None) -> None:
    """Tells at once, not after the work.

    Raises:
        SpecError: There is no folder for the file.
    """
    if output and not output.absolute().parent.is_dir():
        raise SpecError(
            [Problem("no-such-folder", f"there is no folder {quote(str(output.parent))} for the report")]
        )


def write_report(text: str, output: Path | None, lines: bool) -> None:
    """Writes into the file, or prints.

    Args:
        text: All of it.
        output: The file, or None for standard output.
        lines: Whether it is lines for people: on a terminal nothing in them may be more than text.
    """
    # File names may hold half characters, which no encoding has.
    octets = text.encode(errors="backslashreplace")
    if output:
        output.write_bytes(octets)
    elif lines:
        for line in text.splitlines():
            say(line)
    else:
        click.echo(octets, nl=False)


def what_was_done(written: int, removed: int) -> str:
    """``3 files written, 1 file removed``, as far as there was anything to do."""
    done = [
        f"{counted(count, 'file')} {verb}"
        for count, verb in ((written, "written"), (removed, "removed"))
        if count
    ]
    return ", ".join(done) or "nothing to do, all files are current"
