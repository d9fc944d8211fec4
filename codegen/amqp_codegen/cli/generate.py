"""``amqp-codegen SPEC...``: generate packages, or check that they are current."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..model.problem import SpecError
from ..support.command_line import overlay_option, print_problems


@click.command("generate")
@click.argument("spec", nargs=-1)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Folder for the packages [default: generated]."
)
@click.option(
    "--package", default="", help="Name of the package [default: by version, for example amqp_0_9_1]."
)
@overlay_option
@click.option(
    "--dialect",
    default="",
    help="Default field-table dialect: spec-0-8, spec-0-9, spec-0-9-1, rabbitmq, qpid.",
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path),
    help="A folder of your own templates, which replace ours or make more files (templates.toml).",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and name each file that is not current.")
@click.option(
    "--emit",
    default="",
    metavar="LIST",
    help="What to generate, with commas between: codecs, columns (rows and VARIANT, for tables), conformance (tests"
    " for codecs), targets of your templates"
    " [default: codecs and all of these targets].",
)
def command(
    spec: tuple[str, ...],
    output: Path | None,
    package: str,
    overlays: tuple[Path, ...],
    dialect: str,
    templates: Path | None,
    check: bool,
    emit: str,
) -> None:
    """Generate the package of a specification.

    SPEC is a file, a folder (1.0 has five files) or a built-in name: 0-8, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0.
    Without SPEC the targets of [tool.amqp-codegen] in pyproject.toml are generated.
    """
    # Imported here to keep --help fast.
    from .generate_packages import generate_packages
    from .targets import choose_targets

    try:
        folder, targets = choose_targets(spec, overlays, package, dialect, templates, emit)
        sys.exit(generate_packages(targets, output or folder, check))
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
