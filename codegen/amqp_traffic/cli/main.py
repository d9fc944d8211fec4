"""``amqp-codegen traffic``: what can be done with captures."""

from __future__ import annotations

import click
from amqp_codegen.support.command_line import LazyGroup

# Name of a command to the module that has it as ``command``; imported only when it is called.
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
