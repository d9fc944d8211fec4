"""``amqp-codegen SPEC...``: generate packages, or check that they are current."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..model.problem import SpecError
from ..support.command_line import overlay_option, print_problems, refuse_input


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
@click.option(
    "--emit",
    default="",
    metavar="LIST",
    help="What to generate, with commas between: codecs, client (parts for authors of clients), columns (rows and"
    " VARIANT, for tables), conformance (tests for codecs), native (the core in C, for those who vendor), targets of your"
    " templates [default: codecs, client and all of these targets].",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and name each file that is not current.")
@click.option(
    "--dry-run", is_flag=True, help="Write nothing; name each file that would be written or removed."
)
@click.option("--diff", is_flag=True, help="Write nothing; print what would change as a unified diff.")
@click.option("--force", is_flag=True, help="Overwrite files that were not generated.")
@click.option("--no-cache", is_flag=True, help="Generate everything anew; neither read nor write the cache.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems, and what --check finds.")
@click.option("-v", "--verbose", is_flag=True, help="Print each step.")
def command(
    spec: tuple[str, ...],
    output: Path | None,
    package: str,
    overlays: tuple[Path, ...],
    dialect: str,
    templates: Path | None,
    emit: str,
    check: bool,
    dry_run: bool,
    diff: bool,
    force: bool,
    no_cache: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Generate the package of a specification.

    SPEC is a file, a folder (1.0 has five files) or a built-in name: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq,
    1.0, 1.0-rabbitmq. Without SPEC the targets of [tool.amqp-codegen] in pyproject.toml are generated.
    """
    # Imported here to keep --help fast.
    from ..support.cache import Cache, open_cache
    from .generate_packages import Mode, generate_packages
    from .targets import choose_targets

    if quiet and verbose:
        refuse_input("bad-call", "--quiet and --verbose exclude each other")
    mode = Mode(check, dry_run, diff, force, quiet, verbose)
    try:
        folder, targets = choose_targets(spec, overlays, package, dialect, templates, emit)
        cache = Cache() if no_cache else open_cache()
        sys.exit(generate_packages(targets, output or folder, cache, mode))
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
