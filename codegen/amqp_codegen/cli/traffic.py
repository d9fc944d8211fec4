"""``amqp-codegen traffic``: what can be done with captures."""

from __future__ import annotations

import click

from .lazy_group import LazyGroup

# Name of a command to the module that has it as ``command``; imported only when it is called.
COMMANDS = {
    "audit": "amqp_codegen.cli.traffic_audit",
    "explain": "amqp_codegen.cli.traffic_explain",
    "ingest": "amqp_codegen.cli.traffic_ingest",
    "report": "amqp_codegen.cli.traffic_report",
    "show": "amqp_codegen.cli.traffic_show",
    "sql": "amqp_codegen.cli.traffic_sql",
    "synth": "amqp_codegen.cli.traffic_synth",
}


@click.command("traffic", cls=LazyGroup, modules=COMMANDS)
def command() -> None:
    """Work with captured AMQP traffic."""
