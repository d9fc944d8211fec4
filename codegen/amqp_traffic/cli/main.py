"""``amqp-codegen traffic``: the commands for captures."""

from __future__ import annotations

import click
from amqp_codegen.support.command_line import LazyGroup

# Modules by the name of their command, each with a function ``command``; imported only when the command is called.
COMMANDS = {
    "audit": "amqp_traffic.cli.audit",
    "explain": "amqp_traffic.cli.explain",
    "ingest": "amqp_traffic.cli.ingest",
    "report": "amqp_traffic.cli.report",
    "show": "amqp_traffic.cli.show",
    "sql": "amqp_traffic.cli.sql",
    "synth": "amqp_traffic.cli.synth",
}


@click.command("traffic", cls=LazyGroup, modules=COMMANDS)
def command() -> None:
    """Work with captured AMQP traffic."""
