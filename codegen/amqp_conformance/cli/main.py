"""``amqp-codegen conformance``: the commands around rules and brokers; a URL alone runs the rules."""

from __future__ import annotations

import click
from amqp_codegen.support.command_line import DefaultGroup

# Modules by the name of their command, each with a function ``command``; imported only when the command is called.
COMMANDS = {
    "compare": "amqp_conformance.cli.compare",
    "new": "amqp_conformance.cli.new",
    "run": "amqp_conformance.cli.run",
}


@click.command(
    "conformance", cls=DefaultGroup, modules=COMMANDS, default="run", first_words="command or broker"
)
def command() -> None:
    """Check a broker against the rules of a specification.

    \b
    amqp-codegen conformance amqp://localhost/      the same as: conformance run amqp://localhost/
    amqp-codegen conformance run --help             its options
    amqp-codegen conformance compare A.json B.json  two runs side by side
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
