"""Options of the commands: which specification has the rules, and where a user's own drivers are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from amqp_codegen.support.command_line import overlay_option

_FOLDER = click.Path(path_type=Path)


def spec_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--spec``, ``--overlay`` and ``--drivers`` to a command, as ``specs``, ``overlays`` and ``drivers``."""
    options = (
        click.option(
            "--spec",
            "specs",
            multiple=True,
            default=("0-9-1-rabbitmq",),
            metavar="SPEC",
            help="Whose rules: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0, 1.0-rabbitmq, or a file of your own; "
            "repeated for the parts of 1.0.  [default: 0-9-1-rabbitmq]",
        ),
        overlay_option,
        click.option(
            "--drivers",
            multiple=True,
            type=_FOLDER,
            metavar="FOLDER",
            help="Python modules with drivers of your own, for rules of your specification; may be repeated.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command
