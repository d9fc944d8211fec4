"""The entry point: it finds the command, and reports each error in one line."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

import click

from .. import __version__
from ..support.command_line import LazyGroup, Terminated, discard_output, refuse_input, say
from ..support.wording import did_you_mean, quote

# Name of a command to the module that defines it as ``command``; imported only when it is called.
COMMANDS = {
    "conformance": "amqp_conformance.cli",
    "decode": "amqp_codegen.cli.decode",
    "diff": "amqp_codegen.cli.diff",
    "encode": "amqp_codegen.cli.encode",
    "generate": "amqp_codegen.cli.generate",
    "grammar": "amqp_codegen.cli.grammar",
    "lint": "amqp_codegen.cli.lint",
    "model": "amqp_codegen.cli.model",
    "reference": "amqp_codegen.cli.reference",
    "traffic": "amqp_traffic.cli.main",
}
DEFAULT_COMMAND = "generate"

# The exit codes that a shell reports for SIGINT, SIGPIPE and SIGTERM.
_EXIT_INTERRUPTED = 130
_EXIT_PIPE_CLOSED = 141
_EXIT_TERMINATED = 143


class _Commands(LazyGroup):
    """All commands; ``generate`` is the default if the first word is not a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {name for parameter in self.params for name in parameter.opts} | {"--help", "-h"}
        if ctx.resilient_parsing and not args:  # a shell completes the first word: a command
            return super().parse_args(ctx, args)
        if not args or (args[0] not in COMMANDS and args[0] not in own):
            _refuse_misspelt_command(args[0] if args else "")
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; end without a traceback on an interrupt or a closed pipe."""
        try:
            return super().invoke(ctx)
        except Terminated:
            say("terminated", error=True)
            sys.exit(_EXIT_TERMINATED)
        except KeyboardInterrupt:
            say("interrupted", error=True)
            sys.exit(_EXIT_INTERRUPTED)
        except BrokenPipeError:
            discard_output()
            sys.exit(_EXIT_PIPE_CLOSED)


def _refuse_misspelt_command(word: str) -> None:
    """Refuse a first word that is like a command, before it is looked for as a specification."""
    if word.isalpha() and (hint := did_you_mean(word, COMMANDS)) and not os.path.lexists(word):
        refuse_input("no-such-command", f"there is no command, file or specification {quote(word)}", hint)


@click.command(cls=_Commands, modules=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="amqp-codegen")
def cli() -> None:
    """Generate typed Python codecs from AMQP specification XML.

    \b
    amqp-codegen specs/amqp0-9-1.xml            into generated/amqp_0_9_1
    amqp-codegen 0-9-1-rabbitmq -o src          a built-in specification
    amqp-codegen my.xml --overlay mine.xml      with changes of your own
    amqp-codegen 0-9-1 --check                  is the committed code current?
    amqp-codegen                                the targets of pyproject.toml

    SPEC is a file, a folder, a built-in name, - for standard input, or git:REVISION:PATH.

    Exit codes: 0 fine; 1 something was found (drift); 2 the call or the input is wrong.
    """  # noqa: D301 -- click needs the character itself to keep the lines below it


def main() -> None:
    """Run the command line; report errors of the system, such as a full disk, in one line too."""
    try:
        cli(prog_name="amqp-codegen")
    except OSError as error:
        discard_output()
        with suppress(OSError):  # standard error may be what is full
            say(f"error: {error}", error=True)
        sys.exit(2)
