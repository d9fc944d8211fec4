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
