"""Shared parts of the commands: escaped output, lazily imported subcommands, common options, problems and reports."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from ..model.problem import Problem, SpecError
from .wording import counted, did_you_mean, quote, visible

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
    return visible(text).encode(encoding, "backslashreplace").decode(encoding)


def is_coloured() -> bool:
    """Return whether standard output is a terminal that takes colours: they are off where NO_COLOR is set."""
    return bool(sys.stdout and sys.stdout.isatty()) and not os.environ.get("NO_COLOR")


def discard_output() -> None:
    """Discard what standard output still buffers, because Python would write it again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # it is closed, or not a file
        return


class Progress:
    """Shows what a command is doing, on standard error.

    On a terminal it is one line, which the next text replaces. With ``--verbose`` each stage stays, as a line of a log.
    Otherwise nothing is shown, so that pipes and logs have only results.

    Args:
        is_terminal: Whether standard error is a terminal.
        is_verbose: With ``--verbose``.
        silent_seconds: For how long a terminal shows nothing: work that takes less time needs no line.
    """

    def __init__(self, is_terminal: bool, is_verbose: bool = False, silent_seconds: float = 0.0) -> None:
        self._is_terminal = is_terminal
        self._is_verbose = is_verbose
        self._first_line = time.monotonic() + silent_seconds

    def stage(self, text: str) -> None:
        """Show what begins now: a stage of the work, of which there are few."""
        if self._is_verbose:
            self.erase()
            say(text, error=True)
        else:
            self(text)

    def stage_or_detail(self, stage: str, detail: str) -> None:
        """Show a stage when it begins, with an empty detail, and then how far it is."""
        if detail:
            self(f"{stage}: {detail}")
        else:
            self.stage(stage)

    def __call__(self, text: str) -> None:
        """Show how far a stage is."""
        if self._is_terminal and time.monotonic() >= self._first_line:
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"{_ERASE_LINE}{one_line(text, error=True)[:width]}", nl=False, err=True)

    def erase(self) -> None:
        """Erase the line of a terminal."""
        if self._is_terminal:
            click.echo(_ERASE_LINE, nl=False, err=True)


@contextmanager
def progress_line(verbose: bool = False, silent_seconds: float = 0.0) -> Iterator[Progress]:
    """Yield the progress of a command; its line is erased at the end, also on errors."""
    progress = Progress(bool(sys.stderr and sys.stderr.isatty()), verbose, silent_seconds)
    try:
        yield progress
    finally:
        progress.erase()


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM."""


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first word, or refuse the word with the command that is most like it."""
        if args and args[0] not in self.modules and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.modules) or f"{ctx.command_path} --help lists them"
            refuse_input("no-such-command", f"{ctx.command_path} has no command {quote(args[0])}", hint)
        return super().resolve_command(ctx, args)


class DefaultGroup(LazyGroup):
    """A group with a default command, which is called if the first word is not a command.

    Args:
        default: The name of the default command.
        first_words: What the first word may be, for the message that refuses a misspelt command.
    """

    def __init__(self, *arguments: Any, default: str, first_words: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.default = default
        self.first_words = first_words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, after the name of the default command where none is named."""
        own = {*ctx.help_option_names, *(name for parameter in self.params for name in parameter.opts)}
        if ctx.resilient_parsing and not args:  # a shell completes the first word: a command
            return super().parse_args(ctx, args)
        if not args or (args[0] not in self.modules and args[0] not in own):
            self._refuse_misspelt_command(args[0] if args else "")
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelt_command(self, word: str) -> None:
        """Refuse a word that is like a command and not a file, before the default command gets it."""
        if word.isalpha() and (hint := did_you_mean(word, self.modules)) and not os.path.lexists(word):
            refuse_input("no-such-command", f"there is no {self.first_words} {quote(word)}", hint)


class HintedChoice(click.Choice):  # type: ignore[type-arg] # not generic in older versions of click
    """One of some words; another word is refused with the one that is most like it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the choice; see ``click.ParamType``."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = did_you_mean(str(value), list(map(str, self.choices)))
            if not hint:
                raise
            raise click.BadParameter(f"{error.message.removesuffix('.')} ({hint})", ctx, param) from None


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
verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Print a line for each stage of the work to standard error."
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


def refuse_input(rule: str, message: str, hint: str = "") -> NoReturn:
    """Print one problem, and exit with code 2."""
    print_problems([Problem(rule, message, None, hint)])
    sys.exit(2)


def require_writable(output: Path | None) -> None:
    """Check that a file can be written, before any work is done.

    Raises:
        SpecError: Its folder does not exist, it is a folder itself, or the system forbids it.
    """
    if output is None:
        return
    name, folder = quote(str(output)), output.absolute().parent
    if not folder.is_dir():
        raise SpecError(
            [Problem("no-such-folder", f"there is no folder {quote(str(output.parent))} for {name}")]
        )
    if output.is_dir():
        raise SpecError([Problem("unwritable-output", f"{name} is a folder, and a file is to be written")])
    if not os.access(output if output.exists() else folder, os.W_OK):
        raise SpecError([Problem("unwritable-output", f"{name} cannot be written: permission denied")])


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
