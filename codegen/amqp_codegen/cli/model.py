"""``amqp-codegen model SPEC``: the resolved model as JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..model.problem import SpecError
from ..support.command_line import (
    HintedChoice,
    output_option,
    overlay_option,
    print_problems,
    require_writable,
    write_report,
)


@click.command("model")
@click.argument("specs", nargs=-1, metavar="SPEC...")
@overlay_option
@click.option(
    "--format",
    "form",
    default="json",
    type=HintedChoice(["json", "rabbitmq-json"]),
    help="The whole model, or the JSON of rabbitmq-codegen, which many scripts read.",
    show_default=True,
)
@click.option("--schema", "schema_only", is_flag=True, help="Print the JSON Schema of --format json instead.")
@output_option
def command(
    specs: tuple[str, ...], overlays: tuple[Path, ...], form: str, schema_only: bool, output: Path | None
) -> None:
    """Print the resolved model of a specification: names, types, directions and replies.

    SPEC is a file, a folder or a built-in name: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0, 1.0-rabbitmq.
    Several are the parts of one specification of AMQP 1.0.

    \b
    amqp-codegen model 0-9-1 | jq '.specification.classes[].name'
    amqp-codegen model 0-9-1-rabbitmq --format rabbitmq-json -o amqp-rabbitmq-0.9.1.json
    amqp-codegen model --schema -o model.schema.json
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    # Imported here to keep --help fast.
    from ..export.model_json import schema_text

    if schema_only and (specs or overlays or form != "json"):
        raise click.UsageError("--schema is one for all specifications: give no other argument but -o.")
    if not schema_only and not specs:
        raise click.UsageError("Missing argument 'SPEC'.")
    try:
        require_writable(output)
        text = schema_text() if schema_only else _text(specs, overlays, form)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    write_report(text, output, lines=False)


def _text(specs: tuple[str, ...], overlays: tuple[Path, ...], form: str) -> str:
    """Return the document.

    Raises:
        SpecError: The specification is wrong, missing, or of a family that the form does not support.
    """
    from ..api import load
    from ..export.model_json import model_text
    from ..export.rabbitmq_json import rabbitmq_text

    specification = load(specs, overlays=overlays)
    return rabbitmq_text(specification) if form == "rabbitmq-json" else model_text(specification)
