"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

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
    help="Who has this port is the broker, where it cannot be told otherwise; may be repeated.  [default: 5672, 5671]",
)
